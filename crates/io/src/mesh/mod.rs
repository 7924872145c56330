//! Reading and writing of polygon meshes, one file per format.
//!
//! | extension | read | written |
//! |---|---|---|
//! | `.stl` | text and binary; corners with the same coordinates become one vertex | binary, in `f32`; polygons are cut into triangles from their first vertex |
//! | `.obj` | `v` and `f` (with `/vt/vn`, negative numbers, any number of corners); all else is passed over | `v` and `f` |
//! | `.ply` | text and both binary orders, any number types; `vertex` with `x`, `y`, `z`, and `face` with `vertex_indices` or `vertex_index`; all else is passed over | binary, little end first, in `f64` |
//! | `.off` | `OFF`, also with colors, normals or texture coordinates, which are passed over; comments | `OFF` |
//!
//! OBJ, PLY and OFF give back the same bits. The topology of a mesh is not checked here: it may be open, and a face may
//! name a vertex twice. It has at least one face, faces have at least three corners, all of them vertices, and
//! coordinates are finite.

mod face;
mod obj;
mod off;
mod place;
mod ply;
mod problem;
mod stl;
mod tokenizer;
mod vertex_welder;

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod tests;

pub use place::MeshPlace;
pub use problem::MeshProblem;

use super::cell::{self, CellQuantity};
use super::{LONGEST, check_regular, read_input, write_atomically};
use crate::{Error, excerpt};
use carom_geometry::mesh::PolygonMesh;
use problem::LocatedMeshProblem;
use std::io::{self, Write};
use std::path::Path;

/// A format of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// STL: triangles by their corners, text or binary.
    Stl,
    /// Wavefront OBJ, text.
    Obj,
    /// Stanford PLY, text or binary.
    Ply,
    /// Geomview OFF, text.
    Off,
}

impl MeshFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [MeshFormat::Stl, MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off];

    /// Returns the mesh format that a file's extension stands for, in any case.
    ///
    /// ```
    /// use carom_io::MeshFormat;
    /// assert_eq!(MeshFormat::of_name("rock.STL".as_ref()), Some(MeshFormat::Stl));
    /// assert_eq!(MeshFormat::of_name("rock.toml".as_ref()), None);
    /// ```
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// Returns the extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            MeshFormat::Stl => "stl",
            MeshFormat::Obj => "obj",
            MeshFormat::Ply => "ply",
            MeshFormat::Off => "off",
        }
    }

    fn required(path: &Path) -> Result<Self, Error> {
        let unknown = || Error::MeshFormat { file: excerpt::file_name(path) };
        Self::of_name(path).ok_or_else(unknown)
    }
}

/// Reads the mesh of a file whose extension names its format.
///
/// It must be a regular file of at most 16 GB.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("triangle.off");
/// # std::fs::write(&path, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")?;
/// use carom_io::{read_mesh, write_mesh};
/// let mesh = read_mesh(&path)?;
/// assert_eq!(mesh.faces, [[0, 1, 2]]);
/// write_mesh(&path.with_extension("ply"), &mesh)?;
/// assert_eq!(read_mesh(&path.with_extension("ply"))?, mesh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_mesh(path: &Path) -> Result<PolygonMesh, Error> {
    let format = MeshFormat::required(path)?;
    check_regular(path)
        .map_err(|source| Error::CannotRead { file: excerpt::file_name(path), source })?;
    let (bytes, name) = read_input(path)?;
    parse_mesh(&bytes, &name, format)
}

/// Reads the mesh in the bytes of a file; `name` is its name in messages.
///
/// ```
/// use carom_io::{MeshFormat, parse_mesh};
/// let error = parse_mesh(b"v 0 0 0\nv 1 0 none\n", "a.obj", MeshFormat::Obj).unwrap_err();
/// assert_eq!(error.to_string(), "a.obj:2: z is \"none\"; a coordinate must be a number");
/// ```
pub fn parse_mesh(bytes: &[u8], name: &str, format: MeshFormat) -> Result<PolygonMesh, Error> {
    let mesh = match format {
        // Below this length numbers of vertices and faces fit into 32 bits, see the readers.
        _ if bytes.len() as u64 > LONGEST => Err(LocatedMeshProblem::of_file(MeshProblem::TooLong)),
        _ if bytes.trim_ascii().is_empty() => Err(LocatedMeshProblem::of_file(MeshProblem::Empty)),
        MeshFormat::Stl => stl::parse(bytes),
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Off => off::parse(bytes),
    };
    let mesh = mesh.and_then(|mesh| match mesh.faces.len() {
        0 => Err(LocatedMeshProblem::of_file(MeshProblem::NoFaces)),
        _ => Ok(mesh),
    });
    mesh.map_err(|fault| fault.in_file(&excerpt::escape_control_characters(name)))
}

/// Writes a mesh into a file atomically, in the format that its extension names.
///
/// # Errors
///
/// If a coordinate is not finite, a face has fewer than three corners or one that is no vertex, or if the format cannot
/// hold the mesh.
pub fn write_mesh(path: &Path, mesh: &PolygonMesh) -> Result<(), Error> {
    let format = MeshFormat::required(path)?;
    write_atomically(path, |out| write_mesh_as(out, mesh, format))
}

/// Writes a mesh in a format; errors as of [`write_mesh`].
///
/// ```
/// use carom_geometry::{Vector, mesh::PolygonMesh};
/// use carom_io::{MeshFormat, write_mesh_as};
/// let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vector::from);
/// let mesh = PolygonMesh { vertices: corners.to_vec(), faces: vec![vec![0, 1, 2]] };
/// let mut text = Vec::new();
/// write_mesh_as(&mut text, &mesh, MeshFormat::Obj)?;
/// assert_eq!(text, b"v 0.0 0.0 0.0\nv 0.1 0.0 0.0\nv 0.0 1.0 0.0\nf 1 2 3\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_mesh_as(
    out: &mut (impl Write + ?Sized),
    mesh: &PolygonMesh,
    format: MeshFormat,
) -> io::Result<()> {
    check_mesh(mesh).map_err(refusal)?;
    match format {
        MeshFormat::Stl => stl::write(out, mesh),
        MeshFormat::Obj => obj::write(out, mesh),
        MeshFormat::Ply => ply::write(out, mesh),
        MeshFormat::Off => off::write(out, mesh),
    }
}

/// Returns an error unless what is written can be read again.
fn check_mesh(mesh: &PolygonMesh) -> Result<(), MeshProblem> {
    for vertex in &mesh.vertices {
        for (&coordinate, axis) in vertex.iter().zip(tokenizer::AXES) {
            let checked = cell::check(coordinate, CellQuantity::Coordinate);
            let value = || format!("{coordinate:e}");
            checked.map_err(|rule| MeshProblem::value(axis, value().as_bytes(), rule))?;
        }
    }
    let count = mesh.vertices.len();
    for face in &mesh.faces {
        face::check_corners(face.len())?;
        face.iter().try_for_each(|&corner| face::vertex(corner.into(), count, 0).map(drop))?;
    }
    Ok(())
}

/// Returns the error of a stream whose format cannot hold a mesh.
fn refusal(reason: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason.to_string())
}
