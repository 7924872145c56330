use std::fmt;

/// Where in a mesh file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshPlace {
    /// Everywhere or nowhere.
    File,
    /// A line of text, from one.
    Line(usize),
    /// A byte of a binary file, from zero.
    Byte(usize),
}

impl fmt::Display for MeshPlace {
    /// As it follows the name of the file.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshPlace::File => Ok(()),
            MeshPlace::Line(line) => write!(formatter, ":{line}"),
            MeshPlace::Byte(byte) => write!(formatter, ", byte {byte}"),
        }
    }
}
