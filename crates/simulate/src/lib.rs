//! Time: simulations of many bodies. No files, no wall clock, no printing.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod deform;
mod error;
pub mod events;
mod groups;
pub mod observe;
pub mod steps;
mod thermal_motion;

pub use error::Error;
pub use thermal_motion::ThermalMotion;
