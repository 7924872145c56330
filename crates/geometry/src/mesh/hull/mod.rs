//! The convex hull of points in space.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa, ACM Transactions on Mathematical Software 22, 1996) over
//! triangles, in five steps:
//!
//! 1. `hilbert_order` and `initial_simplex`: points in an order that suits memory, and four of them that are
//!    far apart, or the reason why there are none;
//! 2. `quickhull`: each triangle keeps a list of points that see it; the farthest is taken in, the
//!    triangles it sees make way for a cone, and their points are dealt out anew;
//! 3. of vertices closer than twice *rounding* one is kept, and the hull made anew of these;
//! 4. `coplanar_regions`: neighboring triangles in one plane, to within rounding, become one face;
//! 5. `face_outline`: these faces by their corners, if they still make a polyhedron.
//!
//! Who sees what is decided by the exact orientation alone, and a point in the plane of a triangle
//! does not see it. So every step goes from one convex body to another, and nothing can fail or go on
//! for ever. The paper's own merging while the hull grows, needed where visibility is rounded, is not
//! needed here.
//!
//! Points on a plane or a line are mostly so to within rounding only, so that the exact hull has
//! faces nobody meant. *Within rounding* is 5e-13 of the largest extent plus eight units in the last
//! place of the largest coordinate. Neighbors join if all their vertices lie so close
//! to one plane. Where faces that are joined would not make a convex polyhedron any more, as in flat
//! slivers, less is joined, in the end only what lies in one plane exactly.
//!
//! The cost is of the order `n log h` for `n` points and `h` corners, unless the points are made to
//! be difficult.

mod coplanar_regions;
mod error;
mod face_outline;
mod half_edge_mesh;
mod hilbert_order;
mod initial_simplex;
mod quickhull;

pub use error::HullError;

use super::PolygonMesh;
use crate::{Aabb, Vector};
use half_edge_mesh::HullHalfEdgeMesh;
use hilbert_order::IndexedHullPoints;

/// Half edges are numbered with 32 bits, and there are up to six for each point.
const MAX_POINTS: usize = 500_000_000;

/// What coordinates may be; beyond, volumes of thin bodies leave the range of numbers.
const LARGEST_COORDINATE: f64 = 1e60;

/// The smallest convex body that holds all points, with one polygon for each plane.
///
/// The vertices are points of the input in their order, the first one where several are equal. Faces
/// go round to the left when seen from outside, each from its least vertex; they are in ascending order
/// of their vertices. Points that lie on a face or an edge to within rounding (5e-13 of the size) are
/// no vertices, and of points closer than twice that only one is. A million points in a ball take a
/// quarter of a second, on a sphere, where all are corners, two to three.
///
/// ```
/// use carom_geometry::{Vector, mesh::convex_hull};
/// let lattice: Vec<_> = (0..27).map(|i| Vector::from([i % 3, i / 3 % 3, i / 9].map(f64::from))).collect();
/// let cube = convex_hull(&lattice)?;
/// assert_eq!(cube.vertices.len(), 8);
/// assert_eq!(cube.faces.len(), 6);
/// assert_eq!(cube.faces[0], [0, 1, 5, 4]);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
pub fn convex_hull(points: &[Vector<3>]) -> Result<PolygonMesh, HullError> {
    let bounds = checked_bounds(points)?;
    let tolerance = HullTolerance::within(&bounds);
    let mut surface = triangulated_hull(
        &IndexedHullPoints::along_hilbert_curve(points, &bounds),
        &bounds,
        tolerance,
    )?;
    while let Some(apart) = surface.without_close_vertices(tolerance.vertex_merge_distance()) {
        surface = triangulated_hull(&apart, &bounds, tolerance)?;
    }
    Ok(mesh_of_used_points(points, face_outline::merged_faces(&surface, tolerance)))
}

fn triangulated_hull(
    points: &IndexedHullPoints,
    bounds: &Aabb<3>,
    tolerance: HullTolerance,
) -> Result<HullHalfEdgeMesh, HullError> {
    let first = initial_simplex::initial_tetrahedron(&points.positions, bounds, tolerance)?;
    Ok(quickhull::build_hull(points, bounds, first))
}

/// Distances that rounding may have made.
#[derive(Clone, Copy, Debug)]
struct HullTolerance {
    /// How far a vertex may be from the plane of its face.
    coplanarity_distance: f64,
}

impl HullTolerance {
    fn within(bounds: &Aabb<3>) -> Self {
        let largest = bounds.low.amax().max(bounds.high.amax());
        HullTolerance {
            coplanarity_distance: 5e-13 * bounds.size().max() + 8.0 * f64::EPSILON * largest,
        }
    }

    /// Vertices closer than this are one: faces between them would have any direction.
    fn vertex_merge_distance(self) -> f64 {
        2.0 * self.coplanarity_distance
    }

    /// Bodies must be thicker than this, or their opposite faces would be one.
    fn minimum_thickness(self) -> f64 {
        4.0 * self.coplanarity_distance
    }
}

/// How far the corners of a face of the hull of some points may be from one plane.
pub(crate) fn coplanarity_tolerance(points: &[Vector<3>]) -> f64 {
    HullTolerance::within(&points.iter().fold(Aabb::empty(), Aabb::including)).coplanarity_distance
}

/// The box around points, if there are enough and their coordinates are in range.
pub(crate) fn checked_bounds(points: &[Vector<3>]) -> Result<Aabb<3>, HullError> {
    let count = points.len();
    if count < 4 {
        return Err(HullError::TooFew { count });
    }
    if count > MAX_POINTS {
        return Err(HullError::TooMany { count });
    }
    let mut bounds = Aabb::empty();
    for (number, point) in points.iter().enumerate() {
        // Fails for what is not a number, too.
        if !point.iter().all(|x| x.abs() <= LARGEST_COORDINATE) {
            return Err(coordinate_error(number, point));
        }
        bounds = bounds.including(point);
    }
    Ok(bounds)
}

#[cold]
fn coordinate_error(point: usize, place: &Vector<3>) -> HullError {
    match place.iter().find(|x| !x.is_finite()) {
        Some(&value) => HullError::NotFinite { point, value },
        None => HullError::TooLarge { point, value: place[place.iamax()] },
    }
}

/// A mesh of the points that faces use, numbered anew in their order.
fn mesh_of_used_points(points: &[Vector<3>], mut faces: Vec<Vec<u32>>) -> PolygonMesh {
    let mut numbers = vec![u32::MAX; points.len()];
    faces.iter().flatten().for_each(|&point| numbers[point as usize] = 0);
    let mut vertices = Vec::new();
    for (number, place) in numbers.iter_mut().zip(points) {
        if *number == 0 {
            *number = vertices.len() as u32;
            vertices.push(*place);
        }
    }
    faces.iter_mut().flatten().for_each(|point| *point = numbers[*point as usize]);
    PolygonMesh { vertices, faces }
}

#[cfg(test)]
mod tests;
