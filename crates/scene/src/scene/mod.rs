//! Scenes: what is simulated and how, read from TOML and checked once.
//!
//! A scene names an engine, the box and its boundaries, the bodies one by one (`[[bodies]]`), from files or
//! generated (`[[generate]]`), or solids that deform and break (`[[solids]]`), the forces on them and the output.
//! The engines take it as plain data and need not check anything again: every number is finite and in its range,
//! every body is in the box, no two overlap, and periods exceed twice the largest diameter.
//!
//! [`AnyScene`] reads a scene of either dimension with all its bodies; [`SceneOutline`] reads and checks the keys
//! first, which is cheap for any number of bodies.
//!
//! Unknown keys, wrong types and broken rules are errors of one sentence that names the line; all mistakes of a
//! scene are reported at once. The same text and seed give the same bodies, to the bit.
//!
//! ```
//! use carom_scene::scene::AnyScene;
//! let text = r#"
//!     engine = "event-driven"
//!     dimension = 2
//!     until = 1.0
//!     [box]
//!     size = 10
//!     [[bodies]]
//!     position = [5, 5]
//!     radius = 0.5
//! "#;
//! let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
//! assert_eq!((scene.bodies.len(), scene.bodies[0].mass), (1, 1.0));
//!
//! let error = AnyScene::parse(&text.replace("0.5", "-1"), "one.toml", "".as_ref(), &[]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "one.toml:9: bodies.0.radius is -1; a radius must be finite and greater than zero"
//! );
//! # Ok::<(), carom_scene::Error>(())
//! ```
//!
//! One file per table of the scene language holds its written form, its checked form and the check between them; a
//! new engine adds a file and a field.

mod as_run;
mod body;
mod bounds;
mod builder;
mod check;
mod closed_mesh;
mod collect;
mod contact_parameters;
mod crack;
mod expression;
mod field;
mod fill_region;
mod fingerprint;
mod force;
mod former_names;
mod generator;
mod growth_and_thermostat;
mod initial_bodies;
mod inputs;
mod material;
mod neighbors;
mod obstacles;
mod outlet;
mod output;
mod overrides;
mod placement;
mod polygon;
mod pour;
mod problem;
mod radii;
mod reading;
mod region;
mod run_source;
mod scene_header;
mod shape;
mod solid;
mod solid_shape;
mod solid_start;
mod source;
mod springs;
mod stage;
mod unused_material;
mod values;
mod wall;
mod written_scene;

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod tests;

pub use body::Body;
pub use builder::{SceneBuilder, SceneTable, SceneValue};
pub use carom_io::FrameFormat;
pub use carom_simulate::bonded::SpringLattice;
pub use carom_simulate::dem::MaterialPairContact;
pub use carom_simulate::event_driven::{
    GrowthTarget, LubachevskyStillingerGrowth, NeighborStructure, Thermostat,
};
pub use carom_simulate::shape::{Shape, ShapeRepresentation};
pub use carom_simulate::{
    BoundaryCondition, DragAndTrapField, HarmonicTrap, Material, Region, Restitution,
    SpringFailureCriterion, Springs, Wall, WallMotion, WallSurface,
};
pub use expression::{Expression, ExpressionVariables};
pub use fill_region::{FillRegion, SphereContainmentTest};
pub use force::ForceExpression;
pub use inputs::copy_inputs;
pub use neighbors::NeighborSettings;
pub use obstacles::Obstacles;
pub use outlet::{Outlet, OutletPlace};
pub use output::{ColorQuantity, CountedRegion, Observables, OutputSettings, RadialDistribution};
pub use pour::Pour;
pub use problem::{ParticleFileLine, ScenePlace, SceneProblem};
pub use run_source::RunSource;
pub use scene_header::{SceneHeader, StageWalls};
pub use solid::{Solid, VelocityConstraint};
pub use solid_shape::{PointContainmentTest, SolidShape};
pub use solid_start::solids_of_run;
pub use stage::Stage;
pub use unused_material::UnusedMaterial;
pub use written_scene::{Engine, Limits, schema};

