//! Time: simulations of many bodies. No files, no wall clock, no printing.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bonded;
pub mod dem;
mod error;
pub mod event_driven;
pub mod observe;
mod thermal_motion;
mod union_find;

pub use error::Error;
pub use thermal_motion::ThermalMotion;
