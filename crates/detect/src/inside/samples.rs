//! Surfaces and points for the tests of this module.

use carom_geometry::Vector;
use carom_geometry::mesh::{TriangleMesh, convex_hull};

/// The unit cube between zero and one; the two triangles of a face follow each other.
pub(super) fn cube() -> TriangleMesh {
    let corner = |k: usize| Vector::from_fn(|axis, _| (k >> axis & 1) as f64);
    let corners: Vec<_> = (0..8).map(corner).collect();
    TriangleMesh::from_polygons(&convex_hull(&corners).unwrap()).unwrap()
}

/// Points spread over a cube around the origin with edges of twice this length.
pub(super) fn points_in_box(half: f64, count: usize) -> Vec<Vector<3>> {
    // A low-discrepancy sequence: multiples of the powers of the root of `x^4 + x = 1` (M. Roberts, 2018).
    let steps = [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_970_3];
    let coordinate = |k: usize, axis: usize| ((k as f64 * steps[axis]).fract() * 2.0 - 1.0) * half;
    (1..=count).map(|k| Vector::from_fn(|axis, _| coordinate(k, axis))).collect()
}
