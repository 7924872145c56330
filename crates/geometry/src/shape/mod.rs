//! Bodies with an inside: convex polyhedra, how far they reach, how heavy they are.

mod climb;
mod mass;
mod polyhedron;

pub use mass::MassProperties;
pub use polyhedron::{ConvexPolyhedron, Face};
