use thiserror::Error;

/// Why a run could not start or go on; the message is one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A scene, a checkpoint or a file.
    #[error(transparent)]
    Scene(#[from] carom_scene::Error),
    /// The engine refuses the scene.
    #[error(transparent)]
    Simulation(#[from] carom_simulate::Error),
    /// A body is in a wall at the start.
    #[error(
        "body {body} is {overlap:?} deep in {wall} at the start; it may be at most a fifth of its radius \
         deep, and must be on the side to which a plane or a cylinder is open: move the body or the wall"
    )]
    InWall {
        /// Its number, from zero.
        body: usize,
        /// What the scene calls the wall.
        wall: String,
        /// How deep.
        overlap: f64,
    },
    /// A folder cannot take the results.
    #[error("{folder} {problem}")]
    Folder {
        /// As the user named it.
        folder: String,
        /// Why not.
        problem: FolderProblem,
    },
    /// The neighbor structure found itself damaged.
    #[error("the neighbor structure is damaged at time {time}: {fault}")]
    Structure {
        /// Simulated time.
        time: f64,
        /// What is wrong.
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
        "holds results of this scene; go on with them by --resume, name another folder by --out, or \
         replace them by --force"
    )]
    SameScene,
    /// Another scene was run there.
    #[error(
        "holds results of another scene{difference}; name another folder by --out, or replace them by \
         --force"
    )]
    OtherScene {
        /// In what the scenes differ, after a colon; empty if that is not known.
        difference: String,
    },
    /// A file has the name of a result, and there is no checkpoint.
    #[error(
        "has a file {name} but no checkpoint of a run; name another folder by --out, or replace \
         the file by --force"
    )]
    Taken {
        /// The file.
        name: &'static str,
    },
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
        /// The link, from the folder.
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
    /// The scene takes bodies from a run that goes on.
    #[error(
        "is a run that has not ended yet, from which bodies of the scene come; wait until it ends"
    )]
    Unfinished,
    /// Another process writes there.
    #[error("is in use by another run; wait until it ends, or name another folder by --out")]
    InUse,
    /// There is no checkpoint.
    #[error("holds no checkpoint to go on from; start the run without --resume")]
    NothingToResume,
    /// A file has its name.
    #[error("is a file; name a folder by --out")]
    NoFolder,
}
