#![allow(clippy::unwrap_used)]

use super::*;
use crate::event_driven::{
    BodyStart, BoundaryCondition, ForceField, Region, Settings, Simulation, Thermostat,
};
use carom_geometry::random::SplitMix64;
use carom_geometry::{Vector, embed_in_3d};

fn sample<const D: usize>(histogram: &mut DistanceHistogram, simulation: &Simulation<D>) {
    let boundary = simulation.settings().region.boundary().unwrap();
    histogram.add(&simulation.state().positions, &boundary);
}

/// Spheres on a cubic lattice with random velocities.
fn gas(per_edge: usize, spacing: f64) -> Simulation<3> {
    let mut random = SplitMix64::keyed(7, &[1]);
    let sites = 0..per_edge.pow(3);
    let bodies: Vec<_> = sites
        .map(|site| {
            let cell = [site % per_edge, site / per_edge % per_edge, site / per_edge / per_edge];
            let position = cell.map(|index| (index as f64 + 0.5) * spacing);
            let velocity = std::array::from_fn::<f64, 3, _>(|_| random.normal());
            BodyStart::new(position, velocity, 0.5)
        })
        .collect();
    let mut settings = Settings::new(Region::periodic([per_edge as f64 * spacing; 3]));
    settings.count_passages = true;
    Simulation::new(&bodies, settings).unwrap()
}

#[test]
fn the_pressure_of_a_fluid_is_that_of_carnahan_and_starling() {
    let mut simulation = gas(10, 1.3);
    simulation.advance(2.0, u64::MAX);
    let start = CumulativeObservables::of(&simulation);
    simulation.advance(60.0, u64::MAX);
    let window =
        WindowAverages::between(&start, &CumulativeObservables::of(&simulation), &simulation);
    let snapshot = ThermodynamicSnapshot::of(&simulation);
    let f = snapshot.packing_fraction;
    let expected = (1.0 + f + f * f - f * f * f) / (1.0 - f).powi(3);
    assert!((window.reduced_pressure / expected - 1.0).abs() < 0.02, "{window:?} {expected}");
    assert!((snapshot.velocity_moment - 5.0 / 3.0).abs() < 0.1, "{snapshot:?}");
}

#[test]
fn an_ideal_gas_has_a_flat_distribution_and_counts_every_pair() {
    let mut random = SplitMix64::keyed(3, &[]);
    let point = |random: &mut SplitMix64| Vector::from([random.uniform(), random.uniform()]) * 10.0;
    let bodies: Vec<_> =
        (0..1000).map(|_| BodyStart::new(point(&mut random), [0.0, 0.0], 1e-6)).collect();
    let simulation =
        Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0]))).unwrap();
    let mut histogram = DistanceHistogram::new(5.0, 10);
    sample(&mut histogram, &simulation);
    let boundary = simulation.settings().region.boundary().unwrap();
    let near = |a: usize, b: usize| {
        boundary.minimum_image(bodies[a].position, bodies[b].position).norm() <= 5.0
    };
    let pairs = (0..1000).flat_map(|b| (0..b).map(move |a| (a, b)));
    let expected = pairs.filter(|&(a, b)| near(a, b)).count() as u64;
    assert_eq!(histogram.pairs.iter().sum::<u64>(), expected);
    for [distance, value] in histogram.distribution::<2>(100.0) {
        assert!((value - 1.0).abs() < 0.1, "{distance} {value}");
    }
}

/// In every kind of box, with many cells and with one, no pair is lost or counted twice.
#[test]
fn every_pair_within_reach_is_counted_once() {
    let mut random = SplitMix64::keyed(4, &[]);
    for sides in [
        [BoundaryCondition::Periodic; 3],
        [BoundaryCondition::Wall { restitution: None }; 3],
        [
            BoundaryCondition::Open,
            BoundaryCondition::Periodic,
            BoundaryCondition::Wall { restitution: None },
        ],
    ] {
        let region = Region { boundary_conditions: sides, ..Region::walled([10.0, 6.0, 8.0]) };
        let place = |random: &mut SplitMix64| {
            Vector::from_fn(|axis, _| (0.01 + 0.98 * random.uniform()) * region.size[axis])
        };
        let bodies: Vec<_> =
            (0..400).map(|_| BodyStart::new(place(&mut random), [0.0; 3], 1e-5)).collect();
        let simulation = Simulation::new(&bodies, Settings::new(region)).unwrap();
        let boundary = region.boundary().unwrap();
        for to in [0.7, 1.3, 2.9, 9.0] {
            let mut histogram = DistanceHistogram::new(to, 7);
            sample(&mut histogram, &simulation);
            let shortest = (0..3).filter_map(|axis| boundary.period(axis)).fold(to * 2.0, f64::min);
            let mut expected = vec![0; 7];
            for b in 0..400 {
                for a in 0..b {
                    let distance =
                        boundary.minimum_image(bodies[a].position, bodies[b].position).norm();
                    if distance <= 0.5 * shortest {
                        expected[((distance * (7.0 / to)) as usize).min(6)] += 1;
                    }
                }
            }
            assert_eq!(histogram.pairs, expected, "{sides:?} {to}");
        }
    }
}

