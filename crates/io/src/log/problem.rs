//! The errors of logs.

use thiserror::Error;

/// Why a log cannot be continued or read.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum LogProblem {
    /// A row has more or fewer values than columns.
    #[error("takes {expected} values a row, and {found} were given; give one per column")]
    Values {
        /// Number of values given.
        found: usize,
        /// Number of columns of the log.
        expected: usize,
    },
    /// The columns are not those of this run.
    #[error(
        "starts with \"{found}\" and not with this run's columns; give the folder of the run, or \
         start the run again in a new one"
    )]
    Header {
        /// First line of the file, shortened.
        found: String,
    },
    /// A row in the file has more or fewer values than the header has columns.
    #[error("is damaged: line {line} has {found} values, and there are {expected} columns")]
    Row {
        /// Line number, from one.
        line: usize,
        /// Number of values in the line.
        found: usize,
        /// Number of columns.
        expected: usize,
    },
    /// A value in the file is no number.
    #[error("is damaged: line {line} has \"{value}\" where a number is expected")]
    Number {
        /// Line number, from one.
        line: usize,
        /// The value, shortened.
        value: String,
    },
    /// Rows that the checkpoint counts are missing.
    #[error(
        "has {found} whole rows, and the checkpoint counts {expected}; put the complete log back, \
         or start the run again from its scene"
    )]
    TooFewRows {
        /// Number of complete rows in the file.
        found: u64,
        /// Number of rows that the checkpoint counts.
        expected: u64,
    },
}
