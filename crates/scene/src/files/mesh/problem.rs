use super::MeshPlace;
use crate::Error;
use crate::excerpt;
use thiserror::Error;

/// What is wrong with a mesh file.
///
/// Values from the file are shortened and their control characters escaped.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MeshProblem {
    /// Nothing but white space.
    #[error("the file is empty; a mesh has vertices and faces")]
    Empty,
    /// Numbers of vertices are 32 bits wide.
    #[error("the file is larger than 16 GB; split the mesh")]
    TooLong,
    /// Points alone.
    #[error("there is no face; a mesh needs at least one")]
    NoFaces,
    /// Something stands where it must not.
    #[error("{what} is \"{value}\"; {rule}")]
    Value {
        /// What the value stands for.
        what: &'static str,
        /// What was found.
        value: String,
        /// What is allowed.
        rule: &'static str,
    },
    /// A line, a row or the file ends too soon.
    #[error("{what} is missing; {rule}")]
    Missing {
        /// What was looked for.
        what: &'static str,
        /// Where it must stand.
        rule: &'static str,
    },
    /// A face has a corner that is no vertex.
    #[error("a face names vertex {index}, but there are {count} vertices, numbered from {first}")]
    NoSuchVertex {
        /// The number in the file.
        index: i64,
        /// How many vertices there are.
        count: usize,
        /// The number of the first.
        first: u32,
    },
    /// A point or a line instead of a face.
    #[error("a face has {corners} corners; it needs at least three")]
    FewCorners {
        /// How many it has.
        corners: usize,
    },
    /// A loop of STL that is no triangle.
    #[error("the loop has {corners} vertices; a facet of STL is a triangle")]
    NoTriangle {
        /// How many it has.
        corners: usize,
    },
    /// A promise that the file cannot keep.
    #[error("{count} {what} are promised, but only {bytes} bytes follow")]
    ImpossibleCount {
        /// Vertices, faces or the name of an element.
        what: String,
        /// How many are promised.
        count: u64,
        /// What is left of the file.
        bytes: usize,
    },
    /// Numbers of vertices are 32 bits wide.
    #[error("{count} {what} are too many; at most {} can be read", u32::MAX)]
    TooMany {
        /// Vertices or faces.
        what: String,
        /// How many are promised.
        count: u64,
    },
    /// The file ends before all that it promised.
    #[error("the file ends after {found} of {promised} {what}")]
    CutShort {
        /// Vertices, faces or the name of an element.
        what: String,
        /// How many are whole.
        found: u64,
        /// How many are promised.
        promised: u64,
    },
    /// Neither kind of STL.
    #[error(
        "the file has {bytes} bytes; a binary STL file has 84 and 50 for each of its triangles{}, \
         and one of text starts with \"solid\"",
        promised(triangles)
    )]
    NoStl {
        /// The length of the file.
        bytes: usize,
        /// How many triangles it promises, if it is long enough to do so.
        triangles: Option<u32>,
    },
    /// A mesh file of another kind than its name says, or none.
    #[error("the file starts with \"{value}\"; {rule}")]
    Start {
        /// What it starts with.
        value: String,
        /// What it must start with.
        rule: &'static str,
    },
    /// An element or a property of PLY that is needed is not in the header.
    #[error("the header names no {what}; {rule}")]
    NotInHeader {
        /// What was looked for.
        what: &'static str,
        /// What a header needs.
        rule: &'static str,
    },
    /// An element or a property of PLY is in the header twice.
    #[error("\"{name}\" is in the header twice; keep one")]
    DuplicateName {
        /// Its name.
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
