//! Runs of scenes: into a folder, or into memory.

use crate::callbacks::{self, CallbackErrors, PythonObservable, values_to_python};
use crate::frame::Frame;
use crate::run_errors;
use crate::scene::CheckedScene;
use crate::state::{OfDimension, State};
use crate::thread_pool;
use carom::io::{Checkpoint, Frame as IoFrame};
use carom::run::{
    Control, Ending, Error, ExistingResults, FolderRun, ResultsFolder, Run, RunFolder, RunProgress,
    Sink, Summary, Timing,
};
use carom::scene::{AnyScene, Scene};
use carom::simulate::observe::ObservableTable;
use carom::simulate::{Value, Values};
use numpy::PyArray1;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::ThreadPool;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Interval of calls that show progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Largest number of bodies with which a run stays on the calling thread: other threads would take longer to wake than to work.
pub const FEW_BODIES: usize = 2000;

/// What a run calls and what it is given, by Python.
struct Callbacks {
    on_row: Option<Py<PyAny>>,
    on_frame: Option<Py<PyAny>>,
    on_progress: Option<Py<PyAny>>,
    raised: CallbackErrors,
    deadline: Option<Instant>,
}

/// Why a run is to stop before its end.
enum StopReason {
    /// A callback has returned False.
    Callback,
    /// Ctrl-C.
    Interrupt,
    /// The limit of wall-clock time.
    Deadline,
    /// A callback or the handler of a signal has raised an exception.
    Raised(PyErr),
}

/// What a run in memory has left.
struct KeptOutput<const D: usize> {
    columns: Vec<String>,
    /// Names of the columns that are whole numbers.
    counts: BTreeSet<String>,
    rows: Vec<Vec<f64>>,
    frames: Vec<IoFrame<D>>,
    checkpoint: Vec<u8>,
    /// Text of the scene as it was run.
    scene: String,
}

/// The sink of a run of Python: a folder or the memory, and callbacks.
struct PythonSink<'a, const D: usize> {
    folder: Option<ResultsFolder<'a, D>>,
    kept: Option<KeptOutput<D>>,
    callbacks: &'a Callbacks,
    pool: Option<&'a ThreadPool>,
    stop: Option<StopReason>,
    last_progress: Instant,
    warnings: Vec<String>,
    started: Instant,
    initialization: Duration,
    summary: Option<Summary>,
    tables: Vec<(String, ObservableTable)>,
}

impl<const D: usize> PythonSink<'_, D> {
    fn stop_for(&mut self, py: Python<'_>, error: PyErr) {
        let reason = match error.is_instance_of::<PyKeyboardInterrupt>(py) {
            true => StopReason::Interrupt,
            false => StopReason::Raised(error),
        };
        self.stop.get_or_insert(reason);
    }

    /// Calls a function of the user; what it raises, or False, stops the run.
    fn call(
        &mut self,
        function: Option<&Py<PyAny>>,
        argument: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>,
    ) {
        let Some(function) = function.filter(|_| self.stop.is_none()) else { return };
        Python::attach(|py| {
            let called = argument(py).and_then(|argument| function.call1(py, (argument,)));
            match called {
                Ok(answer) if answer.bind(py).is(pyo3::types::PyBool::new(py, false)) => {
                    self.stop.get_or_insert(StopReason::Callback);
                }
                Ok(_) => {}
                Err(error) => self.stop_for(py, error),
            }
        });
    }

    fn fault(&self) -> Result<(), Error> {
        match self.callbacks.raised.has_fault() {
            true => Err(Error::Other("a function of Python has raised an exception".into())),
            false => Ok(()),
        }
    }
}

