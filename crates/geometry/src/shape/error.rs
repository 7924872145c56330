use crate::mesh::HullError;
use thiserror::Error;

/// Why a mesh is not the surface of a convex polyhedron. Faces and vertices are numbered from zero as
/// in the mesh; of equal vertices the first is named.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The vertices have no hull.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// Too little for a body.
    #[error(
        "the mesh has {faces} faces and {vertices} different vertices; a polyhedron has at least \
         four of both"
    )]
    TooSmall {
        /// How many faces there are that are not reduced to a line.
        faces: usize,
        /// How many different vertices these have.
        vertices: usize,
    },
    /// A face names a vertex that there is not.
    #[error("face {face} names vertex {vertex}, but the mesh has {count} vertices, from 0")]
    NoSuchVertex {
        /// The number of the face.
        face: usize,
        /// The number it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// Edges without a second face.
    #[error(
        "the mesh is not closed: {count} edges belong to one face only (first: vertices {from} and {to})"
    )]
    Open {
        /// How many such edges there are.
        count: usize,
        /// The smaller vertex of the first of them.
        from: u32,
        /// The other vertex of it.
        to: u32,
    },
    /// Edges of three faces or more.
    #[error(
        "the mesh is not the surface of one body: {count} edges belong to more than two faces \
         (first: vertices {from} and {to})"
    )]
    NotManifold {
        /// How many such edges there are.
        count: usize,
        /// The smaller vertex of the first of them.
        from: u32,
        /// The other vertex of it.
        to: u32,
    },
    /// Neighbors that go round in opposite senses.
    #[error(
        "some faces of the mesh are inside out: at {count} edges both faces go the same way (first: \
         vertices {from} and {to}); all faces must go round to the left when seen from outside"
    )]
    InsideOut {
        /// How many such edges there are.
        count: usize,
        /// The smaller vertex of the first of them.
        from: u32,
        /// The other vertex of it.
        to: u32,
    },
    /// A vertex is inside the hull of the others.
    #[error(
        "the mesh is not convex: vertex {vertex} lies {depth:e} under the hull of all vertices, more \
         than {allowed:e}, a millionth of the size"
    )]
    VertexInside {
        /// The number of the vertex.
        vertex: u32,
        /// How deep it is.
        depth: f64,
        /// How deep it may be.
        allowed: f64,
    },
    /// A face goes through the inside of the hull.
    #[error(
        "the mesh is not convex: face {face} goes {depth:e} under the hull of all vertices, more than \
         {allowed:e}, a millionth of the size"
    )]
    FaceInside {
        /// The number of the face.
        face: usize,
        /// How deep it is.
        depth: f64,
        /// How deep it may be.
        allowed: f64,
    },
}
