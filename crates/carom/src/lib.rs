//! carom: a collision toolkit for many-particle systems.
//!
//! ```
//! use carom::Sphere;
//! let spheres = [Sphere::new([0.0, 0.0, 0.0], 1.0), Sphere::new([1.5, 0.0, 0.0], 1.0)];
//! for contact in carom::contacts(&spheres)? {
//!     println!("{} and {} overlap by {}", contact.pair.first(), contact.pair.second(), contact.overlap);
//! }
//! # Ok::<(), carom::detect::Error>(())
//! ```
//!
//! For searches step after step keep a [`ContactSearch`]: its buffers are reused. To simulate a scene,
//! see [`run`].

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod run;

pub use carom_detect as detect;
pub use carom_geometry as geometry;
pub use carom_scene as scene;
pub use carom_simulate as simulate;

pub use carom_detect::{BodyPair, BroadPhaseMethod, Contact, ContactSearch};
pub use carom_geometry::{Boundary, Sphere};

/// All contacts among spheres (or discs) in open space, ascending.
///
/// Fails if a number is not finite or larger than 1e100, or a radius is negative.
pub fn contacts<const D: usize>(
    spheres: &[Sphere<D>],
) -> Result<Vec<Contact>, carom_detect::Error> {
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    Ok(search.find(spheres, &Boundary::open())?.to_vec())
}
