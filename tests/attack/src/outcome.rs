//! The outcome of a try, and findings.

use std::path::PathBuf;

/// The outcome of a try, by the exit codes of the program; readers accept or refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// Exit code 0: the input was accepted.
    Accepted,
    /// Exit code 1: failed while running, with a sentence.
    Failed,
    /// Exit code 2: bad input, with a sentence.
    Refused,
    /// Exit code 3: stopped by a signal or a time limit.
    Stopped,
}

/// A promise that was broken, with everything needed to reproduce it.
#[derive(Clone, Debug)]
pub struct AttackFinding {
    /// What happened.
    pub sentence: String,
    /// Command that reproduces it, from the folder with the files.
    pub command: String,
    /// Files to keep, by name.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl AttackFinding {
    /// Creates a finding without files.
    pub fn new(sentence: impl Into<String>, command: impl Into<String>) -> Self {
        AttackFinding { sentence: sentence.into(), command: command.into(), files: Vec::new() }
    }

    /// Returns the finding with one more file to keep.
    pub fn with_file(mut self, name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), bytes.into()));
        self
    }
}

/// Result of a try.
pub type AttemptResult = Result<AttemptOutcome, AttackFinding>;
