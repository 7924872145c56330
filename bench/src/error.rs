//! Errors of benchmarks, each in one sentence.

use std::path::PathBuf;

/// Why a benchmark failed.
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
    /// The corners of a body have no hull.
    #[error(transparent)]
    Hull(#[from] carom::geometry::mesh::HullError),
    /// A bed in a file is not that of the benchmark, or could not be written.
    #[error(transparent)]
    Bed(#[from] carom::io::Error),
    /// Expansions could not be made.
    #[error(transparent)]
    Multipole(#[from] carom::detect::inside::MultipoleError),
    /// No threads.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Two contenders, or two runs of one, came to different results.
    #[error("{contender} found {found}{question}, but {reference} found {expected}")]
    Disagreement {
        contender: String,
        question: String,
        found: String,
        reference: String,
        expected: String,
    },
    /// A contender gave more wrong answers than it may.
    #[error("{contender} gives {wrong} wrong answers of {all}, by up to {largest:e}")]
    WrongAnswers { contender: String, wrong: usize, all: usize, largest: f64 },
    /// A distance by carom is not what its points and its normal prove.
    #[error(
        "carom finds the distance {distance}, but its normal proves {least} and its points {most}"
    )]
    Unproven { distance: f64, least: f64, most: f64 },
    /// A peer did not do its work.
    #[error("{name} failed: {problem}")]
    Peer { name: &'static str, problem: String },
    /// A contender cannot take part, or would take far too long.
    #[error("{0}")]
    Skipped(String),
    /// A single run went on longer than it may.
    #[error("one run takes more than {seconds:.0} s")]
    TooSlow { seconds: f64 },
    /// A workload was asked for that there is not.
    #[error("there is no workload '{name}' for --only; there are {known}")]
    UnknownWorkload { name: String, known: String },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// A file of results makes no sense.
    #[error("{}: {source}", path.display())]
    Results { path: PathBuf, source: csv::Error },
    /// A document has no place for the tables, or old ones in it.
    #[error("{}: {problem}", path.display())]
    Document { path: PathBuf, problem: String },
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

    /// Puts the name of a file before what the reader of CSV says about it.
    pub fn in_results(path: impl Into<PathBuf>) -> impl FnOnce(csv::Error) -> Error {
        let path = path.into();
        move |source| Error::Results { path, source }
    }

    /// Returns the exit code: 2 for a mistake in the command, 1 otherwise.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Error::UnknownWorkload { .. }) { 2 } else { 1 }
    }
}
