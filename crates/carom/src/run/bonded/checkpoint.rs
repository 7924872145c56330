//! Checkpoint of a bonded run: the arrays of the simulation, in `crates/simulate/src/bonded/saved_arrays.rs`.

use super::engine_run::BondedRun;
use super::setup;
use crate::run::Error;
use crate::run::engine_run::StageStart;
use crate::run::resumable::unfit_state;
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_scene::scene::RunSource;
use carom_simulate::Engine;
use carom_simulate::bonded::{SavedState, Simulation};

impl<const D: usize> BondedRun<D> {
    pub(super) fn put_into(&self, checkpoint: &mut Checkpoint) {
        self.simulation.save(&mut checkpoint.arrays);
    }

    pub(in crate::run) fn resume(
        scene: &Scene<D>,
        starts: &[StageStart],
        checkpoint: &mut Checkpoint,
    ) -> Result<Self, Error> {
        let mut simulation = setup::simulation(scene)?;
        let restored = simulation.restore(&mut checkpoint.arrays);
        restored.map_err(|error| unfit_state(checkpoint, error))?;
        let limits = StageStart::limits_of_last(starts, scene);
        Ok(BondedRun::of(scene, simulation, limits))
    }
}

/// Begins a run with the state at the end of another one.
pub(super) fn continue_from<const D: usize>(
    simulation: &mut Simulation<D>,
    source: &RunSource,
) -> Result<(), Error> {
    let Some(checkpoint) = &source.checkpoint else { return Ok(()) };
    let walls = source.region::<D>().map_or_else(Vec::new, |region| setup::walls(&region));
    let saved = SavedState::take_from(&mut checkpoint.arrays.clone(), simulation.bodies());
    let continued = saved.and_then(|saved| simulation.continue_from(saved, &walls));
    continued.map_err(|error| unfit_state(checkpoint, error))
}
