//! Time-stepped runs of the discrete element method (DEM).
//!
//! To run a scene of these take [`crate::run()`]; if you drive the engine yourself, [`bodies()`], [`settings()`] and, for the
//! pose of walls at a time, [`walls_at()`]. [`StiffnessChoice`] says which stiffness was chosen for a material, and why.

mod checkpoint;
mod contact_history;
mod engine_run;
mod estimate;
mod laws;
mod outlet;
mod pour;
mod scene_law;
mod setup;
mod stiffness;

#[cfg(test)]
mod continued_tests;
#[cfg(test)]
mod outlet_tests;
#[cfg(test)]
mod tests;

pub(super) use engine_run::DemRun;
pub(super) use scene_law::SceneLaw;
pub use setup::{bodies, settings, walls_at};
pub use stiffness::{StiffnessChoice, StiffnessReason};
