//! Time: simulations of many bodies. No files, no wall clock, no printing.

mod error;
pub mod deform;
pub mod events;
pub mod observe;
pub mod steps;

pub use error::Error;
