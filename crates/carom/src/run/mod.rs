//! Runs scenes into results: what `carom run` does, for programs.
//!
//! | want | take |
//! |---|---|
//! | a scene file run into a folder of results | [`carom::run`](crate::run()), then [`SceneRun::into_folder`] |
//! | the same with progress, signals and resume | a [`Runner`] of [`event_driven`], [`dem`] or [`bonded`] with a [`ResultsFolder`] |
//! | a scene run into a sink of your own | [`run`] with your own [`Sink`] |
//! | to continue after a kill, bit for bit | [`Runner::resume`] |
//! | what a scene will do, without running it | [`event_driven::Estimate`], [`dem::Estimate`], [`bonded::Estimate`] |
//! | how long it will take and how much it will write | [`RunCost`] |
//!
//! ```
//! use carom::run::event_driven::{Row, Run};
//! use carom::run::{Error, Sink, run};
//! use carom::scene::scene::AnyScene;
//!
//! struct Temperatures(Vec<f64>);
//! impl Sink<2, Run<2>> for Temperatures {
//!     fn log(&mut self, row: &Row<2>) -> Result<(), Error> {
//!         self.0.push(row.snapshot.temperature);
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
//! of the uncut run, to the bit. Rows and frames are due at integer multiples of their intervals; if the end is none, a
//! last row and a last frame are added there, and a run that is continued beyond it removes them again.

pub mod bonded;
pub mod dem;
pub mod event_driven;

mod error;
mod output_schedule;
mod progress;
mod provenance;
mod results_folder;
mod resumable;
mod run_cost;
mod run_folder;
mod runner;
mod scene_run;
mod sink;
mod timing;

pub use error::{Error, FolderProblem};
pub use output_schedule::{OutputInterval, OutputSchedule};
pub use progress::{Ending, RunProgress};
pub use provenance::{Launch, Provenance};
pub use results_folder::{ResultsFolder, rows_elsewhere};
pub use run_cost::RunCost;
pub use run_folder::{FolderLock, RunFolder};
pub use runner::{Preflight, Runner};
pub use scene_run::{RunOutcome, SceneRun};
pub use sink::{Control, Sink};
pub use timing::Timing;

use carom_scene::Scene;

/// Runs a scene from its start to its end, or until the sink stops it; the type of the sink determines the engine.
pub fn run<const D: usize, R: Runner<D>>(
    scene: &Scene<D>,
    sink: &mut impl Sink<D, R>,
) -> Result<Ending, Error> {
    R::new(scene)?.run_to_end(sink)
}
