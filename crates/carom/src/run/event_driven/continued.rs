//! What an event-driven run takes over from the run that its bodies come from, besides the bodies.

use super::setup;
use crate::run::Error;
use carom_scene::Scene;
use carom_scene::scene::RunSource;
use carom_simulate::event_driven::{SavedState, Simulation};

/// Starts a simulation of the bodies of a scene. Those that come from the end of another event-driven run keep the times of
/// their last collisions, by which lasting contacts are known, and their passages through periodic sides.
pub(super) fn start<const D: usize>(scene: &Scene<D>) -> Result<Simulation<D>, Error> {
    let simulation = Simulation::new(&setup::bodies(scene)?, setup::settings(scene))?;
    let is_hard = |source: &&RunSource| {
        source
            .checkpoint
            .as_ref()
            .is_some_and(|checkpoint| checkpoint.arrays.engine == "event-driven")
    };
    let mut sources = scene.run_sources.iter().filter(is_hard).peekable();
    if sources.peek().is_none() {
        return Ok(simulation);
    }
    let mut saved = simulation.saved_state();
    sources.for_each(|source| take_over(&mut saved, source, scene));
    Ok(Simulation::resume(saved, setup::settings(scene))?)
}

fn take_over<const D: usize>(saved: &mut SavedState<D>, source: &RunSource, scene: &Scene<D>) {
    let Some(checkpoint) = &source.checkpoint else { return };
    let bodies = source.first..source.first + source.count;
    let now = checkpoint.f64s("engine").and_then(|numbers| numbers.first().copied());
    let contacts = checkpoint.f64s("last_contacts").unwrap_or_default();
    if let (Some(now), Some(own)) = (now, saved.properties.last_contacts.get_mut(bodies.clone())) {
        // Time starts again.
        own.iter_mut().zip(contacts).for_each(|(own, time)| *own = (time - now).min(0.0));
    }
    let counts = checkpoint.u32s("passages").unwrap_or_default().chunks_exact(D);
    let places = checkpoint.bodies().map(|bodies| bodies.positions).unwrap_or_default();
    let Some(own) = saved.properties.passages.get_mut(bodies) else { return };
    let boundary = scene.region.boundary().expect("the region was checked");
    for ((own, counts), place) in own.iter_mut().zip(counts).zip(places) {
        for axis in 0..D {
            let Some(period) = boundary.period(axis) else { continue };
            // The body is put back into the box.
            let beyond = (place[axis] / period).floor() as i32;
            own[axis] = counts[axis].cast_signed().saturating_add(beyond);
        }
    }
}
