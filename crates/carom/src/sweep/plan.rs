//! The runs of a sweep, each with its scene checked, before anything is written.

use super::Error;
use super::axis::SweepAxis;
use super::point::{SweepPoint, points};
use super::summary_numbers::{sort_names, summary_numbers};
use crate::run::{Ending, Run, RunFolder, RunState, Timing};
use carom_io::excerpt;
use carom_scene::scene::{SceneOutline, ScenePlace, Stage, UnusedMaterial, read_scene_text};
use carom_scene::{AnyScene, Error as SceneError, Scene};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Where the scene of a sweep comes from.
#[derive(Clone, Debug)]
pub(super) enum SweepScene {
    /// A file.
    File(PathBuf),
    /// A text with its name in messages, and the folder where files that it names are found.
    Text { text: String, name: String, folder: PathBuf },
}

/// The text of a scene, read once: it may be edited while its runs wait.
#[derive(Clone, Debug)]
pub(super) struct SceneText {
    text: String,
    name: String,
    folder: PathBuf,
    /// Settings of all runs, before those that are swept.
    settings: Vec<String>,
}

/// All runs of a sweep.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The scene without the settings of a run.
    pub scene: SceneText,
    /// Keys of the swept settings.
    pub keys: Vec<String>,
    /// The runs in order.
    pub runs: Vec<PlannedRun>,
}

/// A run whose scene has been checked.
#[derive(Clone, Debug)]
pub(super) struct PlannedRun {
    /// Settings of the run.
    pub point: SweepPoint,
    /// Folder of the run.
    pub folder: RunFolder,
    /// Name of its folder.
    pub name: String,
    /// Fingerprint of its scene.
    pub fingerprint: u64,
    /// Materials of its scene that nothing uses.
    pub unused_materials: Vec<UnusedMaterial>,
    /// State of its folder when the sweep was planned.
    pub state: RunState,
}

impl SweepScene {
    /// Reads the scene.
    pub fn read(&self, settings: &[String]) -> Result<SceneText, Error> {
        let settings = settings.to_vec();
        match self.clone() {
            SweepScene::File(path) => Ok(SceneText {
                text: read_scene_text(&path).map_err(Error::Source)?,
                name: path.to_string_lossy().into_owned(),
                folder: path.parent().unwrap_or(Path::new("")).to_owned(),
                settings,
            }),
            SweepScene::Text { text, name, folder } => {
                Ok(SceneText { text, name, folder, settings })
            }
        }
    }
}

impl SceneText {
    /// Returns the path of the scene, or its name.
    pub fn path(&self) -> &Path {
        Path::new(&self.name)
    }

    /// Reads the scene of a run.
    pub fn outline(&self, point: &SweepPoint) -> Result<SceneOutline, SceneError> {
        self.parse(point.to_settings())
    }

    fn parse(&self, more: Vec<String>) -> Result<SceneOutline, SceneError> {
        let settings: Vec<String> = self.settings.iter().cloned().chain(more).collect();
        SceneOutline::parse(&self.text, &self.name, &self.folder, &settings)
    }

    /// Returns an error if a swept key is set to one value besides.
    fn check_keys(&self, keys: &[String]) -> Result<(), Error> {
        let given = self.settings.iter().filter_map(|setting| setting.split_once('='));
        let mut twice = given.filter(|(key, _)| keys.iter().any(|swept| swept == key.trim()));
        match twice.next() {
            Some((key, value)) => Err(Error::SetTwice {
                key: key.trim().to_owned(),
                value: excerpt::truncated(value),
            }),
            None => Ok(()),
        }
    }

    /// Returns the error of a scene of a run, with what is at fault: a swept setting, the scene itself, or both together.
    fn refusal(&self, point: &SweepPoint, error: SceneError) -> Error {
        if let SceneError::Scene { place: ScenePlace::Setting { setting }, problem, .. } = &error
            && point.settings.iter().any(|(key, _)| setting.starts_with(&format!("{key}=")))
        {
            return Error::Scene { run: String::new(), sentences: format!("{setting}: {problem}") };
        }
        let own = self.parse(Vec::new()).and_then(|outline| outline.without_generated_bodies());
        match own {
            Err(own) if own.to_string() == error.to_string() => Error::Source(error),
            _ => Error::Scene { run: point.to_string(), sentences: error.to_string() },
        }
    }
}

impl Plan {
    /// Reads and checks the scenes of all runs, as many at a time as given, and looks what is in their folders below
    /// `folder`.
    pub fn new(
        scene: SceneText,
        (together, product): (&[SweepAxis], &[SweepAxis]),
        folder: &Path,
        jobs: usize,
    ) -> Result<Self, Error> {
        let keys: Vec<String> =
            together.iter().chain(product).map(|axis| axis.key().to_owned()).collect();
        let points = points(together, product)?;
        scene.check_keys(&keys)?;
        let check = |point: SweepPoint| PlannedRun::new(&scene, point, folder, jobs);
        let mut points = points.into_iter();
        // What is wrong with all is said of the first, without a look at the others.
        let first = points.next().map(check).transpose()?;
        let others: Vec<Result<PlannedRun, Error>> =
            points.collect::<Vec<_>>().into_par_iter().map(check).collect();
        let runs = first.into_iter().map(Ok).chain(others).collect::<Result<_, _>>()?;
        let plan = Plan { scene, keys, runs };
        plan.check_materials()?;
        Ok(plan)
    }

