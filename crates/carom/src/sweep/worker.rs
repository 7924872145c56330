//! One run of a sweep, started, continued, or found finished.

use super::Error;
use super::plan::{PlannedRun, SceneText};
use crate::run::{
    Control, Ending, Error as RunError, ExistingResults, FolderProblem, FolderRun, RunState,
};
use carom_scene::{AnyScene, Scene};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

/// A report of a worker about its runs, which are given by their numbers in the plan.
pub(super) enum Report {
    /// A run begins in the slot of the worker.
    Begun,
    /// A sentence about something that may not be intended.
    Warning { run: usize, sentence: String },
    /// A run is over, or cannot be had.
    Ended { run: usize, end: RunEnd },
    /// The worker has no threads.
    NoThreads { reason: String },
}

/// The end of a run for this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    Finished,
    /// Stopped with a checkpoint.
    Stopped,
    /// Not begun, because everything is to stop.
    NotBegun,
    /// Another program runs it.
    InUse,
    Failed {
        failure: String,
    },
}

/// State that all runs of a worker share.
pub(super) struct Worker<'a> {
    pub scene: &'a SceneText,
    /// Whether all runs are to stop.
    pub stop: &'a AtomicBool,
    /// The part of the present run that is done, as the bits of an `f64`.
    pub part: &'a AtomicU64,
    pub reports: Sender<Report>,
}

impl Worker<'_> {
    /// Runs to the end, or until all are to stop.
    pub fn run(&self, number: usize, run: &PlannedRun) {
        self.part.store(0, Ordering::Relaxed);
        self.report(Report::Begun);
        let end = self.end_of(number, run);
        let end = end.unwrap_or_else(|error| RunEnd::Failed { failure: error.to_string() });
        self.part.store(0, Ordering::Relaxed);
        self.report(Report::Ended { run: number, end });
    }

    /// Passes a report on; nobody listens any more where the sweep itself has failed.
    pub fn report(&self, report: Report) {
        let _ = self.reports.send(report);
    }

    fn end_of(&self, number: usize, run: &PlannedRun) -> Result<RunEnd, Error> {
        let started = Instant::now();
        let outline = self.scene.outline(&run.point).map_err(Error::Source)?;
        match outline.expand().map_err(Error::Source)? {
            AnyScene::TwoD(scene) => self.run_scene(number, run, &scene, started),
            AnyScene::ThreeD(scene) => self.run_scene(number, run, &scene, started),
        }
    }

    fn run_scene<const D: usize>(
        &self,
        number: usize,
        run: &PlannedRun,
        scene: &Scene<D>,
        started: Instant,
    ) -> Result<RunEnd, Error> {
        let must_stop = || self.stop.load(Ordering::Relaxed);
        if must_stop() {
            return Ok(RunEnd::NotBegun);
        }
        if scene.fingerprint() != run.fingerprint {
            return Err(Error::Changed { scene: self.scene.path().display().to_string() });
        }
        // Another program may have run it since the plan was made.
        let begun = match run.folder.state_of(scene)? {
            RunState::Finished => return Ok(RunEnd::Finished),
            RunState::Foreign { difference } => {
                return Err(Error::other_scene(&run.folder, difference));
            }
            RunState::Cut => FolderRun::resume(scene, &run.folder, None),
            RunState::Absent => self.begin(run, scene, ExistingResults::Keep),
            RunState::Begun => self.begin(run, scene, ExistingResults::Replace),
        };
        let begun = match begun {
            Err(RunError::Folder {
                problem: FolderProblem::InUse | FolderProblem::SameScene,
                ..
            }) => return Ok(RunEnd::InUse),
            other => other?,
        };
        let warn = |sentence: &str| {
            self.report(Report::Warning { run: number, sentence: sentence.to_owned() });
        };
        begun.warnings().iter().for_each(|warning| warn(warning));
        let (mut simulation, results) = begun.into_results(started.elapsed())?;
        let results = results.watched_by(|progress| {
            self.part.store(progress.part.to_bits(), Ordering::Relaxed);
            if must_stop() { Control::Stop } else { Control::Continue }
        });
        match simulation.run_to_end(&mut results.warned_by(warn))? {
            Ending::Stopped => Ok(RunEnd::Stopped),
            _ => Ok(RunEnd::Finished),
        }
    }

    fn begin<'s, const D: usize>(
        &self,
        run: &PlannedRun,
        scene: &'s Scene<D>,
        existing: ExistingResults,
    ) -> Result<FolderRun<'s, D>, RunError> {
        FolderRun::begin(scene, self.scene.path(), &run.folder, existing)
    }
}
