//! Bodies that continue from the end of another run.

use super::inputs;
use super::material::Materials;
use super::problem::ValidationResult;
use super::shape::Shapes;
use super::values::LocatedValue;
use super::{BoundaryCondition, Engine, SceneHeader, SceneOutline, Wall};
use carom_geometry::{Sphere, Vector};
use carom_io::{
    Checkpoint, Error, FileBodies, ParticleSet, Particles, RunFrameSelector, excerpt,
    is_results_file, read_results_file,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of a results folder that are read for its bodies, besides frames.
const SCENE: &str = "scene.toml";
const CHECKPOINT: &str = "checkpoint.bin";
/// Written when a run ends or is stopped.
const SUMMARY: &str = "summary.json";
/// Largest length of a summary, in bytes.
const LONGEST_SUMMARY: u64 = 64 << 20;

/// The run that some bodies of a scene, or the state of its solids, come from; the engine may take over its contact
/// history.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSource {
    /// Results folder of that run.
    pub folder: PathBuf,
    /// Index of the first of these bodies; the others follow in the order of their indices there.
    pub first: usize,
    /// Number of bodies that are taken from the run.
    pub count: usize,
    /// State at the end of the run, if the bodies are from there.
    pub checkpoint: Option<Arc<Checkpoint>>,
    /// Boundary conditions of that run.
    pub boundary_conditions: Vec<BoundaryCondition>,
    /// Edge lengths of the box of that run, if known.
    pub size: Option<Vec<f64>>,
    /// Walls besides the sides of that box.
    pub walls: Vec<Wall>,
    /// Sentences about what could not be taken over.
    pub warnings: Vec<String>,
}

impl RunSource {
    /// Whether a body of the scene comes from here.
    pub fn has(&self, body: usize) -> bool {
        (self.first..self.first + self.count).contains(&body)
    }
}

/// Returns the bodies of a frame of a run, with materials and shapes numbered as in the scene that takes them.
pub(super) fn read(
    moment: &RunFrameSelector,
    file: &LocatedValue<String>,
    (materials, shapes): (&Materials, &Shapes),
    one_material: bool,
) -> ValidationResult<(FileBodies, RunSource)> {
    if moment.is_last() && !has_ended(&moment.folder)? {
        return Err(file.refuse(
            "it has not ended: wait for it, or continue it by --resume, or name one of its frames, such as \
             fill.run@12",
        ));
    }
    let outline = SceneOutline::read_results(&moment.folder, &[])?;
    let header = outline.header()?;
    let there = Materials::check(&outline.written.materials);
    let there = there.map_err(|refusal| outline.source.locate(refusal))?;
    let (mut bodies, mut source) = match checkpoint(moment)? {
        Some(checkpoint) => of_checkpoint(checkpoint, &header, file)?,
        None => of_frame(moment, &header, [there.list().len(), outline.written.shapes.len()])?,
    };
    source.folder.clone_from(&moment.folder);
    let begun = source.checkpoint.as_ref().and_then(|it| it.count("stage_times")).unwrap_or(1);
    source.walls = outline.walls_after(begun)?;
    // A material named in the scene replaces those of the run.
    bodies.materials = bodies.materials.filter(|_| !one_material);
    if let Some(numbers) = &mut bodies.materials {
        let names = there.list().iter().map(|material| material.name.as_str()).collect();
        let here = materials.list().iter().map(|material| material.name.as_str()).collect();
        NameRemapping { what: "material", table: "materials", run_names: names, scene_names: here }
            .renumber(numbers, file)?;
    }
    if let Some(numbers) = &mut bodies.shapes {
        let names = outline.written.shapes.keys().map(String::as_str).collect();
        let here = shapes.list().iter().map(|shape| shape.name.as_str()).collect();
        let table =
            NameRemapping { what: "shape", table: "shapes", run_names: names, scene_names: here };
        table.renumber(numbers.iter_mut().flatten(), file)?;
    }
    Ok((bodies, source))
}

/// Refuses a run that has not come to its end.
pub(super) fn check_ended(
    moment: &RunFrameSelector,
    file: &LocatedValue<String>,
) -> ValidationResult<()> {
    match has_ended(&moment.folder)? {
        true => Ok(()),
        false => Err(file.refuse("it has not ended: wait for it, or continue it by --resume")),
    }
}

/// Whether a run has come to its end: a stopped one has a summary too.
fn has_ended(folder: &Path) -> Result<bool, Error> {
    if !is_results_file(folder, SUMMARY)? {
        return Ok(false);
    }
    let summary = read_results_file(folder, SUMMARY, LONGEST_SUMMARY)?;
    let summary: Option<serde_json::Value> = serde_json::from_slice(&summary).ok();
    Ok(summary.is_none_or(|summary| summary["finished"] != false))
}

