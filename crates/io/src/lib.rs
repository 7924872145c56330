//! Files in and out of carom, as plain checked data: particles, contacts and meshes; frames, logs and checkpoints of
//! runs.
//!
//! | want | take |
//! |---|---|
//! | particles from a file | [`read_particles`] |
//! | the same with velocities and masses, as the bodies of a scene | [`read_bodies`] |
//! | particles or contacts into a file | [`write_csv`], [`write_xyz`], [`write_contacts`] inside [`write_atomically`] |
//! | a mesh from a file or into one | [`read_mesh`], [`write_mesh`] |
//! | the frames of a run | [`FrameSeries`] |
//! | a run that can continue after a kill | [`Checkpoint`], [`LogFile`] |
//!
//! Every error is one sentence that names the thing, the value and the rule.
//!
//! ```
//! use carom_io::{Particles, parse_csv};
//!
//! let text = b"x,y,r\n0,0,1\n1.5,0,1\n";
//! let Particles::Discs(set) = parse_csv(text, "pair.csv")? else { unreachable!() };
//! assert_eq!(set.spheres.len(), 2);
//!
//! let error = parse_csv(b"x,y,r\n0,0,-1\n", "pair.csv").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "pair.csv:2: column \"r\" is \"-1\"; a radius must be finite and not negative"
//! );
//! # Ok::<(), carom_io::Error>(())
//! ```
//!
//! # CSV
//!
//! A header names the columns: `x,y,r` for discs, `x,y,z,r` for spheres, in any order and any case; `radius` may stand
//! for `r`, and `diameter` or `d` if there is no radius. Bodies of a scene may have velocities in columns `vx`, `vy`
//! and, in 3D, `vz`, and masses in a column `mass`. Other columns are ignored, except that bodies of a scene may only
//! have `id` and a first column without a name or called `index` or `Unnamed: 0`, which numbers the rows. Lines that
//! start with `#` before the header are comments; if numbers follow them at once, the last comment is the header, as
//! NumPy writes it.
//!
//! Fields are separated by commas, semicolons, tabs or blanks, whichever stands between the names `x` and `y` of the
//! header. With blanks, rows may have one field more than the header, their number, as in tables printed by pandas and
//! R. Decimals have a point. Fields may be quoted, but a quoted field must not run over lines.
//!
//! # Extended XYZ
//!
//! One frame: the number of atoms, a comment line, one line per atom. The comment names the columns,
//! `Properties=species:S:1:pos:R:3:radius:R:1`; `radius` may be called `r`, `diameter` or `d`. Bodies of a scene may
//! have velocities, `velo:R:3` (or `velocity`), with as many columns as `pos`, and masses, `mass:R:1`; further
//! properties except `species`, `id` and `type` are refused there. A scene without a box size takes it from `Lattice`.
//! `pos:R:2`, or an entry `dimension=2` next to `pos:R:3` (the third coordinate is then ignored), gives discs. An axis
//! is periodic when `pbc` has `T` for it, or when there is a `Lattice` and no `pbc`; its length comes from `Lattice`,
//! which must then be rectangular. `Origin` is ignored: coordinates outside `[0, L)` are images, so a shifted box is
//! the same box.
//!
//! Both are read in parallel; the result and the reported error do not depend on the number of threads.
//!
//! # Meshes
//!
//! [`read_mesh`] and [`write_mesh`] know four formats by their extensions: STL (text and binary), OBJ, PLY (text and
//! binary) and OFF. Triangles of STL share a vertex where their corners have the same coordinates. OBJ, PLY and OFF are
//! written so that they give back the same bits; STL is binary, with coordinates in `f32` and polygons split into
//! triangles.

// The same bits on every processor: see `carom_geometry::math`.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod atomic_write;
mod cell;
mod checkpoint;
mod csv;
mod digest;
mod digits;
mod duration;
mod error;
pub mod excerpt;
mod frame;
mod frames;
mod gzip;
mod log;
pub mod memory;
mod mesh;
mod particle_set;
mod regular_file;
mod row_layout;
mod rows;
mod write;
mod xyz;

#[cfg(test)]
mod mutation_tests;

