//! The convex hull of points in space.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa, ACM Transactions on Mathematical Software 22, 1996) over
//! triangles, in five steps:
//!
//! 1. `spatial_order` and `start`: points in an order that suits memory, and four of them that are
//!    far apart, or the reason why there are none;
//! 2. `quickhull`: each triangle keeps a list of points that see it; the farthest is taken in, the
//!    triangles it sees make way for a cone, and their points are dealt out anew;
//! 3. of vertices closer than twice *rounding* one is kept, and the hull made anew of these;
//! 4. `regions`: neighbouring triangles in one plane, to within rounding, become one face;
//! 5. `outline`: these faces by their corners, if they still make a polyhedron.
//!
//! Who sees what is decided by the exact orientation alone, and a point in the plane of a triangle
//! does not see it. So every step goes from one convex body to another, and nothing can fail or go on
//! for ever. The paper's own merging while the hull grows, needed where visibility is rounded, is not
//! needed here.
//!
//! Points on a plane or a line are mostly so to within rounding only, so that the exact hull has
//! faces nobody meant. *Within rounding* is 5e-13 of the largest extent plus eight units in the last
//! place of the largest coordinate. Neighbours join if all their vertices lie so close
//! to one plane. Where faces that are joined would not make a convex polyhedron any more, as in flat
//! slivers, less is joined, in the end only what lies in one plane exactly.
//!
//! The cost is of the order `n log h` for `n` points and `h` corners, unless the points are made to
//! be difficult.

mod error;
mod outline;
mod quickhull;
mod regions;
mod spatial_order;
mod start;
mod surface;

pub use error::HullError;

use super::PolygonMesh;
use crate::{Aabb, Vector};
use spatial_order::Points;
use surface::Surface;

/// Half edges are numbered with 32 bits, and there are up to six for each point.
const MOST_POINTS: usize = 500_000_000;

/// What coordinates may be; beyond, volumes of thin bodies leave the range of numbers.
const LARGEST: f64 = 1e60;

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
    let tolerance = Tolerance::within(&bounds);
    let mut surface = triangulated(&Points::sorted(points, &bounds), &bounds, tolerance)?;
    while let Some(apart) = surface.thinned(tolerance.close()) {
        surface = triangulated(&apart, &bounds, tolerance)?;
    }
    Ok(used_part(points, outline::polygons(&surface, tolerance)))
}

fn triangulated(
    points: &Points,
    bounds: &Aabb<3>,
    tolerance: Tolerance,
) -> Result<Surface, HullError> {
    let first = start::four_apart(&points.places, bounds, tolerance)?;
    Ok(quickhull::surface(points, bounds, first))
}

/// Distances that rounding may have made.
#[derive(Clone, Copy, Debug)]
struct Tolerance {
    /// How far a vertex may be from the plane of its face.
    flat: f64,
}

impl Tolerance {
    fn within(bounds: &Aabb<3>) -> Self {
        let largest = bounds.low.amax().max(bounds.high.amax());
        Tolerance { flat: 5e-13 * bounds.size().max() + 8.0 * f64::EPSILON * largest }
    }

    /// Vertices closer than this are one: faces between them would have any direction.
    fn close(self) -> f64 {
        2.0 * self.flat
    }

    /// Bodies must be thicker than this, or their opposite faces would be one.
    fn thinnest(self) -> f64 {
        4.0 * self.flat
    }
}

/// How far the corners of a face of the hull of some points may be from one plane.
pub(crate) fn flatness(points: &[Vector<3>]) -> f64 {
    Tolerance::within(&points.iter().fold(Aabb::empty(), Aabb::including)).flat
}

/// The box around points, if there are enough and their coordinates are in range.
pub(crate) fn checked_bounds(points: &[Vector<3>]) -> Result<Aabb<3>, HullError> {
    let count = points.len();
    if count < 4 {
        return Err(HullError::TooFew { count });
    }
    if count > MOST_POINTS {
        return Err(HullError::TooMany { count });
    }
    let mut bounds = Aabb::empty();
    for (number, point) in points.iter().enumerate() {
        // Fails for what is not a number, too.
        if !point.iter().all(|x| x.abs() <= LARGEST) {
            return Err(refused(number, point));
        }
        bounds = bounds.including(point);
    }
    Ok(bounds)
}

#[cold]
fn refused(point: usize, place: &Vector<3>) -> HullError {
    match place.iter().find(|x| !x.is_finite()) {
        Some(&value) => HullError::NotFinite { point, value },
        None => HullError::TooLarge { point, value: place[place.iamax()] },
    }
}

/// A mesh of the points that faces use, numbered anew in their order.
fn used_part(points: &[Vector<3>], mut faces: Vec<Vec<u32>>) -> PolygonMesh {
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
