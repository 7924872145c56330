//! Contacts with forces, forces from outside, held bodies and changes between steps.

use super::body::PositionRadius;
use super::*;
use crate::{BodyChange, BodyProperty, ContactObstacle, State};
use carom_geometry::random::SplitMix64;
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Vector, embed_in_3d};

fn law() -> CompositeLaw {
    CompositeLaw {
        damping: Damping::restitution(0.3),
        tangential: TangentialForceLaw::Spring { stiffness: 3e3, damping: 0.5 },
        friction_coefficient: 0.5,
        ..CompositeLaw::spring(1e4)
    }
}

/// A heap of bodies on a floor between walls, settled.
fn heap<const D: usize>(shape: Option<&Shape>, law: CompositeLaw, seed: u64) -> Simulation<D> {
    let mut random = SplitMix64::new(seed);
    let per_layer = 3usize.pow(D as u32 - 1);
    let mut bodies = Vec::new();
    for number in 0..3 * per_layer {
        let site = [number % per_layer % 3, number % per_layer / 3];
        let mut place = Vector::<D>::zeros();
        (0..D - 1).for_each(|axis| {
            place[axis] = 0.6 + 1.1 * site[axis] as f64 + 0.05 * random.uniform();
        });
        place[D - 1] = 0.6 + 1.1 * (number / per_layer) as f64;
        bodies.push(match shape {
            Some(shape) => Body::shaped(place, 0, shape, 1.0),
            None => Body::at_rest(place, 0.5, 1.0 + random.uniform()),
        });
    }
    let mut walls = Vec::new();
    for axis in 0..D {
        let normal = Vector::<3>::ith(axis, 1.0);
        walls.push(Wall::plane(normal, 0.0));
        if axis + 1 < D {
            walls.push(Wall::plane(-normal, -3.4));
        }
    }
    let mut gravity = Vector::<D>::zeros();
    gravity[D - 1] = -10.0;
    let settings = Settings {
        walls,
        gravity: gravity.into(),
        shapes: shape.cloned().into_iter().collect(),
        ..Settings::with_law(law)
    };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    simulation.advance((12.0 / simulation.time_step()) as u64).unwrap();
    simulation.apply_deferred();
    simulation
}

fn cube() -> Shape {
    let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| f64::from(bit) - 0.5));
    let hull = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    Shape::convex(&hull, None).unwrap()
}

/// The contacts of each body add up to the force on it, which at rest is its weight; walls carry the weight of all.
fn assert_that_contacts_carry_the_weight<const D: usize>(simulation: &Simulation<D>) {
    let state = simulation.state();
    let mut sums = vec![Vector::<D>::zeros(); state.positions.len()];
    let contacts = simulation.contacts();
    assert!(contacts.len() > state.positions.len() / 2, "{}", contacts.len());
    for contact in &contacts {
        assert!((contact.normal.norm() - 1.0).abs() < 1e-12 && contact.overlap > 0.0);
        assert!(contact.tangential_force.dot(&contact.normal).abs() < 1e-9);
        sums[contact.body as usize] += contact.force();
        if let ContactObstacle::Body(other) = contact.obstacle {
            assert!(other > contact.body);
            sums[other as usize] -= contact.force();
        }
    }
    let gravity = simulation.settings().gravity.acceleration;
    for (body, sum) in sums.iter().enumerate() {
        let index = simulation.index_of_body[body] as usize;
        let (force, weight) =
            (simulation.bodies.forces_torques[index].force, gravity.norm() * state.masses[body]);
        let difference = (embed_in_3d(sum) - force).norm();
        assert!(difference < 1e-4 * weight, "{D}D {body}: {sum} {force}");
        assert!((force.norm() - weight).abs() < 0.01 * weight, "{D}D {body}: {force}");
    }
    let loads = simulation.wall_loads();
    let load: Vector<3> = loads.iter().map(|load| load.force).sum();
    let weight = embed_in_3d(&gravity) * state.masses.iter().sum::<f64>();
    assert!((load - weight).norm() < 0.01 * weight.norm(), "{load} {weight}");
    assert!(loads.iter().all(|load| load.power == 0.0));
    let at_walls = contacts.iter().filter(|it| matches!(it.obstacle, ContactObstacle::Wall(_)));
    assert_eq!(loads.iter().map(|load| load.contacts).sum::<u64>(), at_walls.count() as u64);
}

