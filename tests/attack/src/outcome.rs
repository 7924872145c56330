//! How a try ended, and what is a finding.

use std::path::PathBuf;

/// How a try ended, by the exit codes of the program; readers accept or refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// Exit code 0: the input was taken.
    Accepted,
    /// Exit code 1: failed while running, with a sentence.
    Failed,
    /// Exit code 2: bad input, with a sentence.
    Refused,
    /// Exit code 3: stopped by a signal or a limit of time.
    Stopped,
}

/// A promise that was broken, and all that is needed to see it again.
#[derive(Clone, Debug)]
pub struct AttackFinding {
    /// What happened.
    pub sentence: String,
    /// How to see it again, from the folder with the files.
    pub command: String,
    /// Files to keep, by name.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl AttackFinding {
    /// A finding without files.
    pub fn new(sentence: impl Into<String>, command: impl Into<String>) -> Self {
        AttackFinding { sentence: sentence.into(), command: command.into(), files: Vec::new() }
    }

    /// The same with a file to keep.
    pub fn with_file(mut self, name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), bytes.into()));
        self
    }
}

/// What a try gives.
pub type AttemptResult = Result<AttemptOutcome, AttackFinding>;
