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

/// Returns rows of `D` coordinates, one row after the other, as points, without a copy; `None` if the last row
/// is not whole.
///
/// ```
/// use carom_geometry::{Vector, points_from_rows};
/// let points = points_from_rows::<2>(&[0.0, 1.0, 2.0, 3.0]).expect("two rows");
/// assert_eq!(points[1], Vector::from([2.0, 3.0]));
/// assert_eq!(points_from_rows::<3>(&[0.0, 1.0, 2.0, 3.0]), None);
/// ```
pub fn points_from_rows<const D: usize>(rows: &[f64]) -> Option<&[Vector<D>]> {
    bytemuck::try_cast_slice(rows).ok()
}

/// Returns the coordinates of points, one point after the other, without a copy.
///
/// ```
/// use carom_geometry::{Vector, rows_of_points};
/// assert_eq!(rows_of_points(&[Vector::from([0.0, 1.0]), Vector::from([2.0, 3.0])]), [0.0, 1.0, 2.0, 3.0]);
/// ```
pub fn rows_of_points<const D: usize>(points: &[Vector<D>]) -> &[f64] {
    bytemuck::cast_slice(points)
}

/// Returns a 2D vector with a third coordinate of zero; a 3D vector unchanged.
#[inline(always)]
pub fn embed_in_3d<const D: usize>(vector: &Vector<D>) -> Vector<3> {
    let mut embedded = Vector::zeros();
    (0..D).for_each(|axis| embedded[axis] = vector[axis]);
    embedded
}
