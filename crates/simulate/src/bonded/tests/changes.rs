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
            let before = simulation.energy().constraint_loss;
            simulation.apply(&[BodyChange { body: body as u32, to }]).unwrap();
            assert!(simulation.energy().constraint_loss != before, "{body} {to:?}");
            check(&simulation, total);
        }
        simulation.advance(5).unwrap();
    }
}
