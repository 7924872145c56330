//! The errors of files.

use crate::{CheckpointProblem, FrameFileProblem, LogProblem, MeshPlace, MeshProblem, excerpt};
use std::io;
use std::path::Path;
use thiserror::Error;

/// Why a file was refused; the message is one sentence on one line.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file has discs where points in 3D are needed.
    #[error("{file} has discs; points in space need a third coordinate")]
    FlatPoints {
        /// File as the user named it.
        file: String,
    },
    /// One line of a particle file breaks a rule.
    #[error("{file}:{line}: {problem}")]
    Line {
        /// File as the user named it.
        file: String,
        /// Line number, from one.
        line: usize,
        /// Rule that is broken there.
        problem: LineProblem,
    },
    /// A mesh file breaks a rule.
    #[error("{file}{place}: {problem}")]
    Mesh {
        /// File as the user named it.
        file: String,
        /// Place in the file.
        place: MeshPlace,
        /// Rule that is broken there.
        problem: Box<MeshProblem>,
    },
    /// A file that should be a mesh has an unknown extension.
    #[error("{file} does not end like a mesh; .stl, .obj, .ply and .off are known")]
    MeshFormat {
        /// File as the user named it.
        file: String,
    },
    /// More memory is needed than is available.
    #[error(
        "{what} need about {needed} of memory, and {available} are at hand; take fewer, or allow more by --memory"
    )]
    Memory {
        /// What needs the memory.
        what: String,
        /// Needed memory, with a unit.
        needed: String,
        /// Available memory, with a unit.
        available: String,
    },
    /// A particle file has nothing but white space.
    #[error("{file} is empty; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps")]
    Empty {
        /// File as the user named it.
        file: String,
    },
    /// A file of points has nothing but white space.
    #[error(
        "{file} is empty; points are read from CSV with columns x,y,z, extended XYZ, VTK, LAMMPS dumps and meshes"
    )]
    EmptyPoints {
        /// File as the user named it.
        file: String,
    },
    /// A file has nothing but comments.
    #[error("{file} holds only comments; after them a header such as x,y,z,r is needed")]
    OnlyComments {
        /// File as the user named it.
        file: String,
    },
    /// A file has more particles than 32-bit indices can number.
    #[error("{file} holds {count} particles; at most {} can be read", u32::MAX)]
    TooManyParticles {
        /// File as the user named it.
        file: String,
        /// Number of particles that it holds or promises.
        count: u64,
    },
    /// The operating system refuses to read the file.
    #[error("{file} cannot be read: {}", reason(source, "there is no such file"))]
    CannotRead {
        /// File as the user named it.
        file: String,
        /// Error of the system.
        source: io::Error,
    },
    /// The operating system refuses to write the file; its previous content is untouched.
    #[error("{file} cannot be written: {}", reason(source, "its folder does not exist"))]
    CannotWrite {
        /// File as the user named it.
        file: String,
        /// Error of the system.
        source: io::Error,
    },
    /// The reader of a pipe closed it, as `head` does; seldom worth a message.
    #[error("{file} was closed by its reader before all was written")]
    BrokenPipe {
        /// File as the user named it.
        file: String,
    },
    /// The columns of a frame are inconsistent.
    #[error(transparent)]
    Frame(#[from] crate::FrameProblem),
    /// A run cannot continue from this checkpoint.
    #[error("{file} {problem}")]
    Checkpoint {
        /// File as the user named it.
        file: String,
        /// Rule that it breaks.
        problem: CheckpointProblem,
    },
    /// A frame that a checkpoint counts does not exist any more.
    #[error(
        "{file} is not there, and the checkpoint counts {count} frames; put it back, or continue in \
         another folder by --resume --new-folder"
    )]
    MissingFrame {
        /// File as the user named it.
        file: String,
        /// Number of frames that the checkpoint counts.
        count: usize,
    },
    /// A file of a run is no frame, or an incomplete one.
    #[error("{file} {problem}")]
    FrameFile {
        /// File as the user named it.
        file: String,
        /// Rule that it breaks.
        problem: FrameFileProblem,
    },
    /// A log cannot have these columns.
    #[error(
        "the header of the log has {columns}; it must name at least one column, and no name may be blank or hold \
         a comma, a quote, a # or a control character"
    )]
    LogHeader {
        /// Names of the columns, shortened.
        columns: String,
    },
    /// A log cannot be continued.
    #[error("{file} {problem}")]
    Log {
        /// File as the user named it.
        file: String,
        /// Rule that it breaks.
        problem: LogProblem,
    },
}

