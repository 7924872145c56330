//! Runs of bonded particles: solids that deform and break.

mod checkpoint;
mod estimate;
mod frame;
mod log_row;
mod runner;
mod setup;
mod summary;
mod surface_distance;

#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use log_row::{Row, SolidRow};
pub use runner::Run;
pub use setup::bodies;
pub use summary::Summary;
