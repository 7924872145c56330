//! Runs a scene with many settings, each into a folder of its own, and makes one table of all: what `carom sweep` does.
//!
//! | want | take |
//! |---|---|
//! | a scene run with all combinations of some values | [`Sweep::over`], then [`Sweep::into_folder`] |
//! | values that advance together | [`Sweep::zip`] |
//! | values from a text such as `seed=1..20` | [`SweepAxis::parse`] |
//! | several runs at a time | [`Sweep::jobs`] |
//! | a part of the runs, on each of many machines | [`Sweep::shard`] |
//! | progress, stops and time limits | [`Sweep::watched_by`], [`Sweep::wall_time`] |
//! | what there is so far | [`Sweep::list`] |
//!
//! A run has the bytes that `carom run` with the same settings writes, whatever the number of jobs, shards and stops; and
//! so has the table.
//!
//! | file | what |
//! |---|---|
//! | `axis` | a setting with its values, and the language of their text |
//! | `builder` | [`Sweep`] and what it returns |
//! | `folder` | the files beside the folders of the runs |
//! | `plan` | every scene, read and checked before anything is written |
//! | `plots` | numbers of the table over swept settings |
//! | `point` | the product of the settings, and the names of folders |
//! | `scheduler` | runs shared out among workers, and the thread that watches them |
//! | `summary_numbers` | what the table takes from a summary |
//! | `table` | [`SweepTable`], as CSV and JSON |
//! | `worker` | one run, started, continued, or found finished |

mod axis;
mod builder;
mod error;
mod folder;
mod plan;
mod plots;
mod point;
mod progress;
#[cfg(test)]
mod refusal_tests;
mod scheduler;
mod summary_numbers;
mod table;
#[cfg(test)]
mod tests;
mod worker;

pub use axis::{SweepAxis, SweepValue, SweepValues};
pub use builder::{Sweep, SweepOutcome};
pub use error::Error;
pub use progress::SweepProgress;
pub use table::{SweepRow, SweepRunState, SweepTable};