#[test]
fn contacts_carry_the_weight_of_bodies_at_rest() {
    let tangential = TangentialForceLaw::Mindlin { modulus: 3e4, damping: 1.0 };
    let hertz =
        CompositeLaw { normal: NormalForceLaw::Hertz { modulus: 1e5 }, tangential, ..law() };
    for (law, seed) in [(law(), 4), (law(), 5), (hertz, 6)] {
        assert_that_contacts_carry_the_weight(&heap::<2>(None, law, seed));
        assert_that_contacts_carry_the_weight(&heap::<3>(None, law, seed));
    }
    assert_that_contacts_carry_the_weight(&heap::<3>(Some(&cube()), law(), 4));
}

#[test]
fn a_driven_wall_does_the_work_that_its_power_says() {
    let directions = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.36, 0.48, -0.8]];
    for direction in directions.map(Vector::from) {
        let lid = Wall {
            motion: WallMotion { velocity: direction * -0.2, ..WallMotion::none() },
            ..Wall::plane(-direction, -1.02)
        };
        let walls = vec![Wall::plane(direction, 0.0), lid];
        let settings = Settings { walls, ..Settings::with_law(CompositeLaw::spring(1e3)) };
        let start = Body::at_rest(direction * 0.5, 0.5, 1.0);
        let mut simulation = Simulation::new(&[start], settings).unwrap();
        let mut work = 0.0;
        while simulation.now() < 0.4 {
            simulation.advance(1).unwrap();
            work += simulation.wall_loads()[1].power * simulation.time_step();
        }
        let external = simulation.energy().external_work;
        assert!(external > 0.1 && (work / external - 1.0).abs() < 1e-9, "{work} {external}");
    }
}

#[test]
fn a_force_from_outside_holds_a_body_against_gravity_and_its_work_is_counted() {
    for shape in [None, Some(cube())] {
        let body = match &shape {
            Some(shape) => Body::shaped([0.0; 3], 0, shape, 2.0),
            None => Body::at_rest([0.0; 3], 0.5, 2.0),
        };
        let shapes = shape.into_iter().collect();
        let settings =
            Settings { gravity: [0.0, 0.0, -10.0].into(), shapes, ..Settings::with_law(law()) };
        let mut simulation = Simulation::new(&[body], settings).unwrap();
        let to = |to| BodyChange { body: 0, to };
        let lift = to(BodyProperty::Force([0.0, 0.0, 20.0].into()));
        simulation.apply(&[lift]).unwrap();
        simulation.advance(1000).unwrap();
        assert_eq!(simulation.body(0).position, body.position);
        // Twice the weight lifts it as fast as it would fall.
        let lift = to(BodyProperty::Force([0.0, 0.0, 40.0].into()));
        simulation.apply(&[lift, to(BodyProperty::Torque([0.0, 0.0, 0.5].into()))]).unwrap();
        let start = simulation.energy();
        simulation.advance(1000).unwrap();
        let (end, now) = (simulation.energy(), simulation.now());
        let time = 1000.0 * simulation.time_step();
        assert!((simulation.body(0).velocity.z / (10.0 * time) - 1.0).abs() < 1e-9, "{now}");
        assert!(end.rotational_energy > 0.0);
        let work = end.external_work - start.external_work;
        assert!(work > 0.1 && (end.total() - start.total()).abs() < 2e-3 * work, "{end:?}");
    }
}

#[test]
fn a_held_body_stays_whatever_pushes_it() {
    for shape in [None, Some(cube())] {
        let at = |x: f64| match &shape {
            Some(shape) => Body::shaped([x, 0.0, 0.0], 0, shape, 1.0),
            None => Body::at_rest([x, 0.0, 0.0], 0.5, 1.0),
        };
        let bodies = [Body { velocity: [1.0, 0.0, 0.0].into(), ..at(0.0) }, at(1.2)];
        let shapes = shape.iter().cloned().collect();
        let settings = Settings { shapes, ..Settings::with_law(law()) };
        let mut simulation = Simulation::new(&bodies, settings).unwrap();
        let fixed = |is| BodyChange { body: 1, to: BodyProperty::Fixed(is) };
        simulation.apply(&[fixed(true)]).unwrap();
        while simulation.now() < 1.0 {
            simulation.advance(100).unwrap();
        }
        assert_eq!(simulation.body(1), at(1.2));
        assert!(simulation.body(0).velocity.x < -0.1, "{:?}", simulation.body(0));
        simulation
            .apply(&[
                fixed(false),
                BodyChange { body: 1, to: BodyProperty::Velocity([0.0, 1.0, 0.0].into()) },
            ])
            .unwrap();
        simulation.advance(10).unwrap();
        assert!(simulation.body(1).position.y > 0.0);
    }
}

