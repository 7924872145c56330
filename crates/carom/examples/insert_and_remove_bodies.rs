//! Inserts hard discs while others collide, and removes those that have gone far.

use carom::simulate::event_driven::{BodyStart, Region, Settings, Simulation};
use carom::simulate::{Engine, NewBody};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = [BodyStart::new([10.0, 10.0], [0.0, 0.0], 1.0)];
    let settings = Settings::new(Region::walled([20.0, 20.0]));
    let mut engine: Box<dyn Engine<2>> = Box::new(Simulation::new(&start, settings)?);
    let new = NewBody { velocity: [3.0, 0.1].into(), ..NewBody::at_rest([1.0, 10.0], 0.5, 0.1) };
    let mut inserted = 0;
    for time in 1..=20 {
        // As long as there is room; what would overlap is refused and changes nothing.
        inserted += engine.insert(&[new]).map_or(0, |ids| ids.len());
        engine.advance_to(f64::from(time))?;
    }
    let there = NewBody { position: engine.state().positions[0], ..new };
    assert!(engine.insert(&[there]).is_err());

    let state = engine.state();
    let all = state.ids.iter().zip(&state.positions);
    let far: Vec<u32> = all.filter(|(_, place)| place.x < 5.0).map(|(id, _)| *id).collect();
    engine.remove(&far)?;
    println!("{inserted} came, {} went", far.len());
    assert_eq!(engine.body_count(), 1 + inserted - far.len());
    assert!(inserted > 5 && engine.state().positions.iter().all(|place| place.x >= 5.0));
    Ok(())
}
