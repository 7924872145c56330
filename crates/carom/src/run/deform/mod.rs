//! Runs of bodies that deform and break.

mod checkpoint;
mod forecast;
mod frame;
mod outline;
mod row;
mod running;
mod start;
mod summary;

#[cfg(test)]
mod tests;

pub use forecast::Forecast;
pub use row::{Row, SolidRow};
pub use running::Run;
pub use start::bodies;
pub use summary::Summary;
