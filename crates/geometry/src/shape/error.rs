//! The errors of shapes made of meshes.

use crate::mesh::HullError;
use thiserror::Error;

/// Why a mesh is not the surface of a convex polyhedron. Faces and vertices are numbered from zero as in the
/// mesh; of equal vertices the first is reported.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The vertices have no hull.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// The mesh has too few faces or vertices for a body.
    #[error(
        "the mesh has {faces} faces and {vertices} different vertices; a polyhedron has at least \
         four of both"
    )]
    TooSmall {
        /// Number of faces with at least three distinct vertices.
        faces: usize,
        /// Number of distinct vertices of these.
        vertices: usize,
    },
    /// A face refers to a vertex that does not exist.
    #[error("face {face} names vertex {vertex}, but the mesh has {count} vertices, from 0")]
    NoSuchVertex {
        /// Index of the face.
        face: usize,
        /// The vertex it refers to.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// The mesh has boundary edges.
    #[error(
        "the mesh is not closed: {count} edges belong to one face only (first: vertices {from} and {to})"
    )]
    Open {
        /// Number of such edges.
        count: usize,
        /// Smaller vertex of the first of them.
        from: u32,
        /// Larger vertex of the first of them.
        to: u32,
    },
    /// The mesh has edges of three faces or more.
    #[error(
        "the mesh is not the surface of one body: {count} edges belong to more than two faces \
         (first: vertices {from} and {to})"
    )]
    NotManifold {
        /// Number of such edges.
        count: usize,
        /// Smaller vertex of the first of them.
        from: u32,
        /// Larger vertex of the first of them.
        to: u32,
    },
    /// Neighboring faces have opposite orientation.
    #[error(
        "some faces of the mesh are inside out: {count} edges have the same direction in both faces \
         (first: vertices {from} and {to}); the vertices of all faces must be counterclockwise seen \
         from outside"
    )]
    InsideOut {
        /// Number of such edges.
        count: usize,
        /// Smaller vertex of the first of them.
        from: u32,
        /// Larger vertex of the first of them.
        to: u32,
    },
    /// A vertex is inside the hull of the others.
    #[error(
        "the mesh is not convex: vertex {vertex} lies {depth:e} under the hull of all vertices, more \
         than {allowed:e}, a millionth of the size"
    )]
    VertexInside {
        /// Index of the vertex.
        vertex: u32,
        /// Depth of the vertex under the hull, as a length.
        depth: f64,
        /// Largest depth allowed.
        allowed: f64,
    },
    /// A face passes through the inside of the hull.
    #[error(
        "the mesh is not convex: face {face} lies {depth:e} under the hull of all vertices, more than \
         {allowed:e}, a millionth of the size"
    )]
    FaceInside {
        /// Index of the face.
        face: usize,
        /// Depth of the vertex under the hull, as a length.
        depth: f64,
        /// Largest depth allowed.
        allowed: f64,
    },
}
