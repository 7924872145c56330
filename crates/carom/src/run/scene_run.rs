//! A scene file run in one call, by the engine that it names.

use super::folder_run::{self, ExistingResults, FolderRun};
use super::{Ending, Error, Run, RunFolder, Sink, Summary, Timing};
use carom_scene::scene::Material;
use carom_scene::{AnyScene, Scene};
use carom_simulate::dem::{CompositeLaw, ContactLaw};
use carom_simulate::observe::Observable;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A scene that was read and checked, ready to be run.
///
/// Made by [`carom::run`](crate::run()).
pub struct SceneRun {
    scene: AnyScene,
    source: PathBuf,
    started: Instant,
    /// Boxes of observables of the scene's dimension.
    observables: Vec<Box<dyn Any + Send + Sync>>,
    start: Box<dyn StartRun>,
}

/// Creates the run of a scene of either dimension.
trait StartRun: Send + Sync {
    fn start_2d(self: Box<Self>, scene: &Scene<2>) -> Result<Run<2>, Error>;
    fn start_3d(self: Box<Self>, scene: &Scene<3>) -> Result<Run<3>, Error>;
}

/// By the engine that the scene names.
struct BuiltInLaw;

impl StartRun for BuiltInLaw {
    fn start_2d(self: Box<Self>, scene: &Scene<2>) -> Result<Run<2>, Error> {
        Run::new(scene)
    }

    fn start_3d(self: Box<Self>, scene: &Scene<3>) -> Result<Run<3>, Error> {
        Run::new(scene)
    }
}

/// With a contact law of a program's own.
struct OwnLaw<F>(F);

impl<L, F> StartRun for OwnLaw<F>
where
    L: ContactLaw,
    F: Fn([&Material; 2], CompositeLaw) -> L + Send + Sync + 'static,
{
    fn start_2d(self: Box<Self>, scene: &Scene<2>) -> Result<Run<2>, Error> {
        Run::with_contact_law(scene, self.0)
    }

    fn start_3d(self: Box<Self>, scene: &Scene<3>) -> Result<Run<3>, Error> {
        Run::with_contact_law(scene, self.0)
    }
}

/// How a run into a folder ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// Why it ended.
    pub ending: Ending,
    /// The content of `summary.json`, without the names of `tables`; its `provenance` says what made it.
    pub summary: serde_json::Value,
    /// Warnings about the scene and about the run, in sentences.
    pub warnings: Vec<String>,
}

impl SceneRun {
    /// Reads a scene, with settings such as `until=2.5` applied as by `carom run --set`.
    pub fn read(path: impl AsRef<Path>, settings: &[String]) -> Result<Self, Error> {
        let started = Instant::now();
        let source = path.as_ref().to_owned();
        Ok(SceneRun {
            source: source.clone(),
            started,
            ..SceneRun::of(AnyScene::read(&source, settings)?)
        })
    }

