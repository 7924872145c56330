//! carom: a collision toolkit for many-particle systems.
//!
//! | want | take |
//! |---|---|
//! | the contacts among spheres or discs, once | [`contacts`] |
//! | the same in every time step, with reused buffers, or in a periodic box | [`ContactSearch`] |
//! | other shapes, meshes, points in solids | [`detect`], [`geometry`] |
//! | a scene simulated and its results written | [`run`] |
//! | an engine without scenes and files | [`simulate`] |
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
//! A [`ContactSearch`] keeps its buffers from step to step.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod run;

pub use carom_detect as detect;
pub use carom_geometry as geometry;
pub use carom_scene as scene;
pub use carom_simulate as simulate;

pub use carom_detect::{BodyPair, BroadPhaseMethod, Contact, ContactSearch};
pub use carom_geometry::{Boundary, Sphere};

/// Finds all contacts among spheres (or discs) in open space, in ascending order of pairs.
///
/// Returns an error if a number is not finite or larger than 1e100, or a radius is negative.
pub fn contacts<const D: usize>(
    spheres: &[Sphere<D>],
) -> Result<Vec<Contact>, carom_detect::Error> {
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    Ok(search.find(spheres, &Boundary::open())?.to_vec())
}
