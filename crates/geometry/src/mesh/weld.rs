//! Welding: equal vertices become one.

use super::PolygonMesh;
use crate::Vector;
use std::collections::HashMap;

/// Returns for each vertex the first one that is equal to it.
pub(crate) fn first_equal_vertices(vertices: &[Vector<3>]) -> Vec<u32> {
    // Adding zero turns -0 into +0, so that both have the same bits.
    let key = |place: &Vector<3>| [0, 1, 2].map(|axis| (place[axis] + 0.0).to_bits());
    let mut firsts: HashMap<[u64; 3], u32> = HashMap::with_capacity(vertices.len());
    (0u32..)
        .zip(vertices)
        .map(|(number, place)| *firsts.entry(key(place)).or_insert(number))
        .collect()
}

impl PolygonMesh {
    /// Returns the mesh with vertices of equal position welded, without faces that have fewer than three
    /// corners left. Vertices that no face refers to any more stay.
    pub fn with_welded_vertices(self) -> Self {
        let mut faces = welded_faces(&self);
        faces.retain(|face| face.len() > 2);
        PolygonMesh { faces, ..self }
    }
}

/// Returns the faces in terms of the first of equal vertices, consecutive equal corners once. A face that
/// degenerates to a line or a point has fewer than three corners.
pub(crate) fn welded_faces(mesh: &PolygonMesh) -> Vec<Vec<u32>> {
    welded_faces_by(mesh, &first_equal_vertices(&mesh.vertices))
}

/// As [`welded_faces`], with the first of equal vertices known.
pub(crate) fn welded_faces_by(mesh: &PolygonMesh, first: &[u32]) -> Vec<Vec<u32>> {
    let face = |face: &Vec<u32>| {
        let mut face: Vec<u32> = face.iter().map(|&vertex| first[vertex as usize]).collect();
        face.dedup();
        // A face is a ring: its last vertex may equal its first.
        while face.len() > 1 && face.first() == face.last() {
            face.pop();
        }
        face
    };
    mesh.faces.iter().map(face).collect()
}