use crate::Error;
use carom_geometry::Vector;
use carom_io::{excerpt, memory, read_results_file};
use problem::{SceneProblem as Problem, SceneValidationError, ValidationResult};
use source::SceneSource;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use values::LocatedValue;
use written_scene::WrittenScene;

/// Largest length of a scene file, in bytes.
const LONGEST: u64 = 64 << 20;

/// A checked scene whose dimension is known only once it is read.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyScene {
    /// A scene in two dimensions.
    TwoD(Scene<2>),
    /// A scene in three dimensions.
    ThreeD(Scene<3>),
}

/// A checked scene in `D` dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene<const D: usize> {
    /// The engine that runs it.
    pub engine: Engine,
    /// Seed of all random numbers; equal seeds give equal runs.
    pub seed: u64,
    /// End of the run; a growth target may end it too.
    pub limits: Limits,
    /// The box and its boundaries.
    pub region: Region<D>,
    /// Uniform acceleration, at the start if its direction rotates.
    pub gravity: Vector<D>,
    /// Angular velocity of the direction of gravity, in radians per time about each axis.
    pub gravity_angular_velocity: Vector<3>,
    /// Drag and the harmonic trap in which all bodies move, if there are any.
    pub field: Option<DragAndTrapField<D>>,
    /// Time step; the engine chooses one if it is `None`.
    pub step: Option<f64>,
    /// Materials; the first is that of bodies that name none.
    pub materials: Vec<Material>,
    /// Materials with a name that nothing uses.
    pub unused_materials: Vec<UnusedMaterial>,
    /// Contact law parameters of pairs of materials, in place of those that follow from each of them.
    pub contacts: Vec<MaterialPairContact>,
    /// Walls besides the sides of the box.
    pub walls: Vec<Wall>,
    /// Shapes that bodies may have.
    pub shapes: Vec<Shape>,
    /// Bodies in the order of the file, `[[bodies]]` before `[[generate]]`.
    pub bodies: Vec<Body<D>>,
    /// Number of bodies, at the front, that are given one by one or by files; the others follow from the text of the
    /// scene and its seed.
    pub given_bodies: usize,
    /// Other runs that some of the bodies come from.
    pub run_sources: Vec<RunSource>,
    /// Bodies that are poured in over time.
    pub pours: Vec<Pour<D>>,
    /// Boxes and planes at which bodies leave.
    pub outlets: Vec<Outlet<D>>,
    /// Forces on bodies as expressions.
    pub forces: Vec<ForceExpression<D>>,
    /// Bonded solids, lattices of particles and springs.
    pub solids: Vec<Solid<D>>,
    /// Rate at which all radii grow (Lubachevsky and Stillinger), if they do.
    pub growth: Option<LubachevskyStillingerGrowth>,
    /// Thermostat that holds the temperature, if there is one.
    pub thermostat: Option<Thermostat>,
    /// Contact time of the TC model: a collision of a body sooner than this after its last one loses no energy. Zero
    /// turns the rule off, `None` leaves it to the engine.
    pub contact_time: Option<f64>,
    /// Settings of the search for neighbors.
    pub neighbors: NeighborSettings,
    /// Quantities that are measured during the run.
    pub observe: Observables,
    /// Files that are written, and how often.
    pub output: OutputSettings,
    /// Parts of the run; the scene is that of the first. Empty if the run has one part only.
    pub stages: Vec<Stage<D>>,
    /// Time at which a run in stages ends at the latest, in whichever stage it is then.
    pub latest_end: Option<f64>,
    /// Text of a scene that repeats this run.
    pub as_run: String,
}

