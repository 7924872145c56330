//! The rules that a mesh file can break.

use super::MeshPlace;
use crate::Error;
use crate::excerpt;
use thiserror::Error;

/// The rule that a mesh file breaks.
///
/// Values from the file are shortened and their control characters escaped.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MeshProblem {
    /// The file has nothing but white space.
    #[error("the file is empty; a mesh has vertices and faces")]
    Empty,
    /// The file is too long for 32-bit vertex indices.
    #[error("the file is larger than 16 GB; split the mesh")]
    TooLong,
    /// The file has points alone.
    #[error("there is no face; a mesh needs at least one")]
    NoFaces,
    /// A value breaks a rule.
    #[error("{what} is \"{value}\"; {rule}")]
    Value {
        /// Meaning of the value.
        what: &'static str,
        /// Value in the file.
        value: String,
        /// Rule for the value.
        rule: &'static str,
    },
    /// A line, a row or the file ends too soon.
    #[error("{what} is missing; {rule}")]
    Missing {
        /// What is missing.
        what: &'static str,
        /// Where it must stand.
        rule: &'static str,
    },
    /// A face has a corner that is no vertex.
    #[error("a face names vertex {index}, but there are {count} vertices, numbered from {first}")]
    NoSuchVertex {
        /// Vertex number in the file.
        index: i64,
        /// Number of vertices.
        count: usize,
        /// Number of the first vertex.
        first: u32,
    },
    /// A face has fewer than three corners.
    #[error("a face has {corners} corners; it needs at least three")]
    FewCorners {
        /// Number of corners.
        corners: usize,
    },
    /// A loop of STL is no triangle.
    #[error("the loop has {corners} vertices; a facet of STL is a triangle")]
    NoTriangle {
        /// Number of corners.
        corners: usize,
    },
    /// A count is impossible for the length of the file.
    #[error("{count} {what} are promised, but only {bytes} bytes follow")]
    ImpossibleCount {
        /// Vertices, faces or the name of an element.
        what: String,
        /// Promised number.
        count: u64,
        /// Number of remaining bytes.
        bytes: usize,
    },
    /// There are more vertices or faces than 32-bit indices can number.
    #[error("{count} {what} are too many; at most {} can be read", u32::MAX)]
    TooMany {
        /// Vertices or faces.
        what: String,
        /// Promised number.
        count: u64,
    },
    /// The file ends before everything that it promised.
    #[error("the file ends after {found} of {promised} {what}")]
    CutShort {
        /// Vertices, faces or the name of an element.
        what: String,
        /// Number of complete ones.
        found: u64,
        /// Promised number.
        promised: u64,
    },
    /// The file is neither text nor binary STL.
    #[error(
        "the file has {bytes} bytes; a binary STL file has 84 and 50 for each of its triangles{}, \
         and one of text starts with \"solid\"",
        promised(triangles)
    )]
    NoStl {
        /// Length of the file.
        bytes: usize,
        /// Number of triangles that it promises, if it is long enough to do so.
        triangles: Option<u32>,
    },
    /// The file is of another kind than its extension says.
    #[error("the file starts with \"{value}\"; {rule}")]
    Start {
        /// First bytes of the file.
        value: String,
        /// How it must start.
        rule: &'static str,
    },
    /// A required element or property of PLY is not in the header.
    #[error("the header names no {what}; {rule}")]
    NotInHeader {
        /// Missing element or property.
        what: &'static str,
        /// What a header needs.
        rule: &'static str,
    },
    /// An element or a property of PLY is in the header twice.
    #[error("\"{name}\" is in the header twice; keep one")]
    DuplicateName {
        /// Name of the element or property.
        name: String,
    },
}

fn promised(triangles: &Option<u32>) -> String {
    triangles.map(|count| format!(" (it promises {count})")).unwrap_or_default()
}

impl MeshProblem {
    pub(super) fn value(what: &'static str, value: &[u8], rule: &'static str) -> Self {
        MeshProblem::Value { what, value: excerpt::value(value), rule }
    }

    pub(super) fn at_line(self, line: usize) -> LocatedMeshProblem {
        LocatedMeshProblem { place: MeshPlace::Line(line), problem: self }
    }

    pub(super) fn at_byte(self, byte: usize) -> LocatedMeshProblem {
        LocatedMeshProblem { place: MeshPlace::Byte(byte), problem: self }
    }
}

/// A problem and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LocatedMeshProblem {
    place: MeshPlace,
    problem: MeshProblem,
}

impl LocatedMeshProblem {
    pub(super) fn of_file(problem: MeshProblem) -> Self {
        LocatedMeshProblem { place: MeshPlace::File, problem }
    }

    pub(super) fn in_file(self, file: &str) -> Error {
        let LocatedMeshProblem { place, problem } = self;
        Error::Mesh { file: file.to_owned(), place, problem: Box::new(problem) }
    }
}
