//! Numbers and shapes: spheres, polyhedra, boxes, boundaries. No bodies, no time, no files.
//!
//! Everything is `f64` and carries its dimension as `const D: usize` (2 or 3).

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod aabb;
mod boundary;
pub mod hilbert_curve;
pub mod math;
pub mod mesh;
mod pose;
pub mod predicates;
pub mod shape;
pub mod simd;
mod sphere;
#[cfg(test)]
mod test_points;

pub use aabb::Aabb;
pub use boundary::{Boundary, BoundaryError};
pub use pose::Pose;
pub use sphere::{Sphere, unit_ball_volume};

/// A point or a displacement in `D` dimensions.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// A vector of the plane with a third coordinate of zero; one of space as it is.
pub fn embed_in_3d<const D: usize>(vector: &Vector<D>) -> Vector<3> {
    Vector::from_fn(|axis, _| if axis < D { vector[axis] } else { 0.0 })
}
