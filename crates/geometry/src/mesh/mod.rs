//! Surfaces made of flat faces.

mod hull;
mod level_surface;
mod octahedron_sphere;
mod survey;
mod triangles;
mod weld;

pub use hull::{HullError, convex_hull};
pub(crate) use hull::{checked_bounds, flatness};
pub use level_surface::SampleGrid;
pub use octahedron_sphere::{MOST_REFINEMENTS, octahedron_sphere};
pub use survey::{Found, Hole, NearlyEqual, Survey, find_holes, part_of_hull};
pub use triangles::{TriangleMesh, TriangleMeshError};
pub(crate) use weld::{first_of_equal, welded, welded_by};

use crate::Vector;
use crate::predicates::triangle_normal;

/// Polygons that share vertices. Seen from outside, the vertices of a face go round to the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonMesh {
    /// The corners of all faces.
    pub vertices: Vec<Vector<3>>,
    /// Each face by the numbers of its vertices.
    pub faces: Vec<Vec<u32>>,
}

/// The normal of a polygon, twice its area long: the sum over the triangles from its first vertex.
pub fn polygon_normal(vertices: &[Vector<3>], polygon: &[u32]) -> Vector<3> {
    let corner = |k: usize| &vertices[polygon[k] as usize];
    (1..polygon.len().saturating_sub(1))
        .fold(Vector::zeros(), |sum, k| sum + triangle_normal(corner(0), corner(k), corner(k + 1)))
}