#[test]
fn a_saved_state_has_forces_from_outside_and_held_bodies() {
    let mut uncut = heap::<3>(None, law(), 4);
    let changes = [
        BodyChange { body: 3, to: BodyProperty::Force([1.0, 2.0, 30.0].into()) },
        BodyChange { body: 5, to: BodyProperty::Fixed(true) },
        BodyChange { body: 7, to: BodyProperty::AngularVelocity([0.0, 1.0, 2.0].into()) },
    ];
    uncut.apply(&changes).unwrap();
    let mut cut = Simulation::resume(&uncut.saved_state(), uncut.settings().clone()).unwrap();
    for simulation in [&mut cut, &mut uncut] {
        simulation.advance(2000).unwrap();
    }
    assert!(cut.saved_state() == uncut.saved_state());
    assert!(cut.body(3).velocity.norm() > 0.0);
}

#[test]
fn a_moved_body_takes_its_energy_from_outside() {
    let mut simulation = heap::<2>(None, law(), 4);
    let before = simulation.energy();
    let place = simulation.body(8).position + Vector::from([0.0, 2.0]);
    simulation.apply(&[BodyChange { body: 8, to: BodyProperty::Position(place) }]).unwrap();
    let after = simulation.energy();
    let work = after.external_work - before.external_work;
    assert!(work > 10.0 && (after.total() - before.total()).abs() < 1e-9, "{before:?} {after:?}");
    simulation.advance(20_000).unwrap();
    let end = simulation.energy();
    assert!((end.total() - after.total()).abs() < 0.01 * work, "{after:?} {end:?}");
}

#[test]
fn a_force_that_is_not_finite_ends_the_run_with_a_sentence() {
    let mut simulation = heap::<2>(None, law(), 4);
    simulation.add_force(|_, forces| forces[2].x = f64::NAN);
    let error = simulation.advance(1).unwrap_err().to_string();
    assert_eq!(error, "body 2 has a force from outside of NaN; it must be finite");
}

#[test]
fn a_change_that_fails_on_the_way_leaves_everything_as_it_was() {
    let mut simulation = heap::<3>(None, law(), 4);
    let before = simulation.saved_state();
    let far = BodyProperty::Position(Vector::from([1e200, 0.0, 0.0]));
    let velocity = BodyProperty::Velocity(Vector::from([1.0, 0.0, 0.0]));
    let changes = [(3, velocity), (5, far)].map(|(body, to)| BodyChange { body, to });
    assert!(simulation.apply(&changes).is_err());
    assert!(simulation.saved_state() == before);
    // A force that is not finite at the new place; the function stays.
    simulation.add_force(|state, forces| {
        if state.positions[5].x < 0.0 {
            forces[5].x = f64::NAN;
        }
    });
    let beyond = BodyProperty::Position(Vector::from([-1.0, 0.0, 0.0]));
    assert!(simulation.apply(&[BodyChange { body: 5, to: beyond }]).is_err());
    assert!(simulation.saved_state() == before);
    assert_eq!(simulation.force_functions.len(), 1);
    simulation.advance(10).unwrap();
}

/// The speed after a ball has hit a held body, or a wall, at a speed of one along a direction.
fn rebound(
    direction: Vector<3>,
    law: CompositeLaw,
    held: Option<f64>,
    shape: Option<&Shape>,
) -> f64 {
    let direction = direction.normalize();
    let ball = Body { velocity: direction, ..Body::at_rest(Vector::zeros(), 0.5, 1.0) };
    let shapes: Vec<Shape> = shape.cloned().into_iter().collect();
    let mut settings = Settings { shapes, ..Settings::with_law(law) };
    let mut bodies = vec![ball];
    match held {
        None => settings.walls.push(Wall::plane(-direction, -0.51)),
        Some(mass) => {
            let other = match shape {
                Some(shape) => Body::shaped(direction * 1.01, 0, shape, mass),
                None => Body::at_rest(direction * 1.01, 0.5, mass),
            };
            // On either side of the pair.
            bodies.insert(usize::from(direction.x > 0.5), other);
        }
    }
    let ball = bodies.iter().position(|body| body.velocity != Vector::<3>::zeros()).unwrap();
    // The same time step for all.
    settings.time_step = Some(2e-5);
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    if held.is_some() {
        let change = BodyChange { body: 1 - ball as u32, to: BodyProperty::Fixed(true) };
        simulation.apply(&[change]).unwrap();
    }
    simulation.advance(6000).unwrap();
    let energy = simulation.energy().total();
    assert!((energy - 0.5).abs() < 2e-3, "{energy}");
    -simulation.body(ball).velocity.dot(&direction)
}

