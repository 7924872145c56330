//! The start of a run that writes into a folder, new or continued: all checks, in the order that loses nothing.

use super::provenance::{Launch, Provenance};
use super::results_folder::{ResultsFolder, rows_elsewhere};
use super::{Error, FolderLock, Run, RunFolder, Sink};
use carom_io::is_results_file;
use carom_scene::Scene;
use std::path::Path;
use std::time::Duration;

/// A run with the locked folder that will take its results. Nothing in the folder has changed yet.
///
/// ```
/// use carom::run::{Ending, ExistingResults, FolderRun, RunFolder};
/// use carom::scene::scene::AnyScene;
/// let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\noutput.picture = false\n\
///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
/// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
/// # let parent = std::env::temp_dir().join(format!("carom-folder-run-{}", std::process::id()));
/// # let path = parent.join("one.run");
/// let folder = RunFolder::new(&path);
/// let begin = || FolderRun::begin(&scene, "one.toml".as_ref(), &folder, ExistingResults::Keep);
/// let (mut run, mut results) = begin()?.into_results(&scene, Default::default())?;
/// assert_eq!(run.run_to_end(&mut results)?, Ending::Time);
/// drop(results);
/// // The folder is not free any more; the run there can be continued, and has nothing left to do.
/// assert!(begin().is_err());
/// assert_eq!(FolderRun::resume(&scene, &folder, None)?.run_mut().is_over(), Some(Ending::Time));
/// # std::fs::remove_dir_all(parent)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FolderRun<const D: usize> {
    run: Run<D>,
    lock: FolderLock,
    /// Number of rows of the log that are in the folder of an earlier part of the run.
    rows_elsewhere: u64,
    destination: Destination,
    warnings: Vec<String>,
    /// What has written the checkpoint.
    writer: String,
    /// The commit of this program.
    commit: Option<&'static str>,
}

/// What happens to results that are in the folder before a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingResults {
    /// They stay, and the run is refused.
    Keep,
    /// They are replaced.
    Replace,
}

/// What is in the folder of the results before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Destination {
    /// No results.
    Free,
    /// Results that are replaced.
    Replaced,
    /// The earlier part of the run.
    Continued,
    /// No results; the earlier part of the run is in another folder.
    ContinuedElsewhere,
}

impl<const D: usize> FolderRun<D> {
    /// Prepares a run at the start of a scene, which was read from `source`.
    ///
    /// Errors if the folder has results, unless they are to be replaced, if the scene or its bodies are among them, if
    /// another run writes there, or if the scene should not be run.
    pub fn begin(
        scene: &Scene<D>,
        source: &Path,
        folder: &RunFolder,
        existing: ExistingResults,
    ) -> Result<Self, Error> {
        folder.check_scene_stays(source)?;
        folder.check_bodies_stay(scene)?;
        let check_free = || match existing {
            ExistingResults::Keep => folder.check_free(scene),
            ExistingResults::Replace => Ok(()),
        };
        check_free()?;
        let run = Run::new(scene)?;
        let warnings = warnings(scene, &run, source)?;
        let lock = folder.lock()?;
        // Another run may have written results since.
        check_free()?;
        let destination = match existing {
            ExistingResults::Keep => Destination::Free,
            ExistingResults::Replace => Destination::Replaced,
        };
        let writer = String::new();
        Ok(FolderRun { run, lock, rows_elsewhere: 0, destination, warnings, writer, commit: None })
    }

    /// Continues the run in a folder from its checkpoint; its further results go into `new_folder`, if there is one.
    ///
    /// Errors if there is no checkpoint, if it is one of another scene, or if another run writes there.
    pub fn resume(
        scene: &Scene<D>,
        folder: &RunFolder,
        new_folder: Option<&RunFolder>,
    ) -> Result<Self, Error> {
        folder.check_resumable()?;
        // Opening a pipe would block, and a link may lead elsewhere.
        is_results_file(folder.path(), "log.csv")?;
        let lock = match new_folder {
            Some(target) => {
                target.check_free(scene)?;
                target.lock()?
            }
            None => folder.lock()?,
        };
        let mut of_checkpoint = Vec::new();
        let mut checkpoint =
            folder.checkpoint(scene, |line| of_checkpoint.push(line.to_owned()))?;
        let writer = checkpoint.writer.clone();
        let elsewhere = rows_elsewhere(&mut checkpoint)?;
        let run = Run::resume(scene, checkpoint)?;
        // What there is to say of the scene was said when it began.
        warnings(scene, &run, &folder.file("scene.toml"))?;
        let (rows_elsewhere, destination) = match new_folder {
            Some(_) => (run.rows(), Destination::ContinuedElsewhere),
            None => (elsewhere, Destination::Continued),
        };
        let warnings = of_checkpoint;
        Ok(FolderRun { run, lock, rows_elsewhere, destination, warnings, writer, commit: None })
    }

    /// Sets the commit that the program was built from, for the provenance of the results.
    pub fn by_commit(self, commit: Option<&'static str>) -> Self {
        FolderRun { commit, ..self }
    }

    /// The run, at its start or at its checkpoint.
    pub fn run(&self) -> &Run<D> {
        &self.run
    }

    /// The run, for example to add observables.
    pub fn run_mut(&mut self) -> &mut Run<D> {
        &mut self.run
    }

    /// The folder of the results.
    pub fn folder(&self) -> &RunFolder {
        self.lock.folder()
    }

    /// Warnings about the scene or the checkpoint, in sentences.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        let (writer, this) = (&self.writer, Provenance::program(self.commit));
        if !writer.is_empty() && *writer != this {
            let line = "the rest of the run may differ in its last digits";
            warnings.push(format!("the checkpoint is by {writer}, and this is {this}; {line}"));
        }
        warnings
    }

    /// Prepares the folder, and returns the run with the sink that writes into it. `initialization` is the wall-clock time
    /// so far, for the summary.
    ///
    /// Results that are to be replaced are removed now. Errors if log or frames do not fit to a continued run.
    pub fn into_results(
        self,
        scene: &Scene<D>,
        initialization: Duration,
    ) -> Result<(Run<D>, ResultsFolder<'_, D>), Error> {
        let FolderRun { run, lock, rows_elsewhere, destination, commit, .. } = self;
        if destination == Destination::Replaced {
            lock.clear()?;
        }
        let threads = rayon::current_num_threads();
        let launch = Launch { initialization, commit, threads, rows_elsewhere };
        let mut results = ResultsFolder::new(lock, scene, &run, launch)?;
        if destination == Destination::ContinuedElsewhere {
            // From now on the run does not need the old folder.
            results.checkpoint(&run)?;
        }
        Ok((run, results))
    }
}

/// Warnings about a scene; an error if it should not be run.
pub(super) fn warnings<const D: usize>(
    scene: &Scene<D>,
    run: &Run<D>,
    source: &Path,
) -> Result<Vec<String>, Error> {
    let estimate = run.estimate(scene);
    match estimate.refusal {
        Some(refusal) => Err(Error::Refused { scene: source.display().to_string(), refusal }),
        None => Ok(estimate.warnings),
    }
}
