//! What every engine must do behind the one interface.

mod saved;

use super::*;
use crate::bonded::{LatticeGrid, Material, SpringLattice};
use crate::event_driven::{BodyStart, Region};
use crate::{BodyProperty, Shape};
use carom_geometry::Vector;
use nalgebra::UnitQuaternion;

fn grains<const D: usize>() -> dem::Simulation<D> {
    let body = |k: usize| {
        let place = Vector::from_fn(|axis, _| if axis == 0 { 1.5 * k as f64 + 1.0 } else { 4.0 });
        dem::Body::at_rest(place, 0.5, 1.0 + k as f64)
    };
    let bodies: Vec<dem::Body<D>> = (0..4).map(body).collect();
    dem::Simulation::new(&bodies, dem::Settings::with_law(dem::CompositeLaw::spring(1e4))).unwrap()
}

fn spheres<const D: usize>() -> event_driven::Simulation<D> {
    let place =
        |k: usize| Vector::from_fn(|axis, _| if axis == 0 { 1.5 * k as f64 + 1.0 } else { 4.0 });
    let start = |k: usize| BodyStart {
        mass: 1.0 + k as f64,
        ..BodyStart::new(place(k), Vector::zeros(), 0.5)
    };
    let bodies: Vec<BodyStart<D>> = (0..4).map(start).collect();
    let settings = event_driven::Settings::new(Region::periodic(Vector::repeat(8.0)));
    event_driven::Simulation::new(&bodies, settings).unwrap()
}

/// Four solids of one particle each.
fn particles<const D: usize>(lattice: SpringLattice) -> bonded::Simulation<D> {
    let material = Material::elastic(1e4, 1.0);
    let solid = |k: usize| {
        let place = Vector::from_fn(|axis, _| if axis == 0 { 1.5 * k as f64 + 1.0 } else { 4.0 });
        let grid = LatticeGrid::fill(lattice, [[0; D]; 2], |_| true).unwrap();
        bonded::Body::new(grid, &material, 1.0, |_| place).unwrap()
    };
    bonded::Simulation::new((0..4).map(solid).collect()).unwrap()
}

/// Two blocks of two by two particles, above each other.
fn blocks(gap: f64) -> bonded::Simulation<2> {
    let lattice = SpringLattice::Square8;
    let material = Material::elastic(lattice.solid().youngs_modulus, 1.0);
    let grid = LatticeGrid::fill(lattice, [[0, 0], [1, 1]], |_| true).unwrap();
    let block = |height: f64| {
        let up = Vector::from([0.0, height]);
        bonded::Body::new(grid.clone(), &material, 1.0, move |place| place + up).unwrap()
    };
    bonded::Simulation::new(vec![block(0.0), block(2.0 + gap)]).unwrap()
}

fn velocity<const D: usize>(body: u32, along: f64) -> BodyChange<D> {
    let velocity = Vector::from_fn(|axis, _| if axis == 0 { along } else { 0.0 });
    BodyChange { body, to: BodyProperty::Velocity(velocity) }
}

/// Each array is read without the others, into the memory that it has, and is that of the whole state.
fn reads_each_array_alone<const D: usize>(engine: &dyn Engine<D>) {
    let name = engine.name();
    let all = engine.state();
    let mut joined = State { time: f64::NAN, ids: vec![7; 9], ..State::default() };
    for array in StateArray::ALL {
        let mut one = State::default();
        engine.read_state(&[array], &mut one);
        assert_eq!(one.time, engine.time(), "{name}");
        let mut expected = State { time: all.time, ..State::default() };
        match array {
            StateArray::Ids => expected.ids = all.ids.clone(),
            StateArray::Positions => expected.positions = all.positions.clone(),
            StateArray::Velocities => expected.velocities = all.velocities.clone(),
            StateArray::AngularVelocities => {
                expected.angular_velocities = all.angular_velocities.clone();
            }
            StateArray::Orientations => expected.orientations = all.orientations.clone(),
            StateArray::Radii => expected.radii = all.radii.clone(),
            StateArray::Masses => expected.masses = all.masses.clone(),
            StateArray::Materials => expected.materials = all.materials.clone(),
        }
        assert_eq!(one, expected, "{name}: {array:?}");
        engine.read_state(&[array], &mut joined);
    }
    assert_eq!(joined, all, "{name}");
    let places = joined.positions.as_ptr();
    engine.read_state(&StateArray::ALL, &mut joined);
    assert_eq!(joined.positions.as_ptr(), places, "{name}: the memory is used again");
}