pub use atomic_write::{remove_partial_files, write_atomically};
pub use checkpoint::{Checkpoint, CheckpointProblem, SavedBodies, checkpoint_checksum};
pub use csv::{parse_csv, parse_csv_points, parse_csv_velocities};
pub use digest::digest;
pub use digits::{count_with_noun, group_thousands, six_significant_digits};
pub use duration::parse_duration;
pub use error::{Error, LineProblem};
pub use frame::{
    AxisExtent, Frame, FrameContact, FrameProblem, FrameShapes, FrameSprings, FrameWalls,
};
pub use frames::{
    FrameColumns, FrameFileProblem, FrameFormat, FrameHeader, FrameSeries, RecordedFrame,
    RunFrameSelector, parse_frame, parse_frame_particles, parse_frame_springs, recorded_frames,
    write_contacts_vtp, write_frame, write_frame_dump, write_frame_vtp, write_frame_xyz,
    write_springs_vtp, write_surfaces_vtp, write_walls_vtp,
};
pub use log::{LogFile, LogProblem, LogTable, check_log_columns};
pub use mesh::{
    MeshFormat, MeshPlace, MeshProblem, parse_mesh, read_mesh, write_mesh, write_mesh_as,
};
pub use particle_set::{ParticleSet, Particles};
pub use regular_file::{
    is_results_file, open_regular_file, open_results_file, open_results_file_with,
    read_results_file, results_path,
};
pub use write::{
    ContainmentCsvColumns, ContainmentCsvWriter, write_contacts, write_csv, write_laguerre_cells,
    write_particle_file, write_particles, write_triangulation, write_xyz,
};
pub use xyz::{parse_xyz, parse_xyz_points, parse_xyz_velocities};

use carom_geometry::Vector;
use std::io::{self, Read};
use std::path::Path;

/// Reads the particles of a file, or of standard input if the path is `-`.
///
/// The format follows the extension: `.csv`, `.xyz` and `.extxyz`, `.vtp` (VTK as frames are written), `.dump` and
/// `.lammpstrj` (LAMMPS). The format of any other file follows from its first line: VTK if it begins with `<?xml`, a
/// dump if it begins with `ITEM:`, extended XYZ if it is a lone integer, and CSV otherwise. Files may be compressed by
/// gzip. A results folder stands for its last frame, and [`RunFrameSelector`] selects another. What is neither a
/// regular file nor a pipe, or is larger than 16 GB, is refused.
///
/// ```no_run
/// use carom_io::Particles;
/// match carom_io::read_particles("grains.csv".as_ref())? {
///     Particles::Discs(set) => println!("{} discs", set.spheres.len()),
///     Particles::Spheres(set) => println!("{} spheres", set.spheres.len()),
/// }
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn read_particles(path: &Path) -> Result<Particles, Error> {
    if let Some(moment) = RunFrameSelector::of(path)? {
        return moment.frame()?.particles();
    }
    let (bytes, name) = read_input(path)?;
    match ParticleFormat::of(path, &bytes) {
        ParticleFormat::Csv => parse_csv(&bytes, &name),
        ParticleFormat::Xyz => parse_xyz(&bytes, &name),
        ParticleFormat::Vtk => parse_frame_particles(&bytes, name.as_ref(), FrameFormat::Vtk),
        ParticleFormat::Lammps => parse_frame_particles(&bytes, name.as_ref(), FrameFormat::Lammps),
    }
}

/// Reads the points of a file, or of standard input if the path is `-`: the vertices of a mesh, the positions in
/// extended XYZ and frames of runs, or the columns `x`, `y` and `z` of anything else, which is CSV.
pub fn read_points(path: &Path) -> Result<Vec<Vector<3>>, Error> {
    if MeshFormat::of_name(path).is_some() {
        return Ok(read_mesh(path)?.vertices);
    }
    if let Some(moment) = RunFrameSelector::of(path)? {
        return centers(moment.frame()?.particles()?, excerpt::file_name(path));
    }
    let (bytes, name) = read_input(path)?;
    if bytes.trim_ascii().is_empty() {
        return Err(Error::EmptyPoints { file: name });
    }
    match ParticleFormat::of(path, &bytes) {
        ParticleFormat::Csv => parse_csv_points(&bytes, &name),
        ParticleFormat::Xyz => parse_xyz_points(&bytes, &name),
        ParticleFormat::Vtk => {
            centers(parse_frame_particles(&bytes, name.as_ref(), FrameFormat::Vtk)?, name)
        }
        ParticleFormat::Lammps => {
            centers(parse_frame_particles(&bytes, name.as_ref(), FrameFormat::Lammps)?, name)
        }
    }
}

fn centers(particles: Particles, file: String) -> Result<Vec<Vector<3>>, Error> {
    match particles {
        Particles::Discs(_) => Err(Error::FlatPoints { file }),
        Particles::Spheres(set) => Ok(set.spheres.iter().map(|sphere| sphere.center).collect()),
    }
}

/// One velocity per particle; in 2D its third component is zero.
pub type Velocities = Vec<[f64; 3]>;

