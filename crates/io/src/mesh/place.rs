//! Where in a mesh file a problem is, for messages.

use std::fmt;

/// The place of a problem in a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshPlace {
    /// The file as a whole.
    File,
    /// A line of text, from one.
    Line(usize),
    /// A byte of a binary file, from zero.
    Byte(usize),
}

impl fmt::Display for MeshPlace {
    /// Writes it as it follows the name of the file.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshPlace::File => Ok(()),
            MeshPlace::Line(line) => write!(formatter, ":{line}"),
            MeshPlace::Byte(byte) => write!(formatter, ", byte {byte}"),
        }
    }
}
