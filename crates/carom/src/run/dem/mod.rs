//! Time-stepped runs of the discrete element method (DEM).

mod checkpoint;
mod contact_history;
mod estimate;
mod laws;
mod log_row;
mod outlet;
mod pour;
mod runner;
mod setup;
mod stiffness;
mod summary;

#[cfg(test)]
mod continued_tests;
#[cfg(test)]
mod outlet_tests;
#[cfg(test)]
mod tests;

pub use estimate::{Estimate, SofterStiffness};
pub use log_row::Row;
pub use runner::Run;
pub use setup::{bodies, drive, settings};
pub use stiffness::{StiffnessChoice, StiffnessReason};
pub use summary::Summary;
