//! Growth to dense states, and that bodies never pass through each other.

use carom::simulate::event_driven::{GrowthTarget, LubachevskyStillingerGrowth, Simulation};
use carom_tests::crowd::{PeriodicHardSpheres, packing_fraction, smallest_gap, temperature};
use std::f64::consts::PI;

/// Overlap, in smaller radii, that is rounding; a deeper one is an error.
const ROUNDING: f64 = 1e-9;

#[track_caller]
fn assert_apart<const D: usize>(simulation: &Simulation<D>) {
    let (at_collisions, now) = (simulation.counters().smallest_gap, smallest_gap(simulation));
    println!("smallest gap {at_collisions:e} at a collision, {now:e} now");
    assert!(at_collisions >= -ROUNDING, "bodies overlapped by {at_collisions:e} at a collision");
    assert!(now >= -ROUNDING, "bodies overlap by {now:e}");
}

fn grow<const D: usize>(
    crowd: &PeriodicHardSpheres<D>,
    rate: f64,
    until: GrowthTarget,
) -> Simulation<D> {
    crowd.run(|settings| {
        settings.growth = Some(LubachevskyStillingerGrowth { rate, until: Some(until) })
    })
}

/// Runs until radii grow no more.
#[track_caller]
fn finish<const D: usize>(simulation: &mut Simulation<D>, most_collisions: u64) {
    while simulation.is_growing() {
        simulation.advance(f64::INFINITY, simulation.count() as u64);
        let collisions = simulation.counters().collisions;
        assert!(collisions < most_collisions, "growth has not ended after {collisions} collisions");
    }
    let counters = simulation.counters();
    println!(
        "{} bodies: fraction {:.6} after {} collisions, time {}",
        simulation.count(),
        packing_fraction(simulation),
        counters.collisions,
        simulation.now()
    );
}

/// Lubachevsky and Stillinger's packings of equal spheres have fractions about 0.64.
#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn compressed_spheres_jam_at_random_close_packing() {
    let crowd = PeriodicHardSpheres::<3>::inserted(&[0.5; 2000], 0.2, 41);
    let mut simulation = grow(&crowd, 0.02, GrowthTarget::Pressure(1e6));
    finish(&mut simulation, 20_000_000);
    let fraction = packing_fraction(&simulation);
    assert!((0.63..0.66).contains(&fraction), "jammed at {fraction}");
    assert_apart(&simulation);
}

#[test]
fn compressed_discs_of_two_sizes_jam_at_0_84() {
    let radii: Vec<f64> = (0..2000).map(|number| if number < 1000 { 0.7 } else { 0.5 }).collect();
    let mut simulation = grow(
        &PeriodicHardSpheres::<2>::inserted(&radii, 0.3, 43),
        0.02,
        GrowthTarget::Pressure(1e6),
    );
    finish(&mut simulation, 20_000_000);
    let fraction = packing_fraction(&simulation);
    assert!((0.83..0.85).contains(&fraction), "jammed at {fraction}");
    assert_apart(&simulation);
}

#[test]
fn growth_stops_at_the_wanted_packing_fraction() {
    let wanted = 0.5;
    let crowd = PeriodicHardSpheres::<3>::inserted(&[0.5; 500], 0.2, 47);
    let mut simulation = grow(&crowd, 0.2, GrowthTarget::PackingFraction(wanted));
    finish(&mut simulation, 1_000_000);
    let fraction = packing_fraction(&simulation);
    assert!((fraction / wanted - 1.0).abs() < 1e-14, "stopped at {fraction}");
    assert_apart(&simulation);
    let warmth = temperature(&simulation);
    simulation.advance(f64::INFINITY, 100_000);
    assert!((temperature(&simulation) / warmth - 1.0).abs() < 1e-12, "no work after growth");
    assert_eq!(packing_fraction(&simulation), fraction);
    assert_apart(&simulation);
}

/// Growth without a target ends where nothing can grow any more, below the densest packing.
#[test]
fn nothing_is_denser_than_close_packing() {
    let mut spheres =
        grow(&PeriodicHardSpheres::fcc(4, 0.7, 53), 0.1, GrowthTarget::PackingFraction(0.8));
    finish(&mut spheres, 10_000_000);
    let (fraction, densest) = (packing_fraction(&spheres), PI / 18f64.sqrt());
    assert!((densest - 1e-3..=densest * (1.0 + ROUNDING)).contains(&fraction), "{fraction}");
    assert_apart(&spheres);
    let mut discs = grow(
        &PeriodicHardSpheres::triangular(16, 0.85, 53),
        0.1,
        GrowthTarget::PackingFraction(1.0),
    );
    finish(&mut discs, 10_000_000);
    let (fraction, densest) = (packing_fraction(&discs), PI / 12f64.sqrt());
    assert!((densest - 1e-3..=densest * (1.0 + ROUNDING)).contains(&fraction), "{fraction}");
    assert_apart(&discs);
}

/// A liquid near freezing, grown from a gas.
fn dense_liquid() -> Simulation<3> {
    let crowd = PeriodicHardSpheres::<3>::inserted(&[0.5; 4000], 0.2, 59);
    let mut simulation = grow(&crowd, 0.5, GrowthTarget::PackingFraction(0.49));
    finish(&mut simulation, 10_000_000);
    simulation
}

/// Equal volumes of spheres with diameters in the ratio ten to one, masses by volume.
fn mixture(large: usize) -> Simulation<3> {
    let mut radii = vec![0.5; large];
    radii.resize(1001 * large, 0.05);
    let mut crowd = PeriodicHardSpheres::<3>::inserted(&radii, 0.3, 61);
    for body in &mut crowd.bodies {
        body.mass = (2.0 * body.radius).powi(3);
        body.velocity /= body.mass.sqrt();
    }
    crowd.run(|_| {})
}

fn check_long_run(mut simulation: Simulation<3>, collisions: u64) {
    let before = temperature(&simulation);
    simulation.advance(f64::INFINITY, collisions);
    assert_apart(&simulation);
    let drift = temperature(&simulation) / before - 1.0;
    assert!(drift.abs() < 1e-12 * (1.0 + collisions as f64 / 1e6), "energy drifted by {drift:e}");
}

#[test]
fn a_dense_liquid_never_overlaps() {
    check_long_run(dense_liquid(), 500_000);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn a_dense_liquid_never_overlaps_in_ten_million_collisions() {
    check_long_run(dense_liquid(), 10_000_000);
}

#[test]
fn a_mixture_of_one_to_ten_never_overlaps() {
    check_long_run(mixture(3), 500_000);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn a_mixture_of_one_to_ten_never_overlaps_in_ten_million_collisions() {
    check_long_run(mixture(10), 10_000_000);
}
