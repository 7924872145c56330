//! Which pairs touch: every contact among spheres or discs, found fast and exactly.
//!
//! Start with [`ContactSearch`]. Which method to take when is told at [`Method`]; `Auto` is right
//! unless you have a reason. All methods give the same answer to the bit, in two and three
//! dimensions, open and periodic boxes, for any mix of radii and any number of threads.
//!
//! The way of the data: spheres, checked once ([`broad::System`]) -> a structure that names every
//! pair that may touch ([`broad::BroadPhase`]) -> candidates sorted and evaluated exactly
//! ([`narrow`]) -> contacts in ascending order.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod broad;
mod choose;
mod error;
pub mod inside;
pub mod laguerre;
mod method;
pub mod narrow;
mod pair;
mod search;

pub use error::{Error, LARGEST_NUMBER};
pub use method::Method;
pub use pair::{Contact, Pair};
pub use search::{ContactSearch, Statistics};
