use thiserror::Error;

/// Why a log cannot be continued.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum LogProblem {
    /// A row with more or fewer values than columns.
    #[error("takes {expected} values a row, and {found} were given; give one per column")]
    Values {
        /// Values given.
        found: usize,
        /// Columns of the log.
        expected: usize,
    },
    /// The columns are not those of this run.
    #[error(
        "starts with \"{found}\" and not with this run's columns; give the folder of the run, or \
         start the run again in a new one"
    )]
    Header {
        /// The first line of the file, shortened.
        found: String,
    },
    /// Rows that the checkpoint counts are not there.
    #[error(
        "has {found} whole rows, and the checkpoint counts {expected}; put the complete log back, \
         or start the run again from its scene"
    )]
    TooFewRows {
        /// Whole rows in the file.
        found: u64,
        /// Rows counted.
        expected: u64,
    },
}
