//! The errors of runs.

use thiserror::Error;

/// Why a run could not start or continue; the message is one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A scene is invalid.
    #[error(transparent)]
    Scene(#[from] carom_scene::Error),
    /// A checkpoint or results file is invalid, or cannot be read or written.
    #[error(transparent)]
    Io(#[from] carom_io::Error),
    /// A picture of a frame cannot be made.
    #[error(transparent)]
    Render(#[from] carom_render::Error),
    /// The engine refuses the scene or stops the run.
    #[error(transparent)]
    Simulation(#[from] carom_simulate::Error),
    /// A body overlaps a wall at the start.
    #[error(
        "body {body} penetrates {wall} by {overlap:?} at the start; it may do so by at most a fifth of its radius, \
         and its center must be on the open side of a plane or cylinder: move the body or the wall"
    )]
    InWall {
        /// Number of the body, from zero.
        body: usize,
        /// Name of the wall in the scene.
        wall: String,
        /// Penetration depth.
        overlap: f64,
    },
    /// The scene can be read but should not be run.
    #[error("{scene}: {refusal}")]
    Refused {
        /// Path of the scene.
        scene: String,
        /// The reason, in a sentence.
        refusal: String,
    },
    /// A folder cannot take the results.
    #[error("{folder} {problem}")]
    Folder {
        /// The folder as the user named it.
        folder: String,
        /// The reason.
        problem: FolderProblem,
    },
    /// A `summary.json` is damaged.
    #[error(
        "{file}:{line}: {reason}; it must be the JSON that the end of a run writes, which a resume of the run does \
         again"
    )]
    Summary {
        /// The file.
        file: String,
        /// Number of the line, from one.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// An expression of a force is not finite where a body is.
    #[error(
        "{key} is {value} for body {body} at time {time}; forces must be finite wherever bodies come"
    )]
    InfiniteForce {
        /// The key of the expression in the scene.
        key: String,
        /// Value of the expression.
        value: f64,
        /// Id of the body.
        body: u32,
        /// Simulated time.
        time: f64,
    },
    /// The neighbor structure is inconsistent.
    #[error("the neighbor structure is damaged at time {time}: {fault}")]
    Structure {
        /// Simulated time.
        time: f64,
        /// Description of the fault.
        fault: String,
    },
    /// A sink of a user failed.
    #[error(transparent)]
    Other(#[from] Box<dyn std::error::Error + Send + Sync>),
}

/// Why a folder cannot take the results of a run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FolderProblem {
    /// The same scene was run there.
    #[error(
        "holds results of this scene; continue them by --resume, name another folder by --out, or \
         replace them by --force"
    )]
    SameScene,
    /// Another scene was run there.
    #[error(
        "holds results of another scene{difference}; name another folder by --out, or replace them by \
         --force"
    )]
    OtherScene {
        /// How the scenes differ, after a colon; empty if that is not known.
        difference: String,
    },
    /// A file has the name of a result, and there is no checkpoint.
    #[error(
        "has a file {name} but no checkpoint of a run; name another folder by --out, or replace \
         the file by --force"
    )]
    Taken {
        /// The file.
        name: String,
    },
    /// A file that no run has written has the name of a table.
    #[error(
        "has a file {name} that no run has written, where a table of the results would go; move it away, or \
         name another folder by --out"
    )]
    Table {
        /// The file.
        name: String,
    },
    /// A file has the name of the folder of frames.
    #[error(
        "has a file frames where the folder of the frames would be; move it away, or name another folder by --out"
    )]
    NoFrameFolder,
    /// There are frames, and no checkpoint.
    #[error(
        "holds frames of a run but no checkpoint; name another folder by --out, or replace them by \
         --force"
    )]
    Frames,
    /// A symbolic link is where a result is written.
    #[error(
        "has a symbolic link {name} where results are written, and links are not followed; remove the link, \
         or name another folder by --out"
    )]
    Link {
        /// Path of the link, relative to the folder.
        name: String,
    },
    /// The scene to be run would be replaced by its results.
    #[error(
        "holds the scene itself as {name}, which the results would replace; name another folder \
         by --out"
    )]
    Scene {
        /// The file.
        name: &'static str,
    },
    /// The scene takes bodies from the results that would be replaced.
    #[error("is where bodies of the scene come from; name another folder by --out")]
    Bodies,
    /// The scene takes bodies from a run that has not ended.
    #[error(
        "is a run that has not ended yet, from which bodies of the scene come; wait until it ends"
    )]
    Unfinished,
    /// Another process writes there.
    #[error("is in use by another run; wait until it ends, or name another folder by --out")]
    InUse,
    /// There is no checkpoint.
    #[error("holds no checkpoint to continue from; start the run without --resume")]
    NothingToResume,
    /// It is the folder of a sweep.
    #[error(
        "is the folder of a sweep, which has a folder for each of its runs; name another folder by --out"
    )]
    Sweep,
    /// There is a file of this name.
    #[error("is a file; name a folder by --out")]
    NoFolder,
    /// The path is empty.
    #[error("names no folder; give it a name, or . for the current folder")]
    NoName,
}
