//! A scene file run in one call, by the engine that it names.

use super::{Ending, Error, Launch, ResultsFolder, RunFolder, Runner, bonded, dem, event_driven};
use carom_scene::scene::Engine;
use carom_scene::{AnyScene, Scene};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A scene that was read and checked, ready to be run.
///
/// Made by [`carom::run`](crate::run()).
pub struct SceneRun {
    scene: AnyScene,
    source: PathBuf,
    started: Instant,
}

/// How a run into a folder ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// Why it ended.
    pub ending: Ending,
    /// The content of `summary.json`, without its `provenance`.
    pub summary: serde_json::Value,
    /// Warnings about the scene and about the run, in sentences.
    pub warnings: Vec<String>,
}

impl SceneRun {
    /// Reads a scene, with settings such as `until=2.5` applied as by `carom run --set`.
    pub fn read(path: impl AsRef<Path>, settings: &[String]) -> Result<Self, Error> {
        let started = Instant::now();
        let source = path.as_ref().to_owned();
        Ok(SceneRun { scene: AnyScene::read(&source, settings)?, source, started })
    }

    /// The scene.
    pub fn scene(&self) -> &AnyScene {
        &self.scene
    }

    /// Runs the scene to its end and writes the results that `carom run --out` writes.
    ///
    /// Fails if the folder holds results already, and leaves them as they are.
    pub fn into_folder(self, path: impl Into<PathBuf>) -> Result<RunOutcome, Error> {
        let folder = RunFolder::new(path);
        match &self.scene {
            AnyScene::TwoD(scene) => self.run_engine(scene, &folder),
            AnyScene::ThreeD(scene) => self.run_engine(scene, &folder),
        }
    }

    fn run_engine<const D: usize>(
        &self,
        scene: &Scene<D>,
        folder: &RunFolder,
    ) -> Result<RunOutcome, Error> {
        match scene.engine {
            Engine::Dem => self.run::<D, dem::Run<D>>(scene, folder),
            Engine::Bonded => self.run::<D, bonded::Run<D>>(scene, folder),
            _ => self.run::<D, event_driven::Run<D>>(scene, folder),
        }
    }

    fn run<const D: usize, R: Runner<D>>(
        &self,
        scene: &Scene<D>,
        folder: &RunFolder,
    ) -> Result<RunOutcome, Error> {
        folder.check_scene_stays(&self.source)?;
        folder.check_bodies_stay(scene)?;
        folder.check_free(scene)?;
        let mut run = R::new(scene)?;
        let preflight = run.preflight(scene);
        if let Some(refusal) = preflight.refusal {
            return Err(Error::Refused { scene: self.source.display().to_string(), refusal });
        }
        let lock = folder.lock()?;
        // Another run may have written results since.
        folder.check_free(scene)?;
        let launch = Launch {
            initialization: self.started.elapsed(),
            commit: None,
            threads: rayon::current_num_threads(),
            rows_elsewhere: 0,
        };
        let mut warnings = preflight.warnings;
        let mut results = ResultsFolder::new(lock, scene, &run, launch)?
            .warned_by(|warning| warnings.push(warning.to_owned()));
        let ending = run.run_to_end(&mut results)?;
        let summary = results.summary().map(R::summary_json).unwrap_or_default();
        drop(results);
        Ok(RunOutcome { ending, summary, warnings })
    }
}