impl<const D: usize> Scene<D> {
    /// Returns the largest component of gravity along every axis as its direction rotates and in all stages.
    pub fn maximum_gravity(&self) -> Vector<D> {
        let own = match self.gravity_angular_velocity == Vector::<3>::zeros() {
            true => self.gravity.abs(),
            false => Vector::repeat(self.gravity.norm()),
        };
        self.stages.iter().fold(own, |most, stage| most.sup(&stage.scene.maximum_gravity()))
    }

    /// Returns how long the run lasts, if that is known: until its end, or the sum of its stages.
    pub fn duration(&self) -> Option<f64> {
        if self.stages.is_empty() {
            return self.limits.until;
        }
        let durations = self.stages.iter().map(|stage| stage.scene.limits.until);
        let ends = [durations.sum::<Option<f64>>(), self.latest_end];
        ends.into_iter().flatten().reduce(f64::min)
    }

    /// Returns the scene in one of its stages, with its bodies; the scene itself where there is no such stage.
    pub fn in_stage(&self, number: usize) -> Scene<D> {
        let Some(stage) = self.stages.get(number) else { return self.clone() };
        Scene {
            bodies: self.bodies.clone(),
            given_bodies: self.given_bodies,
            run_sources: self.run_sources.clone(),
            pours: self.pours.clone(),
            shapes: self.shapes.clone(),
            solids: self.solids.clone(),
            stages: self.stages.clone(),
            latest_end: self.latest_end,
            as_run: self.as_run.clone(),
            ..stage.scene.clone()
        }
    }

    /// Returns the files that it names, with those of its meshes.
    pub fn files(&self) -> Vec<PathBuf> {
        toml::from_str(&self.as_run)
            .map_or_else(|_| Vec::new(), |table| inputs::named_files(&table))
    }

    /// Returns sentences about what may be unintended, whatever the engine.
    pub fn warnings(&self) -> Vec<String> {
        let sources = self.run_sources.iter().flat_map(|source| source.warnings.iter().cloned());
        let frames = !self.output.formats.is_empty() && !self.output.columns.has("velocity");
        let still =
            "output.columns leaves out velocity, without which carom view cannot show frames";
        let materials = self.unused_materials.iter().map(UnusedMaterial::to_string);
        sources.chain(materials).chain(frames.then(|| still.to_owned())).collect()
    }

    /// Returns the packing fraction of the bodies at the start.
    pub fn packing_fraction(&self) -> f64 {
        let volume = |body: &Body<D>| body.volume(&self.shapes);
        self.bodies.iter().map(volume).sum::<f64>() / self.region.volume()
    }
}

impl<const D: usize> Scene<D> {
    /// Returns the text of a scene that repeats this run with a row of the log after every such time, unless the
    /// scene has a log interval of its own.
    pub fn as_run_with_log_interval(&self, interval: f64) -> String {
        self.as_run_with("log_interval", toml::Value::Float(interval))
    }

    /// As [`as_run_with_log_interval`](Self::as_run_with_log_interval), with a row after every `collisions` collisions.
    pub fn as_run_with_log_collisions(&self, collisions: u64) -> String {
        match i64::try_from(collisions) {
            Ok(count) => self.as_run_with("log_collisions", toml::Value::Integer(count)),
            Err(_) => self.as_run.clone(),
        }
    }

    fn as_run_with(&self, key: &str, value: toml::Value) -> String {
        match (self.output.log_interval, self.output.log_collisions) {
            (None, None) => as_run::with_key(&self.as_run, "output", key, value),
            _ => self.as_run.clone(),
        }
    }
}

impl AnyScene {
    /// Reads the scene of a file; relative file names in it are found from its folder.
    ///
    /// Each of the `settings` is `key=value` with a dotted key, such as `seed=3`, `bodies.0.radius=1` or
    /// `box.boundary=wall`; they are applied before anything is checked. The value is TOML, or else a string.
    ///
    /// # Errors
    ///
    /// Every rule that the scene breaks, with its line, and files that cannot be read.
    ///
    /// ```no_run
    /// use carom_scene::scene::AnyScene;
    /// let scene = AnyScene::read("fluid.toml".as_ref(), &["seed=3".to_owned()])?;
    /// println!("{} bodies", scene.body_count());
    /// # Ok::<(), carom_scene::Error>(())
    /// ```
    pub fn read(path: &Path, settings: &[String]) -> Result<Self, Error> {
        SceneOutline::read(path, settings)?.expand()
    }

