//! Event-driven runs.

mod checkpoint;
mod endless;
mod forecast;
mod rest;
mod row;
mod running;
mod slice;
mod start;
mod summary;

#[cfg(test)]
mod tests;

pub use forecast::Forecast;
pub use row::Row;
pub use running::Run;
pub use start::{bodies, settings};
pub use summary::{ChosenStructure, OtherEvents, Summary, Work};