impl<const D: usize> Sink<D> for PythonSink<'_, D>
where
    Frame: From<IoFrame<D>>,
{
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        self.fault()?;
        if let Some(folder) = &mut self.folder {
            folder.log(row)?;
        }
        if let Some(kept) = &mut self.kept {
            let counts = row.iter().filter(|(_, value)| matches!(value, Value::Count(_)));
            kept.counts.extend(counts.map(|(name, _)| name.to_owned()));
            kept.rows.push(row.iter().map(|(_, value)| value.number()).collect());
        }
        let function = self.callbacks.on_row.as_ref();
        self.call(function, |py| Ok(values_to_python(py, row)?.into_any().unbind()));
        Ok(())
    }

    fn frame(&mut self, frame: &dyn Fn() -> IoFrame<D>) -> Result<(), Error> {
        let function = self.callbacks.on_frame.as_ref();
        let is_seen = function.is_some() || self.kept.is_some();
        if !is_seen {
            return match &mut self.folder {
                Some(folder) => folder.frame(frame),
                None => Ok(()),
            };
        }
        let frame = frame();
        if let Some(folder) = &mut self.folder {
            let frame = Cell::new(Some(frame.clone()));
            folder.frame(&|| frame.take().expect("a frame is built once"))?;
        }
        if function.is_some() {
            let shown = frame.clone();
            self.call(function, |py| Ok(Py::new(py, Frame::from(shown))?.into_any()));
        }
        if let Some(kept) = &mut self.kept {
            kept.frames.push(frame);
        }
        Ok(())
    }

    fn measure(&mut self, work: &mut dyn FnMut()) {
        match &mut self.folder {
            Some(folder) => folder.measure(work),
            None => work(),
        }
    }

    fn advance(&mut self, work: &mut (dyn FnMut() + Send)) {
        match self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    fn progress(&mut self, progress: &RunProgress) -> Control {
        let callbacks = self.callbacks;
        if self.last_progress.elapsed() >= PROGRESS_INTERVAL {
            self.last_progress = Instant::now();
            let RunProgress { part, time, count, counted } = *progress;
            self.call(callbacks.on_progress.as_ref(), |py| {
                Ok((part, time, count, counted).into_pyobject(py)?.into_any().unbind())
            });
        }
        Python::attach(|py| {
            if let Err(error) = py.check_signals() {
                self.stop_for(py, error);
            }
            if let Some(error) = callbacks.raised.take_interrupt() {
                self.stop_for(py, error);
            }
        });
        if callbacks.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop.get_or_insert(StopReason::Deadline);
        }
        let wish = match &mut self.folder {
            Some(folder) => folder.progress(progress),
            None => Control::Continue,
        };
        if self.stop.is_some() { Control::Stop } else { wish }
    }

    fn checkpoint(&mut self, run: &Run<D>) -> Result<(), Error> {
        self.fault()?;
        if let Some(folder) = &mut self.folder {
            folder.checkpoint(run)?;
        }
        if let Some(kept) = &mut self.kept {
            kept.checkpoint = run.checkpoint().encode();
        }
        Ok(())
    }

    fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }

    fn end(&mut self, run: &Run<D>, ending: Ending) -> Result<(), Error> {
        if let Some(folder) = &mut self.folder {
            folder.end(run, ending)?;
            self.summary = folder.summary().cloned();
        }
        if self.kept.is_some() {
            self.tables = run.tables();
            let timing = Timing {
                initialization: self.initialization,
                running: self.started.elapsed(),
                ..Timing::default()
            };
            self.summary = Some(run.summary(ending, timing));
        }
        Ok(())
    }
}

/// Where the results of a run go, and what of an earlier part is there.
struct Destination {
    folder: Option<PathBuf>,
    new_folder: Option<PathBuf>,
    resume: bool,
    force: bool,
    /// The checkpoint of an earlier part in memory.
    checkpoint: Option<Vec<u8>>,
}

/// Returns the seconds of a text such as 10s, 5min or 2h; None for anything else.
#[pyfunction]
#[pyo3(name = "_parse_duration")]
pub fn parse_duration(text: &str) -> Option<f64> {
    carom::io::parse_duration(text).map(|duration| duration.as_secs_f64())
}