    /// Reads the scene of a text; `name` is its name in messages, `folder` is where relative file names in it are
    /// found from.
    pub fn parse(
        text: &str,
        name: &str,
        folder: &Path,
        settings: &[String],
    ) -> Result<Self, Error> {
        SceneOutline::parse(text, name, folder, settings)?.expand()
    }

    /// Returns 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            AnyScene::TwoD(_) => 2,
            AnyScene::ThreeD(_) => 3,
        }
    }

    /// Returns the number of bodies at the start, solids included.
    pub fn body_count(&self) -> usize {
        match self {
            AnyScene::TwoD(scene) => scene.bodies.len() + scene.solids.len(),
            AnyScene::ThreeD(scene) => scene.bodies.len() + scene.solids.len(),
        }
    }

    /// Returns the fingerprint of the scene: [`Scene::fingerprint`].
    pub fn fingerprint(&self) -> u64 {
        match self {
            AnyScene::TwoD(scene) => scene.fingerprint(),
            AnyScene::ThreeD(scene) => scene.fingerprint(),
        }
    }

    /// Returns the materials that are given by name and that nothing uses.
    pub fn unused_materials(&self) -> &[UnusedMaterial] {
        match self {
            AnyScene::TwoD(scene) => &scene.unused_materials,
            AnyScene::ThreeD(scene) => &scene.unused_materials,
        }
    }

    /// Returns the first key in which the scene differs from another: [`Scene::difference_apart_from`].
    pub fn difference_apart_from(&self, as_run: &str, keys: &[&str]) -> Option<String> {
        match self {
            AnyScene::TwoD(scene) => scene.difference_apart_from(as_run, keys),
            AnyScene::ThreeD(scene) => scene.difference_apart_from(as_run, keys),
        }
    }

    /// Returns the text of a scene that repeats this run: with the settings and the seed written in, and with
    /// absolute file names.
    pub fn to_toml(&self) -> &str {
        match self {
            AnyScene::TwoD(scene) => &scene.as_run,
            AnyScene::ThreeD(scene) => &scene.as_run,
        }
    }
}

/// A scene whose keys and types are checked but whose bodies are not generated yet.
///
/// It is cheap for any number of bodies.
///
/// ```
/// use carom_scene::scene::SceneOutline;
/// let text = "engine = 'event-driven'\ndimension = 3\nuntil = 1\n\
///             [[generate]]\nkind = 'random'\ncount = 1e9\nradius = 1\npacking_fraction = 0.1";
/// let outline = SceneOutline::parse(text, "huge.toml", "".as_ref(), &[])?;
/// assert_eq!(outline.body_count(), 1_000_000_000);
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneOutline {
    source: SceneSource,
    folder: PathBuf,
    written: WrittenScene,
    origin: SceneOrigin,
}

/// Where a scene comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SceneOrigin {
    /// The user, who may name any file.
    Scene,
    /// A results folder; its files may not lead out of it.
    Results,
}

/// Returns the text of a scene file, for a program that reads the same scene with several settings.
///
/// # Errors
///
/// For a file that cannot be read, is longer than 64 MB, or is not UTF-8.
pub fn read_scene_text(path: &Path) -> Result<String, Error> {
    let name = excerpt::file_name(path);
    let bytes =
        read_bytes(path).map_err(|source| carom_io::Error::CannotRead { file: name, source })?;
    text_of(bytes, path)
}

