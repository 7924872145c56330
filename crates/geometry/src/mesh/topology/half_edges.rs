//! Half edges of a mesh, sorted by edge.

use crate::mesh::PolygonMesh;

/// A half edge: an edge as one of its faces traverses it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::mesh) struct MeshHalfEdge {
    /// The vertices of the edge, the smaller first.
    pub ends: [u32; 2],
    /// Index of the face to which the half-edge belongs.
    pub face: u32,
    /// Whether the face traverses the edge from the smaller vertex to the larger.
    pub is_ascending: bool,
    /// Index of the corner, within the face, where the half edge starts.
    pub corner: u32,
}

/// Returns all half edges in ascending order, so that those of one edge follow each other. Faces that visit
/// a vertex twice are added to `folded` and left out; those of fewer than three corners are left out too.
pub(in crate::mesh) fn sorted_half_edges(
    mesh: &PolygonMesh,
    folded: &mut Vec<u32>,
) -> Vec<MeshHalfEdge> {
    let mut whole = Vec::with_capacity(mesh.faces.len());
    let mut corners = Vec::new();
    for (face, polygon) in (0..).zip(&mesh.faces) {
        corners.clone_from(polygon);
        corners.sort_unstable();
        if corners.windows(2).any(|pair| pair[0] == pair[1]) {
            folded.push(face);
        } else if corners.len() >= 3 {
            whole.push(face);
        }
    }
    let sides =
        || whole.iter().flat_map(|&face| half_edges_of_face(face, &mesh.faces[face as usize]));
    // Counting sort by the smaller end first: vertices have few edges, so little is left to sort.
    let mut ends = vec![0; mesh.vertices.len() + 1];
    sides().for_each(|side| ends[side.ends[0] as usize + 1] += 1);
    (1..ends.len()).for_each(|vertex| ends[vertex] += ends[vertex - 1]);
    let mut sorted = vec![MeshHalfEdge::default(); ends[mesh.vertices.len()]];
    for side in sides() {
        let end = &mut ends[side.ends[0] as usize];
        sorted[*end] = side;
        *end += 1;
    }
    // After the writes each entry of `ends` is the end of its bucket.
    let mut start = 0;
    for &end in &ends[..mesh.vertices.len()] {
        sorted[start..end].sort_unstable();
        start = end;
    }
    sorted
}

fn half_edges_of_face(face: u32, corners: &[u32]) -> impl Iterator<Item = MeshHalfEdge> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).zip(0..).map(move |((&from, &to), corner)| MeshHalfEdge {
        ends: [from.min(to), from.max(to)],
        face,
        is_ascending: from < to,
        corner,
    })
}
