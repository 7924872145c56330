//! Bodies with an inside: convex polyhedra, how far they reach, how heavy they are.

mod check;
mod error;
mod from_mesh;
mod mass_properties;
mod normal_cones;
mod polyhedron;
mod sphere_clump;
mod support_cube_map;
mod vertex_neighborhoods;
mod vertex_packet;

#[cfg(test)]
mod tests;

pub use error::ShapeError;
pub(crate) use from_mesh::DEPTH_TOLERANCE;
pub use mass_properties::MassProperties;
pub use polyhedron::{ConvexPolyhedron, PolyhedronFace};
