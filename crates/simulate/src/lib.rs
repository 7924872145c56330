//! Simulations of many bodies in time. This crate knows no files, no wall clock and no printing.
//!
//! | want | take |
//! |---|---|
//! | hard discs and spheres, exact collisions, event-driven | [`event_driven`] |
//! | soft bodies with contact laws, time-stepped (DEM) | [`dem`] |
//! | bonded-particle solids that deform and break | [`bonded`] |
//! | any of them behind one interface: state, changes, contacts | [`Engine`] |
//! | what is measured, by name, and measurements of your own | [`QUANTITIES`], [`observe`] |
//! | what all engines and scenes share, given once | [`Material`], [`Wall`], [`Shape`], [`Region`] |
//!
//! With the feature `serde` the types of the last row and [`Restitution`] are written and read by serde; what is read is
//! checked.

// Results have the same bits on every processor only without the platform's `sin`, `pow` …:
// see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod body_ids;
pub mod bonded;
mod contact;
pub mod dem;
mod engine;
mod error;
pub mod event_driven;
mod force_field;
mod material;
pub mod observe;
mod quantity;
mod region;
mod restitution;
mod saved_arrays;
#[cfg(feature = "serde")]
mod serialization;
pub mod shape;
mod state;
mod thermal_motion;
mod wall;

pub use contact::{ContactObstacle, ContactVirial, EngineContact, WallLoad};
pub use engine::Engine;
pub use error::Error;
pub use force_field::{DragAndTrapField, HarmonicTrap};
pub use material::{
    DEFAULT_POISSONS_RATIO, DEFAULT_TANGENTIAL_STIFFNESS, Material, SpringFailureCriterion, Springs,
};
pub use quantity::{QUANTITIES, Quantity, QuantityKind, Value, Values, quantity};
pub use region::{BoundaryCondition, Region};
pub use restitution::Restitution;
pub use saved_arrays::{SavedArray, SavedArrays};
pub use shape::Shape;
pub use state::{BodyChange, BodyProperty, NewBody, State, StateArray};
pub use thermal_motion::ThermalMotion;
pub use wall::{MeshSurface, Wall, WallMotion, WallSurface};
