//! Chapter 4: two balls in space, of lattices with six neighbors, as the thesis proposes, and with eighteen.

use super::hertz::EXACT_DURATION;
use crate::records::{Record, Records, record};
use crate::{PaperProgress, Settings};
use carom::geometry::Vector;
use carom::simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};

/// Relative speed, in speeds of longitudinal waves.
pub const SPEED: f64 = 0.029;
/// The run ends after this many durations of H. Hertz's theory.
pub const LONGEST: f64 = 4.0;

/// The radii of balls, in spacings.
pub(super) fn radii(settings: &Settings) -> &'static [f64] {
    settings.either(&[6.0], &[10.0, 14.0])
}

/// Balls of both lattices.
pub fn measure(settings: &Settings, progress: &mut PaperProgress<'_>) -> Records {
    let mut impacts = Records::default();
    for &radius in radii(settings) {
        impacts.extend([SpringLattice::Cubic6, SpringLattice::Cubic18].map(|lattice| {
            progress.step(&format!("balls of {radius} spacings"));
            impact(lattice, radius).expect("lattices of balls are valid")
        }));
    }
    impacts
}

/// Two balls of a lattice, turned against each other, meet head-on.
///
/// Duration and largest force are in parts of those of H. Hertz's theory, the duration of balls that do not part until the
/// end of the run. The speed with which they part is in parts of that before; energy from nowhere in parts of the energy of
/// the relative motion.
fn impact(lattice: SpringLattice, radius: f64) -> Result<Record, carom::simulate::Error> {
    let solid = lattice.solid();
    let speed = SPEED * solid.longitudinal_wave_speed;
    let bodies = vec![ball(lattice, radius, 0, speed)?, ball(lattice, radius, 1, speed)?];
    let count = bodies[0].particle_count() as f64;
    let round = 0.5 * (3.0 * count / (4.0 * std::f64::consts::PI)).cbrt();
    let (mass, modulus) =
        (0.5 * count, 0.5 * solid.youngs_modulus / (1.0 - solid.poissons_ratio.powi(2)));
    let deepest = (15.0 * mass * speed * speed / (16.0 * modulus * round.sqrt())).powf(0.4);
    let lasts = EXACT_DURATION * deepest / speed;
    let hardest = 1.25 * mass * speed * speed / deepest;
    let particles: usize = bodies.iter().map(Body::particle_count).sum();
    let mut simulation = Simulation::new(bodies)?;
    let energy = simulation.energy().total();
    let (mut first, mut last, mut most) = (None, 0.0, 0.0_f64);
    // As long again as it took to part, so that balls that only swing apart for a moment do not count as parted.
    while simulation.now() < first.unwrap_or(f64::MAX) + LONGEST * lasts
        && (first.is_some() || simulation.now() < 10.0 / speed)
    {
        let (before, then) = (simulation.bodies()[0].momentum().x, simulation.now());
        simulation.advance(1)?;
        let change = simulation.bodies()[0].momentum().x - before;
        if simulation.contact_totals().contacts > 0 {
            first.get_or_insert(simulation.now());
            last = simulation.now();
            most = most.max(-change / (simulation.now() - then));
        }
    }
    let velocity = |number: usize| simulation.bodies()[number].momentum().x / count;
    let gained = simulation.energy().total() - energy;
    let parted = simulation.now() - last > 0.2 * lasts;
    let duration = (last - first.unwrap_or(last)) / lasts;
    Ok(record! {
        "neighbors": 2 * lattice.half_links::<3>().len(), "radius": radius, "particles": particles,
        "duration / Hertz": format!("{}{duration:.3}", if parted { "" } else { "> " }),
        "parted": if parted { "yes" } else { "no" }, "force / Hertz": most / hardest,
        "restitution": (velocity(1) - velocity(0)) / speed,
        "energy from nowhere": gained / (0.5 * mass * speed * speed),
    })
}

/// A ball of unit spacing, mass and stiffness, with its lattice turned so that no faces meet.
fn ball(
    lattice: SpringLattice,
    radius: f64,
    number: usize,
    speed: f64,
) -> Result<Body<3>, carom::simulate::Error> {
    let solid = lattice.solid();
    let aside = Vector::from([0.31, 0.217, 0.093]);
    let high = radius as i32 + 1;
    let is_inside = |steps: &[i32; 3]| (lattice.position(steps) + aside).norm() <= radius;
    let grid = LatticeGrid::fill(lattice, [[-high; 3], [high; 3]], is_inside)?;
    let side = if number == 0 { -1.0 } else { 1.0 };
    let middle = Vector::from([side * (radius + 0.7), 0.0, 0.0]);
    let place = |place: &Vector<3>| rotated(&(place + aside), number as f64) + middle;
    let material = Material::elastic(solid.youngs_modulus, 1.0 / solid.particle_volume);
    let mut body = Body::new(grid, &material, 1.0, place)?;
    body.set_outline(|place| radius - (place - middle).norm())?;
    body.set_velocity([-0.5 * side * speed, 0.0, 0.0].into())?;
    Ok(body)
}

/// About the second axis, then about the third.
fn rotated(place: &Vector<3>, number: f64) -> Vector<3> {
    let (sine, cosine) = (0.5 - 0.8 * number).sin_cos();
    let [x, y, z] = [cosine * place.x + sine * place.z, place.y, cosine * place.z - sine * place.x];
    let (sine, cosine) = (0.7 + 0.9 * number).sin_cos();
    Vector::from([cosine * x - sine * y, sine * x + cosine * y, z])
}