/// The contract, for an engine at rest with four bodies in a row.
fn keeps_the_contract<const D: usize>(mut engine: Box<dyn Engine<D>>) {
    let name = engine.name();
    let start = engine.state();
    assert_eq!(engine.body_count(), 4, "{name}");
    for length in [start.positions.len(), start.velocities.len(), start.radii.len()] {
        assert_eq!(length, 4, "{name}");
    }
    assert_eq!((start.masses.len(), start.materials.len(), start.time), (4, 4, engine.time()));
    reads_each_array_alone(engine.as_ref());
    // Refused changes change nothing.
    let nan = Vector::repeat(f64::NAN);
    for wrong in [
        BodyChange { body: 0, to: BodyProperty::Position(nan) },
        BodyChange { body: 1, to: BodyProperty::Velocity(nan) },
        BodyChange { body: 4, to: BodyProperty::Velocity(Vector::zeros()) },
        BodyChange { body: 0, to: BodyProperty::Material(7) },
        BodyChange { body: 0, to: BodyProperty::Force(Vector::repeat(f64::INFINITY)) },
    ] {
        let error = engine.apply(&[velocity(2, 1.0), wrong]).unwrap_err().to_string();
        assert!(!error.contains('\n') && error.contains(';'), "{name}: {error}");
        assert_eq!(engine.state(), start, "{name}: {wrong:?}");
    }
    for time in [f64::NAN, f64::INFINITY] {
        assert!(engine.advance_to(time).unwrap_err().to_string().contains("must be finite"));
    }
    // A change is seen at once, and momentum stays while bodies collide.
    engine.apply(&[velocity(0, 1.0)]).unwrap();
    assert_eq!(engine.state().velocities[0][0], 1.0, "{name}");
    let momentum = engine.state().momentum();
    engine.advance_to(2.0).unwrap();
    assert!((2.0..2.1).contains(&engine.time()), "{name} {}", engine.time());
    let end = engine.state();
    let quantities = engine.quantities();
    let unknown: Vec<_> = quantities.names().filter(|it| crate::quantity(it).is_none()).collect();
    assert!(unknown.is_empty(), "{name}: {unknown:?}");
    assert_eq!(quantities.number("time"), Some(engine.time()), "{name}");
    assert!((quantities.number("momentum_x").unwrap() - momentum[0]).abs() < 1e-9, "{name}");
    assert!(
        (quantities.number("kinetic_energy").unwrap() / end.kinetic_energy() - 1.0).abs() < 1e-9
    );
    assert!((end.momentum() - momentum).norm() < 1e-9, "{name} {:?}", end.momentum());
    let is_hit = end.velocities[1..].iter().any(|velocity| velocity[0] > 0.1);
    assert!(is_hit, "{name} {:?}", end.velocities);
    engine.check().unwrap();
    // The past cannot be reached.
    let now = engine.time();
    engine.advance_to(0.5).unwrap();
    assert_eq!(engine.time(), now, "{name}");
}

#[test]
fn every_engine_keeps_the_contract() {
    keeps_the_contract::<2>(Box::new(grains()));
    keeps_the_contract::<3>(Box::new(grains()));
    keeps_the_contract::<2>(Box::new(spheres()));
    keeps_the_contract::<3>(Box::new(spheres()));
    for lattice in [SpringLattice::Square4, SpringLattice::Square8, SpringLattice::Triangular] {
        keeps_the_contract::<2>(Box::new(particles(lattice)));
    }
    for lattice in [SpringLattice::Cubic6, SpringLattice::Cubic18, SpringLattice::Cubic26] {
        keeps_the_contract::<3>(Box::new(particles(lattice)));
    }
}

/// What an engine does not know is refused, all of it, with a sentence that names the body, the property and the rule.
fn refuses<const D: usize>(
    mut engine: Box<dyn Engine<D>>,
    refused: &[(BodyProperty<D>, &str, &str)],
) {
    let (name, start) = (engine.name(), engine.state());
    for (to, what, rule) in refused {
        let change = BodyChange { body: 1, to: *to };
        let error = engine.apply(&[velocity(2, 1.0), change]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("body 1 has {what} ")), "{name}: {error}");
        assert!(error.ends_with(&format!("; {rule}")), "{name}: {error}");
        assert_eq!(engine.state(), start, "{name}: {to:?}");
    }
}

