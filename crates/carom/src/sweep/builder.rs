//! A sweep, described step by step, and what it returns.

use super::axis::{SweepAxis, SweepValues};
use super::plan::SweepScene;
use super::{Error, SweepProgress, SweepTable, scheduler};
use crate::run::Control;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most runs at a time.
const MOST_JOBS: usize = 1024;
/// Most parts of a sweep.
const MOST_SHARDS: usize = 1_000_000;

/// A scene that is run with many settings.
///
/// ```
/// use carom::sweep::Sweep;
/// # let parent = std::env::temp_dir().join(format!("carom-sweep-{}", std::process::id()));
/// # let folder = parent.join("gas.sweep");
/// let scene = "engine = 'event-driven'\ndimension = 2\nuntil = 1\noutput.picture = false\n\
///              [[generate]]\nkind = 'random'\ncount = 20\nradius = 0.5\n\
///              packing_fraction = 0.2\ntemperature = 1.0";
/// let sweep = || Sweep::parse(scene).over("seed", 1..=3).over("generate.0.temperature", [1.0, 2.0]);
/// let table = sweep().jobs(2).into_folder(&folder)?.table;
/// assert_eq!(table.rows().len(), 6);
/// assert_eq!(table.rows()[1].folder(), "seed=1+generate.0.temperature=2.0");
/// assert!(table.rows()[1].number("kinetic_energy") > table.rows()[0].number("kinetic_energy"));
/// // The same again finds everything done.
/// assert_eq!(sweep().into_folder(&folder)?.table, table);
/// # std::fs::remove_dir_all(parent)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sweep<'a> {
    pub(super) scene: SweepScene,
    pub(super) settings: Vec<String>,
    /// Settings that advance together.
    pub(super) together: Vec<SweepAxis>,
    /// Settings of which all combinations are run.
    pub(super) product: Vec<SweepAxis>,
    pub(super) jobs: usize,
    /// Number of threads that all runs share; none for those of the pool.
    pub(super) threads: Option<usize>,
    /// Number of the part that is run, from one, and number of parts.
    pub(super) shard: (usize, usize),
    pub(super) wall_time: Option<Duration>,
    pub(super) plots: Vec<String>,
    pub(super) progress_callback: Box<dyn FnMut(&SweepProgress) -> Control + Send + Sync + 'a>,
    pub(super) warning_callback: Box<dyn FnMut(&str) + Send + Sync + 'a>,
}

/// The outcome of [`Sweep::into_folder`] or [`Sweep::list`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepOutcome {
    /// The table of all runs, those of other shards too.
    pub table: SweepTable,
    /// Indices of the rows that belong to this shard.
    pub own: Vec<usize>,
    /// Whether it was stopped before all runs were done.
    pub stopped: bool,
    /// Paths of the plots that were written.
    pub plots: Vec<PathBuf>,
}

impl<'a> Sweep<'a> {
    /// Names the file of the scene.
    pub fn new(scene: impl AsRef<Path>) -> Self {
        Sweep::of(SweepScene::File(scene.as_ref().to_owned()))
    }

    /// Takes the text of a scene; files that it names are searched in the current folder.
    pub fn parse(text: &str) -> Self {
        Sweep::parse_in(text, "the scene", "")
    }

    /// Takes the text of a scene with its name in messages; files that it names are searched in a folder.
    pub fn parse_in(text: &str, name: &str, folder: impl AsRef<Path>) -> Self {
        let (text, name, folder) = (text.to_owned(), name.to_owned(), folder.as_ref().to_owned());
        Sweep::of(SweepScene::Text { text, name, folder })
    }

    fn of(scene: SweepScene) -> Self {
        Sweep {
            scene,
            settings: Vec::new(),
            together: Vec::new(),
            product: Vec::new(),
            jobs: 1,
            threads: None,
            shard: (1, 1),
            wall_time: None,
            plots: Vec::new(),
            progress_callback: Box::new(|_| Control::Continue),
            warning_callback: Box::new(|_| {}),
        }
    }

    /// Sets a key of the scene in all runs: `key=value`, as behind `carom run --set`.
    pub fn set(mut self, setting: impl Into<String>) -> Self {
        self.settings.push(setting.into());
        self
    }

    /// Runs the scene with every one of these values of a setting, in all combinations with those of other settings.
    pub fn over(self, key: &str, values: impl Into<SweepValues>) -> Self {
        self.over_axis(SweepAxis::new(key, values))
    }