/// Returns the files of a run that are read for its bodies, relative to its folder.
pub(super) fn files(moment: &RunFrameSelector) -> Result<Vec<PathBuf>, Error> {
    let scene = read_results_file(&moment.folder, SCENE, u64::MAX)?;
    let scene: Option<toml::Table> =
        str::from_utf8(&scene).ok().and_then(|text| toml::from_str(text).ok());
    let walls = scene.as_ref().and_then(|scene| scene.get("walls")?.as_array());
    let meshes = walls.into_iter().flatten().filter_map(|wall| wall.get("file")?.as_str());
    let mut files: Vec<PathBuf> = std::iter::once(SCENE).chain(meshes).map(PathBuf::from).collect();
    if moment.is_last() {
        files.push(SUMMARY.into());
    }
    let frame = || -> Result<PathBuf, Error> {
        let path = moment.frame()?.path;
        Ok(path.strip_prefix(&moment.folder).map_or_else(|_| path.clone(), PathBuf::from))
    };
    match last_checkpoint(moment)?.map(|checkpoint| checkpoint.arrays.engine) {
        // Particles of solids may be taken as bodies, from a frame, or as they are.
        Some(engine) if engine == "bonded" => {
            files.push(CHECKPOINT.into());
            files.extend(frame().ok());
            let solids = scene.and_then(|mut scene| scene.remove("solids"));
            let tables = toml::Table::from_iter(solids.map(|it| ("solids".to_owned(), it)));
            files.extend(inputs::named_files(&tables));
        }
        Some(_) => files.push(CHECKPOINT.into()),
        None => files.push(frame()?),
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Returns the state at the end of a run, if that is requested and its bodies are those of scenes.
/// Those of solids are particles, which their checkpoint has by the places in their lattices.
fn checkpoint(moment: &RunFrameSelector) -> Result<Option<Checkpoint>, Error> {
    Ok(last_checkpoint(moment)?.filter(|checkpoint| checkpoint.arrays.engine != "bonded"))
}

/// Returns the state at the end of a run, if that is requested and there is one.
pub(super) fn last_checkpoint(moment: &RunFrameSelector) -> Result<Option<Checkpoint>, Error> {
    if !moment.is_last() || !is_results_file(&moment.folder, CHECKPOINT)? {
        return Ok(None);
    }
    Checkpoint::read(&moment.folder.join(CHECKPOINT)).map(Some)
}

fn of_checkpoint(
    checkpoint: Checkpoint,
    header: &SceneHeader,
    file: &LocatedValue<String>,
) -> ValidationResult<(FileBodies, RunSource)> {
    let saved = checkpoint.bodies();
    let saved = saved.ok_or_else(|| file.refuse("its checkpoint lacks arrays of its bodies"))?;
    let size = (header.size.clone()).or_else(|| checkpoint.f64s("box").map(<[f64]>::to_vec));
    let periods: [Option<f64>; 3] = std::array::from_fn(|axis| {
        let length = size.as_ref().and_then(|size| size.get(axis).copied());
        length
            .filter(|_| header.boundary_conditions.get(axis) == Some(&BoundaryCondition::Periodic))
    });
    let place = |position: &[f64; 3]| -> Vector<3> {
        Vector::from_fn(|axis, _| wrapped(position[axis], periods[axis]))
    };
    let positions: Vec<Vector<3>> = saved.positions.iter().map(place).collect();
    let particles = match checkpoint.arrays.dimension {
        2 => Particles::Discs(particle_set(&positions, &saved.radii)),
        _ => Particles::Spheres(particle_set(&positions, &saved.radii)),
    };
    let bodies = FileBodies {
        size: size
            .as_ref()
            .map(|size| std::array::from_fn(|axis| size.get(axis).copied().unwrap_or(0.0))),
        particles,
        velocities: Some(saved.velocities),
        masses: Some(saved.masses),
        angular_velocities: Some(saved.angular_velocities),
        shapes: saved.shapes,
        orientations: saved.orientations,
        materials: Some(saved.materials),
        first_line: None,
    };
    let source = RunSource { size, ..source(header, positions.len()) };
    Ok((bodies, RunSource { checkpoint: Some(Arc::new(checkpoint)), ..source }))
}

/// Returns the time at which a run ended, from its summary.
fn time_of_end(moment: &RunFrameSelector) -> Result<Option<f64>, Error> {
    let summary = read_results_file(&moment.folder, SUMMARY, LONGEST_SUMMARY)?;
    let summary: Option<serde_json::Value> = serde_json::from_slice(&summary).ok();
    Ok(summary.and_then(|summary| summary.get("time")?.as_f64()))
}

/// Returns the bodies of a frame; `kinds` are the numbers of materials and shapes.
fn of_frame(
    moment: &RunFrameSelector,
    header: &SceneHeader,
    kinds: [usize; 2],
) -> ValidationResult<(FileBodies, RunSource)> {
    let frame = moment.frame()?;
    let (mut bodies, time) = frame.bodies()?;
    let end = if moment.is_last() { time_of_end(moment)? } else { None };
    let mut source = source(header, bodies.particles.len());
    let name = excerpt::file_name(&frame.path);
    let mut lost = Vec::new();
    if header.engine == Engine::Dem {
        lost.push("contact history");
    }
    for (what, is_there) in [
        ("velocities", bodies.velocities.is_some()),
        ("masses", bodies.masses.is_some()),
        ("angular velocities", bodies.angular_velocities.is_some() || header.engine != Engine::Dem),
        ("shapes and orientations", bodies.shapes.is_some() || kinds[1] == 0),
        ("materials", bodies.materials.is_some() || kinds[0] < 2),
    ] {
        if !is_there {
            lost.push(what);
        }
    }
    // Without a box of its own, a scene takes that of the run.
    if let Some(size) = &header.size {
        let edge = |axis: usize| size.get(axis).copied().unwrap_or(0.0);
        bodies.size = Some(std::array::from_fn(edge));
    }
    if let Some(end) = end.filter(|&end| end > time + 1e-9 * end.abs()) {
        source.warnings.push(format!(
            "bodies are taken from {name}, at time {time:?}, its last frame, but the run continued to time {end:?}: \
             let it write more frames (output.interval)"
        ));
    }
    if !lost.is_empty() {
        let lost = lost.join(", ");
        source.warnings.push(format!(
            "bodies are taken from {name}, at time {time:?}, which lacks {lost}; only the end of a run \
             with its checkpoint.bin has everything"
        ));
    }
    Ok((bodies, source))
}

/// Returns what a header says of the run that bodies come from.
pub(super) fn source(header: &SceneHeader, count: usize) -> RunSource {
    RunSource {
        folder: PathBuf::new(),
        first: 0,
        count,
        checkpoint: None,
        boundary_conditions: header.boundary_conditions.clone(),
        size: header.size.clone(),
        walls: Vec::new(),
        warnings: Vec::new(),
    }
}

fn particle_set<const D: usize>(positions: &[Vector<3>], radii: &[f64]) -> ParticleSet<D> {
    let sphere = |(place, &radius): (&Vector<3>, &f64)| Sphere {
        center: Vector::from_fn(|axis, _| place[axis]),
        radius,
    };
    ParticleSet::open(positions.iter().zip(radii).map(sphere).collect())
}

/// Wraps a coordinate into a periodic box; one that lies inside already keeps its bits.
fn wrapped(place: f64, period: Option<f64>) -> f64 {
    let Some(period) = period else { return place };
    let inside = place - period * (place / period).floor();
    // A value just below zero may be rounded up to the whole period.
    if inside >= period { 0.0 } else { inside }
}

/// Names in a run, in the order of their numbers there, and in a scene.
struct NameRemapping<'a> {
    what: &'a str,
    table: &'a str,
    run_names: Vec<&'a str>,
    scene_names: Vec<&'a str>,
}

impl NameRemapping<'_> {
    /// Replaces the numbers of the run by those of the scene.
    fn renumber<'n>(
        &self,
        numbers: impl IntoIterator<Item = &'n mut u32>,
        file: &LocatedValue<String>,
    ) -> ValidationResult<()> {
        let found: Vec<Option<u32>> = (self.run_names.iter())
            .map(|name| {
                self.scene_names.iter().position(|here| here == name).map(|place| place as u32)
            })
            .collect();
        for number in numbers {
            let there = *number as usize;
            let (what, table) = (self.what, self.table);
            let name = self.run_names.get(there).copied();
            let name = name.ok_or_else(|| {
                file.refuse(format!(
                    "it has a body of {what} {there}, which its scene does not have"
                ))
            })?;
            *number = found[there].ok_or_else(|| {
                let name = excerpt::truncated(name);
                file.refuse(format!(
                    "it has bodies of the {what} {name}; add [{table}.{name}] to the scene"
                ))
            })?;
        }
        Ok(())
    }
}
