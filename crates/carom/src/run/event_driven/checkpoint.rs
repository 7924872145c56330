//! Checkpoint of an event-driven run: the arrays of the simulation, and what scenes need that take bodies from here.
//!
//! `box` and `gravity`. The other arrays are those of the engine, in `crates/simulate/src/event_driven/saved_arrays.rs`.

use super::engine_run::EventDrivenRun;
use super::setup;
use crate::run::Error;
use crate::run::engine_run::StageStart;
use crate::run::resumable::unfit_state;
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_simulate::Engine;
use carom_simulate::event_driven::{SavedState, Simulation};

impl<const D: usize> EventDrivenRun<D> {
    pub(super) fn put_into(&self, checkpoint: &mut Checkpoint) {
        self.simulation.save(&mut checkpoint.arrays);
        let settings = self.simulation.settings();
        checkpoint.put_f64("box", settings.region.size.as_slice());
        checkpoint.put_f64("gravity", settings.gravity.as_slice());
    }

    pub(in crate::run) fn resume(
        scene: &Scene<D>,
        starts: &[StageStart],
        checkpoint: &mut Checkpoint,
    ) -> Result<Self, Error> {
        let saved = SavedState::take_from(&mut checkpoint.arrays);
        let simulation = saved.and_then(|saved| Simulation::resume(saved, setup::settings(scene)));
        let simulation = simulation.map_err(|error| unfit_state(checkpoint, error))?;
        let limits = StageStart::limits_of_last(starts, scene);
        Ok(EventDrivenRun::of(scene, simulation, limits))
    }
}
