//! A scene file run in one call, by the engine that it names.

use super::{
    Ending, Error, Launch, ResultsFolder, RunFolder, Runner, Sink, Timing, bonded, dem,
    event_driven,
};
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

    /// Reads a scene from its text; files that it names are searched in the current folder.
    ///
    /// ```
    /// use carom::run::SceneRun;
    /// let scene = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
    ///              [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
    /// let outcome = SceneRun::parse(scene)?.run()?;
    /// assert_eq!(outcome.summary["energy"]["damping_loss"], 0.0);
    /// # Ok::<(), carom::run::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (started, source) = (Instant::now(), PathBuf::from("the scene"));
        let scene = AnyScene::parse(text, "the scene", Path::new(""), &[])?;
        Ok(SceneRun { scene, source, started })
    }

    /// Takes a scene that was built by a program.
    ///
    /// ```
    /// use carom::run::SceneRun;
    /// use carom::scene::scene::{SceneBuilder, SceneTable};
    /// let scene = SceneBuilder::new("event-driven", 2)
    ///     .set("until", 3.0)
    ///     .set("box.size", 9.0)
    ///     .push("bodies", SceneTable::new().set("position", [4.0, 4.0]).set("radius", 0.5));
    /// let outcome = SceneRun::of(scene.build()?).run()?;
    /// assert_eq!(outcome.summary["bodies"], 1);
    /// # Ok::<(), carom::run::Error>(())
    /// ```
    pub fn of(scene: AnyScene) -> Self {
        SceneRun { scene, source: PathBuf::from("the scene"), started: Instant::now() }
    }

    /// The scene.
    pub fn scene(&self) -> &AnyScene {
        &self.scene
    }

    /// Runs the scene to its end and writes nothing.
    pub fn run(self) -> Result<RunOutcome, Error> {
        match &self.scene {
            AnyScene::TwoD(scene) => self.run_engine(scene, None),
            AnyScene::ThreeD(scene) => self.run_engine(scene, None),
        }
    }

    /// Runs the scene to its end and writes the results that `carom run --out` writes.
    ///
    /// Fails if the folder holds results already, and leaves them as they are.
    pub fn into_folder(self, path: impl Into<PathBuf>) -> Result<RunOutcome, Error> {
        let folder = RunFolder::new(path);
        match &self.scene {
            AnyScene::TwoD(scene) => self.run_engine(scene, Some(&folder)),
            AnyScene::ThreeD(scene) => self.run_engine(scene, Some(&folder)),
        }
    }

    fn run_engine<const D: usize>(
        &self,
        scene: &Scene<D>,
        folder: Option<&RunFolder>,
    ) -> Result<RunOutcome, Error> {
        match scene.engine {
            Engine::Dem => self.run_by::<D, dem::Run<D>>(scene, folder),
            Engine::Bonded => self.run_by::<D, bonded::Run<D>>(scene, folder),
            _ => self.run_by::<D, event_driven::Run<D>>(scene, folder),
        }
    }

    fn run_by<const D: usize, R: Runner<D>>(
        &self,
        scene: &Scene<D>,
        folder: Option<&RunFolder>,
    ) -> Result<RunOutcome, Error> {
        match folder {
            Some(folder) => self.run_into_folder::<D, R>(scene, folder),
            None => self.run_in_memory::<D, R>(scene),
        }
    }

    fn run_in_memory<const D: usize, R: Runner<D>>(
        &self,
        scene: &Scene<D>,
    ) -> Result<RunOutcome, Error> {
        let mut run = R::new(scene)?;
        let warnings = self.warnings_or_refusal(&run, scene)?;
        let (initialization, begun) = (self.started.elapsed(), Instant::now());
        let mut sink = WarningSink(warnings);
        let ending = run.run_to_end(&mut sink)?;
        let timing = Timing { initialization, running: begun.elapsed(), ..Timing::default() };
        let summary = R::summary_json(&run.summary(ending, timing));
        Ok(RunOutcome { ending, summary, warnings: sink.0 })
    }

    /// Returns the warnings about a run before it starts, or why the scene should not be run.
    fn warnings_or_refusal<const D: usize, R: Runner<D>>(
        &self,
        run: &R,
        scene: &Scene<D>,
    ) -> Result<Vec<String>, Error> {
        let preflight = run.preflight(scene);
        match preflight.refusal {
            Some(refusal) => {
                Err(Error::Refused { scene: self.source.display().to_string(), refusal })
            }
            None => Ok(preflight.warnings),
        }
    }

    fn run_into_folder<const D: usize, R: Runner<D>>(
        &self,
        scene: &Scene<D>,
        folder: &RunFolder,
    ) -> Result<RunOutcome, Error> {
        folder.check_scene_stays(&self.source)?;
        folder.check_bodies_stay(scene)?;
        folder.check_free(scene)?;
        let mut run = R::new(scene)?;
        let mut warnings = self.warnings_or_refusal(&run, scene)?;
        let lock = folder.lock()?;
        // Another run may have written results since.
        folder.check_free(scene)?;
        let launch = Launch {
            initialization: self.started.elapsed(),
            commit: None,
            threads: rayon::current_num_threads(),
            rows_elsewhere: 0,
        };
        let mut results = ResultsFolder::new(lock, scene, &run, launch)?
            .warned_by(|warning| warnings.push(warning.to_owned()));
        let ending = run.run_to_end(&mut results)?;
        let summary = results.summary().map(R::summary_json).unwrap_or_default();
        drop(results);
        Ok(RunOutcome { ending, summary, warnings })
    }
}

/// Keeps the warnings of a run and nothing else.
struct WarningSink(Vec<String>);

impl<const D: usize, R: Runner<D>> Sink<D, R> for WarningSink {
    fn warn(&mut self, warning: &str) {
        self.0.push(warning.to_owned());
    }
}
