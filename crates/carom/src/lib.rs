//! carom: a collision toolkit for many-particle systems.
//!
//! | want | take |
//! |---|---|
//! | the contacts among spheres or discs, once | [`contacts`] |
//! | the same in every time step, with reused buffers, or in a periodic box | [`ContactSearch`] |
//! | points inside a closed mesh | [`Mesh`] |
//! | what a mesh is, and what is wrong with it | [`MeshReport`] |
//! | the distance or penetration of two convex polyhedra | [`distance`] |
//! | bodies of these shapes to query: the nearest, inside, along a ray, pairs within a distance | [`World`] |
//! | a scene file simulated and its results written | [`run()`] |
//! | the same for many settings, with one table of all runs | [`sweep::Sweep`] |
//! | results of a run read back | [`Results`] |
//! | a simulation advanced, looked at and changed by your program | [`Engine`](simulate::Engine) |
//! | the same with a sink of your own, progress or resume | [`mod@run`] |
//! | all methods by name, for other shapes and rules | [`detect`], [`geometry`] |
//! | an engine without scenes and files | [`simulate`] |
//! | particles, meshes and frames from files or into them | [`io`] |
//! | a picture | [`render`] |
//! | a scene or generated bodies without a run | [`scene`] |
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

mod contact_memory;
mod mesh;
mod mesh_report;
pub mod prelude;
mod results;
pub mod run;
pub mod sweep;

pub use carom_detect as detect;
pub use carom_geometry as geometry;
pub use carom_io as io;
pub use carom_render as render;
pub use carom_scene as scene;
pub use carom_simulate as simulate;

pub use carom_detect::world::{BodyShape, World, WorldError};
pub use carom_detect::{BodyPair, BroadPhaseMethod, Contact, ContactSearch};
pub use carom_geometry::{Boundary, Sphere};
pub use contact_memory::check_contact_memory;
pub use mesh::{Mesh, MeshError};
pub use mesh_report::MeshReport;
pub use results::Results;

use carom_detect::narrow::{ClosestFeatures, ClosestPoints};
use carom_geometry::{Pose, shape::ConvexPolyhedron};
use std::path::Path;

/// The version of carom and, if it was built in a checkout, the commit: `0.1.0 (0123456789ab)`.
pub const VERSION: &str = env!("CAROM_VERSION");

/// The commit that carom was built from, if it was built in a checkout.
pub const COMMIT: Option<&str> = option_env!("CAROM_COMMIT");

/// Finds all contacts among spheres (or discs) in open space, in ascending order of pairs.
///
/// Returns an error if a number is not finite or larger than 1e100, or a radius is negative.
pub fn contacts<const D: usize>(
    spheres: &[Sphere<D>],
) -> Result<Vec<Contact>, carom_detect::Error> {
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    Ok(search.find(spheres, &Boundary::open())?.to_vec())
}

/// Finds the closest points of two convex polyhedra in their poses: how far they are apart or penetrate each other.
///
/// For many poses of the same pair keep a [`ClosestFeatures`], which starts where the last query ended.
///
/// ```
/// use carom::geometry::{Pose, shape::ConvexPolyhedron};
/// let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2].map(f64::from).into();
/// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
/// let apart = Pose::at([1.5, 0.0, 0.0].into());
/// assert_eq!(carom::distance(&cube, &Pose::identity(), &cube, &apart).distance, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
) -> ClosestPoints {
    ClosestFeatures::new().query(a, pose_a, b, pose_b)
}

/// Reads a scene file, to be run by the engine that it names.
///
/// ```no_run
/// let outcome = carom::run("drum.toml")?.into_folder("drum.run")?;
/// println!("kinetic energy {}", outcome.summary["kinetic_energy"]);
/// # Ok::<(), carom::run::Error>(())
/// ```
pub fn run(scene: impl AsRef<Path>) -> Result<run::SceneRun, run::Error> {
    run::SceneRun::read(scene, &[])
}
