//! Event-driven runs of hard spheres and discs.
//!
//! To run a scene of these take [`crate::run()`]; if you drive the engine yourself, [`bodies()`] and [`settings()`].

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