#[test]
fn particles_of_solids_refuse_in_a_sentence_what_they_have_not() {
    fn all<const D: usize>(lattice: SpringLattice) {
        let rotate = "particles of solids are points, which do not rotate";
        let keep = "particles have the material of their solid, which keeps it";
        let about_z = Vector::from([0.0, 0.0, 1.0]);
        refuses::<D>(
            Box::new(particles(lattice)),
            &[
                (BodyProperty::AngularVelocity(about_z), "the new angular velocity", rotate),
                (BodyProperty::Torque(about_z), "the external torque", rotate),
                (BodyProperty::Material(0), "the new material", keep),
            ],
        );
        let mut engine: Box<dyn Engine<D>> = Box::new(particles::<D>(lattice));
        let (position, velocity) = (Vector::repeat(9.0), Vector::zeros());
        let new = NewBody { velocity, ..NewBody::at_rest(position, 0.5, 1.0) };
        let start = engine.state();
        let refused = [engine.insert(&[new]).unwrap_err(), engine.remove(&[0]).unwrap_err()];
        for error in refused.map(|error| error.to_string()) {
            let rule = "particles belong to solids, so that none can be inserted or removed";
            assert_eq!(error, format!("the engine is bonded; {rule}"));
        }
        assert_eq!(engine.state(), start);
    }
    all::<2>(SpringLattice::Square8);
    all::<3>(SpringLattice::Cubic18);
}

/// A force acts until it is changed, and a body that is held and let go again moves on: in every engine that has both.
fn is_pushed_held_and_let_go<const D: usize>(mut engine: Box<dyn Engine<D>>) {
    let name = engine.name();
    let set = |engine: &mut Box<dyn Engine<D>>, to| {
        engine.apply(&[BodyChange { body: 3, to }]).unwrap();
    };
    let last = D - 1;
    let mut force = Vector::zeros();
    force[last] = -2.5;
    let ledger = |engine: &dyn Engine<D>| {
        let values = engine.quantities();
        let number = |name: &str| values.number(name).unwrap_or(0.0);
        let kept = ["kinetic_energy", "contact_energy", "bond_energy", "constraint_loss"];
        kept.map(number).iter().sum::<f64>() - number("external_work")
    };
    let start = engine.state();
    set(&mut engine, BodyProperty::Force(force));
    let mass = start.masses[3];
    let acceleration = force / mass;
    engine.advance_to(0.5).unwrap();
    let (time, state) = (engine.time(), engine.state());
    let fallen = state.positions[3] - start.positions[3] - acceleration * (0.5 * time * time);
    assert!(fallen.norm() < 1e-9, "{name} {fallen:?}");
    assert!((ledger(&*engine)).abs() < 1e-9, "{name}");
    // What is held stays, and no work is done on it.
    set(&mut engine, BodyProperty::Fixed(true));
    let (held, work) = (engine.state().positions[3], engine.quantities().number("external_work"));
    engine.advance_to(0.75).unwrap();
    assert_eq!(engine.state().positions[3], held, "{name}");
    assert_eq!(engine.quantities().number("external_work"), work, "{name}");
    // Let go without a force, it rests; then it is pushed back.
    set(&mut engine, BodyProperty::Force(Vector::zeros()));
    set(&mut engine, BodyProperty::Fixed(false));
    engine.advance_to(1.0).unwrap();
    assert_eq!(engine.state().positions[3], held, "{name}");
    set(&mut engine, BodyProperty::Force(-force));
    let moment = |engine: &dyn Engine<D>| {
        (engine.time(), engine.quantities().number("steps").unwrap_or(f64::NAN))
    };
    let since = moment(&*engine);
    engine.advance_to(1.5).unwrap();
    let now = moment(&*engine);
    let (time, step) = (now.0 - since.0, (now.0 - since.0) / (now.1 - since.1));
    let moved = (engine.state().positions[3] - held)[last] / -acceleration[last];
    // Leapfrog: it is not known where within a step the force begins.
    let range = [0.5 * time * time - 1e-9, 0.5 * time * (time + step) + 1e-9];
    assert!(range[0] <= moved && moved <= range[1], "{name} {moved} {range:?}");
    assert!((ledger(&*engine)).abs() < 1e-9, "{name} {}", ledger(&*engine));
    // The others have not moved.
    assert_eq!(engine.state().positions[..3], start.positions[..3], "{name}");
}

