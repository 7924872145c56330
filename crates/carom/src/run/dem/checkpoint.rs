//! Checkpoint of a DEM run: the arrays of the simulation, and what the scene adds.
//!
//! `box`, and the numbers of bodies `poured` and `left`, for each pour and outlet of the scene. The other arrays are those of
//! the engine, in `crates/simulate/src/dem/saved_arrays.rs`.

use super::engine_run::{BodyFlowCounts, DemRun};
use super::scene_law::SceneLaw;
use super::setup;
use crate::run::Error;
use crate::run::engine_run::StageStart;
use crate::run::resumable::unfit_state;
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_simulate::dem::{ContactLaw, SavedState, Simulation};

impl<const D: usize, L: ContactLaw> DemRun<D, L> {
    pub(super) fn put_into(&self, checkpoint: &mut Checkpoint) {
        let saved = self.simulation.saved_state();
        saved.put_into(&mut checkpoint.arrays, self.scene_law.history_names);
        checkpoint.put_f64("box", self.region.size.as_slice());
        checkpoint.put_u64("poured", self.pour_state.poured.clone());
        checkpoint.put_u64("left", self.outlet_state.left.clone());
    }

    pub(in crate::run) fn resume(
        scene: &Scene<D>,
        starts: &[StageStart],
        checkpoint: &mut Checkpoint,
        scene_law: SceneLaw<L>,
    ) -> Result<Self, Error> {
        let names = scene_law.history_names;
        let saved = SavedState::take_from::<L::History>(&mut checkpoint.arrays, names);
        let saved = saved.map_err(|error| unfit_state(checkpoint, error))?;
        let poured = checkpoint.take_u64("poured", scene.pours.len())?;
        let left = checkpoint.take_u64("left", scene.outlets.len())?;
        let settings = setup::staged_settings(scene, starts, &scene_law)?;
        let simulation = Simulation::resume(&saved, settings);
        let mut simulation = simulation.map_err(|error| unfit_state(checkpoint, error))?;
        setup::forces(scene).for_each(|force| simulation.add_force(force));
        let limits = StageStart::limits_of_last(starts, scene);
        Ok(DemRun::of(scene, scene_law, simulation, BodyFlowCounts { poured, left }, limits))
    }
}
