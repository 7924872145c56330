//! From a scene to results: what `carom run` does, for programs.
//!
//! | want | take |
//! |---|---|
//! | a scene run into a folder of results | [`Run`] with a [`ResultsFolder`] |
//! | a scene run into something of your own | [`run`] with your own [`Sink`] |
//! | to go on after a kill, bit for bit | [`Run::resume`] |
//! | what a scene will do, without running it | [`Forecast`] |
//!
//! ```
//! use carom::run::{Error, Row, Sink, run};
//! use carom::scene::scene::Scene;
//!
//! struct Temperatures(Vec<f64>);
//! impl Sink<2> for Temperatures {
//!     fn log(&mut self, row: &Row<2>) -> Result<(), Error> {
//!         self.0.push(row.snapshot.temperature);
//!         Ok(())
//!     }
//! }
//!
//! let text = "engine = 'events'\ndimension = 2\nuntil = 1.0\noutput.log_interval = 0.25\n\
//!             [[generate]]\nkind = 'random'\ncount = 50\nradius = 0.5\n\
//!             packing_fraction = 0.3\ntemperature = 1.0";
//! let Scene::Plane(scene) = Scene::parse(text, "gas.toml", "".as_ref(), &[])? else { panic!() };
//! let mut temperatures = Temperatures(Vec::new());
//! run(&scene, &mut temperatures)?;
//! assert_eq!(temperatures.0.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A run can be cut anywhere: the final state, the log and the frames of a run that was stopped and
//! resumed are those of the uncut run, to the bit. Rows and frames are due at whole multiples of
//! their intervals; where nothing falls on the end, a last row and a last frame are added there, and a
//! run that goes on beyond it takes them away again.

mod checkpoint;
mod error;
mod folder;
mod forecast;
mod pace;
mod progress;
mod rest;
mod results_folder;
mod row;
mod running;
mod sink;
mod slice;
mod start;
mod summary;

#[cfg(test)]
mod tests;

pub use error::{Error, FolderProblem};
pub use folder::{Claim, Folder};
pub use forecast::Forecast;
pub use pace::{Every, Pace};
pub use progress::{Ending, Progress};
pub use results_folder::ResultsFolder;
pub use row::Row;
pub use running::Run;
pub use sink::{Sink, Wish};
pub use start::{bodies, settings};
pub use summary::{ChosenStructure, OtherEvents, Summary, Timing, Work};

use carom_scene::SceneOf;

/// Runs a scene from its start to its end, or until the sink wants it to stop.
pub fn run<const D: usize>(scene: &SceneOf<D>, sink: &mut impl Sink<D>) -> Result<Ending, Error> {
    Run::new(scene)?.go(sink)
}
