//! The initial tetrahedron: four points that are far apart.

use super::{HullError, HullTolerance};
use crate::predicates::triangle_normal;
use crate::{Aabb, Vector};

/// Smallest extent of a body: the inertia tensor, which scales with the fifth power, would underflow.
const SMALLEST_EXTENT: f64 = 1e-60;

/// Returns four points that are not coplanar, of equal points the first. Fails if there are none.
pub(super) fn initial_tetrahedron(
    points: &[Vector<3>],
    bounds: &Aabb<3>,
    tolerance: HullTolerance,
) -> Result<[u32; 4], HullError> {
    let size = bounds.size();
    let (axis, extent) = size.argmax();
    if extent <= tolerance.minimum_thickness().max(SMALLEST_EXTENT) {
        return Err(HullError::Coincident { extent });
    }
    let (low, _) = farthest(points, |point| -point[axis]);
    let (high, _) = farthest(points, |point| point[axis]);
    let (start, end) = (points[low as usize], points[high as usize]);
    let along = (end - start).normalize();
    let (aside, thickness) = farthest(points, |point| {
        let step = point - start;
        (step - along * along.dot(&step)).norm()
    });
    if thickness <= tolerance.minimum_thickness() {
        return Err(HullError::Collinear { thickness });
    }
    // Extreme points one after the other: along the longest axis, off the line, off the plane.
    let normal = triangle_normal(&start, &end, &points[aside as usize]).normalize();
    let (above, height) = farthest(points, |point| normal.dot(&(point - start)));
    let (below, depth) = farthest(points, |point| -normal.dot(&(point - start)));
    let thickness = height + depth;
    if thickness <= tolerance.minimum_thickness() {
        return Err(HullError::Coplanar { thickness });
    }
    Ok([low, high, aside, if height >= depth { above } else { below }])
}

/// Returns the first of the points for which `distance` is largest, and that distance.
fn farthest(points: &[Vector<3>], distance: impl Fn(&Vector<3>) -> f64) -> (u32, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (number, point) in points.iter().enumerate() {
        let distance = distance(point);
        if distance > best.1 {
            best = (number as u32, distance);
        }
    }
    best
}
