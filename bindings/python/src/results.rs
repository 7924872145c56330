//! Results of runs: read from folders, written into them, and put into a page.

use crate::frame::{AnyFrame, Frame};
use crate::run_errors;
use crate::scene::CheckedScene;
use crate::{arrays, errors, names, thread_pool};
use carom::Results;
use carom::io::{
    Checkpoint, Error as IoError, FrameFormat, FrameSeries, LogFile, write_atomically,
};
use carom::run::{Error, RunFolder};
use carom::scene::scene::copy_inputs;
use carom::scene::{AnyScene, Scene};
use carom::simulate::Value;
use carom_view::{ExportOptions, FrameOverlay};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder that a run has written.
#[pyclass(frozen, module = "carom._carom")]
pub struct ResultsReader {
    results: Arc<Results>,
}

#[pymethods]
impl ResultsReader {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let opened = thread_pool::run_owned(py, move || Results::open(&folder))?;
        let results = opened.map_err(|error| run_errors::during(py, error))?;
        Ok(ResultsReader { results: Arc::new(results) })
    }

    /// Number of frames.
    #[getter]
    fn frame_count(&self) -> usize {
        self.results.frame_count()
    }

    /// Reads a frame.
    fn frame(&self, py: Python<'_>, number: usize) -> PyResult<Frame> {
        let results = self.results.clone();
        let read = thread_pool::run_owned(py, move || results.frame(number))?;
        let frame = read.map_err(|error| run_errors::during(py, error))?;
        Ok(Frame::of_file(frame, self.results.header().dimension))
    }

    /// Reads the log as a dict of columns.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let results = self.results.clone();
        let read = thread_pool::run_owned(py, move || results.log())?;
        let log = read.map_err(|error| run_errors::during(py, error))?;
        let columns = PyDict::new(py);
        for name in log.names() {
            let column = log.column(name).unwrap_or_default();
            columns.set_item(name, PyArray1::from_slice(py, column))?;
        }
        Ok(columns)
    }

    /// Reads the summary as JSON; None before the run has ended or paused.
    fn summary(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.results.summary() {
            Ok(summary) => Ok(Some(summary.to_string())),
            Err(Error::Io(IoError::CannotRead { source, .. }))
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Err(error @ Error::Summary { .. }) => Err(errors::FILE.with(py, error)),
            Err(error) => Err(run_errors::during(py, error)),
        }
    }

    /// Reads the checkpoint.
    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let results = self.results.clone();
        let read = thread_pool::run_owned(py, move || results.checkpoint().map(|it| it.encode()))?;
        let bytes = read.map_err(|error| run_errors::during(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Whether a run is writing into the folder now.
    #[getter]
    fn is_in_use(&self) -> bool {
        RunFolder::new(self.results.folder()).is_in_use()
    }
}

/// Reads the file of a checkpoint, and returns its bytes if it is one.
#[pyfunction]
#[pyo3(name = "_read_checkpoint")]
pub fn read_checkpoint(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyBytes>> {
    let read = thread_pool::run_owned(py, move || Checkpoint::read(&path).map(|it| it.encode()))?;
    let bytes = read.map_err(|error| run_errors::file(py, error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Writes what a run in memory has left into a folder, as if it had run there.
#[pyfunction]
#[pyo3(name = "_write_results")]
#[expect(clippy::too_many_arguments, reason = "they are named by the caller")]
pub fn write_results(
    py: Python<'_>,
    folder: PathBuf,
    scene: &CheckedScene,
    text: &str,
    log: &Bound<'_, PyDict>,
    counts: Vec<String>,
    frames: Vec<PyRef<'_, Frame>>,
    summary: &str,
    checkpoint: &[u8],
) -> PyResult<()> {
    let mut columns = Vec::new();
    for item in log.items() {
        let (name, values): (String, Bound<'_, PyAny>) = item.extract()?;
        let values = arrays::row(&name, &values)?;
        let is_count = counts.contains(&name);
        let value = |number: &f64| match is_count && *number >= 0.0 {
            true => Value::Count(*number as u64),
            false => Value::Number(*number),
        };
        columns.push((name, arrays::read1(&values)?.as_array().iter().map(value).collect()));
    }
    let frames: Vec<&Frame> = frames.iter().map(|frame| &**frame).collect();
    let parts = Parts { text, columns, frames, summary, checkpoint };
    let written = thread_pool::run(py, || match scene.scene.as_ref() {
        AnyScene::TwoD(scene) => parts.write(&folder, scene),
        AnyScene::ThreeD(scene) => parts.write(&folder, scene),
    })?;
    written.map_err(|error| run_errors::during(py, error))
}

/// What stands in a folder of results.
struct Parts<'a> {
    text: &'a str,
    columns: Vec<(String, Vec<Value>)>,
    frames: Vec<&'a Frame>,
    summary: &'a str,
    checkpoint: &'a [u8],
}

impl Parts<'_> {
    fn write<const D: usize>(&self, path: &Path, scene: &Scene<D>) -> Result<(), Error> {
        let folder = RunFolder::new(path);
        folder.check_free(scene)?;
        let _lock = folder.lock()?;
        folder.check_free(scene)?;
        let text = copy_inputs(self.text, path)?;
        write_atomically(&folder.file("scene.toml"), |out| out.write_all(text.as_bytes()))?;
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        let mut log = LogFile::create(&folder.file("log.csv"), &names)?;
        for row in 0..self.columns.first().map_or(0, |(_, values)| values.len()) {
            let values = self.columns.iter().map(|(_, values)| values[row]);
            log.append(&values.collect::<Vec<_>>())?;
        }
        log.sync()?;
        let formats = match scene.output.formats.as_slice() {
            [] => &[FrameFormat::Vtk],
            formats => formats,
        };
        let mut series = FrameSeries::create(path, formats)?
            .with_columns(scene.output.columns.clone())
            .compressed(scene.output.compression);
        for frame in &self.frames {
            match frame.inner() {
                AnyFrame::TwoD(frame) => series.write(frame)?,
                AnyFrame::ThreeD(frame) => series.write(frame)?,
            }
        }
        series.write_index()?;
        let checkpoint = Checkpoint::decode(self.checkpoint, "the checkpoint")?;
        checkpoint.write(&folder.file("checkpoint.bin"))?;
        // Last, since it says that the run has ended.
        Ok(write_atomically(&folder.file("summary.json"), |out| {
            out.write_all(self.summary.as_bytes())
        })?)
    }
}

/// Writes a page with a run inside; returns the number of frames in it, and sentences about what cannot be shown.
#[pyfunction]
#[pyo3(name = "_export_page")]
pub fn export_page(
    py: Python<'_>,
    folder: PathBuf,
    file: PathBuf,
    first: usize,
    behind: Option<usize>,
    every: usize,
    overlays: Vec<String>,
) -> PyResult<(usize, Vec<String>)> {
    let overlay = |name: &String| {
        FrameOverlay::named(name).ok_or_else(|| {
            names::unknown(py, "overlay", name, FrameOverlay::ALL.map(FrameOverlay::name))
        })
    };
    let overlays = overlays.iter().map(overlay).collect::<PyResult<_>>()?;
    let options = ExportOptions { frames: first..behind.unwrap_or(usize::MAX), every, overlays };
    let exported = thread_pool::run_owned(py, move || {
        let run = carom_view::Run::open(&folder)?;
        carom_view::export(&run, &options, &file)
    })?;
    match exported {
        Ok(page) => Ok((page.frames, page.faults)),
        Err(carom_view::Error::Io(error)) => Err(run_errors::file(py, error)),
        Err(error) => Err(errors::FILE.with(py, error)),
    }
}
