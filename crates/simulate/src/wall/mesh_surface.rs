//! Triangle meshes as surfaces of walls, and closest points on them.

use super::WallClosestPoint;
use carom_detect::inside::{ClosestPointOnSurface, TriangleBvh};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::shape::ConvexPolyhedron;
use std::sync::OnceLock;

/// A triangle mesh with a BVH for proximity queries.
///
/// ```
/// use carom_geometry::{Vector, mesh::TriangleMesh};
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// use carom_simulate::{MeshSurface, Wall, WallSurface};
/// // A triangle at z = 0 with a sphere over it, 0.0625 deep.
/// let corners = [[-9., -9., 0.], [9., -9., 0.], [0., 9., 0.]].map(Vector::from).to_vec();
/// let surface = MeshSurface::new(TriangleMesh::new(corners, vec![[0, 1, 2]])?);
/// let walls = vec![Wall::at_rest(WallSurface::Mesh(surface.into()))];
/// let settings = Settings { walls, ..Settings::with_law(CompositeLaw::spring(1024.0)) };
/// let simulation = Simulation::new(&[Body::at_rest([0.0, 0.0, 0.4375], 0.5, 1.0)], settings)?;
/// assert!((simulation.contacts()[0].force().z - 64.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MeshSurface {
    mesh: TriangleMesh,
    /// Built at the first query: readers of scenes may never ask.
    bvh: OnceLock<TriangleBvh>,
    /// Each triangle as a flat polyhedron, built when a body with a shape comes near.
    tiles: Vec<OnceLock<Option<Box<ConvexPolyhedron>>>>,
}

impl PartialEq for MeshSurface {
    fn eq(&self, other: &Self) -> bool {
        self.mesh == other.mesh
    }
}

/// A point is on a corner or side of a triangle if a barycentric coordinate is below this.
const ON_SIDE: f64 = 1e-9;

impl MeshSurface {
    /// Makes a surface of a mesh, open or closed.
    pub fn new(mesh: TriangleMesh) -> Self {
        let tiles = mesh.triangles().iter().map(|_| OnceLock::new()).collect();
        MeshSurface { bvh: OnceLock::new(), tiles, mesh }
    }

    /// Returns the mesh.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    fn bvh(&self) -> &TriangleBvh {
        self.bvh.get_or_init(|| TriangleBvh::new(&self.mesh))
    }

    /// Calls `visit` with the index of every triangle within `reach` of a point, in no particular order.
    pub fn each_near(&self, point: &Vector<3>, reach: f64, visit: impl FnMut(u32)) {
        self.bvh().for_each_within(point, reach, visit);
    }

    /// Returns the closest point of all triangles.
    pub(crate) fn nearest(&self, point: &Vector<3>) -> ClosestPointOnSurface {
        self.bvh().closest_point(point)
    }

    /// Returns whether a triangle is a line segment of a 2D wall.
    pub(crate) fn is_line(&self, triangle: u32) -> bool {
        let [_, b, c] = self.corners(triangle);
        b == c
    }

    /// Returns a triangle as a flat polyhedron; for a line segment the strip through it perpendicular to the
    /// plane, equally high for all. None if its corners are collinear in another way.
    pub(crate) fn tile(&self, triangle: u32) -> Option<&ConvexPolyhedron> {
        let make = || {
            let [a, b, c] = self.mesh.corners(triangle as usize);
            let height = Vector::z() * self.mesh.bounds().size().max();
            let tile = match self.is_line(triangle) {
                true => ConvexPolyhedron::from_planar_polygon(&[
                    a - height,
                    b - height,
                    b + height,
                    a + height,
                ]),
                false => ConvexPolyhedron::from_planar_polygon(&[*a, *b, *c]),
            };
            tile.map(Box::new)
        };
        self.tiles[triangle as usize].get_or_init(make).as_deref()
    }

    /// Returns the vertices that support a point of a triangle: those with a positive barycentric coordinate.
    pub(crate) fn supporting_vertices(&self, triangle: u32, point: &Vector<3>) -> [Option<u32>; 3] {
        let supports = supporting_corners(self.mesh.corners(triangle as usize), point);
        let corners = self.corners(triangle);
        [0, 1, 2].map(|k| supports[k].then_some(corners[k]))
    }

    /// Returns whether the segment between two points crosses or touches a triangle.
    pub(crate) fn segment_crosses(&self, triangle: u32, from: &Vector<3>, to: &Vector<3>) -> bool {
        let [a, b, c] = self.mesh.corners(triangle as usize);
        let normal = (b - a).cross(&(c - a));
        let [before, after] = [from, to].map(|point| normal.dot(&(point - a)));
        if before * after > 0.0 || before == after {
            return false;
        }
        let place = from + (to - from) * (before / (before - after));
        let area = normal.norm_squared();
        let part = |one: &Vector<3>, two: &Vector<3>| {
            (two - one).cross(&(place - one)).dot(&normal) >= -ON_SIDE * area
        };
        part(a, b) && part(b, c) && part(c, a)
    }

    /// Returns the vertex indices of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [u32; 3] {
        self.mesh.triangles()[triangle as usize]
    }

    /// Returns the closest point of a triangle to a point, and which corners support it: all three inside, two on
    /// a side, one at a corner. None if the point is on the triangle.
    pub(crate) fn closest_point_on_triangle(
        &self,
        triangle: u32,
        point: &Vector<3>,
    ) -> Option<(WallClosestPoint, [bool; 3])> {
        let corners = self.mesh.corners(triangle as usize);
        let place = carom_detect::inside::closest_on_triangle(point, corners);
        let separation = point - place;
        let distance = separation.norm();
        if distance == 0.0 {
            return None;
        }
        Some((
            WallClosestPoint { normal: separation / distance, distance },
            supporting_corners(corners, &place),
        ))
    }
}

/// Returns which corners of a triangle support a point of it, by its barycentric coordinates. A line segment is
/// supported by both ends unless the point is one of them; the third coordinate does not count there.
fn supporting_corners([a, b, c]: [&Vector<3>; 3], point: &Vector<3>) -> [bool; 3] {
    let normal = (b - a).cross(&(c - a));
    let area = normal.norm_squared();
    if area == 0.0 {
        let edge = b - a;
        let part = edge.dot(&(point - a)) / edge.norm_squared();
        return [part < 1.0 - ON_SIDE, part > ON_SIDE, part > ON_SIDE];
    }
    let part =
        |from: &Vector<3>, to: &Vector<3>| (to - from).cross(&(point - from)).dot(&normal) / area;
    [part(b, c), part(c, a), part(a, b)].map(|weight| weight > ON_SIDE)
}