/// Returns the bytes of a scene file as text.
fn text_of(bytes: Vec<u8>, path: &Path) -> Result<String, Error> {
    let refuse = |problem| {
        let place = ScenePlace::File { file: excerpt::file_name(path) };
        Error::Scene { place, key: None, problem: Box::new(problem) }
    };
    if bytes.len() as u64 > LONGEST {
        return Err(refuse(Problem::TooLong));
    }
    String::from_utf8(bytes).map_err(|_| refuse(Problem::NotText))
}

impl SceneOutline {
    /// As [`AnyScene::read`].
    pub fn read(path: &Path, settings: &[String]) -> Result<Self, Error> {
        SceneOutline::of_file(&read_scene_text(path)?, path, settings, SceneOrigin::Scene)
    }

    /// Reads the scene as it was run, `scene.toml` of a results folder.
    ///
    /// Such a folder may come from somebody else: neither may that file be a symbolic link out of it, nor may a file
    /// that the scene names lie elsewhere.
    pub fn read_results(run: &Path, settings: &[String]) -> Result<Self, Error> {
        let path = run.join("scene.toml");
        let text = text_of(read_results_file(run, "scene.toml", LONGEST + 1)?, &path)?;
        SceneOutline::of_file(&text, &path, settings, SceneOrigin::Results)
    }

    fn of_file(
        text: &str,
        path: &Path,
        settings: &[String],
        origin: SceneOrigin,
    ) -> Result<Self, Error> {
        let folder = path.parent().unwrap_or(Path::new(""));
        SceneOutline::of_text(text, &path.to_string_lossy(), folder, settings, origin)
    }

    /// As [`AnyScene::parse`].
    pub fn parse(
        text: &str,
        name: &str,
        folder: &Path,
        settings: &[String],
    ) -> Result<Self, Error> {
        SceneOutline::of_text(text, name, folder, settings, SceneOrigin::Scene)
    }

    fn of_text(
        text: &str,
        name: &str,
        folder: &Path,
        settings: &[String],
        origin: SceneOrigin,
    ) -> Result<Self, Error> {
        let source = SceneSource::new(text, name, settings);
        if text.len() as u64 > LONGEST {
            let problem = Box::new(Problem::TooLong);
            return Err(source.locate(SceneValidationError::Problem { span: None, problem }));
        }
        let written = reading::read(&source).map_err(|refusal| match origin {
            SceneOrigin::Scene => collect::all(&source, folder, refusal),
            // To find more mistakes would read files that the scene may not name.
            SceneOrigin::Results => source.locate(refusal),
        })?;
        Ok(SceneOutline { source, folder: folder.to_owned(), written, origin })
    }

    /// Returns the number of bodies that the scene asks for; a file counts as one.
    pub fn body_count(&self) -> u64 {
        self.written.body_count()
    }

    /// Returns an error if the bodies need more memory than is available, in as many runs at a time.
    pub fn check_memory(&self, runs: usize) -> Result<(), Error> {
        /// Measured: 510 for a disc and 690 for a sphere of event-driven runs, 940 for a sphere of DEM runs.
        const BYTES_PER_BODY: f64 = 600.0;
        let bodies = self.body_count();
        // More than 32 bits can count are refused elsewhere.
        if u32::try_from(bodies).is_err() {
            return Ok(());
        }
        let times = if runs > 1 { format!(" in each of {runs} runs") } else { String::new() };
        let what = format!("{}: {bodies} bodies{times}", self.file());
        Ok(memory::check(what, bodies as f64 * BYTES_PER_BODY * runs as f64)?)
    }

    /// Returns the name of the scene's file in messages.
    pub fn file(&self) -> &str {
        self.source.file()
    }