/// Runs a scene, and returns what it left.
#[pyfunction]
#[pyo3(name = "_run", signature = (
    scene, *, folder, new_folder, resume, force, force_energy, check, checkpoint, max_walltime, on_row, on_frame,
    on_progress, observables, forces
))]
#[expect(clippy::too_many_arguments, reason = "they are named by the caller")]
pub fn run<'py>(
    py: Python<'py>,
    scene: &CheckedScene,
    folder: Option<PathBuf>,
    new_folder: Option<PathBuf>,
    resume: bool,
    force: bool,
    force_energy: bool,
    check: bool,
    checkpoint: Option<Vec<u8>>,
    max_walltime: Option<f64>,
    on_row: Option<Py<PyAny>>,
    on_frame: Option<Py<PyAny>>,
    on_progress: Option<Py<PyAny>>,
    observables: Vec<Bound<'py, PyAny>>,
    forces: Vec<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limit = max_walltime.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let raised = CallbackErrors::default();
    let callbacks = Callbacks {
        on_row,
        on_frame,
        on_progress,
        raised: raised.clone(),
        deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
    };
    let observables = observables.iter().map(|it| PythonObservable::of(it, raised.clone()));
    let own = OwnParts {
        observables: observables.collect::<PyResult<_>>()?,
        forces,
        force_energy,
        check,
    };
    let destination = Destination { folder, new_folder, resume, force, checkpoint };
    match scene.scene.as_ref() {
        AnyScene::TwoD(inner) => run_scene(py, inner, scene, destination, &callbacks, own),
        AnyScene::ThreeD(inner) => run_scene(py, inner, scene, destination, &callbacks, own),
    }
}

/// What the user adds to a run.
struct OwnParts {
    observables: Vec<PythonObservable>,
    forces: Vec<Py<PyAny>>,
    force_energy: bool,
    check: bool,
}

impl OwnParts {
    fn add_to<const D: usize>(self, run: &mut Run<D>, raised: &CallbackErrors) -> Result<(), Error>
    where
        State: OfDimension<D>,
    {
        for observable in self.observables {
            run.observe(Box::new(observable))?;
        }
        for function in self.forces {
            run.add_force_of_bodies(callbacks::force::<D>(function, raised.clone()))?;
        }
        if self.force_energy {
            run.force_energy();
        }
        if self.check {
            run.check_structure();
        }
        Ok(())
    }
}

/// A run at its start or its checkpoint.
enum Beginning<'s, const D: usize> {
    InFolder(Box<FolderRun<'s, D>>),
    InMemory(Box<Run<D>>),
}

fn begin<'s, const D: usize>(
    scene: &'s Scene<D>,
    source: &Path,
    destination: Destination,
) -> Result<Beginning<'s, D>, Error> {
    let Destination { folder, new_folder, resume, force, checkpoint } = destination;
    let Some(folder) = folder.map(RunFolder::new) else {
        let run = match checkpoint {
            Some(bytes) => Run::resume(scene, Checkpoint::decode(&bytes, "the checkpoint")?)?,
            None => {
                let run = Run::new(scene)?;
                if let Some(refusal) = run.estimate(scene).refusal {
                    let scene = source.display().to_string();
                    return Err(Error::Refused { scene, refusal });
                }
                run
            }
        };
        return Ok(Beginning::InMemory(Box::new(run)));
    };
    let begun = match resume {
        true => FolderRun::resume(scene, &folder, new_folder.map(RunFolder::new).as_ref())?,
        false => {
            let existing = if force { ExistingResults::Replace } else { ExistingResults::Keep };
            FolderRun::begin(scene, source, &folder, existing)?
        }
    };
    Ok(Beginning::InFolder(Box::new(begun)))
}

