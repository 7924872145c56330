//! Geometry without bodies, time or files: spheres, polyhedra, meshes, boxes and boundaries.
//!
//! All coordinates are `f64`, and types carry their dimension as `const D: usize` (2 or 3).
//!
//! | for | take |
//! |---|---|
//! | spheres and discs in an open or periodic box | [`Sphere`], [`Boundary`], [`Aabb`] |
//! | surfaces, convex hulls, defects of a mesh | [`mesh`] |
//! | convex polyhedra with support function and inertia tensor | [`shape`], [`Pose`] |
//! | exact orientation and power tests | [`predicates`] |
//! | transcendental functions that repeat to the bit | [`math`] |
//! | loops compiled for AVX2 or AVX-512 | [`simd`] |
//! | an order of points that suits the cache | [`space_filling_curve`] |
//! | connected components | [`union_find`] |
//! | random numbers that repeat to the bit | [`random`] |

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod aabb;
mod boundary;
pub mod math;
pub mod mesh;
mod pose;
pub mod predicates;
pub mod random;
pub mod shape;
pub mod simd;
pub mod space_filling_curve;
mod sphere;
#[cfg(test)]
mod test_points;
pub mod union_find;

pub use aabb::Aabb;
pub use boundary::{Boundary, BoundaryError};
pub use pose::Pose;
pub use sphere::{Sphere, unit_ball_volume};

/// A point or a displacement in `D` dimensions.
pub type Vector<const D: usize> = nalgebra::SVector<f64, D>;

/// Returns a 2D vector with a third coordinate of zero; a 3D vector unchanged.
pub fn embed_in_3d<const D: usize>(vector: &Vector<D>) -> Vector<3> {
    Vector::from_fn(|axis, _| if axis < D { vector[axis] } else { 0.0 })
}
