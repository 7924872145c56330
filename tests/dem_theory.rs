//! The DEM engine against theory, experiments and the event-driven engine.

#![allow(clippy::unwrap_used)]

use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;
use carom::run::{Error, Run, Sink};
use carom::scene::Scene;
use carom::scene::generate::SplitMix64;
use carom::scene::scene::AnyScene;
use carom::simulate::Values;
use carom::simulate::dem::{
    Body, CompositeLaw, Damping, MeshSurface, Settings, Simulation, TangentialForceLaw, Wall,
    WallSurface,
};
use std::f64::consts::PI;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// An elastic ball: Young's modulus over `1 - ν²`, density and radius.
struct Ball {
    modulus: f64,
    density: f64,
    radius: f64,
}

/// Collides two balls head-on; returns the contact time and the largest force.
fn impact(balls: [&Ball; 2], speed: f64, step: f64) -> [f64; 2] {
    let modulus = 1.0 / (1.0 / balls[0].modulus + 1.0 / balls[1].modulus);
    let [one, two] = balls.map(|ball| {
        let mass = ball.density * 4.0 / 3.0 * PI * ball.radius.powi(3);
        Body::at_rest([0.0; 3], ball.radius, mass)
    });
    let first = Body { velocity: [speed, 0.0, 0.0].into(), ..one };
    let apart = one.radius + two.radius + 0.5 * speed * step;
    let second = Body { position: [apart, 0.0, 0.0].into(), ..two };
    let settings =
        Settings { time_step: Some(step), ..Settings::with_law(CompositeLaw::hertz(modulus)) };
    let mut simulation = Simulation::new(&[first, second], settings).unwrap();
    let (mut touching, mut largest) = (0.0, 0.0_f64);
    loop {
        let before = simulation.body(1).velocity.x;
        simulation.advance(1).unwrap();
        largest = largest.max((simulation.body(1).velocity.x - before) * second.mass / step);
        match simulation.step_totals().contacts {
            0 if touching > 0.0 => return [touching, largest],
            0 => {}
            _ => touching += step,
        }
    }
}

/// Hertz's contact time and force of two impacts in SI units, to the digits of the closed forms `2.943275 a / v` and
/// `1.25 m v^2 / a`.
#[test]
fn balls_of_metal_touch_as_long_and_push_as_hard_as_hertz_says() {
    let steel = Ball { modulus: 210e9 / (1.0 - 0.09), density: 7800.0, radius: 0.01 };
    let aluminium = Ball { modulus: 70e9 / (1.0 - 0.33 * 0.33), density: 2700.0, radius: 0.02 };
    for (balls, speed, time, force) in [
        ([&steel, &steel], 1.0, 6.00105e-5, 1001.536),
        ([&steel, &aluminium], 0.5, 9.95371e-5, 443.6245),
    ] {
        let [touching, largest] = impact(balls, speed, time / 4000.0);
        assert!((touching / time - 1.0).abs() < 1e-3, "{touching} {time}");
        assert!((largest / force - 1.0).abs() < 1e-4, "{largest} {force}");
    }
}

/// Returns the slip of a ball at a wall after an impact, over friction coefficient times normal speed.
fn oblique(law: CompositeLaw, slip: f64) -> f64 {
    let (friction, speed) = (law.friction_coefficient, 1.0);
    let ball = Body {
        velocity: [slip * friction * speed, 0.0, -speed].into(),
        ..Body::at_rest([0.0, 0.0, 1.0 + 1e-9], 1.0, 1.0)
    };
    let mut settings = Settings::with_law(law);
    settings.walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
    let mut simulation = Simulation::new(&[ball], settings).unwrap();
    let before = simulation.energy().total();
    while simulation.body(0).velocity.z < 0.0 || simulation.step_totals().wall_contacts > 0 {
        simulation.advance(1).unwrap();
    }
    simulation.advance(2).unwrap();
    let after = simulation.energy();
    assert!((after.total() / before - 1.0).abs() < 1e-3, "{slip}: {before} {after:?}");
    assert!(after.friction_loss > -1e-3 * before, "{slip}: {after:?}");
    let ball = simulation.body(0);
    // The velocity of the contact point.
    (ball.velocity.x - ball.angular_velocity.y) / (friction * speed)
}

