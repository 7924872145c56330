//! The convex hull of points in space.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa, ACM Transactions on Mathematical Software 22, 1996) over
//! triangles, in five steps:
//!
//! 1. `hilbert_order` and `initial_simplex`: points in an order that suits the cache, and four of them that
//!    are far apart, or the reason why there are none;
//! 2. `quickhull`: each triangle keeps an outside set, a list of points that see it; the farthest becomes a
//!    vertex, the triangles it sees are replaced by a cone, and their points are redistributed;
//! 3. of vertices closer than twice the tolerance one is kept, and the hull is rebuilt from these;
//! 4. `coplanar_regions`: neighboring triangles that are coplanar to within the tolerance become one face;
//! 5. `face_outline`: the outlines of these faces, if they still form a convex polyhedron.
//!
//! Visibility is decided by the exact orientation alone, and a point in the plane of a triangle does not
//! see it. So every step leads from one convex body to another, and the algorithm cannot fail or loop
//! forever. The paper's merging of facets while the hull grows, needed where visibility is rounded, is not
//! needed here.
//!
//! Points in a plane or on a line are mostly so only to within rounding, so the exact hull has spurious
//! faces. The tolerance is 5e-13 of the largest extent plus eight units in the last place of the largest
//! coordinate. Neighbors are merged if all their vertices lie that close to one plane. Where merged faces
//! would not form a convex polyhedron any more, as in flat slivers, less is merged, in the end only
//! triangles that are exactly coplanar.
//!
//! The cost is of the order `n log h` for `n` points and `h` vertices of the hull, except for adversarial
//! input.

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

/// Largest number of points: half edges are numbered with 32 bits, and there are up to six per point.
const MAX_POINTS: usize = 500_000_000;

/// Largest absolute coordinate; beyond it, volumes of thin bodies leave the range of `f64`.
const LARGEST_COORDINATE: f64 = 1e60;

/// Returns the convex hull of points, with one polygon for each plane.
///
/// The vertices are points of the input in their order, the first one where several are equal. Faces are
/// counterclockwise seen from outside, each from its least vertex, and in ascending order of their vertices.
/// Points that lie on a face or an edge to within rounding (5e-13 of the size) are no vertices, and of
/// points closer than twice that only one is. Fails if there are fewer than four points, a coordinate is not
/// finite or beyond 1e60, or the points have no volume. A million points in a ball take a quarter of a
/// second; on a sphere, where all are vertices, two to three seconds.
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
    // Vertices that merge may bring others within the distance, so the hull is built again until none do.
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

/// Distances that rounding may cause.
#[derive(Clone, Copy, Debug)]
struct HullTolerance {
    /// Largest distance of a vertex from the plane of its face.
    coplanarity_distance: f64,
}

impl HullTolerance {
    fn within(bounds: &Aabb<3>) -> Self {
        let largest = bounds.low.amax().max(bounds.high.amax());
        HullTolerance {
            coplanarity_distance: 5e-13 * bounds.size().max() + 8.0 * f64::EPSILON * largest,
        }
    }

    /// Returns the distance below which vertices are merged: faces between them would have arbitrary normals.
    fn vertex_merge_distance(self) -> f64 {
        2.0 * self.coplanarity_distance
    }

    /// Returns the smallest thickness of a body, below which opposite faces would be merged.
    fn minimum_thickness(self) -> f64 {
        4.0 * self.coplanarity_distance
    }
}

/// Returns the largest distance of the corners of a face from one plane, for the hull of some points.
pub(crate) fn coplanarity_tolerance(points: &[Vector<3>]) -> f64 {
    HullTolerance::within(&points.iter().fold(Aabb::empty(), Aabb::including)).coplanarity_distance
}

/// Returns the bounding box of points, if there are enough and their coordinates are in range.
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
        // The comparison fails for NaN too.
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

/// Returns a mesh of the points that faces use, renumbered in their order.
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