/// The bodies of a file for a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct FileBodies {
    /// Positions and radii of the particles.
    pub particles: Particles,
    /// Velocities, if the file has them.
    pub velocities: Option<Velocities>,
    /// Masses, if the file has them.
    pub masses: Option<Vec<f64>>,
    /// Angular velocities, if the file has them: in radians per time about each axis, in 2D about the third.
    pub angular_velocities: Option<Vec<[f64; 3]>>,
    /// Indices of their shapes, if the file has them; `None` for a disc or sphere.
    pub shapes: Option<Vec<Option<u32>>>,
    /// Orientations of shapes, if the file has them: quaternions w, x, y, z.
    pub orientations: Option<Vec<[f64; 4]>>,
    /// Indices of their materials in the scene that they come from, if the file has them.
    pub materials: Option<Vec<u32>>,
    /// Edge lengths of the box, if the file has them: the `Lattice` of extended XYZ, or the box of a frame.
    pub size: Option<[f64; 3]>,
    /// Line of the first particle, from which the others follow line by line; `None` in files without lines.
    pub first_line: Option<usize>,
}

/// Columns of frames that a scene ignores, since they follow from the rest.
const DERIVED_COLUMNS: [&str; 8] =
    ["speed", "pressure", "contacts", "cluster", "solid", "strain", "damage", "fragment"];

/// Largest file that is read, in bytes.
const LONGEST: u64 = 16 << 30;

/// As [`read_particles`], with everything that a scene can use, and an error for columns that a scene cannot use. It
/// must be a regular file of at most 16 GB.
pub fn read_bodies(path: &Path) -> Result<FileBodies, Error> {
    check_regular(path)
        .map_err(|source| Error::CannotRead { file: excerpt::file_name(path), source })?;
    let (bytes, name) = read_input(path)?;
    match ParticleFormat::of(path, &bytes) {
        ParticleFormat::Csv => csv::parse_bodies(&bytes, &name),
        ParticleFormat::Xyz => xyz::parse_bodies(&bytes, &name),
        ParticleFormat::Vtk => frames::parse_bodies(&bytes, name.as_ref(), FrameFormat::Vtk),
        ParticleFormat::Lammps => frames::parse_bodies(&bytes, name.as_ref(), FrameFormat::Lammps),
    }
}

/// Refuses what may never end or would fill the memory.
fn check_regular(path: &Path) -> io::Result<()> {
    let found = std::fs::metadata(path)?;
    let refuse = |reason| Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    match () {
        () if found.is_dir() => Ok(()),
        () if !found.is_file() => refuse("it is not a regular file"),
        () if found.len() > LONGEST => refuse("it is larger than 16 GB"),
        () => Ok(()),
    }
}

/// Returns the bytes of a file, or of standard input if the path is `-`, and its name in messages.
///
/// What is compressed by gzip is decompressed. What is neither a regular file nor a pipe, or is larger than 16 GB, is
/// refused.
pub fn read_input(path: &Path) -> Result<(Vec<u8>, String), Error> {
    let standard_input = path == Path::new("-");
    let name = if standard_input { "standard input".to_owned() } else { excerpt::file_name(path) };
    if let Ok(found) = std::fs::metadata(path).as_ref().map(std::fs::Metadata::len) {
        memory::check(format!("{name} and what is read from it"), 2.0 * found as f64)?;
    }
    let bytes =
        if standard_input { read_up_to(LONGEST, io::stdin().lock()) } else { read_finite(path) };
    let bytes = bytes.and_then(decompressed);
    match bytes {
        Ok(bytes) => Ok((bytes, name)),
        Err(source) => Err(Error::CannotRead { file: name, source }),
    }
}

/// Reads a regular file or a pipe: devices may never end; a pipe ends when its writer does.
fn read_finite(path: &Path) -> io::Result<Vec<u8>> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() || found.is_file() && found.len() <= LONGEST {
        return std::fs::read(path);
    }
    if found.is_file() || is_pipe(&found) {
        return read_up_to(LONGEST, std::fs::File::open(path)?);
    }
    let reason = "it is neither a regular file nor a pipe";
    Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
}

