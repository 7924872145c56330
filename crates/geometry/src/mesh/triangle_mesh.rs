//! Triangle meshes with validated indices and coordinates.

use super::PolygonMesh;
use crate::predicates::{WeightedSite, orientation_estimate, orientation_exact};
use crate::{Aabb, Vector};
use std::cmp::Ordering;
use thiserror::Error;

/// Range of coordinates: no product of five overflows.
const COORDINATE_RANGE: std::ops::RangeInclusive<f64> = -1e60..=1e60;

/// Triangles that share vertices, checked once: every corner is a valid vertex, every coordinate finite and
/// at most 1e60.
///
/// [`MeshTopology`](super::MeshTopology) says whether the surface is closed. Seen from outside, the corners
/// of a triangle are in counterclockwise order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<Vector<3>>,
    triangles: Vec<[u32; 3]>,
}

/// Why faces cannot be taken as triangles. Vertices and faces are numbered from zero.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TriangleMeshError {
    /// There are no faces.
    #[error("there are no faces; a surface has at least one")]
    Empty,
    /// There are more vertices or triangles than 31 bits can number; methods use the 32nd.
    #[error("there are {count} {what}; at most {} can be used", MAX_COUNT)]
    TooMany {
        /// `vertices` or `triangles`.
        what: &'static str,
        /// Number of them.
        count: usize,
    },
    /// A coordinate is not finite or too large.
    #[error(
        "vertex {vertex} has the coordinate {value:?}; it must be finite and between -1e60 and 1e60"
    )]
    NotUsable {
        /// Index of the vertex.
        vertex: usize,
        /// The coordinate found.
        value: f64,
    },
    /// A corner refers to a vertex that does not exist.
    #[error("face {face} has vertex {vertex} as a corner, but there are only {vertices} vertices")]
    NoSuchVertex {
        /// Index of the face.
        face: usize,
        /// The vertex it refers to.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A face has fewer than three corners.
    #[error("face {face} has {corners} corners; a face has at least three")]
    TooFewCorners {
        /// Index of the face.
        face: usize,
        /// Number of its corners.
        corners: usize,
    },
    /// A polygon is not convex, so that a fan of triangles would not cover it.
    #[error("face {face} has {corners} corners and is not convex; cut it into triangles first")]
    NotConvex {
        /// Index of the face.
        face: usize,
        /// Number of its corners.
        corners: usize,
    },
}

/// Largest number of vertices or triangles.
pub(super) const MAX_COUNT: usize = i32::MAX as usize;

impl TriangleMesh {
    /// Makes a mesh of vertices and the corners of triangles. Fails if a coordinate or an index is invalid,
    /// or if there is no triangle.
    ///
    /// ```
    /// use carom_geometry::{Vector, mesh::TriangleMesh};
    /// let vertices = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vector::from).to_vec();
    /// assert!(TriangleMesh::new(vertices.clone(), vec![[0, 1, 2]]).is_ok());
    /// let error = TriangleMesh::new(vertices, vec![[0, 1, 3]]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "face 0 has vertex 3 as a corner, but there are only 3 vertices"
    /// );
    /// ```
    pub fn new(
        vertices: Vec<Vector<3>>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, TriangleMeshError> {
        check_vertices(&vertices)?;
        let count = vertices.len();
        check_count("triangles", triangles.len())?;
        for (face, triangle) in triangles.iter().enumerate() {
            check_corners(face, triangle, count)?;
        }
        TriangleMesh { vertices, triangles }.checked()
    }

    /// Cuts polygons into fans of triangles from their first corner, in the order of the faces.
    ///
    /// A polygon of more than three corners must be convex; it may be slightly non-planar.
    pub fn from_polygons(mesh: &PolygonMesh) -> Result<Self, TriangleMeshError> {
        check_vertices(&mesh.vertices)?;
        let mut triangles = Vec::with_capacity(mesh.faces.len());
        for (face, polygon) in mesh.faces.iter().enumerate() {
            let corners = polygon.len();
            if corners < 3 {
                return Err(TriangleMeshError::TooFewCorners { face, corners });
            }
            check_corners(face, polygon, mesh.vertices.len())?;
            if corners > 3 && !is_convex(&mesh.vertices, polygon) {
                return Err(TriangleMeshError::NotConvex { face, corners });
            }
            triangles.extend((1..corners - 1).map(|k| [polygon[0], polygon[k], polygon[k + 1]]));
        }
        check_count("triangles", triangles.len())?;
        TriangleMesh { vertices: mesh.vertices.clone(), triangles }.checked()
    }

    /// Returns the mesh, unless it has no triangles.
    fn checked(self) -> Result<Self, TriangleMeshError> {
        if self.triangles.is_empty() { Err(TriangleMeshError::Empty) } else { Ok(self) }
    }

    /// Returns the mesh with faces of three corners.
    pub fn to_polygons(&self) -> PolygonMesh {
        let faces = self.triangles.iter().map(|triangle| triangle.to_vec()).collect();
        PolygonMesh { vertices: self.vertices.clone(), faces }
    }

    /// Returns all vertices, also those of no triangle.
    pub fn vertices(&self) -> &[Vector<3>] {
        &self.vertices
    }

    /// Returns the vertex indices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the positions of the corners of a triangle.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [&Vector<3>; 3] {
        self.triangles[triangle].map(|corner| &self.vertices[corner as usize])
    }

