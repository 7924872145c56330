//! Polygon and triangle meshes: hulls, isosurfaces, and the defects of meshes from files.
//!
//! - Take [`PolygonMesh`] for anything that comes from a file, and [`MeshTopology`] to see whether it is
//!   closed; [`find_holes`] locates its openings, [`PolygonMesh::repaired`] mends what can be mended.
//! - Take [`TriangleMesh`] where every corner must be valid, as in tests of points against a surface.
//! - [`convex_hull`], [`octahedron_sphere`] and [`SampleGrid::isosurface`] make meshes.

mod hull;
mod marching_tetrahedra;
mod octahedron_sphere;
mod repair;
mod topology;
mod triangle_mesh;
mod weld;

pub use hull::{HullError, convex_hull};
pub(crate) use hull::{checked_bounds, coplanarity_tolerance};
pub use marching_tetrahedra::SampleGrid;
pub use octahedron_sphere::{MAX_REFINEMENTS, octahedron_sphere};
pub use repair::{RepairError, RepairOptions, RepairReport};
pub use topology::{
    Defects, MeshHole, MeshTopology, NearDuplicateVertices, find_holes, hull_volume_fraction,
};
pub use triangle_mesh::{TriangleMesh, TriangleMeshError};
pub(crate) use weld::{first_equal_vertices, welded_faces, welded_faces_by};

use crate::Vector;
use crate::predicates::triangle_normal;

/// Polygons that share vertices. Seen from outside, the vertices of a face are in counterclockwise order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonMesh {
    /// Positions of the vertices, to which faces refer by index.
    pub vertices: Vec<Vector<3>>,
    /// The vertex indices of each face.
    pub faces: Vec<Vec<u32>>,
}

/// Returns the normal of a polygon, twice its area long: the sum over the fan of triangles from its first
/// vertex.
pub fn polygon_normal(vertices: &[Vector<3>], polygon: &[u32]) -> Vector<3> {
    let corner = |k: usize| &vertices[polygon[k] as usize];
    (1..polygon.len().saturating_sub(1))
        .fold(Vector::zeros(), |sum, k| sum + triangle_normal(corner(0), corner(k), corner(k + 1)))
}