#[test]
fn bodies_are_followed_through_periodic_sides() {
    let body = [BodyStart::new([1.0, 1.0], [3.0, 0.0], 0.1)];
    let mut settings = Settings::new(Region::periodic([4.0, 4.0]));
    settings.count_passages = true;
    let mut simulation = Simulation::new(&body, settings).unwrap();
    let displacement = MeanSquareDisplacement::from_now(&simulation);
    simulation.advance(10.0, u64::MAX);
    let mean_square = displacement.mean_square(&simulation, &simulation.state());
    assert!((mean_square - 900.0).abs() < 1e-9);
}

#[test]
fn energy_goes_from_gravity_and_trap_into_motion() {
    let body = [BodyStart::new([1.0, 3.0], [0.0, 0.0], 0.1)];
    let mut settings = Settings::new(Region::walled([4.0, 4.0]));
    settings.gravity = Vector::from([0.0, -2.0]);
    let trap = ForceField::drag_and_trap(0.1, 0.0, 4.0, Vector::from([1.0, 0.0]));
    let trapped = Settings { field: Some(trap), ..settings.clone() };
    let start = ThermodynamicSnapshot::of(&Simulation::new(&body, trapped).unwrap());
    assert_eq!(start.potential_energy, 6.0 + 18.0);
    let mut simulation = Simulation::new(&body, settings).unwrap();
    simulation.advance(1.0, u64::MAX);
    let end = ThermodynamicSnapshot::of(&simulation);
    assert_eq!((end.kinetic_energy, end.potential_energy), (2.0, 4.0));
}

#[test]
fn the_structure_is_measured_per_collision() {
    let mut simulation = gas(6, 1.2);
    let since = *simulation.counters();
    simulation.advance(f64::MAX, 5000);
    let figures = NeighborStructureStatistics::since(&since, &simulation);
    assert!(figures.mean_neighbors > 1.0 && figures.memory.total() > 0, "{figures:?}");
    assert!(figures.pair_tests_per_collision >= 1.0, "{figures:?}");
    assert!(figures.max_neighbors as f64 >= figures.mean_neighbors);
}

/// Temperature, pressure and mean free path are relative to the center of mass.
#[test]
fn a_gas_that_moves_as_a_whole_is_not_hotter() {
    let figures = [[0.0; 3], [5.0, 0.0, 0.0], [-20.0, 3.0, 7.0]].map(|common| {
        let at_rest = gas(6, 1.4);
        let bodies: Vec<_> = (0..at_rest.count())
            .map(|body| {
                let velocity = at_rest.velocity(body) + Vector::from(common);
                BodyStart::new(at_rest.position(body), velocity, 0.5)
            })
            .collect();
        let mut simulation = Simulation::new(&bodies, at_rest.settings().clone()).unwrap();
        let start = CumulativeObservables::of(&simulation);
        simulation.advance(1.0, u64::MAX);
        let window =
            WindowAverages::between(&start, &CumulativeObservables::of(&simulation), &simulation);
        let snapshot = ThermodynamicSnapshot::of(&simulation);
        [
            snapshot.temperature,
            snapshot.granular_temperature,
            snapshot.velocity_moment,
            window.pressure,
            window.reduced_pressure,
            window.mean_free_path,
        ]
    });
    for moved in &figures[1..] {
        for (still, moved) in figures[0].iter().zip(moved) {
            assert!((moved / still - 1.0).abs() < 1e-6, "{figures:?}");
        }
    }
}

