//! Sweeps: one scene with many settings.

use crate::run_errors::{self, SceneName};
use crate::{errors, thread_pool};
use carom::run::Control;
use carom::scene::scene::SceneValue;
use carom::sweep::{Sweep, SweepProgress};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What a sweep is to do.
struct Order {
    text: String,
    name: SceneName,
    folder: PathBuf,
    settings: Vec<String>,
    over: Vec<(String, Vec<SceneValue>)>,
    together: bool,
    out: PathBuf,
    jobs: usize,
    threads: usize,
    shard: Option<(usize, usize)>,
    deadline: Option<Instant>,
    plots: Vec<String>,
    list_only: bool,
    on_progress: Option<Py<PyAny>>,
}

/// Why a sweep has stopped.
enum StopReason {
    Callback,
    Interrupt,
    Deadline,
    Raised(PyErr),
}

/// Runs or lists a sweep, and returns its table as JSON with the names of its settings and quantities in their order.
#[pyfunction]
#[pyo3(name = "_sweep", signature = (
    text, name, folder, settings, *, is_file, over, together, out, jobs, threads, shard, max_walltime, plots, list_only,
    on_progress
))]
#[expect(clippy::too_many_arguments, reason = "they are named by the caller")]
pub fn sweep<'py>(
    py: Python<'py>,
    text: String,
    name: &str,
    folder: PathBuf,
    settings: Vec<String>,
    is_file: bool,
    over: Vec<(String, Vec<String>)>,
    together: bool,
    out: PathBuf,
    jobs: i64,
    threads: Option<usize>,
    shard: Option<(i64, i64)>,
    max_walltime: Option<f64>,
    plots: Vec<String>,
    list_only: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let name = if is_file { SceneName::of_file(name) } else { SceneName::of_tables(name) };
    let values = |(key, texts): (String, Vec<String>)| {
        let values = texts.iter().map(|text| {
            let wrong = || errors::INPUT.with(py, format!("{key}={text} is no value of TOML"));
            SceneValue::from_toml(text).ok_or_else(wrong)
        });
        let values = values.collect::<PyResult<Vec<_>>>()?;
        Ok((key, values))
    };
    let limit = max_walltime.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // What is negative is refused as zero is.
    let number = |number: i64| usize::try_from(number).unwrap_or(0);
    let order = Order {
        text,
        name: name.clone(),
        folder,
        settings,
        over: over.into_iter().map(values).collect::<PyResult<_>>()?,
        together,
        out,
        jobs: number(jobs),
        threads: threads.unwrap_or_else(thread_pool::threads),
        shard: shard.map(|(part, parts)| (number(part), number(parts))),
        deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
        plots,
        list_only,
        on_progress,
    };
    // Progress is reported, and signals are handled, on this thread; runs have threads of their own.
    let outcome = thread_pool::run_beside(py, false, |_| order.carry_out())?;
    let (outcome, stop, warnings) = outcome.map_err(|error| run_errors::sweep(py, error, &name))?;
    let stopped_by = match stop {
        Some(StopReason::Raised(error)) => return Err(error),
        Some(StopReason::Interrupt) => Some("interrupt"),
        _ if !outcome.stopped => None,
        Some(StopReason::Deadline) => Some("deadline"),
        Some(StopReason::Callback) => Some("callback"),
        None => None,
    };
    let found = PyDict::new(py);
    found.set_item("table", outcome.table.json().to_string())?;
    found.set_item("settings", outcome.table.keys())?;
    found.set_item("quantities", outcome.table.quantities())?;
    found.set_item("stopped_by", stopped_by)?;
    found.set_item("warnings", warnings)?;
    Ok(found)
}

/// What a sweep leaves: its outcome, why it stopped early, and warnings.
type SweepEnd = (carom::sweep::SweepOutcome, Option<StopReason>, Vec<String>);

impl Order {
    fn carry_out(self) -> Result<SweepEnd, carom::sweep::Error> {
        let (mut stop, mut warnings) = (None, Vec::new());
        let (deadline, on_progress) = (self.deadline, self.on_progress);
        let mut sweep = Sweep::parse_in(&self.text, &self.name.name, &self.folder)
            .jobs(self.jobs)
            .threads(self.threads);
        for setting in self.settings {
            sweep = sweep.set(setting);
        }
        for (key, values) in self.over {
            sweep = if self.together { sweep.zip(&key, values) } else { sweep.over(&key, values) };
        }
        if let Some((part, parts)) = self.shard {
            sweep = sweep.shard(part, parts);
        }
        for quantity in self.plots {
            sweep = sweep.plot(quantity);
        }
        let sweep = sweep
            .watched_by(|progress| {
                Python::attach(|py| watch(py, progress, on_progress.as_ref(), &mut stop));
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    stop.get_or_insert(StopReason::Deadline);
                }
                if stop.is_some() { Control::Stop } else { Control::Continue }
            })
            .warned_by(|sentence| warnings.push(sentence.to_owned()));
        let outcome = match self.list_only {
            true => sweep.list(&self.out)?,
            false => sweep.into_folder(&self.out)?,
        };
        Ok((outcome, stop, warnings))
    }
}

/// Reports to the user how far a sweep is, and handles signals.
fn watch(
    py: Python<'_>,
    progress: &SweepProgress,
    function: Option<&Py<PyAny>>,
    stop: &mut Option<StopReason>,
) {
    if stop.is_some() {
        return;
    }
    let SweepProgress { runs, finished, failed, running, part, .. } = *progress;
    let called = function
        .map(|function| function.call1(py, ((runs, finished, failed, running, part),)))
        .transpose();
    let answer = called.and_then(|answer| py.check_signals().map(|()| answer));
    *stop = match answer {
        Ok(Some(answer)) if answer.bind(py).is(PyBool::new(py, false)) => {
            Some(StopReason::Callback)
        }
        Ok(_) => None,
        Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            Some(StopReason::Interrupt)
        }
        Err(error) => Some(StopReason::Raised(error)),
    };
}
