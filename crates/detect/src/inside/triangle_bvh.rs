//! A bounding volume hierarchy (BVH) over the triangles of a surface: what is near a point or along a ray.

use super::closest_point_on_triangle::closest_point_on_triangle;
use crate::aabb_tree::{self, AabbTree, safe_scale};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Vector};

/// A BVH of axis-aligned boxes: triangles in the order of a Hilbert curve, four to a leaf, under a binary tree of
/// boxes.
///
/// Building sorts the triangles; a query costs about the logarithm of their number.
#[derive(Clone, Debug)]
pub struct TriangleBvh {
    vertices: Vec<Vector<3>>,
    /// The vertices of the triangles, in the order of the tree.
    triangles: Vec<[u32; 3]>,
    /// The index of each of them in the mesh.
    triangle_indices: Vec<u32>,
    tree: AabbTree,
}

/// The point of a surface that is closest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPointOnSurface {
    /// The index of a triangle it is on.
    pub triangle: usize,
    /// Position of the nearest point, in the frame of the mesh.
    pub position: Vector<3>,
    /// Distance from the query point.
    pub distance: f64,
}

/// The number of triangles in a leaf.
const TRIANGLES_PER_LEAF: usize = 4;

impl TriangleBvh {
    /// Builds the BVH of a surface.
    pub fn new(surface: &TriangleMesh) -> Self {
        // Along a Hilbert curve, so that triangles of a leaf, and leaves of a node, are near each other.
        let triangle_indices = hilbert_order(surface);
        let triangles: Vec<[u32; 3]> =
            triangle_indices.iter().map(|&number| surface.triangles()[number as usize]).collect();
        let leaf = |triangles: &[[u32; 3]]| {
            let corners = triangles.iter().flatten();
            corners.fold(Aabb::empty(), |bounds, &corner| {
                bounds.including(&surface.vertices()[corner as usize])
            })
        };
        let tree = AabbTree::new(triangles.chunks(TRIANGLES_PER_LEAF).map(leaf).collect());
        TriangleBvh { vertices: surface.vertices().to_vec(), triangles, triangle_indices, tree }
    }

    /// Returns the box around the surface.
    pub fn bounds(&self) -> Aabb<3> {
        self.tree.bounds()
    }

    /// Returns the bytes held beside the vertices and triangles.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + size_of_val(&*self.triangle_indices)
    }

    /// Returns the bytes of its own copy of the vertices and triangles.
    pub(super) fn copied_bytes(&self) -> usize {
        size_of_val(&*self.vertices) + size_of_val(&*self.triangles)
    }

    pub(crate) fn tree(&self) -> &AabbTree {
        &self.tree
    }

    /// Returns the index and the corners of each triangle of a leaf.
    pub(crate) fn leaf_triangles(
        &self,
        leaf: usize,
    ) -> impl Iterator<Item = (u32, [&Vector<3>; 3])> {
        let indices = &self.triangle_indices[TRIANGLES_PER_LEAF * leaf..];
        let corners = |triangle: &[u32; 3]| triangle.map(|corner| &self.vertices[corner as usize]);
        self.leaf(leaf).iter().zip(indices).map(move |(triangle, &k)| (k, corners(triangle)))
    }

    pub(crate) fn vertices(&self) -> &[Vector<3>] {
        &self.vertices
    }

    /// Calls `visit` with the triangles of every leaf whose box, and all boxes around it, are wanted, until it
    /// returns false.
    #[inline(always)]
    pub(super) fn visit_leaves(
        &self,
        wanted: impl Fn(&Aabb<3>) -> bool,
        mut visit: impl FnMut(&[[u32; 3]]) -> bool,
    ) {
        self.tree.visit(wanted, |leaf| visit(self.leaf(leaf)));
    }

    fn leaf(&self, number: usize) -> &[[u32; 3]] {
        let first = TRIANGLES_PER_LEAF * number;
        &self.triangles[first..(first + TRIANGLES_PER_LEAF).min(self.triangles.len())]
    }

    /// Calls `visit` with the index of every triangle within `reach` of a point, in no particular order.
    ///
    /// ```
    /// use carom_detect::inside::TriangleBvh;
    /// use carom_geometry::{Vector, mesh::octahedron_sphere};
    /// let octahedron = TriangleBvh::new(&octahedron_sphere(0));
    /// let count_within = |reach: f64| {
    ///     let mut count = 0;
    ///     octahedron.for_each_within(&Vector::from([1.5, 0.0, 0.0]), reach, |_| count += 1);
    ///     count
    /// };
    /// // Four faces meet at the vertex at a distance of 0.5; the others are farther away than 1.5.
    /// assert_eq!([0.4, 0.6, 1.4].map(count_within), [0, 4, 4]);
    /// ```
    pub fn for_each_within(&self, point: &Vector<3>, reach: f64, mut visit: impl FnMut(u32)) {
        let squared = reach * reach;
        let is_near = |bounds: &Aabb<3>| distance_squared(bounds, point, 1.0) <= squared;
        self.tree.visit(is_near, |leaf| {
            for (k, triangle) in self.leaf(leaf).iter().enumerate() {
                let corners = triangle.map(|corner| &self.vertices[corner as usize]);
                if (closest_point_on_triangle(point, corners) - point).norm_squared() <= squared {
                    visit(self.triangle_indices[TRIANGLES_PER_LEAF * leaf + k]);
                }
            }
            true
        });
    }

    /// Returns the point of the surface closest to a point with finite coordinates, right to rounding. Of several
    /// equally close points it is always the same one.
    ///
    /// ```
    /// use carom_detect::inside::TriangleBvh;
    /// use carom_geometry::{Vector, mesh::{TriangleMesh, convex_hull}};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let mesh = TriangleMesh::from_polygons(&convex_hull(&corners)?)?;
    /// let closest = TriangleBvh::new(&mesh).closest_point(&Vector::from([0.25, 0.25, -0.5]));
    /// assert_eq!(closest.position, Vector::from([0.25, 0.25, 0.0]));
    /// assert_eq!(closest.distance, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point(&self, point: &Vector<3>) -> ClosestPointOnSurface {
        let bounds = self.bounds();
        // Scaled, so that squares of distances neither overflow nor vanish.
        let scale = safe_scale((point - bounds.low).abs().sup(&(bounds.high - point).abs()).max());
        let scaled_point = point * scale;
        let squared = |bounds: &Aabb<3>| distance_squared(bounds, point, scale);
        let mut best = (f64::INFINITY, 0, *point);
        self.tree.visit_nearest_first(best.0, squared, |leaf| {
            for (k, triangle) in self.leaf(leaf).iter().enumerate() {
                let corners = triangle.map(|corner| self.vertices[corner as usize] * scale);
                let place = closest_point_on_triangle(&scaled_point, corners.each_ref());
                let distance = (place - scaled_point).norm_squared();
                if distance < best.0 {
                    best = (distance, TRIANGLES_PER_LEAF * leaf + k, place);
                }
            }
            best.0
        });
        let (squared, index, place) = best;
        ClosestPointOnSurface {
            triangle: self.triangle_indices[index] as usize,
            position: place / scale,
            distance: squared.sqrt() / scale,
        }
    }
}

