//! The runs of a sweep, as many at a time as asked for, each on its share of the threads.

use super::folder::{self, SweepFolder};
use super::plan::Plan;
use super::table::SweepRunState;
use super::worker::{Report, RunEnd, Worker};
use super::{Error, Sweep, SweepOutcome, SweepProgress, plots};
use crate::run::{Control, RunState};
use rayon::ThreadPoolBuilder;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two calls of the callback for progress.
const POLLING_INTERVAL: Duration = Duration::from_millis(20);

/// Bytes of the stack of a thread, as the main thread of a program has.
const STACK: usize = 8 << 20;

/// As [`Sweep::into_folder`].
pub(super) fn run(mut sweep: Sweep<'_>, path: &Path) -> Result<SweepOutcome, Error> {
    let started = Instant::now();
    let plan = plan(&sweep, path)?;
    let own: Vec<usize> = (0..plan.runs.len()).filter(|run| sweep.is_own(*run)).collect();
    let is_left = |run: &usize| plan.runs[*run].state != RunState::Finished;
    let left: Vec<usize> = own.iter().copied().filter(is_left).collect();
    let mut folder = SweepFolder::read(path, &plan)?;
    plots::check(&sweep.plots, &folder, &plan)?;
    folder.create()?;
    folder.write_table()?;
    let finished = own.len() - left.len();
    let mut watch = Watch {
        progress: SweepProgress { runs: own.len(), finished, ..SweepProgress::default() },
        deadline: sweep.wall_time.and_then(|limit| started.checked_add(limit)),
        is_stopped: false,
        left: left.len(),
        folder: &mut folder,
        warnings: BTreeSet::new(),
        threads_refused: None,
    };
    if !left.is_empty() {
        Scheduler::new(&plan, left, &sweep).work(&mut sweep, &mut watch)?;
    }
    let stopped = watch.left > 0;
    folder.write_last_table(|run| sweep.is_own(run))?;
    let plots = write_plots(&mut sweep, &folder)?;
    Ok(SweepOutcome { table: folder.into_table(), own, stopped, plots })
}

/// As [`Sweep::list`].
pub(super) fn list(mut sweep: Sweep<'_>, path: &Path) -> Result<SweepOutcome, Error> {
    let plan = plan(&sweep, path)?;
    let mut folder = SweepFolder::read(path, &plan)?;
    plots::check(&sweep.plots, &folder, &plan)?;
    let own = (0..plan.runs.len()).filter(|run| sweep.is_own(*run)).collect();
    let mut plots = Vec::new();
    if path.exists() {
        folder.write_last_table(|_| false)?;
        plots = write_plots(&mut sweep, &folder)?;
    }
    Ok(SweepOutcome { table: folder.into_table(), own, stopped: false, plots })
}

/// Writes the plots, and reports those that cannot be drawn.
fn write_plots(sweep: &mut Sweep<'_>, folder: &SweepFolder<'_>) -> Result<Vec<PathBuf>, Error> {
    let written = plots::write(&sweep.plots, folder)?;
    written.warnings.iter().for_each(|sentence| (sweep.warning_callback)(sentence));
    Ok(written.paths)
}

fn plan(sweep: &Sweep<'_>, path: &Path) -> Result<Plan, Error> {
    let scene = sweep.scene.read(&sweep.settings)?;
    folder::check(path)?;
    let plan = Plan::new(scene, (&sweep.together, &sweep.product), path, sweep.jobs)?;
    folder::check_scene_of_table(path, &plan)?;
    Ok(plan)
}

/// Runs that are shared out among workers.
struct Scheduler<'a> {
    plan: &'a Plan,
    /// Numbers of the runs that are left to do.
    left: Vec<usize>,
    /// Index of the next of them.
    next: AtomicUsize,
    /// Whether all runs are to stop.
    stop: AtomicBool,
    /// The part of its present run that each worker has done, as the bits of an `f64`.
    parts: Vec<AtomicU64>,
    /// Threads of each worker.
    threads: usize,
}

/// State of the calling thread during the runs.
struct Watch<'f, 'p> {
    progress: SweepProgress,
    deadline: Option<Instant>,
    /// Whether the runs were asked to stop.
    is_stopped: bool,
    /// Number of runs that are left to do.
    left: usize,
    folder: &'f mut SweepFolder<'p>,
    /// Warnings that were passed on.
    warnings: BTreeSet<String>,
    /// Why a worker had no threads.
    threads_refused: Option<String>,
}