    /// As [`over`](Self::over), for a setting with its values from a text.
    pub fn over_axis(mut self, axis: SweepAxis) -> Self {
        self.product.push(axis);
        self
    }

    /// Adds a setting that advances together with all others that are added by this function: the first run has the
    /// first value of each, the second the second.
    pub fn zip(self, key: &str, values: impl Into<SweepValues>) -> Self {
        self.zip_axis(SweepAxis::new(key, values))
    }

    /// As [`zip`](Self::zip), for a setting with its values from a text.
    pub fn zip_axis(mut self, axis: SweepAxis) -> Self {
        self.together.push(axis);
        self
    }

    /// Sets how many runs are made at a time; the threads are shared out among them. Results do not depend on it.
    pub fn jobs(self, jobs: usize) -> Self {
        Sweep { jobs, ..self }
    }

    /// Sets how many threads all runs share; by default as many as the pool has that the sweep is called in.
    pub fn threads(self, threads: usize) -> Self {
        Sweep { threads: Some(threads), ..self }
    }

    /// Takes one part of the runs only: with `(3, 100)` the third and every hundredth from there.
    pub fn shard(self, number: usize, count: usize) -> Self {
        Sweep { shard: (number, count), ..self }
    }

    /// Stops all runs with checkpoints after this time.
    pub fn wall_time(self, limit: Duration) -> Self {
        Sweep { wall_time: Some(limit), ..self }
    }

    /// Writes a plot of a number of the table over each swept setting that is a number, as `NUMBER_over_KEY.svg`.
    pub fn plot(mut self, quantity: impl Into<String>) -> Self {
        self.plots.push(quantity.into());
        self
    }

    /// Sets a callback for progress bars, signals and time limits, called about ten times a second from the thread of
    /// [`into_folder`](Self::into_folder); [`Control::Stop`] stops all runs with checkpoints.
    pub fn watched_by(
        mut self,
        watch: impl FnMut(&SweepProgress) -> Control + Send + Sync + 'a,
    ) -> Self {
        self.progress_callback = Box::new(watch);
        self
    }

    /// Sets a callback for warnings about runs and plots, which are sentences; each comes once, for the first run that has
    /// it.
    pub fn warned_by(mut self, warn: impl FnMut(&str) + Send + Sync + 'a) -> Self {
        self.warning_callback = Box::new(warn);
        self
    }

    /// Runs all that has not been run, each into a folder of its own below this one, and writes the table `sweep.csv`.
    ///
    /// Every scene is checked before anything is written. Runs that are finished are left as they are, and runs that
    /// were cut continue from their checkpoints, so that the same call can be repeated until all is done. A run that
    /// fails does not end the others; the table says why it failed.
    ///
    /// # Errors
    ///
    /// If a scene is invalid, a folder has results of another scene, or the table cannot be written.
    pub fn into_folder(self, folder: impl AsRef<Path>) -> Result<SweepOutcome, Error> {
        self.check()?;
        scheduler::run(self, folder.as_ref())
    }

    /// Returns the table of what is in a folder, without running anything; writes it there too, if the folder exists.
    pub fn list(self, folder: impl AsRef<Path>) -> Result<SweepOutcome, Error> {
        self.check()?;
        scheduler::list(self, folder.as_ref())
    }

    fn check(&self) -> Result<(), Error> {
        let (number, count) = self.shard;
        if !(1..=count).contains(&number) || count > MOST_SHARDS {
            return Err(Error::Shard { number, count, most: MOST_SHARDS });
        }
        if !(1..=MOST_JOBS).contains(&self.jobs) {
            return Err(Error::Jobs { jobs: self.jobs, most: MOST_JOBS });
        }
        let are_numbers = |axis: &SweepAxis| {
            axis.values().len() > 1 && axis.values().iter().all(|it| it.number().is_some())
        };
        let has_numbers = self.together.iter().chain(&self.product).any(are_numbers);
        if self.plots.is_empty() || has_numbers { Ok(()) } else { Err(Error::NothingToPlotOver) }
    }

    /// Whether a run belongs to this part.
    pub(super) fn is_own(&self, run: usize) -> bool {
        let (number, count) = self.shard;
        run % count == number - 1
    }
}

impl SweepOutcome {
    /// Returns the rows of this shard.
    pub fn own_rows(&self) -> impl Iterator<Item = &super::SweepRow> {
        self.own.iter().filter_map(|&index| self.table.rows().get(index))
    }
}
