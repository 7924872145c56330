//! Which pairs touch: every contact among spheres or discs, found fast and exactly.
//!
//! Start with [`ContactSearch`]. Which method to take when is told at [`BroadPhaseMethod`]; `Auto` is right
//! unless you have a reason. All methods give the same answer to the bit, in two and three
//! dimensions, open and periodic boxes, for any mix of radii and any number of threads.
//!
//! The way of the data: spheres, checked once ([`broad::SphereSystem`]) -> a structure that names every
//! pair that may touch ([`broad::BroadPhase`]) -> candidates sorted and evaluated exactly
//! ([`narrow`]) -> contacts in ascending order.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod broad;
mod error;
pub mod inside;
pub mod laguerre;
mod method;
mod method_choice;
pub mod narrow;
mod pair;
mod search;

pub use error::{Error, LARGEST_NUMBER};
pub use method::BroadPhaseMethod;
pub use pair::{BodyPair, Contact};
pub use search::{ContactSearch, SearchStatistics};
