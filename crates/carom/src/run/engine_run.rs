//! What one engine adds to a run: how it starts from a scene, how far it advances at a time, what it saves.

use super::own_force::{OwnForce, no_forces};
use super::{Ending, Error, Estimate, bonded, dem, event_driven};
use carom_io::{Checkpoint, Frame};
use carom_scene::Scene;
use carom_scene::scene::{Engine as EngineName, Limits};
use carom_simulate::observe::Observable;
use carom_simulate::{Engine, Values};
use serde_json::{Map, Value};
use std::time::Duration;

/// An engine in a run of a scene.
pub(super) trait EngineRun<const D: usize>: Send + Sync {
    /// The simulation.
    fn engine(&self) -> &dyn Engine<D>;

    /// The simulation, to be changed between two calls of `advance`.
    fn engine_mut(&mut self) -> &mut dyn Engine<D>;

    /// Name of the counted events, "collisions" or "steps", and their number.
    fn counted(&self) -> (&'static str, u64);

    /// The time step, if there is one.
    fn time_step(&self) -> Option<f64>;

    /// Whether a time is reached, but for rounding.
    fn has_reached(&self, time: f64) -> bool;

    /// Advances for some hundredths of a second, or less if something is due before. Results do not depend on where a
    /// run pauses.
    fn advance(&mut self, due: &NextOutput) -> Result<(), Error>;

    /// Replaces the end that the scene gives, for runs that a program advances.
    fn set_limits(&mut self, limits: Limits);

    /// The reason why the run is at its end, if it is.
    fn ending(&mut self) -> Option<Ending>;

    /// Fraction of the run that is done, from 0 to 1, as far as it can be known.
    fn part(&self) -> f64;

    /// Observables of the engine and of a scene, before their first sample.
    fn observables(&self, scene: &Scene<D>) -> Vec<Box<dyn Observable<D>>>;

    /// Names of the walls in columns, in the order of the engine.
    fn wall_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Counts of what the scene does to the simulation, beside the quantities of the engine.
    fn scene_counts(&self) -> Values {
        Values::default()
    }

    /// All bodies at the current time.
    fn frame(&self) -> Frame<D>;

    /// Adds to the summary what only this engine has; `running` is the wall-clock time of advancing.
    fn summarize(&self, ending: Ending, running: Duration, summary: &mut Map<String, Value>);

    /// Estimates of the run, as far as they are possible without running it.
    fn estimate(&self, scene: &Scene<D>, estimate: &mut Estimate);

    /// Stores everything that the rest of the run depends on.
    fn save(&self, checkpoint: &mut Checkpoint);

    /// Warnings that have not been reported yet, in sentences.
    fn warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Examines the present moment at every row of the log, which is given, for example whether energy has appeared
    /// without a source.
    fn check_row(&mut self, _row: &Values) -> Result<(), Error> {
        Ok(())
    }

    /// Begins a stage at the present moment: the last of `starts`, of a scene that is given as it is in that stage.
    fn enter_stage(&mut self, scene: &Scene<D>, starts: &[StageStart]) -> Result<(), Error>;

    /// Adds a force of a program; an error where the engine takes none.
    fn add_force(&mut self, _force: &OwnForce<D>) -> Result<(), Error> {
        Err(no_forces(self.engine().name()))
    }

    /// Continues from now on where energy appears without a source.
    fn allow_energy_gain(&mut self) {}
}

/// When a stage began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StageStart {
    /// Simulated time.
    pub time: f64,
    /// Number of steps or collisions.
    pub count: u64,
}

impl StageStart {
    /// The limits of a scene in the last of the stages that have begun, which count from its start, as limits of the
    /// run.
    pub fn limits_of_last<const D: usize>(starts: &[StageStart], scene: &Scene<D>) -> Limits {
        let Limits { until, collisions } = scene.limits;
        let start = starts.last().copied().unwrap_or_default();
        let ends = [until.map(|duration| start.time + duration), scene.latest_end];
        Limits {
            until: ends.into_iter().flatten().reduce(f64::min),
            collisions: collisions.map(|most| start.count.saturating_add(most)),
        }
    }
}

/// Ids of bodies for a frame; none where they are the numbers of the bodies.
pub(super) fn frame_ids(ids: Vec<u32>) -> Option<Vec<u32>> {
    let are_numbers = (0..).zip(&ids).all(|(number, id)| number == *id);
    (!are_numbers).then_some(ids)
}

/// The next output of a run, which an engine does not step past.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextOutput {
    /// Time of the next output.
    pub time: f64,
    /// Number of collisions or steps, whichever the engine counts, of the next output.
    pub count: u64,
    /// Number of rows so far.
    pub rows: u64,
    /// Time between two rows, if it is fixed.
    pub log_interval: Option<f64>,
}

/// Creates the engine of a scene at its start.
pub(super) fn start<const D: usize>(scene: &Scene<D>) -> Result<Box<dyn EngineRun<D>>, Error> {
    Ok(match scene.engine {
        EngineName::Dem => Box::new(dem::DemRun::new(scene, dem::SceneLaw::built_in())?),
        EngineName::Bonded => Box::new(bonded::BondedRun::new(scene)?),
        _ => Box::new(event_driven::EventDrivenRun::new(scene)?),
    })
}

/// Takes the engine of a scene out of a checkpoint; the scene is given as it is in the last of the stages that have
/// begun.
pub(super) fn resume<const D: usize>(
    scene: &Scene<D>,
    starts: &[StageStart],
    checkpoint: &mut Checkpoint,
) -> Result<Box<dyn EngineRun<D>>, Error> {
    Ok(match scene.engine {
        EngineName::Dem => {
            Box::new(dem::DemRun::resume(scene, starts, checkpoint, dem::SceneLaw::built_in())?)
        }
        EngineName::Bonded => Box::new(bonded::BondedRun::resume(scene, starts, checkpoint)?),
        _ => Box::new(event_driven::EventDrivenRun::resume(scene, starts, checkpoint)?),
    })
}

/// The observables that scenes of all engines may have.
pub(super) fn observables<const D: usize>(scene: &Scene<D>) -> Vec<Box<dyn Observable<D>>> {
    scene.observe.observables(scene.region.volume())
}