    /// Returns the text of a scene that repeats its run, as [`AnyScene::to_toml`] does.
    ///
    /// ```
    /// use carom_scene::scene::SceneOutline;
    /// let text = "engine = 'dem' # soft\ndimension = 2\nuntil = 1\nbox.size = 9";
    /// let outline = SceneOutline::parse(text, "soft.toml", "".as_ref(), &["until=2".to_owned()])?;
    /// assert_eq!(outline.to_toml()?, "seed = 1\nengine = 'dem' # soft\ndimension = 2\nuntil = 2\nbox.size = 9");
    /// # Ok::<(), carom_scene::Error>(())
    /// ```
    pub fn to_toml(&self) -> Result<String, Error> {
        let text = as_run::text(&self.source, self.written.seed(), &self.folder);
        text.map_err(|refusal| self.source.locate(refusal))
    }

    /// Checks all that is written, and returns the scene without its generated bodies, for which no place is searched.
    ///
    /// Its fingerprint and its text as run are those of the whole scene, so that it can be compared with runs; to be
    /// run it lacks bodies.
    ///
    /// ```
    /// use carom_scene::scene::SceneOutline;
    /// let outline = |setting: &str| {
    ///     let text = "engine = 'event-driven'\ndimension = 3\nuntil = 1\n\
    ///                 [[generate]]\nkind = 'random'\ncount = 20\nradius = 1\npacking_fraction = 0.1";
    ///     SceneOutline::parse(text, "gas.toml", "".as_ref(), &[setting.to_owned()])
    /// };
    /// let scene = outline("seed=3")?.without_generated_bodies()?;
    /// assert_eq!(scene.fingerprint(), outline("seed=3")?.expand()?.fingerprint());
    /// let error = outline("generate.0.radius=-1")?.without_generated_bodies().unwrap_err().to_string();
    /// assert!(error.starts_with("--set generate.0.radius=-1: "), "{error}");
    /// # Ok::<(), carom_scene::Error>(())
    /// ```
    pub fn without_generated_bodies(&self) -> Result<AnyScene, Error> {
        self.checked(&mut |_, _| {}, check::CheckScope::Values)
    }

    /// Generates the bodies and checks everything.
    pub fn expand(self) -> Result<AnyScene, Error> {
        self.expand_watched(&mut |_, _| {})
    }

    /// As [`expand`](Self::expand); `watch` is called now and then with the number of bodies of a table that have
    /// found a random position and that of all, since this takes long in dense scenes.
    pub fn expand_watched(self, watch: &mut dyn FnMut(usize, usize)) -> Result<AnyScene, Error> {
        self.checked(watch, check::CheckScope::Everything)
    }

    fn checked(
        &self,
        watch: &mut dyn FnMut(usize, usize),
        scope: check::CheckScope,
    ) -> Result<AnyScene, Error> {
        let SceneOutline { source, folder, written, .. } = self;
        let files = self.check_files(&[
            "bodies", "generate", "pour", "outlets", "walls", "shapes", "solids", "start",
        ]);
        // Before all other mistakes, whose search reads these files too.
        files.map_err(|refusal| source.locate(refusal))?;
        let scene = written.dimension().and_then(|dimension| match dimension {
            2 => check::staged_scene(source, written, folder, watch, scope).map(AnyScene::TwoD),
            _ => check::staged_scene(source, written, folder, watch, scope).map(AnyScene::ThreeD),
        });
        scene.map_err(|refusal| collect::all(source, folder, refusal))
    }

    /// Refuses files that lead out of the results folder that the scene comes from.
    fn check_files(&self, tables: &[&str]) -> ValidationResult<()> {
        if self.origin == SceneOrigin::Scene {
            return Ok(());
        }
        inputs::check_within(&self.folder, self.source.tables()?.get_ref(), tables)
    }
}

/// Refuses a name that cannot be that of a column of the log.
fn check_name(name: &LocatedValue<String>) -> ValidationResult<()> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let text = &name.value;
    if text.is_empty() || text.len() > 40 || !text.chars().all(is_plain) {
        return Err(name.refuse("it must be at most 40 letters, digits and _"));
    }
    Ok(())
}

/// Returns the bytes of a file, at most one more than allowed.
fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
