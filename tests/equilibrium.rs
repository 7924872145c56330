//! Elastic gases and liquids against equations of state and kinetic theory.
//!
//! Diameter, mass and temperature are one. Of the closed equations of state, Kolafa's for spheres and Liu's for discs
//! lie closest to simulations; the collision rate follows from them by the pair distribution at contact (Enskog).

use carom::simulate::event_driven::Simulation;
use carom_tests::crowd::{
    PeriodicHardSpheres, kinetic_energy, momentum, structure_factor, temperature,
};
use std::f64::consts::{PI, TAU};

/// Spheres: Kolafa's correction of Carnahan and Starling's equation.
fn kolafa(eta: f64) -> f64 {
    (1.0 + eta + eta.powi(2) - 2.0 / 3.0 * (eta.powi(3) + eta.powi(4))) / (1.0 - eta).powi(3)
}

/// Discs: Liu's correction of Henderson's equation.
fn liu(eta: f64) -> f64 {
    (1.0 + eta.powi(2) / 8.0 + eta.powi(3) / 18.0 - 4.0 / 21.0 * eta.powi(4)) / (1.0 - eta).powi(2)
}

/// `Z - 1` over the collision rate of a body: `sqrt(pi)/6` in 3D, `sqrt(pi)/4` in 2D.
fn pressure_per_rate(dimension: usize) -> f64 {
    PI.sqrt() / [4.0, 6.0][dimension - 2]
}

/// Fifty collisions per body.
fn warm_up<const D: usize>(simulation: &mut Simulation<D>) {
    simulation.advance(f64::INFINITY, 25 * simulation.count() as u64);
}

/// Reduced pressure and collisions per body and time over the next collisions.
fn pressure_and_rate<const D: usize>(
    simulation: &mut Simulation<D>,
    collisions: u64,
) -> (f64, f64) {
    let (before, since) = (*simulation.counters(), simulation.now());
    simulation.advance(f64::INFINITY, collisions);
    let count = simulation.count() as f64;
    let passed = simulation.now() - since;
    let virial = simulation.counters().virial - before.virial;
    let pressure = 1.0 + virial / (D as f64 * count * temperature(simulation) * passed);
    let events = simulation.counters().collisions - before.collisions;
    (pressure, 2.0 * events as f64 / (count * passed))
}

fn check_state<const D: usize>(mut simulation: Simulation<D>, eta: f64, expected: f64) {
    let expected_rate = (expected - 1.0) / pressure_per_rate(D);
    let (pressure, rate) = pressure_and_rate(&mut simulation, 2_000_000);
    let by_rate = 1.0 + pressure_per_rate(D) * rate;
    println!(
        "{D}D {eta}: Z {pressure:.5} ({expected:.5}, {:+.3} %), nu {rate:.5} ({expected_rate:.5}, {:+.3} %), identity {:+.4} %",
        100.0 * (pressure / expected - 1.0),
        100.0 * (rate / expected_rate - 1.0),
        100.0 * (pressure / by_rate - 1.0),
    );
    assert!((pressure / expected - 1.0).abs() < 5e-3, "Z {pressure} at {eta}, not {expected}");
    assert!((rate / expected_rate - 1.0).abs() < 5e-3, "nu {rate} at {eta}, not {expected_rate}");
    assert!((pressure / by_rate - 1.0).abs() < 2e-3, "Z {pressure} but {by_rate} from the rate");
}

/// Warms up until the initial lattice has melted, and as long again.
fn melt<const D: usize>(simulation: &mut Simulation<D>, wave: [f64; D]) {
    for _ in 0..10 {
        warm_up(simulation);
        if structure_factor(simulation, wave.into()) < 10.0 {
            return warm_up(simulation);
        }
    }
    panic!("the lattice of the start has not melted");
}

fn check_spheres(eta: f64) {
    let crowd = PeriodicHardSpheres::fcc(10, eta, 7);
    let mut simulation = crowd.run(|_| {});
    melt(&mut simulation, [TAU * 10.0 / crowd.region.size.x; 3]);
    check_state(simulation, eta, kolafa(eta));
}

fn check_discs(eta: f64) {
    let crowd = PeriodicHardSpheres::rows(64, eta, 7);
    let mut simulation = crowd.run(|_| {});
    melt(&mut simulation, [TAU * 64.0 / crowd.region.size.x, 0.0]);
    check_state(simulation, eta, liu(eta));
}

