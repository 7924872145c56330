//! Runs in steps of time.

mod checkpoint;
mod forecast;
mod history;
mod laws;
mod pour;
mod row;
mod running;
mod start;
mod stiffness;
mod summary;

#[cfg(test)]
mod continued_tests;
#[cfg(test)]
mod tests;

pub use forecast::{Forecast, Softer};
pub use row::Row;
pub use running::Run;
pub use start::{bodies, drive, settings};
pub use stiffness::{StiffnessChoice, StiffnessReason};
pub use summary::Summary;
