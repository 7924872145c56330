//! Every reader of carom, and the promises that it keeps for any bytes.

use carom::Sphere;
use carom::io::{
    Checkpoint, Error, FrameFormat, MeshFormat, ParticleSet, Particles, checkpoint_checksum,
    parse_csv, parse_csv_points, parse_csv_velocities, parse_frame, parse_frame_particles,
    parse_frame_springs, parse_mesh, parse_xyz, parse_xyz_points, parse_xyz_velocities, write_csv,
    write_mesh_as, write_xyz,
};
use carom::scene;
use carom::scene::scene::{AnyScene, SceneOutline};
use carom_papers::paper_004::koti1989::parse_koti1989;
use std::path::Path;

/// Largest number of bodies of a scene; more would only take time.
const MOST_BODIES: u64 = 2000;

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Scenes in TOML.
    Scene,
    /// Particles as comma-separated values.
    Csv,
    /// Particles, and frames, as extended XYZ.
    Xyz,
    /// Frames as LAMMPS dumps.
    Lammps,
    /// Frames as VTK PolyData.
    Vtk,
    /// The springs of a frame as VTK PolyData.
    Springs,
    /// Meshes of triangles, text or binary.
    Stl,
    /// Meshes as Wavefront OBJ.
    Obj,
    /// Meshes as PLY, text or binary.
    Ply,
    /// Meshes as OFF.
    Off,
    /// Checkpoints of runs.
    Checkpoint,
    /// Data files of paper 004.
    Koti1989,
}

impl Reader {
    /// All of them.
    pub const ALL: [Reader; 12] = [
        Reader::Scene,
        Reader::Csv,
        Reader::Xyz,
        Reader::Lammps,
        Reader::Vtk,
        Reader::Springs,
        Reader::Stl,
        Reader::Obj,
        Reader::Ply,
        Reader::Off,
        Reader::Checkpoint,
        Reader::Koti1989,
    ];

    /// Returns the name of its attack, of its folder in the corpus and of its libFuzzer target.
    pub fn name(self) -> &'static str {
        match self {
            Reader::Scene => "scene",
            Reader::Csv => "csv",
            Reader::Xyz => "xyz",
            Reader::Lammps => "lammps",
            Reader::Vtk => "vtk",
            Reader::Springs => "springs",
            Reader::Stl => "stl",
            Reader::Obj => "obj",
            Reader::Ply => "ply",
            Reader::Off => "off",
            Reader::Checkpoint => "checkpoint",
            Reader::Koti1989 => "koti1989",
        }
    }

    /// Returns the extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Reader::Scene => "toml",
            Reader::Lammps => "dump",
            Reader::Vtk | Reader::Springs => "vtp",
            Reader::Checkpoint => "bin",
            Reader::Koti1989 => "dat",
            other => other.name(),
        }
    }

    /// Whether its files are text, however damaged.
    pub fn is_text(self) -> bool {
        !matches!(self, Reader::Vtk | Reader::Springs | Reader::Checkpoint)
    }

    /// Reads any bytes and returns whether they were accepted.
    ///
    /// # Errors
    ///
    /// Names the broken promise: a message on several lines or without the file's name, a number that must not be
    /// accepted, or something that is not the same when it is written and read again. A panic is passed on.
    pub fn check(self, bytes: &[u8]) -> Result<bool, String> {
        match self {
            Reader::Scene => check_scene(bytes),
            Reader::Csv => check_csv(bytes),
            Reader::Xyz => check_xyz(bytes),
            Reader::Lammps => check_frame(bytes, FrameFormat::Lammps),
            Reader::Vtk => check_frame(bytes, FrameFormat::Vtk),
            Reader::Springs => check_springs(bytes),
            Reader::Stl => check_mesh(bytes, MeshFormat::Stl),
            Reader::Obj => check_mesh(bytes, MeshFormat::Obj),
            Reader::Ply => check_mesh(bytes, MeshFormat::Ply),
            Reader::Off => check_mesh(bytes, MeshFormat::Off),
            Reader::Checkpoint => check_checkpoint(bytes),
            Reader::Koti1989 => check_koti1989(bytes),
        }
    }
}

