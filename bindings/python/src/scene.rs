//! Scenes: their text as tables, and the checked scene behind them.

use crate::run_errors::{self, SceneName};
use crate::{errors, thread_pool, toml_tables};
use carom::run::{Run, RunCost};
use carom::scene::AnyScene;
use carom::scene::scene::SceneOutline;
use carom_cli::SHIPPED_SCENES;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Duration of the trial by which the cost of a run is estimated, as on the command line.
const TRIAL: Duration = Duration::from_millis(700);

/// Returns the tables of a text in TOML.
#[pyfunction]
#[pyo3(name = "_parse_toml")]
pub fn parse_toml<'py>(py: Python<'py>, text: &str, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match toml::from_str::<toml::Table>(text) {
        Ok(table) => toml_tables::to_python(py, &table),
        Err(error) => {
            // The reader of scenes knows the line and has its own words for it.
            let name = SceneName::of_file(name);
            let located = SceneOutline::parse(text, &name.name, "".as_ref(), &[]);
            Err(match located {
                Err(located) => run_errors::scene(py, located, &name),
                Ok(_) => errors::SCENE.with(py, error.message()),
            })
        }
    }
}

/// Returns the text of tables in TOML.
#[pyfunction]
#[pyo3(name = "_format_toml")]
pub fn format_toml(py: Python<'_>, tables: &Bound<'_, PyAny>) -> PyResult<String> {
    let table = toml_tables::of_python(tables)?;
    toml::to_string(&table).map_err(|error| errors::SCENE.with(py, error))
}

/// Returns tables with what TOML has in place of what Python has: lists of tuples and arrays, numbers of those of NumPy.
#[pyfunction]
#[pyo3(name = "_plain_tables")]
pub fn plain_tables<'py>(
    py: Python<'py>,
    tables: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    toml_tables::to_python(py, &toml_tables::of_python(tables)?)
}

/// Returns the text of one value in TOML, on one line.
#[pyfunction]
#[pyo3(name = "_format_toml_value")]
pub fn format_toml_value(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(toml_tables::value_of_python(key, value, 0)?.to_string())
}

/// Returns the scenes that carom carries: name, text, and the files that must be beside it.
#[pyfunction]
#[pyo3(name = "_shipped_scenes")]
pub fn shipped_scenes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let scenes = PyDict::new(py);
    for scene in &SHIPPED_SCENES {
        let meshes = PyDict::new(py);
        for mesh in scene.meshes() {
            meshes.set_item(mesh.name, PyBytes::new(py, mesh.bytes))?;
        }
        scenes.set_item(scene.name, (scene.text, meshes))?;
    }
    Ok(scenes)
}

/// Returns the JSON schema of scenes.
#[pyfunction]
#[pyo3(name = "_schema")]
pub fn schema() -> String {
    carom::scene::scene::schema().to_string()
}

/// A scene that was read and checked, with all its bodies.
#[pyclass(frozen, module = "carom._carom")]
pub struct CheckedScene {
    /// The scene.
    pub scene: Arc<AnyScene>,
    /// How messages name it.
    pub name: SceneName,
}

#[pymethods]
impl CheckedScene {
    /// Reads a scene from its text, with settings such as `until=2.5`; relative file names are found from the folder.
    #[staticmethod]
    #[pyo3(signature = (text, name, folder, settings, *, is_file))]
    fn read(
        py: Python<'_>,
        text: &str,
        name: &str,
        folder: PathBuf,
        settings: Vec<String>,
        is_file: bool,
    ) -> PyResult<Self> {
        let name = if is_file { SceneName::of_file(name) } else { SceneName::of_tables(name) };
        let (text, source) = (text.to_owned(), name.name.clone());
        let read = thread_pool::run_owned(py, move || {
            let outline = SceneOutline::parse(&text, &source, &folder, &settings)?;
            outline.check_memory(1)?;
            outline.expand()
        })?;
        let scene = read.map_err(|error| run_errors::scene(py, error, &name))?;
        Ok(CheckedScene { scene: Arc::new(scene), name })
    }

    /// Reads the scene that was run in a results folder.
    #[staticmethod]
    fn read_results(py: Python<'_>, folder: PathBuf, settings: Vec<String>) -> PyResult<Self> {
        let name = SceneName::of_file(&folder.join("scene.toml").to_string_lossy());
        let read = thread_pool::run_owned(py, move || {
            let outline = SceneOutline::read_results(&folder, &settings)?;
            outline.check_memory(1)?;
            outline.expand()
        })?;
        let scene = read.map_err(|error| run_errors::scene(py, error, &name))?;
        Ok(CheckedScene { scene: Arc::new(scene), name })
    }

    #[getter]
    fn engine(&self) -> &'static str {
        match self.scene.as_ref() {
            AnyScene::TwoD(scene) => scene.engine.name(),
            AnyScene::ThreeD(scene) => scene.engine.name(),
        }
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.scene.dimension()
    }

    #[getter]
    fn count(&self) -> usize {
        self.scene.body_count()
    }

    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        let fingerprint = thread_pool::run(py, || match self.scene.as_ref() {
            AnyScene::TwoD(scene) => scene.fingerprint(),
            AnyScene::ThreeD(scene) => scene.fingerprint(),
        })?;
        Ok(format!("{fingerprint:016x}"))
    }

    #[getter]
    fn until(&self) -> Option<f64> {
        match self.scene.as_ref() {
            AnyScene::TwoD(scene) => scene.duration(),
            AnyScene::ThreeD(scene) => scene.duration(),
        }
    }

    #[getter]
    fn materials(&self) -> Vec<String> {
        let materials = match self.scene.as_ref() {
            AnyScene::TwoD(scene) => &scene.materials,
            AnyScene::ThreeD(scene) => &scene.materials,
        };
        materials.iter().map(|material| material.name.clone()).collect()
    }

    /// Returns what the scene will do, as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        let scene = self.scene.clone();
        let report = thread_pool::run_owned(py, move || match scene.as_ref() {
            AnyScene::TwoD(scene) => report(scene),
            AnyScene::ThreeD(scene) => report(scene),
        })?;
        report.map_err(|error| run_errors::start(py, error, &self.name))
    }
}

/// Returns the text of a scene that repeats its run, with absolute names of files.
#[pyfunction]
#[pyo3(name = "_as_run", signature = (text, name, folder, settings, *, is_file))]
pub fn as_run(
    py: Python<'_>,
    text: &str,
    name: &str,
    folder: PathBuf,
    settings: Vec<String>,
    is_file: bool,
) -> PyResult<String> {
    let name = if is_file { SceneName::of_file(name) } else { SceneName::of_tables(name) };
    let outline = SceneOutline::parse(text, &name.name, &folder, &settings);
    let text = outline.and_then(|outline| outline.to_toml());
    text.map_err(|error| run_errors::scene(py, error, &name))
}

fn report<const D: usize>(scene: &carom::scene::Scene<D>) -> Result<String, carom::run::Error> {
    let run = Run::new(scene)?;
    let estimate = run.estimate(scene);
    if let Some(refusal) = estimate.refusal {
        return Err(carom::run::Error::Refused { scene: String::new(), refusal });
    }
    let mut report = estimate.json();
    report["estimate"] = RunCost::of(run, scene, TRIAL)?.json();
    Ok(report.to_string())
}