/// Slip over friction coefficient times normal speed, before and after an oblique impact. Sliding during the whole
/// contact removes seven of it (twice the speed times `1 + 5/2`), whatever the law: the straight branch of Maw, Barber
/// and Fawcett (1976), whose curve has a positive branch before, where the contact sticks, and a negative one between.
/// Springs in the ratio of 2/7 oscillate as fast tangentially as normally, so that below 3.5 nothing slides and the
/// slip is reversed: the two lines of O. Walton (1993).
#[test]
fn a_ball_that_strikes_a_wall_at_an_angle_slides_or_springs_back_as_theory_says() {
    let poisson = 0.22_f64;
    let shear = (1.0 - poisson) / (2.0 * (2.0 - poisson));
    let glass = CompositeLaw {
        tangential: TangentialForceLaw::Mindlin { modulus: 2e8 * shear, damping: 0.0 },
        friction_coefficient: 0.1,
        ..CompositeLaw::hertz(2e8)
    };
    let springs = CompositeLaw {
        tangential: TangentialForceLaw::Spring { stiffness: 2e8 * 2.0 / 7.0, damping: 0.0 },
        friction_coefficient: 0.3,
        ..CompositeLaw::spring(2e8)
    };
    for slip in [7.25, 8.0, 10.0, 20.0] {
        let after = oblique(glass, slip);
        assert!((slip - 7.0 - after).abs() < 0.02, "{slip} {after}");
    }
    // Slips in units of that paper; a contact that begins below one sticks, one above the bound slides throughout.
    let unit = 2.0 * (1.0 - poisson) / (2.0 - poisson);
    let slides = 7.0 - 1.0 / unit;
    let curve: Vec<[f64; 2]> =
        (1..=28).map(|k| f64::from(k) * 0.25).map(|slip| [slip, oblique(glass, slip)]).collect();
    for &[slip, after] in &curve {
        if slip * unit < 1.0 {
            // It oscillates tangentially 1.5 to 2 times as fast as normally, so that it leaves as it came, but slower.
            assert!(0.4 < after / slip && after < 0.8 * slip, "{slip} {after}");
        } else if slip > 2.5 && slip < slides {
            assert!(after < 0.0 && after > slip - 7.0 - 1e-3, "{slip} {after}");
        } else if slip > slides {
            assert!((slip - 7.0 - after).abs() < 0.04, "{slip} {after}");
        }
    }
    let [slip, after] = *curve.iter().min_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
    assert!(3.5 < slip * unit && slip < slides && (-1.4..-1.0).contains(&(after * unit)));
    for slip in [0.25, 1.0, 2.0, 3.0, 3.4, 3.6, 4.0, 5.0, 7.0, 9.0] {
        let (after, theory) = (oblique(springs, slip), (slip - 7.0).max(-slip));
        assert!((after - theory).abs() < 0.02, "{slip} {after} {theory}");
    }
}

#[test]
fn the_energy_of_an_elastic_gas_does_not_drift() {
    assert_no_drift(150_000);
}

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn the_energy_of_an_elastic_gas_does_not_drift_in_a_million_steps() {
    assert_no_drift(1_000_000);
}

/// Steps a few elastic bodies.
fn assert_no_drift(steps: u64) {
    let mut random = SplitMix64::new(5);
    let mut velocity = || Vector::from([0, 1, 2].map(|_| random.normal()));
    let bodies: Vec<Body> = (0..27)
        .map(|k| {
            let place = [k % 3, k / 3 % 3, k / 9].map(|site| 1.0 + 1.3 * f64::from(site));
            Body { velocity: velocity(), ..Body::at_rest(place, 0.5, 1.0) }
        })
        .collect();
    for law in [CompositeLaw::spring(1e4), CompositeLaw::hertz(3e4)] {
        let mut settings = Settings::with_law(law);
        for axis in 0..3 {
            let mut normal = Vector::zeros();
            normal[axis] = 1.0;
            settings.walls.extend([Wall::plane(normal, 0.0), Wall::plane(-normal, -4.6)]);
        }
        let mut simulation = Simulation::new(&bodies, settings).unwrap();
        let total = simulation.energy().total();
        simulation.advance(steps).unwrap();
        let drift = simulation.energy().total() / total - 1.0;
        println!("{law:?} {drift}");
        assert!(drift.abs() < 2e-3, "{law:?} {drift}");
    }
}

/// The mean pressure of the rows of a run.
#[derive(Default)]
struct Pressure {
    sum: f64,
    rows: f64,
}

impl Sink<2> for Pressure {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        let number = |name: &str| row.number(name).unwrap();
        if number("time") > 0.0 {
            self.sum += number("pressure") / number("temperature");
            self.rows += 1.0;
        }
        Ok(())
    }
}

fn gas(engine: &str, more: &str) -> Scene<2> {
    let text = format!(
        "engine = '{engine}'\ndimension = 2\n{more}\n[[generate]]\nkind = 'random'\ncount = 200\n\
         radius = 0.5\npacking_fraction = 0.4\ntemperature = 1.0"
    );
    match AnyScene::parse(&text, "gas.toml", "".as_ref(), &[]).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!("the scene is of the plane"),
    }
}