#[test]
fn forces_act_until_they_are_changed_and_bodies_are_held_and_let_go() {
    is_pushed_held_and_let_go::<2>(Box::new(grains()));
    is_pushed_held_and_let_go::<3>(Box::new(grains()));
    is_pushed_held_and_let_go::<2>(Box::new(particles(SpringLattice::Square8)));
    is_pushed_held_and_let_go::<3>(Box::new(particles(SpringLattice::Cubic18)));
}

#[test]
fn a_moved_hard_sphere_must_not_overlap_another() {
    let mut engine = spheres::<3>();
    let onto = BodyProperty::Position(engine.position(2));
    let error = engine.apply(&[BodyChange { body: 0, to: onto }]).unwrap_err();
    assert!(matches!(error, Error::Overlap { first: 0, second: 2, .. }), "{error}");
    let outside = BodyProperty::Position([9.0, 4.0, 4.0].into());
    assert!(engine.apply(&[BodyChange { body: 0, to: outside }]).is_err());
    let free = BodyProperty::Position([1.0, 1.0, 1.0].into());
    engine.apply(&[BodyChange { body: 0, to: free }]).unwrap();
    assert_eq!(engine.position(0), Vector::from([1.0, 1.0, 1.0]));
}

#[test]
fn bodies_that_did_not_change_keep_the_bits_of_their_paths() {
    let run = |interrupted: bool| {
        let mut engine = spheres::<2>();
        engine.apply(&[velocity(0, 0.3), velocity(3, -0.7)]).unwrap();
        engine.advance(1.7, u64::MAX);
        if interrupted {
            engine.apply(&[]).unwrap();
        }
        engine.advance(20.0, u64::MAX);
        engine.state()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn particles_of_solids_are_seen_and_changed_through_the_interface() {
    let mut engine = blocks(0.5);
    let (state, name) = (Engine::state(&engine), Engine::name(&engine));
    reads_each_array_alone(&engine);
    assert_eq!((Engine::body_count(&engine), state.positions.len(), name), (8, 8, "bonded"));
    assert_eq!(state.materials, [0, 0, 0, 0, 1, 1, 1, 1]);
    assert!(engine.contacts().is_empty());
    for wrong in [
        BodyChange { body: 8, to: BodyProperty::Velocity(Vector::zeros()) },
        BodyChange { body: 0, to: BodyProperty::Velocity([f64::NAN, 0.0].into()) },
        BodyChange { body: 0, to: BodyProperty::Torque(Vector::zeros()) },
        BodyChange { body: 0, to: BodyProperty::Material(0) },
    ] {
        assert!(engine.apply(&[velocity(2, 1.0), wrong]).is_err(), "{wrong:?}");
        assert_eq!(engine.state(), state);
    }
    let fall = |body| BodyChange { body, to: BodyProperty::Velocity([0.0, -0.1].into()) };
    engine.apply(&[4, 5, 6, 7].map(fall)).unwrap();
    let momentum = engine.state().momentum();
    let mut touched = 0;
    while engine.time() < 12.0 {
        let next = engine.now() + 0.05;
        Engine::advance_to(&mut engine, next).unwrap();
        for contact in engine.contacts() {
            // What touches is the lower side of the upper block or the upper side of the lower one.
            touched += 1;
            assert!(contact.overlap > 0.0 && contact.normal_force > 0.0, "{contact:?}");
            let expected = if contact.body < 4 { 1.0 } else { -1.0 };
            assert!(contact.normal.y * expected > 0.99, "{contact:?}");
        }
    }
    assert!(touched > 4, "{touched}");
    let end = engine.state();
    assert!((end.momentum() - momentum).norm() < 1e-12);
    assert!(end.velocities[0].y < -0.05 && Engine::check(&engine).is_ok(), "{end:?}");
}

/// Bodies are inserted and removed, and keep their ids; wrong ones change nothing.
fn inserts_and_removes<const D: usize>(mut engine: Box<dyn Engine<D>>) {
    let name = engine.name();
    let start = engine.state();
    let place = Vector::from_fn(|axis, _| if axis == 0 { 7.0 } else { 4.0 });
    let new = NewBody::at_rest(place, 0.5, 2.0);
    for wrong in [
        NewBody { position: Vector::repeat(f64::NAN), ..new },
        NewBody { velocity: Vector::repeat(f64::INFINITY), ..new },
        NewBody { position: Vector::repeat(1e150), ..new },
        NewBody { radius: 0.0, ..new },
        NewBody { mass: -1.0, ..new },
        NewBody { material: 9, ..new },
        NewBody { shape: Some(0), ..new },
        NewBody { angular_velocity: Vector::repeat(f64::NAN), ..new },
    ] {
        let error = engine.insert(&[new, wrong]).unwrap_err().to_string();
        assert!(!error.contains('\n') && error.contains(';'), "{name}: {error}");
        assert_eq!(engine.state(), start, "{name}: {wrong:?}");
    }
    for wrong in [&[4][..], &[1, 1], &[0, u32::MAX]] {
        assert!(engine.remove(wrong).is_err(), "{name}: {wrong:?}");
        assert_eq!(engine.state(), start, "{name}: {wrong:?}");
    }
    engine.remove(&[2, 0]).unwrap();
    assert_eq!(engine.insert(&[new]).unwrap(), 4..5, "{name}");
    let state = engine.state();
    assert_eq!((state.ids.clone(), state.masses.clone()), (vec![1, 3, 4], vec![2.0, 4.0, 2.0]));
    engine.apply(&[BodyChange { body: 4, to: BodyProperty::Velocity(-place * 0.1) }]).unwrap();
    assert_eq!(engine.state().velocities[2], -place * 0.1, "{name}");
    assert!(engine.apply(&[BodyChange { body: 2, to: BodyProperty::Velocity(place) }]).is_err());
    engine.advance_to(0.5).unwrap();
    engine.check().unwrap();
    assert_eq!(engine.state().ids, [1, 3, 4], "{name}");
}

#[test]
fn bodies_come_and_go_with_their_ids() {
    inserts_and_removes::<2>(Box::new(grains()));
    inserts_and_removes::<3>(Box::new(grains()));
    inserts_and_removes::<2>(Box::new(spheres()));
    inserts_and_removes::<3>(Box::new(spheres()));
    assert!(spheres::<2>().remove(&[0, 1, 2, 3]).is_err(), "one must stay");
    let mut empty = grains::<3>();
    empty.remove(&[0, 1, 2, 3]).unwrap();
    empty.advance(3).unwrap();
    let mut solids: Box<dyn Engine<2>> = Box::new(blocks(1.0));
    assert!(solids.remove(&[0]).unwrap_err().to_string().contains("belong to solids"));
}

/// A square (2D) or a cube (3D) of unit edge.
fn block<const D: usize>() -> Shape {
    use carom_geometry::shape::ConvexPolyhedron;
    if D == 2 {
        let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(Vector::from);
        return Shape::polygon(&corners, None).unwrap();
    }
    let corner = |k: usize| Vector::<3>::from_fn(|axis, _| (k >> axis & 1) as f64 - 0.5);
    let hull = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    Shape::convex(&hull, None).unwrap()
}

/// What is inserted through the interface is that of the start, to the bit.
fn inserts_shapes<const D: usize>() {
    let (block, place) =
        (block::<D>(), |x: f64| Vector::from_fn(|k, _| if k == 0 { x } else { 4.0 }));
    let settings = dem::Settings {
        shapes: vec![block.clone()],
        time_step: Some(1e-4),
        skin: Some(0.1),
        ..dem::Settings::with_law(dem::CompositeLaw::spring(1e4))
    };
    let orientation = UnitQuaternion::from_scaled_axis(Vector::from([0.0, 0.0, 0.3]));
    let new = NewBody {
        velocity: place(0.0) * -0.1,
        angular_velocity: [0.0, 0.0, 3.0].into(),
        orientation,
        ..NewBody::shaped(place(5.0), 0, &block, 2.0)
    };
    let first = dem::Body::shaped(place(1.0), 0, &block, 1.0);
    let mut engine: Box<dyn Engine<D>> =
        Box::new(dem::Simulation::new(&[first], settings.clone()).unwrap());
    let start = engine.state();
    let tilted = UnitQuaternion::from_scaled_axis(Vector::from([0.3, 0.0, 0.0]));
    let mut refused = vec![
        (NewBody { shape: Some(1), ..new }, "no shape of this number"),
        (NewBody { radius: 0.5, ..new }, "bounding sphere of its shape"),
        (NewBody { angular_velocity: Vector::repeat(f64::INFINITY), ..new }, "must be finite"),
    ];
    if D == 2 {
        refused.push((NewBody { angular_velocity: [1.0, 0.0, 0.0].into(), ..new }, "in 2D only"));
        refused.push((NewBody { orientation: tilted, ..new }, "in 2D bodies turn about"));
    }
    for (wrong, says) in refused {
        let error = engine.insert(&[new, wrong]).unwrap_err().to_string();
        let in_2d = D == 2 && says == "must be finite" && error.contains("in 2D only");
        assert!(error.contains(says) || in_2d, "{error}");
        assert!(error.starts_with("body 2") && !error.contains('\n'), "{error}");
        assert_eq!(engine.state(), start);
    }
    assert_eq!(engine.insert(&[new]).unwrap(), 1..2);
    let both = [first, dem::Body::from(&new)];
    let mut together = dem::Simulation::new(&both, settings).unwrap();
    engine.advance_to(0.5).unwrap();
    together.advance_to(0.5).unwrap();
    let state = engine.state();
    assert_eq!(state, Engine::state(&together));
    assert!((state.orientations[1].angle() - 1.8).abs() < 1e-3, "{}", state.orientations[1]);
    engine.check().unwrap();
}

#[test]
fn grains_are_inserted_with_shape_orientation_and_angular_velocity() {
    inserts_shapes::<2>();
    inserts_shapes::<3>();
}

#[test]
fn hard_spheres_are_inserted_without_shape_and_rotation() {
    let new = NewBody::at_rest([1.0, 1.0, 1.0], 0.5, 2.0);
    let tilted = UnitQuaternion::from_scaled_axis(Vector::from([0.3, 0.0, 0.0]));
    for (wrong, says) in [
        (NewBody { shape: Some(0), ..new }, "all bodies are discs or spheres"),
        (NewBody { angular_velocity: [0.0, 0.0, 1.0].into(), ..new }, "do not turn"),
        (NewBody { orientation: tilted, ..new }, "do not turn"),
    ] {
        let error = spheres::<3>().insert(&[new, wrong]).unwrap_err().to_string();
        assert!(error.contains(says) && error.starts_with("body 5"), "{error}");
    }
}

/// After a removal the rest moves to the bit as if restored from its saved state.
#[test]
fn a_simulation_without_some_bodies_is_saved_and_resumed() {
    let mut grains = grains::<3>();
    grains.apply(&[velocity(0, 1.0)]).unwrap();
    grains.remove(&[1]).unwrap();
    grains.advance(700).unwrap();
    let mut again =
        dem::Simulation::resume(&grains.saved_state(), grains.settings().clone()).unwrap();
    let mut spheres = spheres::<3>();
    spheres.apply(&[velocity(0, 1.0)]).unwrap();
    spheres.remove(&[1]).unwrap();
    spheres.advance(1.0, u64::MAX);
    let settings = spheres.settings().clone();
    let mut same = event_driven::Simulation::resume(spheres.saved_state(), settings).unwrap();
    for _ in 0..3 {
        for simulation in [&mut grains, &mut again] {
            simulation.advance(500).unwrap();
        }
        let until = spheres.now() + 2.0;
        for simulation in [&mut spheres, &mut same] {
            simulation.advance(until, u64::MAX);
        }
    }
    assert_eq!(grains.state(), again.state());
    assert_eq!(spheres.state(), same.state());
    assert_eq!(spheres.state().ids, [0, 2, 3]);
}

/// What is removed from between two others leaves their contact forces, and the books, as they were.
#[test]
fn removal_closes_the_books_and_keeps_contacts() {
    let law = dem::CompositeLaw {
        damping: dem::Damping::restitution(0.5),
        ..dem::CompositeLaw::spring(1e3)
    };
    let bodies: Vec<dem::Body<2>> =
        (0..5).map(|k| dem::Body::at_rest([0.99 * f64::from(k), 0.0], 0.5, 1.0)).collect();
    let settings = dem::Settings { time_step: Some(2e-4), ..dem::Settings::with_law(law) };
    let mut simulation = dem::Simulation::new(&bodies, settings).unwrap();
    simulation.advance(140).unwrap();
    let total = simulation.energy().total();
    let between = |simulation: &dem::Simulation<2>| {
        let contacts = simulation.contacts();
        contacts.iter().find(|contact| contact.body == 0).map(|contact| contact.normal_force)
    };
    let before = between(&simulation).unwrap();
    simulation.remove(&[3]).unwrap();
    assert!((between(&simulation).unwrap() - before).abs() < 1e-9 * before);
    assert!((simulation.energy().total() - total).abs() < 1e-12 * total.abs());
    simulation.advance(14_000).unwrap();
    assert!((simulation.energy().total() - total).abs() < 1e-3 * total.abs());
    assert!(simulation.contacts().iter().all(|contact| contact.body != 3));
}
