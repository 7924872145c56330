//! Collision detection: broad phase, narrow phase, point-in-mesh tests and Laguerre triangulations.
//!
//! For the contacts among spheres or discs start with [`ContactSearch`]. [`BroadPhaseMethod`] says which
//! method to take when; `Auto` is right unless you have a reason. All methods give the same contacts to
//! the bit, in two and three dimensions, open and periodic boxes, for any mix of radii and any number of
//! threads.
//!
//! The pipeline: spheres, checked once ([`broad::SphereSystem`]) -> broad phase, which reports every pair
//! that may touch ([`broad::BroadPhase`]) -> narrow phase, which sorts the candidates and evaluates them
//! in `f64` ([`narrow`]) -> contacts in ascending order.
//!
//! Also here: distances and contacts of convex polyhedra ([`narrow`]), containment of points in closed
//! meshes ([`inside`]), the Laguerre Delaunay triangulation of spheres ([`laguerre`]), and a [`world`] of bodies of
//! these shapes to query.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod aabb_tree;
pub mod broad;
mod error;
pub mod inside;
pub mod laguerre;
mod method;
mod method_choice;
pub mod narrow;
mod pair;
mod ray_and_box;
mod search;
pub mod world;

pub use error::{Error, LARGEST_NUMBER};
pub use method::BroadPhaseMethod;
pub use pair::{BodyPair, Contact};
pub use search::{ContactSearch, SearchStatistics};