    /// Reads a scene from its text; files that it names are searched in the current folder.
    ///
    /// ```
    /// use carom::run::SceneRun;
    /// let scene = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
    ///              [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
    /// let outcome = SceneRun::parse(scene)?.run()?;
    /// assert_eq!(outcome.summary["damping_loss"], 0.0);
    /// # Ok::<(), carom::run::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        let started = Instant::now();
        let scene = AnyScene::parse(text, "the scene", Path::new(""), &[])?;
        Ok(SceneRun { started, ..SceneRun::of(scene) })
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
        SceneRun {
            scene,
            source: PathBuf::from("the scene"),
            started: Instant::now(),
            observables: Vec::new(),
            start: Box::new(BuiltInLaw),
        }
    }

    /// The scene.
    pub fn scene(&self) -> &AnyScene {
        &self.scene
    }

    /// Adds an observable of your own.
    ///
    /// Errors if the scene has another dimension.
    pub fn observe<const D: usize>(
        mut self,
        observable: impl Observable<D> + 'static,
    ) -> Result<Self, Error> {
        let dimension = match &self.scene {
            AnyScene::TwoD(_) => 2,
            AnyScene::ThreeD(_) => 3,
        };
        if D != dimension {
            let (what, rule) = ("the observable", "it must have the dimension of the scene");
            let value = format!("{:?} in {D} dimensions", observable.name());
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        let observable: Box<dyn Observable<D>> = Box::new(observable);
        self.observables.push(Box::new(observable));
        Ok(self)
    }

    /// Takes a contact law of your own for the DEM engine, as [`Run::with_contact_law`].
    pub fn contact_law<L: ContactLaw>(
        self,
        law: impl Fn([&Material; 2], CompositeLaw) -> L + Send + Sync + 'static,
    ) -> Self {
        SceneRun { start: Box::new(OwnLaw(law)), ..self }
    }

    /// Runs the scene to its end and writes nothing.
    pub fn run(self) -> Result<RunOutcome, Error> {
        let SceneRun { scene, source, started, observables, start } = self;
        match &scene {
            AnyScene::TwoD(scene) => {
                run_in_memory(scene, &source, started, observables, |it| start.start_2d(it))
            }
            AnyScene::ThreeD(scene) => {
                run_in_memory(scene, &source, started, observables, |it| start.start_3d(it))
            }
        }
    }

    /// Runs the scene to its end and writes the results that `carom run --out` writes.
    ///
    /// Fails if the folder holds results already, and leaves them as they are.
    pub fn into_folder(self, path: impl Into<PathBuf>) -> Result<RunOutcome, Error> {
        let folder = RunFolder::new(path);
        let SceneRun { scene, source, started, observables, start } = self;
        match &scene {
            AnyScene::TwoD(scene) => {
                let start = |it: &Scene<2>| start.start_2d(it);
                run_into_folder(scene, &source, started, observables, start, &folder)
            }
            AnyScene::ThreeD(scene) => {
                let start = |it: &Scene<3>| start.start_3d(it);
                run_into_folder(scene, &source, started, observables, start, &folder)
            }
        }
    }
}

/// Adds observables of a user to a run.
fn add_observables<const D: usize>(
    run: &mut Run<D>,
    observables: Vec<Box<dyn Any + Send + Sync>>,
) -> Result<(), Error> {
    let of_dimension =
        |any: Box<dyn Any + Send + Sync>| any.downcast::<Box<dyn Observable<D>>>().ok();
    observables.into_iter().filter_map(of_dimension).try_for_each(|it| run.observe(*it))
}

fn run_in_memory<const D: usize>(
    scene: &Scene<D>,
    source: &Path,
    started: Instant,
    observables: Vec<Box<dyn Any + Send + Sync>>,
    start: impl FnOnce(&Scene<D>) -> Result<Run<D>, Error>,
) -> Result<RunOutcome, Error> {
    let mut run = start(scene)?;
    let mut sink = WarningSink(folder_run::warnings(scene, &run, source)?);
    add_observables(&mut run, observables)?;
    let (initialization, begun) = (started.elapsed(), Instant::now());
    let ending = run.run_to_end(&mut sink)?;
    let timing = Timing { initialization, running: begun.elapsed(), ..Timing::default() };
    Ok(RunOutcome { ending, summary: run.summary(ending, timing).json(), warnings: sink.0 })
}

fn run_into_folder<const D: usize>(
    scene: &Scene<D>,
    source: &Path,
    started: Instant,
    observables: Vec<Box<dyn Any + Send + Sync>>,
    start: impl FnOnce(&Scene<D>) -> Result<Run<D>, Error>,
    folder: &RunFolder,
) -> Result<RunOutcome, Error> {
    let mut start = FolderRun::begin_by(scene, source, folder, ExistingResults::Keep, start)?;
    add_observables(start.run_mut(), observables)?;
    let mut warnings = start.warnings();
    let (mut run, results) = start.into_results(started.elapsed())?;
    let mut results = results.warned_by(|warning| warnings.push(warning.to_owned()));
    let ending = run.run_to_end(&mut results)?;
    let summary = results.summary().map(Summary::json).unwrap_or_default();
    drop(results);
    Ok(RunOutcome { ending, summary, warnings })
}

/// Keeps the warnings of a run and nothing else.
struct WarningSink(Vec<String>);

impl<const D: usize> Sink<D> for WarningSink {
    fn warn(&mut self, warning: &str) {
        self.0.push(warning.to_owned());
    }
}
