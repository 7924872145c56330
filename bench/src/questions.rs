//! The file with a mesh and points or poses that peers in processes of their own read.

use crate::error::Error;
use carom::geometry::Vector;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with the questions, and room for the answers; removed at the end.
pub struct Questions {
    folder: TempDir,
}

impl Questions {
    /// Writes, all little-endian: how many vertices, triangles and questions there are (64 bits each),
    /// the vertices (64-bit floats), the triangles (32-bit numbers), and the floats of the questions.
    pub fn write(
        vertices: &[Vector<3>],
        triangles: &[[u32; 3]],
        count: usize,
        questions: impl Iterator<Item = f64>,
    ) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let all = Questions { folder };
        write_file(&all.path(), |file| {
            for count in [vertices.len(), triangles.len(), count] {
                file.write_all(&(count as u64).to_le_bytes())?;
            }
            write_floats(file, vertices.iter().flat_map(|vertex| vertex.iter().copied()))?;
            for corner in triangles.as_flattened() {
                file.write_all(&corner.to_le_bytes())?;
            }
            write_floats(file, questions)
        })?;
        Ok(all)
    }

    /// Returns where the questions are.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("questions")
    }

    /// Returns where the peer puts its answers.
    pub fn answers(&self) -> PathBuf {
        self.folder.path().join("answers")
    }

    /// Reads the answers.
    pub fn read_answers(&self) -> Result<Vec<u8>, Error> {
        std::fs::read(self.answers()).map_err(Error::in_file(self.answers()))
    }
}

/// Writes a file for a peer.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Error> {
    let written = || {
        let mut file = BufWriter::new(File::create(path)?);
        write(&mut file)?;
        file.flush()
    };
    written().map_err(Error::in_file(path))
}

/// Writes little-endian 64-bit floats.
pub fn write_floats(
    file: &mut impl Write,
    mut values: impl Iterator<Item = f64>,
) -> std::io::Result<()> {
    values.try_for_each(|value| file.write_all(&value.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::geometry::mesh::octahedron_sphere;

    #[test]
    fn questions_hold_counts_vertices_triangles_and_points() {
        let mesh = octahedron_sphere(0);
        let points = [0.0, 0.0, 0.0, 0.5, 0.5, 1.0];
        let questions =
            Questions::write(mesh.vertices(), mesh.triangles(), 2, points.into_iter()).unwrap();
        let bytes = std::fs::read(questions.path()).unwrap();
        assert_eq!(bytes.len(), 3 * 8 + 6 * 24 + 8 * 12 + 2 * 24);
        assert_eq!(bytes[..24], [6u64, 8, 2].map(u64::to_le_bytes).concat());
        assert_eq!(bytes[bytes.len() - 8..], 1f64.to_le_bytes());
    }
}