/// A thermostat keeps the temperature and leaves the motion of the center of mass.
#[test]
fn a_thermostat_leaves_the_motion_of_the_whole_alone() {
    let at_rest = gas(4, 1.5);
    let common = Vector::from([5.0, -2.0, 1.0]);
    let bodies: Vec<_> = (0..at_rest.count())
        .map(|body| BodyStart::new(at_rest.position(body), at_rest.velocity(body) + common, 0.5))
        .collect();
    let thermostat = Some(Thermostat::Rescale { temperature: 3.0, interval: 0.1 });
    let settings = crate::event_driven::Settings { thermostat, ..at_rest.settings().clone() };
    let momentum = |simulation: &Simulation<3>| ThermodynamicSnapshot::of(simulation).momentum;
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let before = momentum(&simulation);
    simulation.advance(0.15, u64::MAX);
    let snapshot = ThermodynamicSnapshot::of(&simulation);
    assert!((snapshot.momentum - before).norm() < 1e-9, "{before} {snapshot:?}");
    assert!((snapshot.temperature - 3.0).abs() < 1e-9, "{snapshot:?}");
}

/// In a box with walls the pressure by the virial is that on the walls.
#[test]
fn the_pressure_between_walls_is_that_on_the_walls() {
    let mut random = SplitMix64::keyed(11, &[2]);
    let bodies: Vec<_> = (0..144)
        .map(|site| {
            let position = [site % 12, site / 12].map(|k| 0.7 + 1.2 * f64::from(k));
            BodyStart::new(position, std::array::from_fn::<f64, 2, _>(|_| random.normal()), 0.5)
        })
        .collect();
    let mut simulation =
        Simulation::new(&bodies, Settings::new(Region::walled([14.6, 14.6]))).unwrap();
    simulation.advance(20.0, u64::MAX);
    let start = CumulativeObservables::of(&simulation);
    simulation.advance(1500.0, u64::MAX);
    let window =
        WindowAverages::between(&start, &CumulativeObservables::of(&simulation), &simulation);
    let ratio = window.pressure / window.wall_pressure;
    assert!((ratio - 1.0).abs() < 5e-3, "{ratio} {window:?}");
}

/// Spheres of unequal mass between walls, of which some take energy.
fn walled_gas<const D: usize>(restitutions: [Option<f64>; D], seed: u64) -> Simulation<D> {
    let random = &mut SplitMix64::new(seed);
    let per_edge = if D == 2 { 8_usize } else { 5 };
    let body = |site: usize| {
        let cell = |axis: usize| (site / per_edge.pow(axis as u32) % per_edge) as f64 + 0.5;
        let place = Vector::from_fn(|axis, _| 2.0 * cell(axis));
        let velocity = Vector::from_fn(|_, _| random.normal());
        BodyStart { mass: 0.5 + random.uniform(), ..BodyStart::new(place, velocity, 0.25) }
    };
    let bodies: Vec<BodyStart<D>> = (0..per_edge.pow(D as u32)).map(body).collect();
    let boundary_conditions =
        restitutions.map(|restitution| BoundaryCondition::Wall { restitution });
    let size = Vector::repeat(2.0 * per_edge as f64);
    Simulation::new(&bodies, Settings::new(Region { size, boundary_conditions })).unwrap()
}

/// Momentum, angular momentum about the origin, and kinetic energy.
fn invariants<const D: usize>(simulation: &Simulation<D>) -> (Vector<3>, Vector<3>, f64) {
    let state = simulation.state();
    let (mut momentum, mut turning) = (Vector::zeros(), Vector::zeros());
    for (body, mass) in state.masses.iter().enumerate() {
        let part = embed_in_3d(&state.velocities[body]) * *mass;
        momentum += part;
        turning += embed_in_3d(&state.positions[body]).cross(&part);
    }
    (momentum, turning, state.kinetic_energy())
}

/// What walls are given is what the bodies lose, of momentum, angular momentum and energy.
fn walls_are_given_what_bodies_lose<const D: usize>(restitutions: [Option<f64>; D]) {
    for seed in [1, 2, 3] {
        let mut simulation = walled_gas(restitutions, seed);
        let before = invariants(&simulation);
        simulation.advance(40.0, u64::MAX);
        let (momentum, turning, energy) = invariants(&simulation);
        let given = simulation.wall_impulses();
        let force: Vector<3> = given.iter().map(|wall| wall.force).sum();
        let torque: Vector<3> = given.iter().map(|wall| wall.torque).sum();
        let gained: f64 = given.iter().map(|wall| wall.power).sum();
        assert!((force + momentum - before.0).norm() < 1e-8, "seed {seed}: {force}");
        assert!((torque + turning - before.1).norm() < 1e-7, "seed {seed}: {torque}");
        assert!((gained - (energy - before.2)).abs() < 1e-8, "seed {seed}: {gained}");
        let collisions: u64 = given.iter().map(|wall| wall.contacts).sum();
        assert_eq!(collisions, simulation.counters().wall_collisions);
        for (number, wall) in given.iter().enumerate() {
            let outwards = if number % 2 == 1 { 1.0 } else { -1.0 };
            assert!(wall.force[number / 2] * outwards > 1.0, "wall {number}: {wall:?}");
            assert_eq!(wall.power < -1e-9, restitutions[number / 2].is_some(), "{wall:?}");
        }
    }
}

