//! Time: simulations of many bodies. No files, no wall clock, no printing.

pub mod deform;
mod error;
pub mod events;
mod groups;
pub mod observe;
pub mod steps;
mod thermal_motion;

pub use error::Error;
pub use thermal_motion::ThermalMotion;
