//! Solid shapes: convex polyhedra with their support function, and mass properties.
//!
//! Take [`ConvexPolyhedron::hull`] for points and [`ConvexPolyhedron::from_mesh`] for a mesh that must be
//! convex already. [`MassProperties`] gives volume, center of mass and inertia tensor of closed meshes and
//! of clumps of spheres.

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