/// At temperature one, both engines must give the same pressure; stiff springs overlap by some thousandths, which makes
/// discs that much smaller.
#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn an_elastic_gas_has_the_same_pressure_in_steps_and_by_events() {
    assert_same_pressure(60, 0.01);
}

/// A tenth of the time, with a standard error that is three times as large.
#[test]
fn an_elastic_gas_has_nearly_the_same_pressure_in_steps_and_by_events() {
    assert_same_pressure(6, 0.03);
}

fn assert_same_pressure(until: u32, tolerance: f64) {
    let soft = gas(
        "dem",
        &format!("until = {until}\noutput.log_interval = 1\n[materials.default]\nstiffness = 1e6"),
    );
    let mut mean = Pressure::default();
    let mut run = Run::new(&soft).unwrap();
    run.run_to_end(&mut mean).unwrap();
    let in_steps = mean.sum / mean.rows;
    let hard = gas("event-driven", "collisions = 400_000");
    let mut run = Run::new(&hard).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let summary = run.summary(carom::run::Ending::Collisions, carom::run::Timing::default());
    let by_events = summary.number("pressure").unwrap();
    println!("{in_steps} {by_events}");
    assert!((in_steps / by_events - 1.0).abs() < tolerance, "{in_steps} {by_events}");
}

/// The sum of all energies at every row.
#[derive(Default)]
struct Books(Vec<f64>);

impl Sink<2> for Books {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        let number = |name: &str| row.number(name).unwrap();
        let stored = ["kinetic_energy", "rotational_energy", "potential_energy", "contact_energy"];
        let lost = ["damping_loss", "friction_loss"];
        let sum: f64 = stored.iter().chain(&lost).map(|name| number(name)).sum();
        self.0.push(sum - number("external_work"));
        Ok(())
    }
}

/// Triangles that fall on each other at random, often nearly face to face.
#[test]
fn the_energy_of_falling_triangles_stays_known() {
    assert_energy_of_triangles(1..=2);
}

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn the_energy_of_falling_triangles_stays_known_from_more_starts() {
    assert_energy_of_triangles(3..=20);
}

fn assert_energy_of_triangles(seeds: RangeInclusive<u64>) {
    for seed in seeds {
        for (friction, restitution) in [(0.0, 0.1), (0.4, 0.5)] {
            let text = format!(
                "engine = 'dem'\ndimension = 2\nuntil = 3\nseed = {seed}\noutput.log_interval = 0.1\n\
                 [box]\nsize = [3, 20]\nboundary = 'wall'\n[gravity]\nacceleration = [0, -9.81]\n\
                 [materials.default]\ndensity = 1.0\nstiffness = 1e4\nfriction = {friction}\n\
                 restitution = {restitution}\n\
                 [shapes.tri]\npolygon = [[0, 0], [0.5, 0], [0.25, 0.5]]\n\
                 [[generate]]\nkind = 'random'\ncount = 20\nshape = 'tri'"
            );
            let AnyScene::TwoD(scene) =
                AnyScene::parse(&text, "bed.toml", "".as_ref(), &[]).unwrap()
            else {
                unreachable!("the scene is of the plane")
            };
            let mut books = Books::default();
            Run::new(&scene).unwrap().run_to_end(&mut books).unwrap();
            let start = books.0[0];
            for total in books.0 {
                assert!((total - start).abs() < 0.03 * start, "seed {seed}: {start} {total}");
            }
        }
    }
}

/// Grains in a box as wide as high, settled on a closed floor.
struct Silo<const D: usize> {
    width: f64,
    bodies: Vec<Body<D>>,
    law: CompositeLaw,
}

impl<const D: usize> Silo<D> {
    fn filled(width: usize, layers: usize, friction: f64) -> Self {
        let mut random = SplitMix64::new(9);
        let depth = if D == 2 { 1 } else { width };
        let mut bodies = Vec::new();
        for layer in 0..layers {
            for (x, y) in (0..width).flat_map(|x| (0..depth).map(move |y| (x, y))) {
                let mut at = |site: usize| site as f64 + 0.5 + 0.06 * (random.uniform() - 0.5);
                let mut place = Vector::<D>::zeros();
                (place[0], place[D - 1]) = (at(x), at(layer));
                if D == 3 {
                    place[1] = at(y);
                }
                bodies.push(Body::at_rest(place, 0.45 + 0.02 * random.uniform(), 1.0));
            }
        }
        let law = CompositeLaw {
            damping: Damping::restitution(0.3),
            tangential: TangentialForceLaw::Spring { stiffness: 5e3 * 2.0 / 7.0, damping: 0.5 },
            friction_coefficient: friction,
            ..CompositeLaw::spring(5e3)
        };
        let mut silo = Silo { width: width as f64, bodies, law };
        let mut settling = silo.run(None);
        while settling.now() < 12.0 {
            settling.advance(500).unwrap();
        }
        silo.bodies = (0..settling.body_count()).map(|number| settling.body(number)).collect();
        silo
    }

