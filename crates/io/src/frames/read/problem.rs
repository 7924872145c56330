//! The rules that a file of a frame can break.

use crate::{Error, FrameProblem, excerpt};
use std::path::Path;
use thiserror::Error;

/// The rule that the file of a frame breaks, as a sentence after the file's name.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{0}")]
pub struct FrameFileProblem(pub(super) String);

/// The rule that a frame breaks, in any format.
#[derive(Clone, Debug, Error, PartialEq)]
pub(super) enum FrameReadProblem {
    #[error("is empty; the run was stopped while it wrote it, or the disk is full")]
    Empty,
    #[error("is not a frame as carom writes it: {0}")]
    Foreign(String),
    #[error("is cut short: {what} should have {wanted}, and there are {found}")]
    Short { what: String, wanted: String, found: String },
    #[error("is cut short or no frame: its {bytes} bytes do not end with {end}")]
    NoEnd { end: &'static str, bytes: usize },
    #[error("is damaged: it has no \"{0}\"")]
    Missing(String),
    #[error("has no \"{0}\", which is needed here; write frames with it (output.columns)")]
    LeftOut(String),
    #[error("has a column \"{0}\", which scenes do not read; leave it out")]
    Unknown(String),
    #[error(
        "names no frame; write RUN, RUN@last, RUN@first, RUN@12 for a number or RUN@t=0.5 for a time"
    )]
    FrameSelector,
    #[error("holds no frames of a run; name a folder with frames (output.formats), or a file")]
    NoFrames,
    #[error("has no frame {number}; its frames are {first} to {last}")]
    NoFrame { number: usize, first: usize, last: usize },
    #[error("is damaged: line {line} has \"{value}\" where {wanted} should be")]
    Word { line: usize, value: String, wanted: String },
    #[error("is damaged: body {body} has {what} = {value:?}; {rule}")]
    BodyValue { body: usize, what: &'static str, value: f64, rule: &'static str },
    #[error("is damaged: the orientation of body {body} is not a unit quaternion")]
    Orientation { body: usize },
    #[error(
        "does not fit the scene: body {body} has shape {number}, and there are {count}, from 0"
    )]
    Shape { body: usize, number: f64, count: usize },
    #[error("is damaged: {0}")]
    Unfit(FrameProblem),
}

impl FrameReadProblem {
    pub(super) fn foreign(what: impl Into<String>) -> Self {
        FrameReadProblem::Foreign(what.into())
    }

    pub(super) fn word(line: usize, value: &[u8], wanted: impl Into<String>) -> Self {
        FrameReadProblem::Word { line, value: excerpt::value(value), wanted: wanted.into() }
    }

    pub(super) fn in_file(self, path: &Path) -> Error {
        // Names of columns may hold anything.
        let problem = FrameFileProblem(excerpt::escape_control_characters(&self.to_string()));
        Error::FrameFile { file: excerpt::file_name(path), problem }
    }
}
