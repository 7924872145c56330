//! Forces of contacts as they are told between steps.

use super::*;

/// A block on its way down onto the floor, along which it slides.
fn sliding_block() -> Simulation<2> {
    let lattice = SpringLattice::Square8;
    let material = Material { friction: 0.5, ..unit(lattice) };
    let mut body = Body::new(boxed(lattice, [6.0, 3.0]), &material, 1.0, |place| *place).unwrap();
    body.set_velocity([0.05, -0.4].into());
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
