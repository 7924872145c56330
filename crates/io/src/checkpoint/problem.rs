//! The errors of checkpoints.

use thiserror::Error;

/// Why a run cannot continue from a checkpoint.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CheckpointProblem {
    /// The file has no bytes.
    #[error("is empty and no checkpoint; start the run again from its scene")]
    Empty,
    /// The file is of another kind.
    #[error("is not a checkpoint of carom; name the checkpoint.bin of a run")]
    Foreign,
    /// A later version wrote the file.
    #[error(
        "is a checkpoint of format {found}, and this carom knows formats up to {known}; continue with \
         the newer carom that wrote it"
    )]
    Newer {
        /// Format of the file.
        found: u32,
        /// Latest format that can be read.
        known: u32,
    },
    /// An earlier version wrote the file in a format that is no longer read.
    #[error(
        "is a checkpoint of format {found}, and this carom reads format {known}; continue with the carom \
         that wrote it, or start the run again from its scene"
    )]
    Older {
        /// Format of the file.
        found: u32,
        /// Format that is read.
        known: u32,
    },
    /// The end of the file is missing.
    #[error(
        "is cut short after {found} bytes; copy it again if it was copied, or start the run again \
         from its scene"
    )]
    CutShort {
        /// Number of bytes in the file.
        found: u64,
    },
    /// A checksum or the structure is wrong.
    #[error(
        "is damaged, its checksums do not fit; copy it again if it was copied, or start the run \
         again from its scene"
    )]
    Damaged,
    /// The file is of another engine.
    #[error(
        "was written by the engine \"{found}\", and the scene asks for \"{expected}\"; give the \
         scene it was made from"
    )]
    Engine {
        /// Engine that wrote it.
        found: String,
        /// Engine of the scene.
        expected: String,
    },
    /// The file is of another dimension.
    #[error(
        "has {found} dimensions, and the scene has {expected}; give the scene it was made from"
    )]
    Dimension {
        /// Dimension of the file.
        found: usize,
        /// Dimension of the scene.
        expected: usize,
    },
    /// The file is of another scene.
    #[error(
        "belongs to another scene{}; give the scene it was made from, or start this one in a new \
         folder",
        after_colon(difference)
    )]
    OtherScene {
        /// Difference between the scenes, if known.
        difference: Option<String>,
    },
    /// Its numbers cannot occur in a run of the scene.
    #[error("does not fit: {reason}; start the run again")]
    Unfit {
        /// Rule that they break.
        reason: String,
    },
    /// The run is beyond the requested end.
    #[error(
        "is at {is}, beyond the end {end}; ask for a later end, or start the run again in a new \
         folder"
    )]
    BeyondEnd {
        /// Time or collisions of the run.
        is: String,
        /// Requested end.
        end: String,
    },
}

fn after_colon(difference: &Option<String>) -> String {
    difference.as_ref().map_or(String::new(), |difference| format!(": {difference}"))
}