    /// Returns an error if a material is swept that no run uses.
    fn check_materials(&self) -> Result<(), Error> {
        for key in &self.keys {
            let Some(name) = material_of_key(key) else { continue };
            let unused = |run: &PlannedRun| {
                run.unused_materials.iter().find(|material| material.name == name).cloned()
            };
            let unused: Option<Vec<UnusedMaterial>> = self.runs.iter().map(unused).collect();
            if let Some(material) = unused.as_ref().and_then(|unused| unused.first()) {
                let guess = material.guess();
                let rule = format!(
                    "nothing uses the material {name}, so that every run would be the same{guess}"
                );
                return Err(Error::Values { setting: excerpt::truncated(key), rule });
            }
        }
        Ok(())
    }

    /// Returns the first key in which the scene differs from one, given by its text as run, of a sweep over other keys.
    pub fn difference(&self, as_run: &str, keys: &[&str]) -> Result<Option<String>, Error> {
        let Some(run) = self.runs.first() else { return Ok(None) };
        let scene = self.checked_scene(run)?;
        let swept = self.keys.iter().map(String::as_str).chain(keys.iter().copied());
        Ok(scene.difference_apart_from(as_run, &swept.collect::<Vec<_>>()))
    }

    /// Returns the names of the numbers that the summary of a run will have, as far as its start shows; none if the first
    /// run cannot start.
    pub fn names_at_start(&self) -> Vec<String> {
        let outline = self.runs.first().map(|run| self.scene.outline(&run.point));
        match outline.and_then(|outline| outline.ok()?.expand().ok()) {
            Some(AnyScene::TwoD(scene)) => names_at_start(&scene),
            Some(AnyScene::ThreeD(scene)) => names_at_start(&scene),
            None => Vec::new(),
        }
    }

    /// Returns what the folder of a run holds now.
    pub fn state_of(&self, run: &PlannedRun) -> Result<RunState, Error> {
        run_state(&run.folder, &self.checked_scene(run)?)
    }

    fn checked_scene(&self, run: &PlannedRun) -> Result<AnyScene, Error> {
        let outline = self.scene.outline(&run.point);
        let scene = outline.and_then(|outline| outline.without_generated_bodies());
        scene.map_err(Error::Source)
    }
}

fn names_at_start<const D: usize>(scene: &Scene<D>) -> Vec<String> {
    let Ok(run) = Run::new(scene) else { return Vec::new() };
    let summary = run.summary(Ending::Time, Timing::default()).json();
    let mut names: Vec<String> = summary_numbers(&summary).into_keys().collect();
    let columns = run.columns();
    // Means and later stages are there once there are rows.
    let of_columns = |group: &str| {
        let parts = columns.iter().flat_map(|name| [(name, "mean"), (name, "error")]);
        let names = parts.map(|(name, part)| format!("{group}means.{name}.{part}"));
        names.collect::<Vec<String>>()
    };
    names.extend(of_columns(""));
    for Stage { name, .. } in &scene.stages {
        names.extend(["begin", "end"].map(|part| format!("stages.{name}.{part}")));
        names.extend(of_columns(&format!("stages.{name}.")));
    }
    names.extend(columns);
    sort_names(&mut names);
    names.dedup();
    names
}

/// The name of the material that a key such as `materials.glass.friction` is one of.
fn material_of_key(key: &str) -> Option<&str> {
    let mut parts = key.split('.').map(str::trim);
    parts.find(|part| *part == "materials")?;
    parts.next()
}

fn run_state(folder: &RunFolder, scene: &AnyScene) -> Result<RunState, Error> {
    Ok(match scene {
        AnyScene::TwoD(scene) => folder.state_of(scene)?,
        AnyScene::ThreeD(scene) => folder.state_of(scene)?,
    })
}

/// Returns an error if a run has come beyond the end that it has now, where its results would be lost.
fn check_end(folder: &RunFolder, scene: &AnyScene) -> Result<(), Error> {
    match scene {
        AnyScene::TwoD(scene) => folder.check_end(scene)?,
        AnyScene::ThreeD(scene) => folder.check_end(scene)?,
    }
    Ok(())
}

impl PlannedRun {
    fn new(
        scene: &SceneText,
        point: SweepPoint,
        folder: &Path,
        jobs: usize,
    ) -> Result<Self, Error> {
        let checked = scene.outline(&point).and_then(|outline| {
            outline.check_memory(jobs)?;
            outline.without_generated_bodies()
        });
        let checked = checked.map_err(|error| scene.refusal(&point, error))?;
        let name = point.name();
        let folder = RunFolder::new(folder.join(&name));
        match run_state(&folder, &checked)? {
            RunState::Foreign { difference } => Err(Error::other_scene(&folder, difference)),
            state => {
                if state == RunState::Cut {
                    check_end(&folder, &checked)?;
                }
                let fingerprint = checked.fingerprint();
                let unused_materials = checked.unused_materials().to_vec();
                Ok(PlannedRun { point, folder, name, fingerprint, unused_materials, state })
            }
        }
    }
}