/// A refusal is one line that begins with the name of the file.
fn refused(error: &Error) -> Result<bool, String> {
    refused_with(&error.to_string())
}

/// Of a scene, one such line for each mistake.
fn refused_scene(error: &scene::Error) -> Result<bool, String> {
    if let scene::Error::SceneProblems { problems, .. } = error {
        return problems.iter().try_fold(false, |_, problem| refused_scene(problem));
    }
    refused_with(&error.to_string())
}

fn refused_with(text: &str) -> Result<bool, String> {
    match () {
        () if text.contains(char::is_control) => {
            Err(format!("the message has control letters: {text:?}"))
        }
        () if !text.starts_with("file") => {
            Err(format!("the message does not begin with the file: {text}"))
        }
        () => Ok(false),
    }
}

fn keep(promise: bool, broken: &str) -> Result<(), String> {
    if promise { Ok(()) } else { Err(broken.to_owned()) }
}

fn check_scene(bytes: &[u8]) -> Result<bool, String> {
    let Ok(text) = str::from_utf8(bytes) else { return Ok(false) };
    let outline = match SceneOutline::parse(text, "file", Path::new(""), &[]) {
        Ok(outline) if outline.body_count() > MOST_BODIES => return Ok(true),
        Ok(outline) => outline,
        Err(error) => return refused_scene(&error),
    };
    match outline.expand() {
        Err(error) => refused_scene(&error),
        Ok(scene) => {
            let again = AnyScene::parse(scene.to_toml(), "again", Path::new(""), &[]);
            let again = again.map_err(|error| format!("the scene as run is refused: {error}"))?;
            keep(again == scene, "the scene as run is another scene").map(|()| true)
        }
    }
}

fn check_csv(bytes: &[u8]) -> Result<bool, String> {
    check_others(parse_csv_points(bytes, "file"))?;
    check_others(parse_csv_velocities(bytes, "file"))?;
    match parse_csv(bytes, "file") {
        Err(error) => refused(&error),
        Ok(Particles::Discs(set)) => {
            csv_again(&set.spheres, Particles::Discs(ParticleSet::open(set.spheres.clone())))
        }
        Ok(Particles::Spheres(set)) => {
            csv_again(&set.spheres, Particles::Spheres(ParticleSet::open(set.spheres.clone())))
        }
    }
}

fn csv_again<const D: usize>(spheres: &[Sphere<D>], particles: Particles) -> Result<bool, String> {
    check_numbers(spheres)?;
    let mut text = Vec::new();
    write_csv(&mut text, spheres).map_err(|error| error.to_string())?;
    same_particles(parse_csv(&text, "again"), particles)
}

fn check_xyz(bytes: &[u8]) -> Result<bool, String> {
    check_others(parse_xyz_points(bytes, "file"))?;
    check_others(parse_xyz_velocities(bytes, "file"))?;
    check_frame(bytes, FrameFormat::Xyz)?;
    match parse_xyz(bytes, "file") {
        Err(error) => refused(&error),
        Ok(Particles::Discs(set)) => xyz_again(&set, Particles::Discs(set.clone())),
        Ok(Particles::Spheres(set)) => xyz_again(&set, Particles::Spheres(set.clone())),
    }
}

fn xyz_again<const D: usize>(set: &ParticleSet<D>, particles: Particles) -> Result<bool, String> {
    check_numbers(&set.spheres)?;
    let mut text = Vec::new();
    write_xyz(&mut text, set).map_err(|error| error.to_string())?;
    same_particles(parse_xyz(&text, "again"), particles)
}