impl<'a> Scheduler<'a> {
    fn new(plan: &'a Plan, left: Vec<usize>, sweep: &Sweep<'_>) -> Self {
        let jobs = sweep.jobs.clamp(1, left.len().max(1));
        let threads = sweep.threads.unwrap_or_else(rayon::current_num_threads);
        Scheduler {
            plan,
            left,
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            parts: (0..jobs).map(|_| AtomicU64::new(0)).collect(),
            threads: (threads / jobs).max(1),
        }
    }

    /// Runs everything, or until it is stopped.
    fn work(&self, sweep: &mut Sweep<'_>, watch: &mut Watch<'_, '_>) -> Result<(), Error> {
        thread::scope(|scope| {
            let (sender, reports) = channel();
            for part in &self.parts {
                let (scene, stop, reports) = (&self.plan.scene, &self.stop, sender.clone());
                let worker = Worker { scene, stop, part, reports };
                let builder = thread::Builder::new().stack_size(STACK);
                if let Err(error) = builder.spawn_scoped(scope, move || self.serve(&worker)) {
                    watch.threads_refused = Some(error.to_string());
                }
            }
            // Reports end when the last worker has ended.
            drop(sender);
            let watched = self.watch(&reports, sweep, watch);
            // Runs must not continue if their table cannot be written.
            self.stop.store(true, Ordering::Relaxed);
            watched
        })?;
        match watch.threads_refused.take() {
            Some(reason) if watch.left > 0 && !watch.is_stopped => Err(Error::Threads { reason }),
            _ => Ok(()),
        }
    }

    /// Takes run after run, on threads of its own.
    fn serve(&self, worker: &Worker<'_>) {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).stack_size(STACK).build();
        let pool = match pool {
            Ok(pool) => pool,
            Err(error) => return worker.report(Report::NoThreads { reason: error.to_string() }),
        };
        while !self.stop.load(Ordering::Relaxed) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&run) = self.left.get(next) else { return };
            pool.install(|| worker.run(run, &self.plan.runs[run]));
        }
    }

    /// Records what workers report, and keeps the table and the callbacks current.
    fn watch(
        &self,
        reports: &Receiver<Report>,
        sweep: &mut Sweep<'_>,
        watch: &mut Watch<'_, '_>,
    ) -> Result<(), Error> {
        loop {
            match reports.recv_timeout(POLLING_INTERVAL) {
                Ok(report) => watch.take(report, self.plan, sweep)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            let parts = self.parts.iter().map(|part| f64::from_bits(part.load(Ordering::Relaxed)));
            let control = watch.show(parts.sum(), sweep);
            if control == Control::Stop {
                watch.is_stopped = true;
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Watch<'_, '_> {
    fn take(&mut self, report: Report, plan: &Plan, sweep: &mut Sweep<'_>) -> Result<(), Error> {
        let (run, end) = match report {
            Report::Begun => {
                self.progress.running += 1;
                return Ok(());
            }
            Report::Warning { run, sentence } => {
                if self.warnings.insert(sentence.clone()) {
                    (sweep.warning_callback)(&format!("{}: {sentence}", plan.runs[run].name));
                }
                return Ok(());
            }
            Report::NoThreads { reason } => {
                self.threads_refused = Some(reason);
                return Ok(());
            }
            Report::Ended { run, end } => (run, end),
        };
        self.progress.running -= 1;
        let state = match end {
            RunEnd::NotBegun => return Ok(()),
            RunEnd::Stopped => SweepRunState::Stopped,
            RunEnd::InUse => SweepRunState::Running,
            RunEnd::Failed { failure } => {
                self.progress.failed += 1;
                SweepRunState::Failed { failure }
            }
            RunEnd::Finished => {
                self.progress.finished += 1;
                SweepRunState::Finished
            }
        };
        self.left -= usize::from(state != SweepRunState::Stopped);
        self.folder.record(run, state)?;
        self.folder.write_table_if_due()
    }

    /// Calls the callback for progress; `running` is the part of the runs of this moment that is done.
    fn show(&mut self, running: f64, sweep: &mut Sweep<'_>) -> Control {
        let done = (self.progress.runs - self.left) as f64;
        self.progress.part = ((done + running) / self.progress.runs as f64).min(1.0);
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        match (sweep.progress_callback)(&self.progress) {
            _ if is_late => Control::Stop,
            control => control,
        }
    }
}
