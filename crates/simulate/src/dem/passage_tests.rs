//! Passages through periodic sides, and the displacement of bodies that made them.

use super::*;
use crate::observe::MeanSquareDisplacement;
use crate::{BodyChange, BodyProperty, Engine};
use carom_geometry::random::SplitMix64;
use carom_geometry::{Boundary, Vector};

/// Bodies in a box of the lengths 8, 10 and 12, periodic along all axes or all but the last, which fly freely: contacts
/// have no stiffness.
fn flight<const D: usize>(is_open: bool, directions: &[Vector<D>]) -> Simulation<D> {
    let period = |axis: usize| (!is_open || axis + 1 < D).then_some(8.0 + 2.0 * axis as f64);
    let boundary = Boundary::periodic(std::array::from_fn(period)).unwrap();
    let bodies: Vec<Body<D>> = directions
        .iter()
        .enumerate()
        .map(|(number, &velocity)| {
            let step = |axis: usize| [0.618, 0.755, 0.570][axis] * number as f64;
            let place = Vector::from_fn(|axis, _| 8.0 * (0.3 + step(axis)).fract());
            Body { velocity, ..Body::at_rest(place, 0.1, 1.0) }
        })
        .collect();
    let law = CompositeLaw::spring(0.0);
    let settings = Settings { boundary, time_step: Some(0.01), ..Settings::with_law(law) };
    Simulation::new(&bodies, settings).unwrap()
}

/// All signs of all axes and all diagonals, with a speed beside them.
fn directions<const D: usize>() -> Vec<Vector<D>> {
    let digits =
        |code: usize| Vector::from_fn(|axis, _| (code / 3_usize.pow(axis as u32) % 3) as f64 - 1.0);
    (0..3_usize.pow(D as u32)).map(|code| digits(code) * (1.0 + 0.25 * code as f64)).collect()
}

fn unwrapped_of_free_flight<const D: usize>(is_open: bool) {
    let directions = directions::<D>();
    let mut simulation = flight(is_open, &directions);
    let starts: Vec<Vector<D>> = Engine::state(&simulation).positions;
    for _ in 0..5 {
        simulation.advance(400).unwrap();
        let (time, positions) = (simulation.now(), simulation.unwrapped_positions());
        for (number, velocity) in directions.iter().enumerate() {
            let expected = starts[number] + velocity * time;
            let miss = (positions[number] - expected).norm();
            assert!(miss < 1e-9, "{velocity}: at {}, not {expected}", positions[number]);
            let wrapped = simulation.settings().boundary.wrap(positions[number]);
            let (size, place) = ([8.0, 10.0, 12.0], Engine::state(&simulation).positions[number]);
            for axis in 0..D {
                // Up to rounding a body on a side is shown on either.
                let apart = (wrapped[axis] - place[axis]).abs();
                assert!(apart < 1e-9 || (apart - size[axis]).abs() < 1e-9, "{wrapped} {place}");
            }
        }
    }
    assert!(simulation.searches() > 20, "bodies are put back at searches");
}

#[test]
fn free_flight_goes_on_through_periodic_sides_in_every_direction() {
    unwrapped_of_free_flight::<2>(false);
    unwrapped_of_free_flight::<2>(true);
    unwrapped_of_free_flight::<3>(false);
    unwrapped_of_free_flight::<3>(true);
}

fn mean_square_of_free_flight<const D: usize>() {
    let random = &mut SplitMix64::new(7);
    let directions: Vec<Vector<D>> =
        (0..9).map(|_| Vector::<D>::from_fn(|_, _| random.normal()).normalize() * 3.0).collect();
    let mut simulation = flight(false, &directions);
    let displacement = MeanSquareDisplacement::from_now(&simulation);
    for steps in [1, 199, 800, 2000] {
        simulation.advance(steps).unwrap();
        let state = Engine::state(&simulation);
        let expected = (3.0 * simulation.now()).powi(2);
        let is = displacement.mean_square(&simulation, &state);
        assert!((is / expected - 1.0).abs() < 1e-9, "{is} instead of {expected}");
    }
}

#[test]
fn the_mean_square_displacement_of_free_flight_is_that_of_its_speed() {
    mean_square_of_free_flight::<2>();
    mean_square_of_free_flight::<3>();
}

/// A gas that collides and passes the sides: cut at any step it continues to the bit, and bodies keep their passages when
/// others leave or come.
fn keeps_passages<const D: usize>() {
    let gas = || {
        let random = &mut SplitMix64::new(3);
        let place = |k: usize| {
            Vector::from_fn(|axis, _| 1.0 + 2.0 * (k / 3_usize.pow(axis as u32) % 3) as f64)
        };
        let body = |k: usize| Body {
            velocity: Vector::from_fn(|_, _| 3.0 * random.normal()),
            ..Body::at_rest(place(k), 0.5, 1.0)
        };
        let bodies: Vec<Body<D>> = (0..3_usize.pow(D as u32)).map(body).collect();
        let boundary = Boundary::periodic([Some(6.0); D]).unwrap();
        let settings = Settings { boundary, ..Settings::with_law(CompositeLaw::spring(1e4)) };
        Simulation::new(&bodies, settings).unwrap()
    };
    let mut simulation = gas();
    simulation.advance(9000).unwrap();
    let saved = simulation.saved_state();
    assert!(saved.passages.iter().flatten().any(|&count| count < 0), "{:?}", saved.passages);
    let mut resumed = Simulation::resume(&saved, simulation.settings().clone()).unwrap();
    assert_eq!(resumed.saved_state(), saved);
    for simulation in [&mut simulation, &mut resumed] {
        simulation.advance(2500).unwrap();
    }
    let bits = |simulation: &Simulation<D>| {
        let positions = simulation.unwrapped_positions();
        positions.iter().flatten().map(|part| part.to_bits()).collect::<Vec<u64>>()
    };
    assert_eq!(bits(&simulation), bits(&resumed));

    let before = simulation.unwrapped_positions();
    simulation.remove(&[1, 4]).unwrap();
    let ids = simulation.ids();
    let new = Body::at_rest(Vector::repeat(3.0), 0.1, 1.0);
    simulation.insert(&[new]).unwrap();
    let after = simulation.unwrapped_positions();
    for (id, place) in ids.iter().zip(&after) {
        assert!((before[*id as usize] - place).norm() < 1e-12, "body {id}: {place}");
    }
    assert_eq!(after[ids.len()], Vector::<D>::repeat(3.0));

    let mut damaged = simulation.saved_state();
    damaged.passages.pop();
    let error = Simulation::<D>::resume(&damaged, simulation.settings().clone()).err().unwrap();
    assert!(error.to_string().contains("passages through periodic sides"), "{error}");
}

#[test]
fn bodies_keep_their_passages_through_restarts_and_when_others_leave() {
    keeps_passages::<2>();
    keeps_passages::<3>();
}

#[test]
fn a_body_moved_to_where_it_is_shown_keeps_its_passages() {
    let directions = [[3.0, -2.0].into(), [-4.0, 1.5].into()];
    let mut simulation = flight::<2>(false, &directions);
    for _ in 0..40 {
        simulation.advance(37).unwrap();
        let before = simulation.unwrapped_positions();
        let state = Engine::state(&simulation);
        let there = |body: u32| BodyChange {
            body,
            to: BodyProperty::Position(state.positions[body as usize]),
        };
        simulation.apply(&[there(0), there(1)]).unwrap();
        for (before, after) in before.iter().zip(simulation.unwrapped_positions()) {
            assert!((before - after).norm() < 1e-9, "{before} {after}");
        }
    }
}