#[test]
fn a_held_body_throws_back_as_a_wall_does() {
    let hertz = CompositeLaw { normal: NormalForceLaw::Hertz { modulus: 1e5 }, ..law() };
    // Four at once, or alone because of the rolling resistance.
    let rolling = CompositeLaw { rolling: RollingResistance::Constant(0.01), ..law() };
    for law in [law(), rolling, hertz] {
        for restitution in [0.2, 0.9] {
            let law = CompositeLaw { damping: Damping::restitution(restitution), ..law };
            for direction in [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7]].map(Vector::from) {
                let wall = rebound(direction, law, None, None);
                assert!((wall - restitution).abs() < 0.01, "{wall} {restitution}");
                for mass in [0.01, 1.0, 100.0] {
                    let held = rebound(direction, law, Some(mass), None);
                    assert!((held - wall).abs() < 0.01, "{held} {wall} {mass}");
                }
            }
        }
    }
    let law = CompositeLaw { damping: Damping::restitution(0.5), ..law() };
    let direction = Vector::from([1.0, 0.0, 0.0]);
    let shaped = rebound(direction, law, Some(0.1), Some(&cube()));
    assert!((shaped - 0.5).abs() < 0.01, "{shaped}");
}

#[test]
fn two_held_bodies_may_touch() {
    let bodies = [0.0, 0.9, 1.8].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
    let mut simulation = Simulation::new(&bodies, Settings::with_law(law())).unwrap();
    let hold = |body| BodyChange { body, to: BodyProperty::Fixed(true) };
    simulation.apply(&[hold(0), hold(1)]).unwrap();
    simulation.advance(2000).unwrap();
    let state = simulation.state();
    assert_eq!([state.positions[0].x, state.positions[1].x], [0.0, 0.9]);
    assert!(state.velocities[2].x > 0.1 && simulation.energy().total().is_finite());
    // Let go, they are what they were.
    simulation
        .apply(&[0, 1].map(|body| BodyChange { body, to: BodyProperty::Fixed(false) }))
        .unwrap();
    assert!(simulation.bodies.motions.iter().all(|it| it.inverse_mass == 1.0 && it.freedom == 1.0));
}

#[test]
fn held_bodies_are_not_set_in_motion() {
    let body = Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) };
    let mut simulation = Simulation::new(&[body], Settings::with_law(law())).unwrap();
    let change = |to| BodyChange { body: 0, to };
    let push = change(BodyProperty::Velocity([0.0, 2.0].into()));
    // To let go what is free is no change.
    simulation.apply(&[change(BodyProperty::Fixed(false))]).unwrap();
    assert_eq!(simulation.body(0).velocity.x, 1.0);
    let hold = change(BodyProperty::Fixed(true));
    let error = simulation.apply(&[hold, push]).unwrap_err().to_string();
    assert!(error.ends_with("the body is held at its place; let it go first"), "{error}");
    simulation.apply(&[hold, change(BodyProperty::Velocity(Vector::zeros()))]).unwrap();
    let turn = change(BodyProperty::AngularVelocity([0.0, 0.0, 1.0].into()));
    assert!(simulation.apply(&[turn]).is_err() && simulation.apply(&[push]).is_err());
    simulation.apply(&[change(BodyProperty::Fixed(false)), push]).unwrap();
    assert_eq!(simulation.body(0).velocity.y, 2.0);
}

#[test]
fn loads_leave_contacts_as_they_are() {
    let mut pushed = heap::<3>(None, law(), 7);
    let mut left = Simulation::resume(&pushed.saved_state(), pushed.settings().clone()).unwrap();
    let nothing = BodyChange { body: 3, to: BodyProperty::Force(Vector::zeros()) };
    for simulation in [&mut pushed, &mut left] {
        let push = BodyProperty::Velocity([1.0, 2.0, 3.0].into());
        simulation.apply(&[BodyChange { body: 0, to: push }]).unwrap();
    }
    for _ in 0..500 {
        pushed.apply(&[nothing]).unwrap();
        [&mut pushed, &mut left].into_iter().for_each(|it| it.advance(1).unwrap());
    }
    assert_eq!(pushed.state(), left.state());
}

