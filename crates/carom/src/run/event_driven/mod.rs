//! Event-driven runs of hard spheres and discs.

mod checkpoint;
mod continued;
mod engine_run;
mod estimate;
mod polling_interval;
mod rest;
mod setup;
mod stall_detector;

#[cfg(test)]
mod continued_tests;
#[cfg(test)]
mod tests;

pub(super) use engine_run::EventDrivenRun;
pub use setup::{bodies, settings};
