//! Runs in steps of time.

mod checkpoint;
mod forecast;
mod laws;
mod pour;
mod row;
mod running;
mod start;
mod summary;

#[cfg(test)]
mod tests;

pub use forecast::Forecast;
pub use row::Row;
pub use running::Run;
pub use start::{bodies, drive, settings};
pub use summary::Summary;
