//! Surfaces and points that the tests beside it look at.

use carom_geometry::Vector;
use carom_geometry::mesh::{TriangleMesh, convex_hull};
use std::collections::HashMap;

/// The unit cube between zero and one, the two triangles of a face one after the other.
pub(super) fn cube() -> TriangleMesh {
    let corner = |k: usize| Vector::from_fn(|axis, _| (k >> axis & 1) as f64);
    let corners: Vec<_> = (0..8).map(corner).collect();
    TriangleMesh::from_polygons(&convex_hull(&corners).unwrap()).unwrap()
}

/// The unit sphere: an octahedron, each triangle cut in four some times.
pub(super) fn sphere(refinements: usize) -> TriangleMesh {
    let axes =
        [[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]];
    let mut vertices: Vec<Vector<3>> = axes.map(Vector::from).to_vec();
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..refinements {
        let mut middles = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let cut = |[a, b, c]: [u32; 3]| {
            let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.into_iter().flat_map(cut).collect();
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// Points all over a cube around the origin with edges of twice this length.
pub(super) fn points_in_box(half: f64, count: usize) -> Vec<Vector<3>> {
    // The multiples of powers of the plastic number's three-dimensional cousin spread evenly.
    let steps = [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_970_3];
    let coordinate = |k: usize, axis: usize| ((k as f64 * steps[axis]).fract() * 2.0 - 1.0) * half;
    (1..=count).map(|k| Vector::from_fn(|axis, _| coordinate(k, axis))).collect()
}