impl Error {
    /// Returns the error of a path that cannot be written, created or removed.
    pub fn cannot_write(path: &Path, source: io::Error) -> Self {
        Error::CannotWrite { file: excerpt::file_name(path), source }
    }

    /// Returns whether the system refused the file for what another path or other permissions would solve, rather than
    /// for a full disk or a fault of the machine.
    ///
    /// ```
    /// use carom_io::Error;
    /// use std::io::ErrorKind::{NotFound, StorageFull};
    /// let error = |kind: std::io::ErrorKind| Error::cannot_write("a.csv".as_ref(), kind.into());
    /// assert!(error(NotFound).is_of_path() && !error(StorageFull).is_of_path());
    /// ```
    pub fn is_of_path(&self) -> bool {
        use io::ErrorKind::{
            InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            PermissionDenied, ReadOnlyFilesystem,
        };
        let (Error::CannotRead { source, .. } | Error::CannotWrite { source, .. }) = self else {
            return false;
        };
        matches!(
            source.kind(),
            NotFound
                | PermissionDenied
                | IsADirectory
                | NotADirectory
                | ReadOnlyFilesystem
                | InvalidFilename
                | InvalidInput
                | InvalidData
        )
    }

    pub(crate) fn at_line(file: &str, line: usize, problem: LineProblem) -> Self {
        let file = file.to_owned();
        Error::Line { file, line, problem }
    }
}