/// Returns the triangles in the order of a Hilbert curve through their centroids.
fn hilbert_order(surface: &TriangleMesh) -> Vec<u32> {
    let bounds = surface.bounds();
    aabb_tree::hilbert_order(surface.triangles().len(), &bounds, |triangle| {
        let [a, b, c] = surface.corners(triangle);
        (a - bounds.low) / 3.0 + (b - bounds.low) / 3.0 + (c - bounds.low) / 3.0
    })
}

#[inline]
fn distance_squared(bounds: &Aabb<3>, point: &Vector<3>, scale: f64) -> f64 {
    let outside = (bounds.low - point).sup(&(point - bounds.high)).sup(&Vector::zeros());
    (outside * scale).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::octahedron_sphere;

    #[test]
    fn distances_are_right_at_any_scale() {
        let unit = octahedron_sphere(0);
        for size in [1e-310, 1e-200, 1e-100, 1e-40, 1.0, 1e40, 1e60] {
            let vertices = unit.vertices().iter().map(|vertex| vertex * size).collect();
            let mesh = TriangleMesh::new(vertices, unit.triangles().to_vec()).unwrap();
            let tree = TriangleBvh::new(&mesh);
            let corner = tree.closest_point(&Vector::from([3.0 * size, 0.0, 0.0]));
            assert!((corner.distance / size - 2.0).abs() < 1e-12, "{size}: {corner:?}");
            assert_eq!(corner.position, Vector::from([size, 0.0, 0.0]));
            let face = tree.closest_point(&Vector::repeat(size));
            assert!(
                (face.distance / size - 2.0 / 3.0_f64.sqrt()).abs() < 1e-12,
                "{size}: {face:?}"
            );
            let far = tree.closest_point(&Vector::from([0.0, 0.0, 1e300]));
            assert!((far.distance / 1e300 - 1.0).abs() < 1e-12, "{size}: {far:?}");
        }
    }
    #[test]
    fn the_order_in_space_is_that_of_the_body_at_any_scale() {
        let unit = octahedron_sphere(3);
        for exponent in [-1010, -300, 150] {
            let size = 2f64.powi(exponent);
            let vertices = unit.vertices().iter().map(|vertex| vertex * size).collect();
            let mesh = TriangleMesh::new(vertices, unit.triangles().to_vec()).unwrap();
            assert_eq!(hilbert_order(&mesh), hilbert_order(&unit), "2^{exponent}");
        }
    }

    #[test]
    fn a_point_that_is_none_is_infinitely_far() {
        let tree = TriangleBvh::new(&octahedron_sphere(2));
        let nearest = tree.closest_point(&Vector::from([f64::NAN, 0.0, 0.0]));
        assert_eq!(nearest.distance, f64::INFINITY);
    }
}