    /// Returns the bounding box of all triangles.
    pub fn bounds(&self) -> Aabb<3> {
        let corners = self.triangles.iter().flatten();
        corners.fold(Aabb::empty(), |bounds, &corner| {
            bounds.including(&self.vertices[corner as usize])
        })
    }
}

fn check_count(what: &'static str, count: usize) -> Result<(), TriangleMeshError> {
    if count > MAX_COUNT { Err(TriangleMeshError::TooMany { what, count }) } else { Ok(()) }
}

/// Checks that coordinates are finite and in range.
pub(super) fn check_vertices(vertices: &[Vector<3>]) -> Result<(), TriangleMeshError> {
    check_count("vertices", vertices.len())?;
    for (vertex, place) in vertices.iter().enumerate() {
        if let Some(&value) = place.iter().find(|x| !COORDINATE_RANGE.contains(x)) {
            return Err(TriangleMeshError::NotUsable { vertex, value });
        }
    }
    Ok(())
}

/// Checks that the corners of a face are vertices.
pub(super) fn check_corners(
    face: usize,
    corners: &[u32],
    count: usize,
) -> Result<(), TriangleMeshError> {
    match corners.iter().find(|&&corner| corner as usize >= count) {
        Some(&vertex) => Err(TriangleMeshError::NoSuchVertex { face, vertex, vertices: count }),
        None => Ok(()),
    }
}

/// Returns whether a polygon, projected along the axis its normal is closest to, turns left at every corner
/// and winds once.
fn is_convex(vertices: &[Vector<3>], polygon: &[u32]) -> bool {
    let normal = super::polygon_normal(vertices, polygon);
    let axis = normal.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let flat = |k: usize| {
        let place = &vertices[polygon[k % polygon.len()] as usize];
        Vector::from([place[u], place[v]])
    };
    let turn = |k: usize| orientation_2d([flat(k), flat(k + 1), flat(k + 2)]);
    let outwards = if normal[axis] >= 0.0 { Ordering::Greater } else { Ordering::Less };
    let turns = (0..polygon.len()).all(|k| turn(k) == outwards || turn(k) == Ordering::Equal);
    // A polygon that turns left everywhere may still wind twice, as a pentagram does; then the direction
    // along the first axis changes more than twice.
    let along = |k: usize| flat(k + 1)[0].partial_cmp(&flat(k)[0]);
    let directions: Vec<_> =
        (0..polygon.len()).filter_map(along).filter(|direction| direction.is_ne()).collect();
    let changes =
        (0..directions.len()).filter(|&k| directions[k] != directions[(k + 1) % directions.len()]);
    turns && changes.count() <= 2
}

/// Returns the exact orientation of three points: `Greater` if counterclockwise, `Equal` if collinear.
pub(super) fn orientation_2d(points: [Vector<2>; 3]) -> Ordering {
    let [a, b, c] = &points;
    orientation_estimate([a, b, c], 0.0).unwrap_or_else(|| {
        let site =
            |center: &Vector<2>| WeightedSite { center: *center, radius: 0.0, shift: [0; 2] };
        orientation_exact(&[site(a), site(b), site(c)], &Vector::zeros())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(corners: &[[f64; 2]]) -> PolygonMesh {
        let vertices = corners.iter().map(|[x, y]| Vector::from([*x, *y, 0.5])).collect();
        PolygonMesh { vertices, faces: vec![(0..corners.len() as u32).collect()] }
    }

    #[test]
    fn a_convex_polygon_becomes_a_fan() {
        let mesh = flat(&[[0., 0.], [1., 0.], [2., 0.], [2., 1.], [0., 1.]]);
        let triangles = TriangleMesh::from_polygons(&mesh).unwrap();
        assert_eq!(triangles.triangles(), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn a_polygon_that_bends_back_or_goes_round_twice_is_refused() {
        let dart = flat(&[[0., 0.], [2., 0.], [0.5, 0.5], [0., 2.]]);
        let refused = TriangleMeshError::NotConvex { face: 0, corners: 4 };
        assert_eq!(TriangleMesh::from_polygons(&dart), Err(refused));
        let angle = |k: usize| (k as f64 * 2.0 * std::f64::consts::TAU / 5.0).sin_cos();
        let star: Vec<[f64; 2]> = (0..5).map(angle).map(|(y, x)| [x, y]).collect();
        let refused = TriangleMeshError::NotConvex { face: 0, corners: 5 };
        assert_eq!(TriangleMesh::from_polygons(&flat(&star)), Err(refused));
    }

    #[test]
    fn numbers_that_cannot_be_used_are_named() {
        let mut mesh = flat(&[[0., 0.], [1., 0.], [1., 1.]]);
        mesh.vertices[2].y = 1e61;
        let error = TriangleMesh::from_polygons(&mesh).unwrap_err();
        assert_eq!(error, TriangleMeshError::NotUsable { vertex: 2, value: 1e61 });
        let none = TriangleMesh::new(Vec::new(), Vec::new());
        assert_eq!(none, Err(TriangleMeshError::Empty));
    }
}