/// The rule that a line of a particle file breaks.
///
/// Values from the file are shortened and their control characters escaped.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum LineProblem {
    /// A cell does not hold what its column requires.
    #[error("column \"{column}\" is \"{value}\"; {rule}")]
    Cell {
        /// Name of the column in the file.
        column: String,
        /// Content of the cell.
        value: String,
        /// Rule for the content.
        rule: &'static str,
    },
    /// A cell is empty.
    #[error("column \"{column}\" is empty; {rule}")]
    EmptyCell {
        /// Name of the column in the file.
        column: String,
        /// Rule for the content.
        rule: &'static str,
    },
    /// A row is shorter or longer than the header.
    #[error("{found} fields where {expected} are expected; every row must have one per column")]
    Ragged {
        /// Number of fields in this row.
        found: usize,
        /// Number of fields that the header announces.
        expected: usize,
    },
    /// A field of a log is no number.
    #[error("\"{found}\" is no number; rows of a log have numbers only")]
    NoNumber {
        /// Content of the field.
        found: String,
    },
    /// A row has twice as many fields as columns where commas separate them.
    #[error(
        "{found} fields where {expected} are expected; if these are decimal commas, write decimals with a \
         point, such as 0.5"
    )]
    DecimalCommas {
        /// Number of fields in this row.
        found: usize,
        /// Number of fields that the header announces.
        expected: usize,
    },
    /// A header can be split by two different separators.
    #[error(
        "the names in the header may be separated by {first} or by {second}; put one of these between all \
         names"
    )]
    Separators {
        /// One separator.
        first: &'static str,
        /// The other separator.
        second: &'static str,
    },
    /// A blank line stands before the last row.
    #[error("blank line between the rows; blank lines may stand only at the end")]
    Blank,
    /// The file has NUL bytes or broken UTF-8.
    #[error(
        "this does not look like text; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps"
    )]
    NotText,
    /// A quote is opened and not closed on its line.
    #[error("a quote is not closed on this line; a quoted field must not run over lines")]
    UnclosedQuote,
    /// A quoted field continues after its quote.
    #[error("\"{text}\" follows a closing quote; a separator or the end of the line must follow")]
    AfterQuote {
        /// Text after the quote.
        text: String,
    },
    /// A required column is not in the header.
    #[error(
        "no column \"{column}\" (found {found}); the header must name x, y and r, or x, y, z and r, \
         separated by commas, semicolons, tabs or blanks"
    )]
    MissingColumn {
        /// Missing column.
        column: &'static str,
        /// Columns of the header.
        found: String,
    },
    /// Points lack a coordinate.
    #[error(
        "no column \"{column}\" (found {found}); the header must name x, y and z, separated by commas, \
         semicolons, tabs or blanks"
    )]
    MissingCoordinate {
        /// Missing column.
        column: &'static str,
        /// Columns of the header.
        found: String,
    },
    /// Velocities are given along some axes only.
    #[error(
        "no column \"{column}\" (found {found}); velocities need one column per axis: vx, vy and, in \
         space, vz"
    )]
    MissingVelocity {
        /// Missing column.
        column: &'static str,
        /// Columns of the header.
        found: String,
    },
    /// A scene cannot use a column.
    #[error("column \"{column}\" is not read by scenes, which take {known}; leave it out")]
    UnknownColumn {
        /// Name of the column in the file.
        column: String,
        /// Columns that a scene can use.
        known: &'static str,
    },
    /// Two columns give the same quantity.
    #[error("columns \"{first}\" and \"{second}\" both give {meaning}; keep one")]
    DuplicateColumn {
        /// Left column.
        first: String,
        /// Right column.
        second: String,
        /// Quantity that both give.
        meaning: &'static str,
    },
    /// The first line of an XYZ file is no number of atoms.
    #[error("the first line is \"{value}\"; in XYZ it must be the number of atoms")]
    AtomCount {
        /// Content of the line.
        value: String,
    },
    /// A plain XYZ file has no radius.
    #[error(
        "no Properties, so no radius; write an extended XYZ comment, for example \
         Properties=species:S:1:pos:R:3:radius:R:1"
    )]
    NoProperties,
    /// A required property is missing.
    #[error("Properties names no {property} (found {found}); add {remedy}")]
    MissingProperty {
        /// Missing property.
        property: &'static str,
        /// Properties of the file.
        found: String,
        /// What to write.
        remedy: &'static str,
    },
    /// An entry of the XYZ comment breaks a rule.
    #[error("{key} is \"{value}\"; {rule}")]
    Entry {
        /// Key of the entry.
        key: &'static str,
        /// Value of the entry.
        value: String,
        /// Rule for the value.
        rule: &'static str,
    },
    /// There are fewer atoms than the first line promises.
    #[error("{promised} atoms are promised, but {found} follow the comment line")]
    TooFewAtoms {
        /// Number of atoms on the first line.
        promised: usize,
        /// Number of atom lines.
        found: usize,
    },
    /// A file has more than one frame.
    #[error("more lines after the {atoms} atoms of the first frame; give one frame only")]
    SecondFrame {
        /// Number of atoms in the first frame.
        atoms: usize,
    },
}

/// Returns the system's error in words that say what to change.
fn reason(error: &io::Error, not_found: &str) -> String {
    use io::ErrorKind::*;
    let words = match error.kind() {
        NotFound => not_found,
        PermissionDenied => "you have no permission to do so",
        IsADirectory => "it is a folder",
        NotADirectory => "a part of its path is not a folder",
        ReadOnlyFilesystem => "its file system is read-only",
        StorageFull => "the disk is full",
        QuotaExceeded => "your disk quota is used up",
        InvalidFilename => "its name is not allowed or too long",
        _ => return error.to_string().replace(char::is_control, " "),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_the_system_are_put_in_plain_words() {
        let file = "out.csv".to_owned();
        let written = |kind: io::ErrorKind| {
            let source = kind.into();
            let file = file.clone();
            Error::CannotWrite { file, source }.to_string()
        };
        for (kind, words) in [
            (io::ErrorKind::NotFound, "its folder does not exist"),
            (io::ErrorKind::PermissionDenied, "you have no permission to do so"),
            (io::ErrorKind::ReadOnlyFilesystem, "its file system is read-only"),
            (io::ErrorKind::StorageFull, "the disk is full"),
            (io::ErrorKind::IsADirectory, "it is a folder"),
        ] {
            assert_eq!(written(kind), format!("out.csv cannot be written: {words}"));
        }
        let source = io::ErrorKind::PermissionDenied.into();
        assert_eq!(
            Error::CannotRead { file, source }.to_string(),
            "out.csv cannot be read: you have no permission to do so"
        );
    }
}
