//! Input and output of carom as plain checked data: scenes, particles, meshes, frames, logs, checkpoints and pictures.
//!
//! | want | take |
//! |---|---|
//! | a whole simulation from a file | [`AnyScene::read`] |
//! | particles from a file | [`files::read_particles`] |
//! | particles or contacts into a file | [`files::write_csv`], [`files::write_xyz`], [`files::write_contacts`] inside [`files::write_atomically`] |
//! | a mesh from a file or into one | [`files::read_mesh`], [`files::write_mesh`] |
//! | random particles | [`generate::RandomParticles`] |
//! | the published test cases | [`generate::PaperCase`] |
//! | particles on a lattice | [`generate::LatticeParticles`] |
//! | a convex polyhedron | [`generate::Polyhedron`] |
//! | the frames of a run | [`files::FrameSeries`] |
//! | a run that can continue after a kill | [`files::Checkpoint`], [`files::LogFile`] |
//! | a picture | [`picture::svg`] of contacts, [`picture::diagram`] of a triangulation, [`picture::png`] of a frame |
//!
//! Every error is one sentence that names the thing, the value and the rule.
//!
//! ```
//! use carom_scene::{Particles, files};
//!
//! let text = b"x,y,r\n0,0,1\n1.5,0,1\n";
//! let Particles::Discs(set) = files::parse_csv(text, "pair.csv")? else { unreachable!() };
//! assert_eq!(set.spheres.len(), 2);
//!
//! let error = files::parse_csv(b"x,y,r\n0,0,-1\n", "pair.csv").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "pair.csv:2: column \"r\" is \"-1\"; a radius must be finite and not negative"
//! );
//! # Ok::<(), carom_scene::Error>(())
//! ```

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod digits;
mod duration;
mod error;
mod excerpt;
pub mod files;
mod frame;
pub mod generate;
pub mod memory;
mod particle_set;
pub mod picture;
pub mod scene;
mod shape;

pub use digits::{group_thousands, six_significant_digits};
pub use duration::parse_duration;
pub use error::{Error, LineProblem};
pub use excerpt::{escape_control_characters, nearest_name};
pub use frame::{AxisExtent, Frame, FrameProblem, FrameShapes, FrameSprings};
pub use particle_set::{ParticleSet, Particles};
pub use scene::{AnyScene, Scene};
pub use shape::{Shape, ShapeRepresentation};
