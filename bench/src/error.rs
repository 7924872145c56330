use crate::measure::Found;
use crate::triangulate::Size;
use std::path::PathBuf;

/// What can go wrong in a benchmark.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// carom refused the particles.
    #[error(transparent)]
    Search(#[from] carom::detect::Error),
    /// A workload could not be made.
    #[error(transparent)]
    Workload(#[from] carom::scene::Error),
    /// carom refused to simulate the bodies.
    #[error(transparent)]
    Simulation(#[from] carom::simulate::Error),
    /// Two runs made different collisions.
    #[error("{structure} and {reference} differ within {collisions} collisions after the warm-up")]
    OtherCollisions {
        /// Who differs.
        structure: &'static str,
        /// Who ran first.
        reference: &'static str,
        /// Counted from the end of the warm-up.
        collisions: u64,
    },
    /// Two made different triangulations.
    #[error(
        "{name} has {} simplices and {} visible points, but carom has {} simplices and {} visible points",
        found.simplices, found.vertices, expected.simplices, expected.vertices
    )]
    OtherTriangulation {
        /// Who differs.
        name: &'static str,
        /// What it made.
        found: Size,
        /// What carom made.
        expected: Size,
    },
    /// Someone found other distances than the true ones.
    #[error(
        "{name} finds {wrong} distances that differ from the true ones, by up to {difference:e}"
    )]
    OtherDistances {
        /// Who differs.
        name: &'static str,
        /// How often by more than rounding.
        wrong: usize,
        /// By how much at most.
        difference: f64,
    },
    /// A distance by carom is not what its points and its normal prove.
    #[error(
        "carom finds the distance {distance}, but its normal proves {least} and its points {most}"
    )]
    Unproven {
        /// The answer.
        distance: f64,
        /// Not less than this.
        least: f64,
        /// Not more than this.
        most: f64,
    },
    /// The corners of a body have no hull.
    #[error(transparent)]
    Hull(#[from] carom::geometry::mesh::HullError),
    /// Two saw different pairs of boxes.
    #[error("{name} sees {found} pairs of boxes, carom {expected}; they are not the same")]
    OtherBoxes {
        /// Who differs.
        name: &'static str,
        /// How many it sees.
        found: usize,
        /// How many carom sees.
        expected: usize,
    },
    /// Two exact methods gave different sides.
    #[error("{name} tells another side than carom for {differences} of {points} points")]
    OtherSides {
        /// Who differs.
        name: &'static str,
        /// For how many points.
        differences: usize,
        /// How many there are.
        points: usize,
    },
    /// Expansions could not be made.
    #[error(transparent)]
    Multipole(#[from] carom::detect::inside::MultipoleError),
    /// Two runs of the same bed differ.
    #[error("carom comes to other bits on another number of threads, or in another run")]
    OtherBits,
    /// A peer did not do its work.
    #[error("{name} failed: {problem}")]
    Peer {
        /// Which one.
        name: &'static str,
        /// What it said.
        problem: String,
    },
    /// No threads.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Two methods found different pairs.
    #[error("{method} found {found}, but {reference} found {expected}")]
    Disagreement {
        /// Who differs.
        method: &'static str,
        /// What it found.
        found: Found,
        /// Who ran first.
        reference: &'static str,
        /// What that one found.
        expected: Found,
    },
    /// A method was not let run, since it would take far too long.
    #[error("{0}")]
    Hopeless(&'static str),
    /// A single run went on longer than it may.
    #[error("one run takes more than {seconds:.0} s")]
    TooSlow {
        /// The limit.
        seconds: f64,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line of a table of results makes no sense.
    #[error("line {line}: {problem}")]
    Table {
        /// Counted from one.
        line: usize,
        /// What is wrong and what is expected.
        problem: String,
    },
    /// A document has no place for the table, or an old one in it.
    #[error("{}: {problem}", path.display())]
    Document {
        /// Which document.
        path: PathBuf,
        /// What is wrong and what to do.
        problem: String,
    },
    /// The Python peers could not be installed or started.
    #[error("{0}")]
    Python(String),
}

impl Error {
    /// Puts the name of a file before what the system says about it.
    pub fn in_file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::File { path, source }
    }
}