#[test]
fn spheres_have_the_pressure_and_rate_of_kolafa() {
    check_spheres(0.3);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn dilute_and_dense_spheres_have_the_pressure_and_rate_of_kolafa() {
    [0.05, 0.1, 0.2, 0.4, 0.45].into_iter().for_each(check_spheres);
}

#[test]
fn discs_have_the_pressure_and_rate_of_liu() {
    check_discs(0.5);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn dilute_and_dense_discs_have_the_pressure_and_rate_of_liu() {
    [0.05, 0.1, 0.3, 0.6, 0.65].into_iter().for_each(check_discs);
}

fn check_conservation<const D: usize>(mut simulation: Simulation<D>) {
    let before = kinetic_energy(&simulation);
    simulation.advance(f64::INFINITY, 1_000_000);
    let drift = kinetic_energy(&simulation) / before - 1.0;
    let momentum = momentum(&simulation).norm();
    println!("{D}D: energy {drift:e}, momentum {momentum:e}");
    assert!(drift.abs() < 1e-12, "energy drifted by {drift:e}");
    assert!(momentum < 1e-10 * (simulation.count() as f64).sqrt(), "momentum {momentum:e}");
    assert_eq!(simulation.counters().collapse_prevented, 0);
    let lost = simulation.counters().dissipated;
    assert_eq!(lost, 0.0, "elastic bodies lost {lost:e}");
}

#[test]
fn energy_and_momentum_are_kept_over_a_million_collisions_of_spheres() {
    for eta in [0.1, 0.49] {
        check_conservation(PeriodicHardSpheres::fcc(10, eta, 3).run(|_| {}));
    }
}

#[test]
fn energy_and_momentum_are_kept_over_a_million_collisions_of_discs() {
    for eta in [0.1, 0.7] {
        check_conservation(PeriodicHardSpheres::rows(64, eta, 3).run(|_| {}));
    }
}

/// `<v^4> / <v^2>^2` and the mean speed over many samples of a run.
fn velocity_moments<const D: usize>(simulation: &mut Simulation<D>) -> (f64, f64) {
    let (mut speed, mut second, mut fourth) = (0.0, 0.0, 0.0);
    let samples = 100;
    for _ in 0..samples {
        simulation.advance(f64::INFINITY, 2 * simulation.count() as u64);
        for body in 0..simulation.count() {
            let square = simulation.velocity(body).norm_squared();
            speed += square.sqrt();
            second += square;
            fourth += square * square;
        }
    }
    let count = (samples * simulation.count()) as f64;
    (fourth * count / (second * second), speed / count)
}

/// Equal speeds at the start, so that collisions alone can make them Maxwell's.
fn with_equal_speeds<const D: usize>(mut crowd: PeriodicHardSpheres<D>) -> Simulation<D> {
    let speed = (D as f64).sqrt();
    crowd.bodies.iter_mut().for_each(|body| body.velocity = body.velocity.normalize() * speed);
    crowd.run(|_| {})
}

#[test]
fn velocities_become_those_of_maxwell() {
    let mut spheres = with_equal_speeds(PeriodicHardSpheres::fcc(10, 0.3, 5));
    warm_up(&mut spheres);
    let (moment, _) = velocity_moments(&mut spheres);
    println!("3D: {moment}");
    assert!((moment / (5.0 / 3.0) - 1.0).abs() < 0.01, "{moment}, not 5/3");
    let mut discs = with_equal_speeds(PeriodicHardSpheres::rows(64, 0.3, 5));
    warm_up(&mut discs);
    let (moment, _) = velocity_moments(&mut discs);
    println!("2D: {moment}");
    assert!((moment / 2.0 - 1.0).abs() < 0.01, "{moment}, not 2");
}

#[test]
fn the_mean_free_path_is_that_of_kinetic_theory() {
    for (eta, expected) in [(0.1, 0.904), (0.3, 0.1585)] {
        let mut simulation = PeriodicHardSpheres::fcc(10, eta, 11).run(|_| {});
        warm_up(&mut simulation);
        let (collisions, since) = (simulation.counters().collisions, simulation.now());
        let (_, speed) = velocity_moments(&mut simulation);
        let passed = simulation.now() - since;
        let events = simulation.counters().collisions - collisions;
        let path = speed * passed * simulation.count() as f64 / (2 * events) as f64;
        println!("{eta}: {path} ({expected})");
        assert!((path / expected - 1.0).abs() < 0.01, "{path} at {eta}, not {expected}");
    }
}

/// Errors grow by about a factor of ten per collision of a body, so five of them leave many digits.
#[test]
fn a_reversed_run_comes_back_to_its_start() {
    for eta in [0.1, 0.3, 0.49] {
        let crowd = PeriodicHardSpheres::fcc(5, eta, 13);
        let mut simulation = crowd.run(|settings| settings.count_passages = true);
        simulation.advance(f64::INFINITY, 5 * 250);
        // A time at which nothing happens.
        simulation.advance(simulation.now() + 1e-9, u64::MAX);
        let (there, turned) = (simulation.counters().collisions, simulation.now());
        simulation.reverse_velocities();
        simulation.advance(2.0 * turned, u64::MAX);
        let back = simulation.counters().collisions - there;
        assert_eq!((there, back), (1250, 1250), "at {eta}");
        for (number, body) in crowd.bodies.iter().enumerate() {
            let miss = (simulation.unwrapped_position(number) - body.position).norm();
            assert!(miss < 1e-6, "body {number} misses its start by {miss:e} at {eta}");
            let turned = (simulation.velocity(number) + body.velocity).norm();
            assert!(turned < 1e-6, "body {number} misses its velocity by {turned:e} at {eta}");
        }
    }
}
