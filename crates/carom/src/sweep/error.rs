//! The errors of sweeps.

use crate::run::RunFolder;
use thiserror::Error;

/// Why a sweep could not be made; the message is one sentence, or one line for each mistake of a scene.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The values of a setting are none.
    #[error("{setting}: {rule}")]
    Values {
        /// The setting as it was given, shortened.
        setting: String,
        /// The rule that it breaks.
        rule: String,
    },
    /// No setting is swept.
    #[error("a sweep needs a setting to vary, such as --over seed=1..20")]
    Empty,
    /// The settings have too many combinations.
    #[error("the sweep has {product} runs; at most {most} are possible")]
    TooMany {
        /// Numbers of values, as a product.
        product: String,
        /// Largest number of runs.
        most: usize,
    },
    /// Settings that advance together have different numbers of values.
    #[error(
        "{first} has {values} values and {second} has {others}; settings that advance together must have the \
         same number"
    )]
    Lengths {
        /// One setting.
        first: String,
        /// Number of its values.
        values: usize,
        /// Another setting.
        second: String,
        /// Number of its values.
        others: usize,
    },
    /// A setting is swept and given a value besides.
    #[error("{key} is swept and set to {value}; give one of them")]
    SetTwice {
        /// The key.
        key: String,
        /// The value that is given besides, shortened.
        value: String,
    },
    /// There is no such part of the sweep.
    #[error("the shard is {number}/{count}; it must be from 1/N to N/N, with N at most {most}")]
    Shard {
        /// Number of the part, from one.
        number: usize,
        /// Number of parts.
        count: usize,
        /// Largest number of parts.
        most: usize,
    },
    /// The number of runs at a time is none.
    #[error("the number of jobs is {jobs}; it must be from 1 to {most}")]
    Jobs {
        /// The number.
        jobs: usize,
        /// Largest number allowed.
        most: usize,
    },
    /// A run would have an invalid scene.
    #[error("{}", lines(.run, .sentences))]
    Scene {
        /// The settings of the run; empty if the scene is invalid without them, or the sentences name the setting.
        run: String,
        /// Every mistake in a sentence, in lines.
        sentences: String,
    },
    /// The scene itself cannot be read.
    #[error(transparent)]
    Source(carom_scene::Error),
    /// A folder of a run has results of another scene.
    #[error(
        "{folder} holds results of another scene{difference}; name another folder by --out, or remove it"
    )]
    OtherScene {
        /// The folder.
        folder: String,
        /// How the scenes differ, after a colon; empty if that is not known.
        difference: String,
    },
    /// A file that the scene names has other contents than when the sweep was planned.
    #[error(
        "a file that {scene} names has changed since the sweep began; give the same command again"
    )]
    Changed {
        /// The scene.
        scene: String,
    },
    /// The name of the table is that of another file.
    #[error("{file} exists and is not the table of a sweep; name another folder by --out")]
    OtherTable {
        /// The file.
        file: String,
    },
    /// The folder is that of a run.
    #[error("{folder} holds results of a run, and not of a sweep; name another folder by --out")]
    OfRun {
        /// The folder.
        folder: String,
    },
    /// A file that no sweep has written has the name of a plot.
    #[error(
        "{file} exists and is not a plot of a sweep; move it away, or name another folder by --out"
    )]
    OtherPlot {
        /// The file.
        file: String,
    },
    /// A quantity to be plotted is no column of the table.
    #[error("no run has the quantity {quantity:?}; {remedy}")]
    Quantity {
        /// The name that was given, shortened.
        quantity: String,
        /// What to write instead.
        remedy: String,
    },
    /// Plots are asked for, and no swept setting is a number.
    #[error("there is nothing to plot over; a swept setting must have two numbers at least")]
    NothingToPlotOver,
    /// Threads cannot be started.
    #[error("no thread can be started for a run: {reason}")]
    Threads {
        /// Reason of the system.
        reason: String,
    },
    /// The folder cannot be read or written, or the runs need more memory than there is.
    #[error(transparent)]
    Io(#[from] carom_io::Error),
    /// The state of a run cannot be found out.
    #[error(transparent)]
    Run(#[from] crate::run::Error),
}

impl Error {
    pub(super) fn other_scene(folder: &RunFolder, difference: Option<String>) -> Self {
        let difference = difference.map_or(String::new(), |it| format!(": {it}"));
        Error::OtherScene { folder: folder.path().display().to_string(), difference }
    }
}

/// The sentences about a run, each after its settings.
fn lines(run: &str, sentences: &str) -> String {
    match run {
        "" => sentences.to_owned(),
        run => {
            sentences.lines().map(|line| format!("{run}: {line}")).collect::<Vec<_>>().join("\n")
        }
    }
}
