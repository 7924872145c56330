//! Runs scenes into results: what `carom run` does, for programs.
//!
//! | want | take |
//! |---|---|
//! | a scene file run into a folder of results | [`carom::run`](crate::run()), then [`SceneRun::into_folder`] |
//! | the same with progress, signals and resume | a [`FolderRun`], which gives a [`Run`] and a [`ResultsFolder`] |
//! | a scene run into a sink of your own | [`run`] with your own [`Sink`] |
//! | to continue after a kill, bit for bit | [`Run::resume`] |
//! | to advance a scene by yourself, as far as you like at a time | [`Run::advance_toward`] |
//! | a force of your own, on bodies or between them | [`Run::add_force`], [`Run::add_pair_force`] |
//! | a measurement of your own in log, summary and checkpoint | [`Run::observe`] |
//! | a DEM scene with a contact law of your own | [`Run::with_contact_law`], [`SceneRun::contact_law`] |
//! | log, frames and summary of an engine that you built in code | [`Recording`] |
//! | what a scene will do, without running it | [`Run::estimate`] |
//! | how long it will take and how much it will write | [`RunCost`] |
//!
//! ```
//! use carom::run::{Error, Sink, run};
//! use carom::scene::scene::AnyScene;
//! use carom::simulate::Values;
//!
//! struct Temperatures(Vec<f64>);
//! impl Sink<2> for Temperatures {
//!     fn log(&mut self, row: &Values) -> Result<(), Error> {
//!         self.0.extend(row.number("temperature"));
//!         Ok(())
//!     }
//! }
//!
//! let text = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\noutput.log_interval = 0.25\n\
//!             [[generate]]\nkind = 'random'\ncount = 50\nradius = 0.5\n\
//!             packing_fraction = 0.3\ntemperature = 1.0";
//! let AnyScene::TwoD(scene) = AnyScene::parse(text, "gas.toml", "".as_ref(), &[])? else { panic!() };
//! let mut temperatures = Temperatures(Vec::new());
//! run(&scene, &mut temperatures)?;
//! assert_eq!(temperatures.0.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A run can be cut anywhere: the final state, the log and the frames of a run that was stopped and resumed are those
//! of the uncut run, to the bit. Rows and frames are due at integer multiples of their intervals, counted from the
//! start of the run or of the stage; if the end is none, a last row and a last frame are added there, and a run that is continued beyond it removes them again.

pub mod bonded;
pub mod dem;
pub mod event_driven;

mod engine_run;
mod error;
mod estimate;
mod folder_run;
mod output_schedule;
mod own_force;
mod progress;
mod provenance;
mod recording;
mod results_folder;
mod resumable;
mod run_cost;
mod run_folder;
mod run_loop;
mod run_state;
mod scene_run;
mod sink;
mod stepping;
mod summary;
mod timing;
mod wall_names;

#[cfg(test)]
mod digest_tests;
#[cfg(test)]
mod foreign_checkpoint_tests;
#[cfg(test)]
mod observable_tests;
#[cfg(test)]
mod own_law_tests;
#[cfg(test)]
mod stage_tests;

pub use error::{Error, FolderProblem};
pub use estimate::{Estimate, Fact};
pub use folder_run::{ExistingResults, FolderRun};
pub use output_schedule::{OutputInterval, OutputSchedule};
pub use progress::{Ending, RunProgress};
pub use provenance::Provenance;
pub use recording::{Recording, RecordingSettings};
pub use results_folder::ResultsFolder;
pub use run_cost::RunCost;
pub use run_folder::{FolderLock, RunFolder};
pub(crate) use run_folder::{SWEEP_LOCK, SWEEP_TABLE, remove_partial_files};
pub use run_loop::Run;
pub use run_state::RunState;
pub use scene_run::{RunOutcome, SceneRun};
pub use sink::{Control, Sink};
pub use stepping::{Goal, Pause};
pub use summary::Summary;
pub use timing::Timing;

use carom_scene::Scene;

/// Runs a scene from its start to its end, or until the sink stops it.
pub fn run<const D: usize>(scene: &Scene<D>, sink: &mut dyn Sink<D>) -> Result<Ending, Error> {
    Run::new(scene)?.run_to_end(sink)
}
