//! Event-driven runs of hard spheres and discs.

mod checkpoint;
mod estimate;
mod log_row;
mod polling_interval;
mod rest;
mod runner;
mod setup;
mod stall_detector;
mod summary;

#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use log_row::Row;
pub use runner::Run;
pub use setup::{bodies, settings};
pub use summary::{ChosenStructure, EventDrivenWork, OtherEvents, Summary};
