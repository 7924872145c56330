//! Duration and largest force of the impact of two spheres: by the closed form of H. Hertz's theory, by the equations of
//! the thesis, and by integrating the motion.

use super::koti1989::{Koti1989Impact, Koti1989Object};
use crate::records::{Record, Records, record};
use std::f64::consts::PI;

/// 2 ∫ dx/√(1−x^(5/2)) from 0 to 1, the duration in α_m/v₀: 4/5 √π Γ(2/5)/Γ(9/10).
pub const EXACT_DURATION: f64 = 2.943275;

/// A sphere by its modulus, Poisson's ratio, density and radius.
fn sphere(young: f64, poisson: f64, density: f64, radius: f64, speed: f64) -> Koti1989Object {
    Koti1989Object {
        name: "sphere".into(),
        id: 0,
        center: [0.0; 3],
        radius,
        color: [0.0; 3],
        grid: 2,
        stiffness_compressed: 0.0,
        stiffness_extended: 0.0,
        velocity: [speed, 0.0, 0.0],
        mass: 4.0 / 3.0 * PI * radius.powi(3) * density,
        poisson_ratio: poisson,
        young_modulus: young,
    }
}

/// Two impacts: duration and force in closed form, integrated, and by the equations of the thesis; and the speed after the
/// impact in parts of that before, if the force is the sine of (2.4).
pub fn measure() -> Records {
    let steel = |speed: f64| sphere(210e9, 0.3, 7800.0, 0.01, speed);
    let aluminum = sphere(70e9, 0.33, 2700.0, 0.02, 0.0);
    let cases = [
        ("steel on steel, 10 mm, 1 m/s", steel(1.0), steel(0.0)),
        ("steel 10 mm on aluminum 20 mm, 0.5 m/s", steel(0.5), aluminum),
    ];
    cases.iter().map(|(name, one, two)| case(name, one, two)).collect()
}

fn case(name: &str, one: &Koti1989Object, two: &Koti1989Object) -> Record {
    let impact = Koti1989Impact::of(one, two);
    let pieces = 1000;
    let middles = (0..pieces).map(|piece| (f64::from(piece) + 0.5) / f64::from(pieces));
    let mean = middles.map(|part| impact.force(part)).sum::<f64>() / f64::from(pieces);
    let integrated = integrate_impact(one, two, &impact);
    record! {
        "spheres": name, "duration exact": EXACT_DURATION * impact.max_approach / impact.speed,
        "duration integrated": integrated.duration, "by 4.53 (2.1)": impact.duration_as_printed(),
        "by 2.9432": impact.duration(),
        "force exact": 1.25 * impact.mass * impact.speed.powi(2) / impact.max_approach,
        "force integrated": integrated.largest_force, "by (2.4)": impact.largest_force(),
        "restitution of (2.4)": mean * impact.duration() / (impact.mass * impact.speed) - 1.0,
    }
}

/// An impact as integrated step by step.
struct IntegratedImpact {
    /// Time from the first touch to the last.
    duration: f64,
    /// Largest force.
    largest_force: f64,
}

/// Velocity Verlet on the force kα^(3/2), from the first touch to the last.
fn integrate_impact(
    one: &Koti1989Object,
    two: &Koti1989Object,
    impact: &Koti1989Impact,
) -> IntegratedImpact {
    let compliance =
        |object: &Koti1989Object| (1.0 - object.poisson_ratio.powi(2)) / object.young_modulus;
    let modulus = 1.0 / (compliance(one) + compliance(two));
    let radius = one.radius * two.radius / (one.radius + two.radius);
    let force = |depth: f64| 4.0 / 3.0 * modulus * radius.sqrt() * depth.max(0.0).powf(1.5);
    let step = impact.duration() / 20_000.0;
    let (mut depth, mut speed, mut time, mut largest) = (0.0, impact.speed, 0.0, 0.0_f64);
    loop {
        let half = speed - 0.5 * step * force(depth) / impact.mass;
        let next = depth + half * step;
        if next <= 0.0 {
            let duration = time + step * depth / (depth - next);
            return IntegratedImpact { duration, largest_force: largest };
        }
        depth = next;
        speed = half - 0.5 * step * force(depth) / impact.mass;
        time += step;
        largest = largest.max(force(depth));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values worked out apart from this program.
    #[test]
    fn known_impacts_last_and_push_as_known() {
        let known = [
            (6.00105e-5, 5.99579e-5, 1001.536, 913.40),
            (9.95371e-5, 9.94498e-5, 443.6245, 404.59),
        ];
        for (case, (exact, printed, force, sine)) in measure().iter().zip(known) {
            for (name, known) in [
                ("duration exact", exact),
                ("duration integrated", exact),
                ("by 4.53 (2.1)", printed),
                ("force exact", force),
                ("force integrated", force),
                ("by (2.4)", sine),
            ] {
                assert!((case.number(name) / known - 1.0).abs() < 2e-5, "{name}: {case:?}");
            }
            // The prescribed force throws bodies apart faster than they came.
            assert!((case.number("restitution of (2.4)") - 1.135).abs() < 2e-3, "{case:?}");
        }
    }

    #[test]
    fn duration_force_and_depth_grow_with_powers_of_the_speed() {
        let steel = sphere(210e9, 0.3, 7800.0, 0.01, 0.0);
        let [slow, fast] = [1.0, 32.0].map(|speed| Koti1989Impact::at_speed(speed, &steel, &steel));
        let near = |ratio: f64, power: f64| (ratio.log2() / 5.0 - power).abs() < 1e-12;
        assert!(near(fast.duration() / slow.duration(), -0.2));
        assert!(near(fast.largest_force() / slow.largest_force(), 1.2));
        assert!(near(fast.max_approach / slow.max_approach, 0.8));
    }
}