fn run_scene<'py, const D: usize>(
    py: Python<'py>,
    scene: &Scene<D>,
    checked: &CheckedScene,
    destination: Destination,
    callbacks: &Callbacks,
    own: OwnParts,
) -> PyResult<Bound<'py, PyDict>>
where
    Frame: From<IoFrame<D>>,
    State: OfDimension<D>,
{
    let start = Instant::now();
    let source = PathBuf::from(&checked.name.name);
    let raised = &callbacks.raised;
    let at_start = |error| match raised.take_fault() {
        Some(exception) => exception,
        None => run_errors::start(py, error, &checked.name),
    };
    let begun = thread_pool::run(py, || {
        let mut begun = begin(scene, &source, destination)?;
        let run = match &mut begun {
            Beginning::InFolder(begun) => begun.run_mut(),
            Beginning::InMemory(run) => run,
        };
        own.add_to(run, raised)?;
        Ok(begun)
    })?;
    let begun = begun.map_err(at_start)?;
    if let Some(exception) = raised.take_fault() {
        return Err(exception);
    }
    let present = match &begun {
        Beginning::InFolder(begun) => begun.run().engine().body_count(),
        Beginning::InMemory(run) => run.engine().body_count(),
    };
    let poured: usize = scene.pours.iter().map(|pour| pour.radii.len()).sum();
    let outcome = thread_pool::run_beside(py, present + poured > FEW_BODIES, |pool| {
        let initialization = start.elapsed();
        let mut warnings = match &begun {
            Beginning::InFolder(begun) => begun.warnings(),
            Beginning::InMemory(run) => run.estimate(scene).warnings,
        };
        let (mut run, folder) = match begun {
            Beginning::InFolder(begun) => {
                let prepare = || begun.into_results(initialization);
                let (run, results) = match pool {
                    Some(pool) => pool.install(prepare)?,
                    None => prepare()?,
                };
                (run, Some(results))
            }
            Beginning::InMemory(run) => (*run, None),
        };
        let kept = folder.is_none().then(|| KeptOutput {
            columns: run.columns(),
            counts: BTreeSet::new(),
            rows: Vec::new(),
            frames: Vec::new(),
            checkpoint: Vec::new(),
            scene: run.as_run(scene),
        });
        let earlier = (run.rows(), run.frame_times().len());
        let mut sink = PythonSink {
            folder,
            kept,
            callbacks,
            pool,
            stop: None,
            last_progress: start,
            warnings: Vec::new(),
            started: Instant::now(),
            initialization,
            summary: None,
            tables: Vec::new(),
        };
        let ended = run.run_to_end(&mut sink);
        warnings.append(&mut sink.warnings);
        let digest = run.state_digest();
        ended.map(|ending| Outcome {
            ending,
            stop: sink.stop,
            summary: sink.summary,
            tables: sink.tables,
            kept: sink.kept,
            warnings,
            earlier,
            digest,
        })
    })?;
    if let Some(exception) = raised.take_fault() {
        return Err(exception);
    }
    outcome.map_err(|error| run_errors::during(py, error))?.into_python(py)
}

/// How a run has ended, and what it left in memory.
struct Outcome<const D: usize> {
    ending: Ending,
    stop: Option<StopReason>,
    summary: Option<Summary>,
    tables: Vec<(String, ObservableTable)>,
    kept: Option<KeptOutput<D>>,
    warnings: Vec<String>,
    /// Numbers of rows and frames that an earlier part has left.
    earlier: (u64, usize),
    /// Digest of the final state.
    digest: String,
}

impl<const D: usize> Outcome<D>
where
    Frame: From<IoFrame<D>>,
{
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let stopped_by = match self.stop {
            Some(StopReason::Raised(error)) => return Err(error),
            // Ctrl-C is not lost where it came too late to stop the run.
            Some(StopReason::Interrupt) => Some("interrupt"),
            _ if self.ending != Ending::Stopped => None,
            Some(StopReason::Deadline) => Some("deadline"),
            Some(StopReason::Callback) => Some("callback"),
            None => None,
        };
        let outcome = PyDict::new(py);
        outcome.set_item("stopped_by", stopped_by)?;
        outcome.set_item("warnings", self.warnings)?;
        outcome.set_item("earlier", self.earlier)?;
        outcome.set_item("digest", self.digest)?;
        let summary = self.summary.map(|summary| summary.json().to_string());
        outcome.set_item("summary", summary)?;
        if let Some(kept) = self.kept {
            outcome.set_item("log", columns(py, &kept.columns, &kept.rows)?)?;
            let frames = kept.frames.into_iter().map(|frame| Py::new(py, Frame::from(frame)));
            outcome.set_item("frames", frames.collect::<PyResult<Vec<_>>>()?)?;
            outcome.set_item("checkpoint", PyBytes::new(py, &kept.checkpoint))?;
            outcome.set_item("scene", kept.scene)?;
            outcome.set_item("counts", kept.counts.into_iter().collect::<Vec<_>>())?;
            let tables = PyDict::new(py);
            for (name, table) in &self.tables {
                tables.set_item(name, columns(py, &table.columns, &table.rows)?)?;
            }
            outcome.set_item("tables", tables)?;
        }
        Ok(outcome)
    }
}

/// Rows as a dict of columns.
fn columns<'py>(
    py: Python<'py>,
    names: &[String],
    rows: &[Vec<f64>],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    for (number, name) in names.iter().enumerate() {
        let values = rows.iter().map(|row| row.get(number).copied().unwrap_or(f64::NAN));
        columns.set_item(name, PyArray1::from_vec(py, values.collect()))?;
    }
    Ok(columns)
}
