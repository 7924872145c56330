//! The scene language of carom, and generators of particles and meshes.
//!
//! | want | take |
//! |---|---|
//! | a whole simulation from a file | [`AnyScene::read`] |
//! | random particles | [`generate::RandomParticles`] |
//! | the published test cases | [`generate::PaperCase`] |
//! | particles on a lattice | [`generate::LatticeParticles`] |
//! | a convex polyhedron | [`generate::Polyhedron`] |
//!
//! Every error is one sentence that names the thing, the value and the rule.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod error;
pub mod generate;
pub mod scene;

pub use error::Error;
pub use scene::{AnyScene, Scene};
