//! Drives two engines through the one interface: pushes a body, lets time pass, and looks at the state.

use carom::simulate::event_driven::{self, BodyStart, Region};
use carom::simulate::{BodyChange, BodyProperty, Engine, dem};

fn push_and_look(engine: &mut dyn Engine<2>) -> Result<f64, carom::simulate::Error> {
    let push = BodyProperty::Velocity([1.0, 0.0].into());
    engine.apply(&[BodyChange { body: 0, to: push }])?;
    engine.advance_to(3.0)?;
    let state = engine.state();
    println!(
        "{:<13} momentum {:.6}, last {:.6}",
        engine.name(),
        state.momentum().x,
        state.velocities[2].x
    );
    Ok(state.velocities[2].x)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let places = [[1.0, 5.0], [2.5, 5.0], [4.0, 5.0]];

    let discs = places.map(|place| BodyStart::new(place, [0.0, 0.0], 0.5));
    let settings = event_driven::Settings::new(Region::periodic([20.0, 20.0]));
    let mut hard = event_driven::Simulation::new(&discs, settings)?;

    let grains = places.map(|place| dem::Body::at_rest(place, 0.5, 1.0));
    let law = dem::CompositeLaw::spring(1e5);
    let mut soft = dem::Simulation::new(&grains, dem::Settings::with_law(law))?;

    // Both pass the velocity on from body to body.
    assert!((push_and_look(&mut hard)? - 1.0).abs() < 1e-12);
    assert!((push_and_look(&mut soft)? - 1.0).abs() < 1e-3);
    Ok(())
}
