//! The kinetic triangulation has the neighbors of the static one of the present positions, at any time, and returns
//! when motion is reversed.

#![allow(clippy::unwrap_used)]

use carom::detect::laguerre::Triangulation;
use carom::geometry::{Boundary, Sphere};
use carom::simulate::event_driven::{BodyStart, NeighborStructure, Region, Settings, Simulation};
use carom_tests::kinetic::{KineticStartLattice, simulation};

fn count_of<const D: usize>(simulation: &Simulation<D>, what: &str) -> u64 {
    let counts = simulation.structure_statistics();
    counts.iter().find(|(name, _)| *name == what).map(|(_, count)| *count).unwrap()
}

fn spheres<const D: usize>(simulation: &Simulation<D>) -> Vec<Sphere<D>> {
    (0..simulation.count())
        .map(|body| Sphere::new(simulation.position(body), simulation.radius(body)))
        .collect()
}

fn assert_static_neighbors<const D: usize>(simulation: &Simulation<D>, side: f64) {
    simulation.check().unwrap();
    let boundary = Boundary::periodic([Some(side); D]).unwrap();
    let at_rest = Triangulation::of(&spheres(simulation), &boundary).unwrap();
    for body in 0..simulation.count() {
        let found = simulation.neighbors(body);
        assert_eq!(found, at_rest.neighbors(body), "body {body} at {}", simulation.now());
    }
}

fn fluid<const D: usize>(per_side: usize, radii: [f64; 2]) -> Simulation<D> {
    let bodies: Vec<BodyStart<D>> = KineticStartLattice { per_side, radii, seed: 31 }.jittered();
    let settings = Settings::new(Region::periodic([per_side as f64; D]));
    simulation(&bodies, &settings, NeighborStructure::Laguerre)
}

fn assert_true_at_any_time<const D: usize>(per_side: usize, radii: [f64; 2]) {
    let mut moving = fluid::<D>(per_side, radii);
    for _ in 0..20 {
        moving.advance(f64::INFINITY, 97);
        assert_static_neighbors(&moving, per_side as f64);
    }
    assert!(count_of(&moving, "flips") > 100, "nothing has happened");
    assert_eq!(count_of(&moving, "rebuilds"), 0);
}

/// So few bodies that edges are long compared with the period, or go round it.
#[test]
fn few_bodies_in_a_period_have_the_neighbors_of_the_triangulation() {
    for per_side in [5, 6, 7] {
        let mut moving = fluid::<2>(per_side, [0.1, 0.45]);
        for _ in 0..30 {
            moving.advance(f64::INFINITY, 31);
            assert_static_neighbors(&moving, per_side as f64);
        }
    }
}

/// In 3D, copies of so few bodies are displaced by next to nothing, so a neighbor may be missing whose cell touches at
/// a point; the collisions are those of all pairs.
#[test]
fn few_bodies_in_a_period_of_space_collide_as_they_should() {
    for per_side in [3, 4] {
        let bodies: Vec<BodyStart<3>> =
            KineticStartLattice { per_side, radii: [0.1, 0.45], seed: 31 }.jittered();
        let settings = Settings::new(Region::periodic([per_side as f64; 3]));
        let mut moving = simulation(&bodies, &settings, NeighborStructure::Laguerre);
        let mut expected = simulation(&bodies, &settings, NeighborStructure::AllPairs);
        for _ in 0..15 {
            moving.advance(f64::INFINITY, 61);
            expected.advance(f64::INFINITY, 61);
            moving.check().unwrap();
            assert_eq!(moving.counters().digest, expected.counters().digest, "{per_side} per side");
        }
    }
}

/// From where a few copies of all bodies suffice to where there would be far too many.
#[test]
fn bodies_in_long_and_thin_boxes_collide_as_they_should() {
    for spacing in [3.0, 12.0, 200.0] {
        let body = |k: i32| {
            let place = [spacing * (0.5 + f64::from(k)), 1.0 + f64::from(k * k % 7) / 7.0];
            BodyStart::new(place, [spacing * f64::from(k * 5 % 11 - 5), 0.3], 0.5)
        };
        let bodies: Vec<BodyStart<2>> = (0..20).map(body).collect();
        let settings = Settings::new(Region::periodic([20.0 * spacing, 3.0]));
        let mut expected = simulation(&bodies, &settings, NeighborStructure::AllPairs);
        let mut found = simulation(&bodies, &settings, NeighborStructure::Laguerre);
        expected.advance(f64::INFINITY, 300);
        found.advance(f64::INFINITY, 300);
        found.check().unwrap();
        assert_eq!(found.counters().digest, expected.counters().digest, "spacing {spacing}");
    }
}

#[test]
fn it_is_the_triangulation_of_the_present_positions() {
    assert_true_at_any_time::<2>(16, [0.4, 0.4]);
    assert_true_at_any_time::<2>(16, [0.1, 0.45]);
    assert_true_at_any_time::<3>(8, [0.4, 0.4]);
    assert_true_at_any_time::<3>(8, [0.1, 0.45]);
}

fn assert_comes_back<const D: usize>(per_side: usize) {
    let mut moving = fluid::<D>(per_side, [0.02, 0.03]);
    let before = (moving.neighbor_statistics(), spheres(&moving));
    let until = 0.5;
    moving.advance(until, u64::MAX);
    let flips = count_of(&moving, "flips");
    assert!(flips > 500, "only {flips} flips");
    moving.reverse_velocities();
    moving.advance(2.0 * until, u64::MAX);
    let after = (moving.neighbor_statistics(), spheres(&moving));
    assert_eq!(before.0, after.0);
    let side = per_side as f64;
    let boundary = Boundary::periodic([Some(side); D]).unwrap();
    for (one, other) in before.1.iter().zip(&after.1) {
        assert!(boundary.minimum_image(one.center, other.center).norm() < 1e-9);
    }
    assert_static_neighbors(&moving, side);
}

#[test]
fn motion_turned_round_leads_back_to_the_same_triangulation() {
    assert_comes_back::<2>(20);
    assert_comes_back::<3>(9);
}

/// Most certificates are bounded but not solved.
#[test]
fn few_certificates_are_solved_in_a_dense_fluid() {
    let mut moving = fluid::<3>(8, [0.45, 0.45]);
    moving.advance(f64::INFINITY, 2000);
    let (bounds, solved) =
        (count_of(&moving, "certificates bounded"), count_of(&moving, "certificates solved"));
    assert!(solved < bounds / 5, "{solved} of {bounds} were solved");
}