#[cfg(unix)]
fn is_pipe(found: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

/// Reads all bytes; an error if there are more than `most`.
fn read_up_to(most: u64, source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Returns the bytes, decompressed if they are compressed.
fn decompressed(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if !gzip::is_compressed(&bytes) {
        return Ok(bytes);
    }
    let bytes = gzip::read_to_end(&bytes[..], LONGEST + 1)?;
    if bytes.len() as u64 > LONGEST { Err(too_large()) } else { Ok(bytes) }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is larger than 16 GB")
}

/// A format of particle files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParticleFormat {
    /// CSV: values with a header, separated by commas, semicolons, tabs or blanks.
    Csv,
    /// Extended XYZ.
    Xyz,
    /// VTK PolyData as frames are written.
    Vtk,
    /// LAMMPS dump.
    Lammps,
}

impl ParticleFormat {
    /// Returns the format that a file's extension stands for, in any case, if it is known.
    pub fn of_name(path: &Path) -> Option<Self> {
        let path = gzip::uncompressed_name(path);
        let extension = path.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "csv" => Some(ParticleFormat::Csv),
            "xyz" | "extxyz" => Some(ParticleFormat::Xyz),
            "vtp" => Some(ParticleFormat::Vtk),
            "dump" | "lammpstrj" => Some(ParticleFormat::Lammps),
            _ => None,
        }
    }

    fn of(path: &Path, bytes: &[u8]) -> Self {
        ParticleFormat::of_name(path).unwrap_or_else(|| ParticleFormat::of_content(bytes))
    }

    fn of_content(bytes: &[u8]) -> Self {
        let first = rows::first_line(rows::without_byte_order_mark(bytes)).trim_ascii();
        let lone_integer = !first.is_empty() && first.iter().all(u8::is_ascii_digit);
        match () {
            () if lone_integer => ParticleFormat::Xyz,
            () if first.starts_with(b"<?xml") => ParticleFormat::Vtk,
            () if first.starts_with(b"ITEM: ") => ParticleFormat::Lammps,
            () => ParticleFormat::Csv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_before_the_content() {
        assert_eq!(ParticleFormat::of(Path::new("a.CSV"), b"12\n"), ParticleFormat::Csv);
        assert_eq!(ParticleFormat::of(Path::new("a.xyz"), b"x,y,r\n"), ParticleFormat::Xyz);
        assert_eq!(ParticleFormat::of(Path::new("a.extxyz"), b"x,y,r\n"), ParticleFormat::Xyz);
        assert_eq!(ParticleFormat::of(Path::new("a.xyz.gz"), b"x,y,r\n"), ParticleFormat::Xyz);
    }

    #[test]
    fn without_a_known_extension_a_lone_integer_means_xyz() {
        for (content, format) in [
            (&b"12\nProperties"[..], ParticleFormat::Xyz),
            (b"\xef\xbb\xbf 12 \r\n", ParticleFormat::Xyz),
            (b"<?xml version=\"1.0\"?>\n", ParticleFormat::Vtk),
            (b"ITEM: TIMESTEP\n", ParticleFormat::Lammps),
            (b"12,13\n", ParticleFormat::Csv),
            (b"x,y,r\n", ParticleFormat::Csv),
            (b"", ParticleFormat::Csv),
        ] {
            assert_eq!(ParticleFormat::of(Path::new("a.txt"), content), format);
        }
    }

    #[test]
    fn files_that_cannot_be_read_are_named_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| {
            let text = read_particles(path).unwrap_err().to_string();
            text.replace(folder.path().to_str().unwrap(), "DIR")
        };
        assert_eq!(
            message(&folder.path().join("none.csv")),
            "DIR/none.csv cannot be read: there is no such file"
        );
        let sentence =
            "holds no frames of a run; name a folder with frames (output.formats), or a file";
        assert_eq!(message(folder.path()), format!("DIR {sentence}"));
    }

    #[test]
    fn an_empty_file_of_points_is_refused_with_what_points_are_read_from() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["none.csv", "none.xyz"] {
            std::fs::write(folder.path().join(name), " \n").unwrap();
            let message = read_points(&folder.path().join(name)).unwrap_err().to_string();
            assert!(message.contains("is empty; points are read from CSV"), "{message}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_refused() {
        let zeros = Path::new("/dev/zero");
        for refusal in [read_particles(zeros).unwrap_err(), read_points(zeros).unwrap_err()] {
            let reason = "/dev/zero cannot be read: it is neither a regular file nor a pipe";
            assert_eq!(refusal.to_string(), reason);
        }
        let refusal = read_up_to(1000, io::repeat(b'1')).unwrap_err();
        assert_eq!(refusal.to_string(), "it is larger than 16 GB");
        assert_eq!(read_up_to(1000, &[7; 1000][..]).unwrap(), [7; 1000]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_permission_says_so() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::set_permissions(file.path(), PermissionsExt::from_mode(0o000)).unwrap();
        if std::fs::read(file.path()).is_ok() {
            return; // The superuser may read everything.
        }
        let text = read_particles(file.path()).unwrap_err().to_string();
        assert!(text.ends_with("cannot be read: you have no permission to do so"), "{text}");
    }

    #[test]
    fn a_file_is_read_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("grains.dat");
        std::fs::write(&path, "1\nProperties=pos:R:3:radius:R:1\n1 2 3 4\n").unwrap();
        assert_eq!(read_particles(&path).unwrap().dimension(), 3);
        std::fs::write(&path, "x,y,r\n1,2,3\n").unwrap();
        assert_eq!(read_particles(&path).unwrap().dimension(), 2);
    }
}