#[test]
fn walls_are_given_what_the_bodies_of_a_gas_lose() {
    walls_are_given_what_bodies_lose([None, Some(0.7)]);
    walls_are_given_what_bodies_lose([Some(0.8), None]);
    walls_are_given_what_bodies_lose([None, Some(0.9), None]);
}

/// Each wall of a gas in equilibrium bears the pressure that the virial of its collisions gives.
fn walls_bear_the_virial_pressure<const D: usize>(until: f64) {
    let mut simulation = walled_gas([None; D], 5);
    simulation.advance(20.0, u64::MAX);
    let mut loads = WallLoads::new((0..2 * D).map(|number| format!("wall_{number}")).collect());
    let start = CumulativeObservables::of(&simulation);
    loads.sample(&Sample::at_start(&simulation));
    simulation.advance(until, u64::MAX);
    let window =
        WindowAverages::between(&start, &CumulativeObservables::of(&simulation), &simulation);
    let size = simulation.settings().region.size;
    let row = loads.sample(&Sample::of(&simulation));
    let names = Observable::<D>::columns(&loads);
    for number in 0..2 * D {
        let (axis, outwards) = (number / 2, if number % 2 == 1 { 1.0 } else { -1.0 });
        let name = format!("wall_{number}_force_{}", ["x", "y", "z"][axis]);
        let column = names.iter().position(|it| *it == name).unwrap();
        let pressure = outwards * row[column].number() * size[axis] / size.product();
        let error = pressure / window.pressure - 1.0;
        assert!(error.abs() < 0.04, "{name}: {pressure} and not {}", window.pressure);
    }
}

#[test]
fn each_wall_bears_the_pressure_of_the_virial() {
    walls_bear_the_virial_pressure::<2>(4000.0);
    walls_bear_the_virial_pressure::<3>(1500.0);
}

/// A ball bounces on the side to which gravity points; rows begin and end at whole bounces.
#[test]
fn a_floor_bears_the_weight_of_a_bouncing_ball_on_every_side() {
    for (axis, sign) in [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0), (2, -1.0), (2, 1.0)] {
        let gravity = Vector::from_fn(|other, _| if other == axis { 10.0 * sign } else { 0.0 });
        let place = Vector::repeat(2.0) - gravity * 0.05;
        let ball = BodyStart { mass: 2.0, ..BodyStart::new(place, [0.0; 3], 0.5) };
        let settings = Settings { gravity, ..Settings::new(Region::walled([4.0; 3])) };
        let mut simulation = Simulation::new(&[ball], settings).unwrap();
        // From the height 2 over the floor to touch it, and up again.
        let bounce = 2.0 * (2.0 * 2.0 / 10.0_f64).sqrt();
        let mut loads = WallLoads::new((0..6).map(|number| number.to_string()).collect());
        loads.sample(&Sample::at_start(&simulation));
        let floor = 2 * axis + usize::from(sign > 0.0);
        for row in 1..5 {
            simulation.advance(f64::from(5 * row) * bounce, u64::MAX);
            let values = loads.sample(&Sample::of(&simulation));
            for wall in 0..6 {
                // Three forces, three torques, power and collisions of each wall.
                let force = Vector::<3>::from_fn(|axis, _| values[8 * wall + axis].number());
                let expected = if wall == floor { gravity * 2.0 } else { Vector::zeros() };
                assert!((force - expected).norm() < 1e-8, "{floor} {wall}: {force}");
                let collisions = if wall == floor { 5.0 } else { 0.0 };
                assert_eq!(values[8 * wall + 7].number(), collisions);
            }
            // Cut there, it continues to the bit.
            let mut restored = WallLoads::new((0..6).map(|number| number.to_string()).collect());
            Observable::<3>::restore(&mut restored, &Observable::<3>::save(&loads)).unwrap();
            assert_eq!(restored, loads);
        }
        let mut short = Observable::<3>::save(&loads);
        short.pop();
        assert!(Observable::<3>::restore(&mut loads, &short).is_err());
    }
}
