//! Drops grains into a box with a contact law of one's own (DEM): a stiffening spring with damping and friction.

use carom::simulate::dem::{Body, CompositeLaw, ContactState, Gravity, Settings, Simulation, Wall};

/// The force on the first body of a contact.
fn foam(contact: &ContactState<2>) -> carom::geometry::Vector<2> {
    let elastic = 4e5 * contact.overlap.powi(2);
    let push = (elastic + 40.0 * contact.approach_speed()).max(0.0);
    let slide = contact.sliding_velocity();
    -contact.normal * push - slide * (0.4 * push / slide.norm().max(0.01))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site =
        |k: usize| Body::at_rest([0.6 + (k % 8) as f64 * 1.05, 0.6 + (k / 8) as f64], 0.45, 1.0);
    let bodies: Vec<Body<2>> = (0..40).map(site).collect();
    let plane = |normal: [f64; 3], offset| Wall::plane(normal, offset);
    let settings = Settings {
        walls: vec![
            plane([0.0, 1.0, 0.0], 0.0),
            plane([1.0, 0.0, 0.0], 0.0),
            plane([-1.0, 0.0, 0.0], -9.0),
        ],
        gravity: Gravity { acceleration: [0.0, -10.0].into(), ..Gravity::none() },
        time_step: Some(5e-4),
        // No force of its own.
        ..Settings::with_law(CompositeLaw::spring(0.0))
    };
    let mut simulation = Simulation::new(&bodies, settings)?;
    simulation.add_contact_force(foam);
    simulation.advance(20_000)?;
    let state = simulation.state();
    println!(
        "{} contacts, kinetic energy {:.1e}",
        simulation.contacts().len(),
        state.kinetic_energy()
    );
    assert!(state.kinetic_energy() < 1e-2 && state.positions.iter().all(|place| place.y > 0.3));
    Ok(())
}
