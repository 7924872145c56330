//! A closed surface that is read once and asked which points are inside.

use carom_detect::inside::{
    Containment, ContainmentError, ContainmentMethod, FillRule, InsideTest, PreparedSurface,
};
use carom_geometry::mesh::{MeshTopology, PolygonMesh, TriangleMesh, TriangleMeshError};
use carom_geometry::points_from_rows;
use std::path::Path;
use thiserror::Error;

/// A closed triangle mesh, prepared to classify points exactly and by all threads.
///
/// Overlapping parts cancel each other (the even-odd rule). For another rule or method, or for open surfaces, take
/// [`ContainmentMethod::prepare`].
///
/// ```
/// use carom::{Mesh, geometry::mesh::octahedron_sphere};
/// let ball = Mesh::new(&octahedron_sphere(3).to_polygons())?;
/// assert_eq!(ball.contains(&[[0.5, 0.0, 0.0], [2.0, 0.0, 0.0]]), [true, false]);
/// # Ok::<(), carom::MeshError>(())
/// ```
pub struct Mesh {
    prepared: PreparedSurface,
}

/// Number of points for which the surface is prepared: many, since a mesh is kept to be asked often.
const EXPECTED_POINTS: usize = 1_000_000;

impl Mesh {
    /// Reads an STL, OBJ, PLY or OFF file.
    ///
    /// Fails if the file cannot be read, if it holds no valid mesh, or if the surface has no inside because it is open.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MeshError> {
        Mesh::new(&carom_io::read_mesh(path.as_ref())?)
    }

    /// Prepares a mesh of polygons; fails if it has no inside.
    pub fn new(mesh: &PolygonMesh) -> Result<Self, MeshError> {
        let (surface, topology) = (TriangleMesh::from_polygons(mesh)?, MeshTopology::of(mesh));
        let method = ContainmentMethod::Auto;
        let prepared = method.prepare(surface, &topology, FillRule::EvenOdd, EXPECTED_POINTS)?;
        Ok(Mesh { prepared })
    }

    /// Whether each point is inside or on the surface. A point with a coordinate that is not finite is outside.
    pub fn contains(&self, points: &[[f64; 3]]) -> Vec<bool> {
        self.classify(points).into_iter().map(|side| side != Containment::Outside).collect()
    }

    /// Where each point is: inside, outside or exactly on the surface.
    pub fn classify(&self, points: &[[f64; 3]]) -> Vec<Containment> {
        let points = points_from_rows(points.as_flattened()).expect("a point is three coordinates");
        self.prepared.test.classify_all(points)
    }

    /// The prepared surface.
    pub fn inside_test(&self) -> &dyn InsideTest {
        &*self.prepared.test
    }
}

/// Why a mesh cannot be asked which points are inside; the message is one sentence.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file cannot be read, or a line of it is invalid.
    #[error(transparent)]
    File(#[from] carom_io::Error),
    /// The polygons are no mesh of triangles.
    #[error(transparent)]
    Triangles(#[from] TriangleMeshError),
    /// The surface has no inside.
    #[error(transparent)]
    Containment(#[from] ContainmentError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::octahedron_sphere;

    #[test]
    fn a_mesh_file_is_asked_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ball.off");
        carom_io::write_mesh(&path, &octahedron_sphere(2).to_polygons()).unwrap();
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [1.1, 0.0, 0.0], [f64::NAN, 0.0, 0.0]];
        let ball = Mesh::read(&path).unwrap();
        assert_eq!(ball.contains(&points), [true, true, false, false]);
        assert_eq!(ball.classify(&points)[1], Containment::Surface);
    }

    #[test]
    fn what_has_no_inside_is_refused_in_one_sentence() {
        let sphere = octahedron_sphere(1);
        let open = TriangleMesh::new(sphere.vertices().to_vec(), sphere.triangles()[1..].to_vec());
        let refusal = Mesh::new(&open.unwrap().to_polygons()).err().unwrap().to_string();
        assert!(refusal.contains("no inside") && !refusal.contains('\n'), "{refusal}");
        let missing = Mesh::read("nowhere.stl").err().unwrap().to_string();
        assert!(missing.starts_with("nowhere.stl"), "{missing}");
    }
}
