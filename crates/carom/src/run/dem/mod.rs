//! Time-stepped runs of the discrete element method (DEM).

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