#[test]
fn contacts_lie_on_their_first_body_also_across_periodic_sides() {
    let boundary = carom_geometry::Boundary::periodic([Some(4.0); 3]).unwrap();
    let settings = Settings { boundary, ..Settings::with_law(law()) };
    let mut random = SplitMix64::new(5);
    let bodies: Vec<Body> = (0..64)
        .map(|number| {
            let site = [number % 4, number / 4 % 4, number / 16].map(f64::from);
            let place = Vector::from(site).add_scalar(0.5);
            // They drift together through two sides.
            let drift = Vector::from([3.0, -2.0, 0.0]);
            let velocity = drift + Vector::from_fn(|_, _| 2.0 * random.uniform() - 1.0);
            Body { velocity, ..Body::at_rest(place, 0.52, 1.0) }
        })
        .collect();
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let (mut contacts, mut outside) = (0, 0);
    for _ in 0..200 {
        simulation.advance(4).unwrap();
        let state = simulation.state();
        let is_outside = |it: &&PositionRadius| it.position.min() < 0.0 || it.position.max() > 4.0;
        outside += simulation.bodies.positions.iter().filter(is_outside).count();
        assert!(state.positions.iter().all(|it| it.iter().all(|x| (0.0..=4.0).contains(x))));
        for contact in simulation.contacts() {
            let arm = contact.position - state.positions[contact.body as usize];
            assert!(arm.norm() < 0.52 && arm.dot(&contact.normal) > 0.4, "{contact:?}");
            contacts += 1;
        }
    }
    assert!(contacts > 500 && outside > 0, "{contacts} {outside}");
}

#[test]
fn a_force_function_may_keep_the_state() {
    use std::sync::{Arc, Mutex};
    let mut simulation = heap::<2>(None, law(), 4);
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeper = kept.clone();
    simulation.add_force_of_bodies(move |bodies, _| {
        // Every second one, so that memory is used again in between.
        let mut kept = keeper.lock().unwrap();
        if kept.len().is_multiple_of(2) {
            kept.push(Some((bodies.clone(), bodies.state().clone())));
        } else {
            kept.push(None);
        }
    });
    simulation.advance(40).unwrap();
    let mut undisturbed = heap::<2>(None, law(), 4);
    undisturbed.advance(40).unwrap();
    assert_eq!(simulation.state(), undisturbed.state());
    let kept: Vec<_> = kept.lock().unwrap().drain(..).flatten().collect();
    assert!(kept.len() > 5, "{}", kept.len());
    assert!(kept.iter().all(|(bodies, copy)| bodies.state() == copy));
    assert!(kept.iter().is_sorted_by(|a, b| a.0.time() < b.0.time()));
}

#[test]
fn a_force_that_gathers_what_it_needs_is_the_same_as_one_of_the_whole_state() {
    fn of_state<const D: usize>(state: &State<D>, forces: &mut [Vector<D>]) {
        let bodies = state.positions.iter().zip(&state.velocities).zip(&state.masses);
        for (force, ((position, velocity), mass)) in forces.iter_mut().zip(bodies) {
            *force -= position * *mass + velocity * 0.25;
        }
    }
    fn check<const D: usize>(seed: u64) {
        let mut whole = heap::<D>(None, law(), seed);
        whole.add_force(of_state::<D>);
        let mut lazy = heap::<D>(None, law(), seed);
        lazy.add_force_of_bodies(|bodies, sum| {
            let mut state = State::<D>::default();
            let (mut positions, mut velocities) =
                (vec![[0.0; D]; bodies.count()], vec![[0.0; D]; bodies.count()]);
            bodies.positions_into(&mut positions);
            bodies.velocities_into(&mut velocities);
            state.positions = positions.into_iter().map(Vector::from).collect();
            state.velocities = velocities.into_iter().map(Vector::from).collect();
            state.masses = vec![0.0; bodies.count()];
            bodies.masses_into(&mut state.masses);
            let mut forces = vec![Vector::zeros(); bodies.count()];
            of_state(&state, &mut forces);
            sum.add(&forces);
        });
        // A second function that adds nothing: forces are summed before they act.
        let mut summed = heap::<D>(None, law(), seed);
        summed.add_force(of_state::<D>);
        summed.add_force_of_bodies(|_, _| {});
        for simulation in [&mut whole, &mut lazy, &mut summed] {
            simulation.advance(50).unwrap();
        }
        assert!(whole.energy().external_work != 0.0);
        for other in [&lazy, &summed] {
            assert_eq!(other.state(), whole.state(), "dimension {D}, seed {seed}");
            assert_eq!(other.energy(), whole.energy(), "dimension {D}, seed {seed}");
        }
    }
    for seed in [4, 5] {
        check::<2>(seed);
        check::<3>(seed);
    }
}
