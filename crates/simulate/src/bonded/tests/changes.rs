//! Changes of particles between steps, and forces of contacts as they are read between steps.

use super::*;
use crate::{BodyChange, BodyProperty};

/// A block on its way down onto the floor, along which it slides.
fn sliding_block() -> Simulation<2> {
    let lattice = SpringLattice::Square8;
    let material = Material { friction: 0.5, ..unit(lattice) };
    let mut body = Body::new(boxed(lattice, [6.0, 3.0]), &material, 1.0, |place| *place).unwrap();
    body.set_velocity([0.05, -0.4].into()).unwrap();
    let mut simulation = Simulation::new(vec![body]).unwrap();
    simulation.set_walls(vec![Wall::plane([0.0, 1.0, 0.0], -0.6)]).unwrap();
    simulation.set_gravity([0.0, -0.02].into()).unwrap();
    simulation
}

#[test]
fn forces_of_contacts_are_those_of_the_next_step() {
    let mut simulation = sliding_block();
    let (mut last_step, mut shortened) = (0.0, 0);
    for _ in 0..200 {
        let forces: Vector<2> = simulation.contacts().iter().map(|contact| contact.force()).sum();
        let body = &simulation.bodies()[0];
        let force = forces + simulation.gravity * body.total_mass();
        let (momentum, now) = (body.momentum(), simulation.now());
        simulation.advance(1).unwrap();
        let step = simulation.now() - now;
        let change = simulation.bodies()[0].momentum() - momentum;
        let expected = force * (0.5 * (last_step + step));
        assert!((change - expected).norm() < 1e-9, "{step}: {change} {expected}");
        shortened += u32::from(step < 0.9 * simulation.time_step() && forces.x != 0.0);
        last_step = step;
    }
    assert!(shortened > 5, "{shortened}");
}

#[test]
fn changes_of_particles_keep_the_sum_of_energies() {
    let mut simulation = sliding_block();
    let check = |simulation: &Simulation<2>, expected: f64| {
        let energy = simulation.energy();
        assert!((energy.total() - expected).abs() < 1e-9, "{energy:?} {expected}");
    };
    let start = simulation.energy().total();
    let fling = BodyProperty::Velocity([0.1, 0.3].into());
    simulation.apply(&[BodyChange { body: 27, to: fling }]).unwrap();
    check(&simulation, start);
    while simulation.energy().contact_energy < 0.1 {
        simulation.advance(1).unwrap();
        assert!(simulation.now() < 10.0);
    }
    for body in [0, 13, 27] {
        let (total, state) = (simulation.energy().total(), simulation.state());
        let shifted = state.positions[body] + Vector::from([0.05, -0.02]);
        let changes = [
            BodyProperty::Velocity(state.velocities[body] * -0.5),
            BodyProperty::Position(shifted),
            BodyProperty::Fixed(true),
        ];
        for to in changes {
            let before = simulation.energy().external_work;
            simulation.apply(&[BodyChange { body: body as u32, to }]).unwrap();
            assert!(simulation.energy().external_work != before, "{body} {to:?}");
            check(&simulation, total);
        }
        simulation.advance(5).unwrap();
    }
}

/// Forces on particles of a block that slides on the floor and is held for a while: the books stay closed, and forces
/// that are zero change no bit.
#[test]
fn work_of_forces_from_outside_closes_the_ledger() {
    let apply = |simulation: &mut Simulation<2>, bodies: &[u32], to: BodyProperty<2>| {
        let change = |&body: &u32| BodyChange { body, to };
        simulation.apply(&bodies.iter().map(change).collect::<Vec<_>>()).unwrap();
    };
    let mut simulation = sliding_block();
    // Short steps, so that what the integration does wrong is small.
    simulation.set_time_step(0.125 * simulation.time_step()).unwrap();
    let total = simulation.energy().total();
    let check = |simulation: &Simulation<2>, near: f64| {
        let energy = simulation.energy();
        assert!((energy.total() - total).abs() < near, "{energy:?} {total}");
    };
    let top: Vec<u32> = (21..28).collect();
    apply(&mut simulation, &top, BodyProperty::Force([0.03, -0.01].into()));
    check(&simulation, 1e-12);
    simulation.advance(800).unwrap();
    let pushed = simulation.energy();
    assert!(pushed.external_work > 0.05, "{pushed:?}");
    check(&simulation, 1e-3 * pushed.external_work);
    // Changes between steps change no sum at all, and steps hardly one.
    for to in [
        BodyProperty::Force([-0.05, 0.02].into()),
        BodyProperty::Fixed(true),
        BodyProperty::Force([0.0, 0.07].into()),
        BodyProperty::Fixed(false),
        BodyProperty::Force([0.0, 0.0].into()),
    ] {
        let before = simulation.energy().total();
        apply(&mut simulation, &top[..3], to);
        assert!((simulation.energy().total() - before).abs() < 1e-9, "{to:?}");
        simulation.advance(160).unwrap();
        let gained = simulation.energy().total() - before;
        let scale = pushed.kinetic_energy + pushed.bond_energy;
        assert!(gained.abs() < 2e-3 * scale, "{to:?} {gained} {pushed:?}");
    }
    let zero = |is_set: bool| {
        let mut simulation = sliding_block();
        for _ in 0..20 {
            if is_set {
                apply(&mut simulation, &[0, 27], BodyProperty::Force([0.0, 0.0].into()));
                simulation.apply(&[]).unwrap();
            }
            simulation.advance(10).unwrap();
        }
        simulation.saved_state()
    };
    assert_eq!(zero(true), zero(false));
}

/// What a program has changed is part of the saved state: forces, particles that are held and others that were let go.
#[test]
fn changed_particles_continue_to_the_same_bits_after_a_restart() {
    let start = || {
        let mut simulation = sliding_block();
        let held = simulation.bodies()[0].grid().particles().next().unwrap();
        simulation.bodies[0].hold(held).unwrap();
        simulation
    };
    let change = |simulation: &mut Simulation<2>, moment: usize| {
        let to = match moment {
            2 => BodyProperty::Force([0.02, 0.01].into()),
            4 => BodyProperty::Fixed(true),
            5 => BodyProperty::Force([-0.03, 0.0].into()),
            7 => BodyProperty::Fixed(false),
            _ => return,
        };
        let bodies = [0, 5, 21, 27].iter();
        let changes: Vec<_> = bodies.map(|&body| BodyChange { body, to }).collect();
        simulation.apply(&changes).unwrap();
    };
    let (mut uncut, mut cut) = (start(), start());
    for moment in 0..12 {
        for simulation in [&mut uncut, &mut cut] {
            change(simulation, moment);
            simulation.advance(13).unwrap();
        }
        let saved = cut.saved_state();
        cut = start();
        cut.restore_state(saved).unwrap();
    }
    assert!(uncut.energy().external_work != 0.0 && uncut.energy().contact_energy > 0.0);
    assert_eq!(uncut.saved_state(), cut.saved_state());
    let mut foreign = uncut.saved_state();
    for wrong in [([1, 0], [0.0, 1.0]), ([0, 28], [0.0, 1.0]), ([0, 0], [f64::NAN, 0.0])] {
        foreign.external_forces = vec![(wrong.0, wrong.1.into())];
        let error = start().restore_state(foreign.clone()).unwrap_err().to_string();
        assert!(error.contains("a force on a particle"), "{error}");
    }
}
