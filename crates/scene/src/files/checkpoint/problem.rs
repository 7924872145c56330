use thiserror::Error;

/// Why a run cannot go on from a checkpoint.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CheckpointProblem {
    /// No bytes at all.
    #[error("is empty and no checkpoint; start the run again from its scene")]
    Empty,
    /// Another kind of file.
    #[error("is not a checkpoint of carom; name the checkpoint.bin of a run")]
    Foreign,
    /// Written by a later version.
    #[error(
        "is a checkpoint of format {found}, and this carom knows formats up to {known}; go on with \
         the newer carom that wrote it"
    )]
    Newer {
        /// Its version.
        found: u32,
        /// The latest version that can be read.
        known: u32,
    },
    /// Written by an earlier version in a format that is no longer read.
    #[error(
        "is a checkpoint of format {found}, and this carom reads format {known}; go on with the carom \
         that wrote it, or start the run again from its scene"
    )]
    Older {
        /// Its format.
        found: u32,
        /// The format that is read.
        known: u32,
    },
    /// The end is missing.
    #[error(
        "is cut short after {found} bytes; copy it again if it was copied, or start the run again \
         from its scene"
    )]
    CutShort {
        /// Bytes that are there.
        found: u64,
    },
    /// A checksum or the structure is wrong.
    #[error(
        "is damaged, its checksums do not fit; copy it again if it was copied, or start the run \
         again from its scene"
    )]
    Damaged,
    /// Of another engine.
    #[error(
        "was written by the engine \"{found}\", and the scene asks for \"{expected}\"; give the \
         scene it was made from"
    )]
    Engine {
        /// The engine that wrote it.
        found: String,
        /// The engine that wants to read it.
        expected: String,
    },
    /// Of a space of another dimension.
    #[error(
        "has {found} dimensions, and the scene has {expected}; give the scene it was made from"
    )]
    Dimension {
        /// Its dimension.
        found: usize,
        /// The dimension of the scene.
        expected: usize,
    },
    /// Of another scene.
    #[error(
        "belongs to another scene{}; give the scene it was made from, or start this one in a new \
         folder",
        after_colon(difference)
    )]
    OtherScene {
        /// In what the scenes differ, if that is known.
        difference: Option<String>,
    },
    /// Its numbers are none that a run of the scene can have.
    #[error("does not fit the scene: {reason}; start the run again from its scene")]
    Unfit {
        /// Which rule they break.
        reason: String,
    },
    /// The run has gone beyond the end that is asked for.
    #[error(
        "is at {is}, beyond the end {end}; ask for a later end, or start the run again in a new \
         folder"
    )]
    BeyondEnd {
        /// Where the run is.
        is: String,
        /// Where it is to end.
        end: String,
    },
    /// A section is not there.
    #[error(
        "has no section \"{name}\"; go on with the version of carom that wrote it, or start the \
         run again from its scene"
    )]
    NoSection {
        /// The section looked for.
        name: String,
    },
    /// A section is too long or too short.
    #[error(
        "has {found} values of \"{name}\" where {expected} are needed; give the scene it was made \
         from, or start the run again"
    )]
    Count {
        /// The section.
        name: String,
        /// Values in it.
        found: usize,
        /// Values needed.
        expected: usize,
    },
    /// A section holds other numbers.
    #[error(
        "has values of type {found} in \"{name}\" where {expected} are needed; go on with the \
         version of carom that wrote it"
    )]
    Type {
        /// The section.
        name: String,
        /// Its type.
        found: &'static str,
        /// The type needed.
        expected: &'static str,
    },
}

fn after_colon(difference: &Option<String>) -> String {
    difference.as_ref().map_or(String::new(), |difference| format!(": {difference}"))
}
