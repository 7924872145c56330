use crate::excerpt;
use crate::files::{CheckpointProblem, FrameFileProblem, LogProblem, MeshPlace, MeshProblem};
use crate::scene::{ScenePlace, SceneProblem};
use std::io;
use std::path::Path;
use thiserror::Error;

/// Why a file, a setting or a picture was refused; the message is one sentence on one line, or several of them
/// for a scene with several mistakes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Discs where points in space are needed.
    #[error("{file} has discs; points in space need a third coordinate")]
    FlatPoints {
        /// The file.
        file: String,
    },
    /// One line of a particle file breaks a rule.
    #[error("{file}:{line}: {problem}")]
    Line {
        /// The file as the user named it.
        file: String,
        /// The line, from one.
        line: usize,
        /// What is wrong there.
        problem: LineProblem,
    },
    /// A scene breaks a rule.
    #[error("{place}: {problem}")]
    Scene {
        /// The line or the setting.
        place: ScenePlace,
        /// What is wrong there.
        problem: Box<SceneProblem>,
    },
    /// A scene breaks several rules; the message has a line for each.
    #[error("{}", lines(problems, *more))]
    SceneProblems {
        /// The first of them, in the order of their lines.
        problems: Vec<Error>,
        /// How many others there are.
        more: usize,
    },
    /// A mesh file breaks a rule.
    #[error("{file}{place}: {problem}")]
    Mesh {
        /// The file as the user named it.
        file: String,
        /// Where in it.
        place: MeshPlace,
        /// What is wrong there.
        problem: Box<MeshProblem>,
    },
    /// A file that should be a mesh has another name.
    #[error("{file} does not end like a mesh; .stl, .obj, .ply and .off are known")]
    MeshFormat {
        /// The file as the user named it.
        file: String,
    },
    /// More memory is needed than there is.
    #[error(
        "{what} need about {needed} of memory, and {available} are at hand; take fewer, or allow more by --memory"
    )]
    Memory {
        /// What needs it.
        what: String,
        /// How much, with a unit.
        needed: String,
        /// What there is, with a unit.
        available: String,
    },
    /// A file without anything but white space.
    #[error("{file} is empty; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps")]
    Empty {
        /// The file as the user named it.
        file: String,
    },
    /// The same where points are asked for.
    #[error(
        "{file} is empty; points are read from CSV with columns x,y,z, extended XYZ, VTK, LAMMPS dumps and meshes"
    )]
    EmptyPoints {
        /// The file as the user named it.
        file: String,
    },
    /// Nothing but comments.
    #[error("{file} holds only comments; after them a header such as x,y,z,r is needed")]
    OnlyComments {
        /// The file as the user named it.
        file: String,
    },
    /// Indices are 32 bits wide.
    #[error("{file} holds {count} particles; at most {} can be read", u32::MAX)]
    TooManyParticles {
        /// The file as the user named it.
        file: String,
        /// How many it holds or promises.
        count: u64,
    },
    /// The operating system does not hand out the file.
    #[error("{file} cannot be read: {}", reason(source, "there is no such file"))]
    CannotRead {
        /// The file as the user named it.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The operating system does not take the file; what stood there before still does.
    #[error("{file} cannot be written: {}", reason(source, "its folder does not exist"))]
    CannotWrite {
        /// The file as the user named it.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The reader at the other end went away, as `head` does; seldom worth a message.
    #[error("{file} was closed by its reader before all was written")]
    BrokenPipe {
        /// The file as the user named it.
        file: String,
    },
    /// A setting of a generator makes no sense.
    #[error("{what} is {value}; {rule}")]
    Setting {
        /// The setting's name.
        what: &'static str,
        /// The value found.
        value: String,
        /// What is allowed.
        rule: &'static str,
    },
    /// Something of the plane was asked for in space, or the other way round.
    #[error("{what} has {is} dimensions, but {asked} were asked for")]
    Dimension {
        /// The case or lattice.
        what: &'static str,
        /// The dimension it has.
        is: usize,
        /// The dimension that was asked for.
        asked: usize,
    },
    /// A picture of so many things would show nothing and choke its viewer.
    #[error("{count} {what} are too many for a picture; at most {most} can be drawn")]
    TooManyToDraw {
        /// Particles or contacts.
        what: &'static str,
        /// How many were given.
        count: usize,
        /// How many are allowed.
        most: usize,
    },
    /// A contact speaks of a particle that is not there.
    #[error("a contact names particle {index}, but there are only {count} (counted from zero)")]
    NoSuchParticle {
        /// The index found.
        index: u32,
        /// How many particles there are.
        count: usize,
    },
    /// The points of a generated polyhedron have no hull.
    #[error(transparent)]
    Hull(#[from] carom_geometry::mesh::HullError),
    /// The columns of a frame do not fit together.
    #[error(transparent)]
    Frame(#[from] crate::FrameProblem),
    /// A run cannot go on from this checkpoint.
    #[error("{file} {problem}")]
    Checkpoint {
        /// The file as the user named it.
        file: String,
        /// What is wrong with it.
        problem: CheckpointProblem,
    },
    /// A frame that a checkpoint counts is not there any more.
    #[error(
        "{file} is not there, and the checkpoint counts {count} frames; put it back, or go on in \
         another folder by --resume --new-folder"
    )]
    MissingFrame {
        /// The file as the user named it.
        file: String,
        /// Frames counted.
        count: usize,
    },
    /// A file of a run is no frame, or not a whole one.
    #[error("{file} {problem}")]
    FrameFile {
        /// The file as the user named it.
        file: String,
        /// What is wrong with it.
        problem: FrameFileProblem,
    },
    /// A log cannot be continued.
    #[error("{file} {problem}")]
    Log {
        /// The file as the user named it.
        file: String,
        /// What is wrong with it.
        problem: LogProblem,
    },
}

impl Error {
    /// The system's refusal to write, make or remove what stands at a path.
    pub fn cannot_write(path: &Path, source: io::Error) -> Self {
        Error::CannotWrite { file: excerpt::file_name(path), source }
    }

    pub(crate) fn at_line(file: &str, line: usize, problem: LineProblem) -> Self {
        let file = file.to_owned();
        Error::Line { file, line, problem }
    }
}

/// A line for each problem, and one that counts the rest.
fn lines(problems: &[Error], more: usize) -> String {
    let rest = (more > 0).then(|| format!("and {more} more"));
    problems.iter().map(Error::to_string).chain(rest).collect::<Vec<_>>().join("\n")
}

/// What is wrong with a line of a particle file.
///
/// Values from the file are shortened and their control characters escaped.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum LineProblem {
    /// A cell does not hold what its column asks for.
    #[error("column \"{column}\" is \"{value}\"; {rule}")]
    Cell {
        /// The column's name in the file.
        column: String,
        /// What the cell holds.
        value: String,
        /// What it should hold.
        rule: &'static str,
    },
    /// A cell holds nothing.
    #[error("column \"{column}\" is empty; {rule}")]
    EmptyCell {
        /// The column's name in the file.
        column: String,
        /// What it should hold.
        rule: &'static str,
    },
    /// A row is shorter or longer than the header.
    #[error("{found} fields where {expected} are expected; every row must have one per column")]
    Ragged {
        /// Fields in this row.
        found: usize,
        /// Fields that the header announces.
        expected: usize,
    },
    /// Twice as many fields as columns where commas separate them.
    #[error(
        "{found} fields where {expected} are expected; if these are decimal commas, write decimals with a \
         point, such as 0.5"
    )]
    DecimalCommas {
        /// Fields in this row.
        found: usize,
        /// Fields that the header announces.
        expected: usize,
    },
    /// A header that can be read in two ways.
    #[error(
        "the names in the header may be separated by {first} or by {second}; put one of these between all \
         names"
    )]
    Separators {
        /// One way.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// An empty line before the last row.
    #[error("blank line between the rows; blank lines may stand only at the end")]
    Blank,
    /// NUL bytes or broken UTF-8.
    #[error(
        "this does not look like text; particles are read from CSV, extended XYZ, VTK and LAMMPS dumps"
    )]
    NotText,
    /// A quote is opened and the line ends.
    #[error("a quote is not closed on this line; a quoted field must not run over lines")]
    UnclosedQuote,
    /// A quoted field goes on after its quote.
    #[error("\"{text}\" follows a closing quote; a separator or the end of the line must follow")]
    AfterQuote {
        /// What was found.
        text: String,
    },
    /// A needed column is not in the header.
    #[error(
        "no column \"{column}\" (found {found}); the header must name x, y and r, or x, y, z and r, \
         separated by commas, semicolons, tabs or blanks"
    )]
    MissingColumn {
        /// The column looked for.
        column: &'static str,
        /// The columns there are.
        found: String,
    },
    /// Points without a coordinate.
    #[error(
        "no column \"{column}\" (found {found}); the header must name x, y and z, separated by commas, \
         semicolons, tabs or blanks"
    )]
    MissingCoordinate {
        /// The column looked for.
        column: &'static str,
        /// The columns there are.
        found: String,
    },
    /// Velocities along some axes only.
    #[error(
        "no column \"{column}\" (found {found}); velocities need one column per axis: vx, vy and, in \
         space, vz"
    )]
    MissingVelocity {
        /// The column looked for.
        column: &'static str,
        /// The columns there are.
        found: String,
    },
    /// A column that a scene cannot use.
    #[error("column \"{column}\" means nothing to a scene, which knows {known}; leave it out")]
    UnknownColumn {
        /// The column's name in the file.
        column: String,
        /// The columns that have a meaning.
        known: &'static str,
    },
    /// Two columns mean the same.
    #[error("columns \"{first}\" and \"{second}\" both give {meaning}; keep one")]
    DuplicateColumn {
        /// The one further left.
        first: String,
        /// The one further right.
        second: String,
        /// What both would give.
        meaning: &'static str,
    },
    /// The first line of an XYZ file.
    #[error("the first line is \"{value}\"; in XYZ it must be the number of atoms")]
    AtomCount {
        /// What stands there.
        value: String,
    },
    /// A plain XYZ file has no radius.
    #[error(
        "no Properties, so no radius; write an extended XYZ comment, for example \
         Properties=species:S:1:pos:R:3:radius:R:1"
    )]
    NoProperties,
    /// The properties lack one that is needed.
    #[error("Properties names no {property} (found {found}); add {remedy}")]
    MissingProperty {
        /// The property looked for.
        property: &'static str,
        /// The properties there are.
        found: String,
        /// What to write.
        remedy: &'static str,
    },
    /// An entry of the XYZ comment breaks a rule.
    #[error("{key} is \"{value}\"; {rule}")]
    Entry {
        /// The entry's key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        rule: &'static str,
    },
    /// Fewer atoms than the first line promises.
    #[error("{promised} atoms are promised, but {found} follow the comment line")]
    TooFewAtoms {
        /// The number on the first line.
        promised: usize,
        /// The number of atom lines.
        found: usize,
    },
    /// A field of a data file breaks a rule.
    #[error("{field} is \"{value}\"; {rule}")]
    Field {
        /// The field, and of which object.
        field: String,
        /// What stands there.
        value: String,
        /// What it should be.
        rule: &'static str,
    },
    /// A data file ends too early.
    #[error("the file ends before {field}; add it")]
    MissingField {
        /// What was to come.
        field: String,
    },
    /// More than one frame.
    #[error("more lines after the {atoms} atoms of the first frame; give one frame only")]
    SecondFrame {
        /// Atoms in the first frame.
        atoms: usize,
    },
}

/// The system's refusal in words that tell a user what to change.
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
