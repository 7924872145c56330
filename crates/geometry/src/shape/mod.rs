//! Bodies with an inside: convex polyhedra, how far they reach, how heavy they are.

mod balls;
mod check;
mod cones;
mod direction_map;
mod error;
mod from_mesh;
mod mass;
mod neighbourhoods;
mod packet;
mod polyhedron;

#[cfg(test)]
mod tests;

pub use error::ShapeError;
pub(crate) use from_mesh::DEPTH;
pub use mass::MassProperties;
pub use polyhedron::{ConvexPolyhedron, Face};