fn check_others<T>(result: Result<T, Error>) -> Result<bool, String> {
    result.map_or_else(|error| refused(&error), |_| Ok(true))
}

fn check_numbers<const D: usize>(spheres: &[Sphere<D>]) -> Result<(), String> {
    let usable = |sphere: &Sphere<D>| {
        sphere.center.iter().all(|part| part.is_finite())
            && sphere.radius.is_finite()
            && sphere.radius >= 0.0
    };
    keep(spheres.iter().all(usable), "a number that cannot be used was let in")
}

fn same_particles(again: Result<Particles, Error>, particles: Particles) -> Result<bool, String> {
    let again = again.map_err(|error| format!("what was written is refused: {error}"))?;
    keep(again == particles, "other particles come back when they are written and read")
        .map(|()| true)
}

fn check_frame(bytes: &[u8], format: FrameFormat) -> Result<bool, String> {
    match parse_frame_particles(bytes, Path::new("file"), format) {
        Err(error) => refused(&error)?,
        Ok(Particles::Discs(set)) => check_numbers(&set.spheres).map(|()| true)?,
        Ok(Particles::Spheres(set)) => check_numbers(&set.spheres).map(|()| true)?,
    };
    match parse_frame(bytes, Path::new("file"), format, &[]) {
        Err(error) => refused(&error),
        Ok(frame) => frame.check().map_err(|problem| problem.to_string()).map(|()| true),
    }
}

fn check_springs(bytes: &[u8]) -> Result<bool, String> {
    match parse_frame_springs(bytes, Path::new("file")) {
        Err(error) => refused(&error),
        Ok(springs) => {
            let count = springs.ends.len();
            let holds = springs.strains.len() == count && springs.are_broken.len() == count;
            keep(holds, "springs without a strain were let in").map(|()| true)
        }
    }
}

fn check_mesh(bytes: &[u8], format: MeshFormat) -> Result<bool, String> {
    let mesh = match parse_mesh(bytes, "file", format) {
        Err(error) => return refused(&error),
        Ok(mesh) => mesh,
    };
    let corners = mesh.faces.iter().flatten();
    keep(
        mesh.faces.iter().all(|face| face.len() >= 3),
        "a face with fewer than three corners was let in",
    )?;
    keep(
        corners.copied().all(|corner| (corner as usize) < mesh.vertices.len()),
        "a corner without a vertex was let in",
    )?;
    for format in [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off] {
        let mut text = Vec::new();
        write_mesh_as(&mut text, &mesh, format).map_err(|error| error.to_string())?;
        let again = parse_mesh(&text, "again", format)
            .map_err(|error| format!("what was written as {format:?} is refused: {error}"))?;
        keep(again == mesh, "another mesh comes back when it is written and read")?;
    }
    Ok(true)
}

/// Checks the bytes as they are, and with the last checksum corrected, so that the checks behind it are reached.
fn check_checkpoint(bytes: &[u8]) -> Result<bool, String> {
    let accepted = check_checkpoint_bytes(bytes)?;
    let mut sealed = bytes.to_vec();
    let Some((before, sum)) = sealed.split_last_chunk_mut() else { return Ok(accepted) };
    *sum = checkpoint_checksum(before);
    check_checkpoint_bytes(&sealed)
}

fn check_checkpoint_bytes(bytes: &[u8]) -> Result<bool, String> {
    match Checkpoint::decode(bytes, "file") {
        Err(error) => refused(&error),
        Ok(checkpoint) => {
            keep(checkpoint.encode() == bytes, "a checkpoint read is written as other bytes")
                .map(|()| true)
        }
    }
}

fn check_koti1989(bytes: &[u8]) -> Result<bool, String> {
    match parse_koti1989(bytes, "file") {
        Err(error) => refused_with(&error.to_string()),
        Ok(scene) => keep(scene.invalid_field().is_none(), "a field against its rule was let in")
            .map(|()| true),
    }
}