    fn run(&self, opening: Option<f64>) -> Simulation<D> {
        let mut settings = Settings::with_law(self.law);
        let mut gravity = [0.0; D];
        gravity[D - 1] = -1.0;
        settings.gravity = gravity.into();
        for axis in 0..D - 1 {
            let mut normal = Vector::zeros();
            normal[axis] = 1.0;
            settings.walls.extend([Wall::plane(normal, 0.0), Wall::plane(-normal, -self.width)]);
        }
        settings.walls.push(Wall::at_rest(WallSurface::Mesh(Arc::new(MeshSurface::new(
            floor::<D>(0.5 * self.width, opening.unwrap_or(0.0)),
        )))));
        Simulation::new(&self.bodies, settings).unwrap()
    }

    /// Grains per time through an opening of a width, during steady flow.
    fn rate(&self, opening: f64, count: usize) -> f64 {
        let mut simulation = self.run(Some(opening));
        let mut begun = None;
        loop {
            simulation.advance(100).unwrap();
            let out = (0..simulation.body_count())
                .filter(|&number| simulation.body(number).position[D - 1] < -1.0)
                .count();
            let now = simulation.now();
            assert!(now < 300.0, "{out} of {count} through {opening}");
            match begun {
                None if out >= count / 4 => begun = Some((now, out)),
                Some((start, before)) if out >= count => {
                    return (out - before) as f64 / (now - start);
                }
                _ => {}
            }
        }
    }
}

/// A floor around the middle with a slit (2D) or a round hole (3D) in it.
fn floor<const D: usize>(middle: f64, opening: f64) -> TriangleMesh {
    let half = 0.5 * opening;
    if D == 2 {
        let at = |x: f64| Vector::from([x, 0.0, 0.0]);
        let ends = [-2.0, middle - half, middle + half, 2.0 * middle + 2.0].map(at);
        return TriangleMesh::new(ends.to_vec(), vec![[0, 1, 1], [2, 3, 3]]).unwrap();
    }
    let ring = |radius: f64| {
        (0..32).map(move |k| {
            let angle = PI * f64::from(k) / 16.0;
            Vector::from([middle + radius * angle.cos(), middle + radius * angle.sin(), 0.0])
        })
    };
    let vertices: Vec<Vector<3>> = ring(half.max(1e-3)).chain(ring(3.0 * middle)).collect();
    let triangles = (0..32u32).flat_map(|k| {
        let next = (k + 1) % 32;
        [[k, next, k + 32], [next, next + 32, k + 32]]
    });
    TriangleMesh::new(vertices, triangles.collect()).unwrap()
}

/// The exponent of rates over openings minus `empty` diameters at the rim, by least squares.
fn exponent(rates: &[[f64; 2]], empty: f64) -> f64 {
    let points: Vec<[f64; 2]> =
        rates.iter().map(|[opening, rate]| [(opening - empty).ln(), rate.ln()]).collect();
    let count = points.len() as f64;
    let mean = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / count);
    let [mut across, mut along] = [0.0; 2];
    for [x, y] in &points {
        across += (x - mean[0]) * (y - mean[1]);
        along += (x - mean[0]).powi(2);
    }
    across / along
}

/// Beverloo, Leniger and van de Velde (1961): the discharge rate grows with the opening, minus about one and a half
/// diameters, to the power of 5/2, in 2D of 3/2.
#[test]
fn the_rate_of_a_silo_follows_beverloo_in_the_plane() {
    assert_beverloo_in_the_plane(&Silo::filled(26, 16, 0.5), &[6.0, 10.0], 130);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn the_rate_of_a_wide_silo_follows_beverloo_in_the_plane() {
    let silo = Silo::filled(36, 30, 0.5);
    assert_beverloo_in_the_plane(&silo, &[6.0, 8.0, 10.5, 14.0], 320);
}

fn assert_beverloo_in_the_plane(silo: &Silo<2>, openings: &[f64], count: usize) {
    let rates: Vec<[f64; 2]> =
        openings.iter().map(|&opening| [opening, silo.rate(opening, count)]).collect();
    let exponent = exponent(&rates, 1.4);
    println!("{rates:?} {exponent}");
    assert!((1.3..1.7).contains(&exponent), "{rates:?} {exponent}");
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn the_rate_of_a_silo_follows_beverloo_in_space() {
    let silo = Silo::<3>::filled(10, 14, 0.5);
    let rates = [3.6, 4.6, 6.0].map(|opening| [opening, silo.rate(opening, 360)]);
    let exponent = exponent(&rates, 1.4);
    println!("{rates:?} {exponent}");
    assert!((2.2..2.8).contains(&exponent), "{rates:?} {exponent}");
}
