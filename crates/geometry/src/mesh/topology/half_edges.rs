//! The faces along every edge.

use crate::mesh::PolygonMesh;

/// A face along an edge.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MeshHalfEdge {
    /// The ends of the edge, the smaller first.
    pub ends: [u32; 2],
    pub face: u32,
    /// Whether the face goes from the smaller end to the larger.
    pub is_ascending: bool,
    /// The corner of the face from which it goes along the edge, by its place in the face.
    pub corner: u32,
}

/// All sides in ascending order; those of an edge follow each other. Faces with a vertex twice are told
/// and left out, those of fewer than three corners left out.
pub(super) fn sorted_half_edges(mesh: &PolygonMesh, folded: &mut Vec<u32>) -> Vec<MeshHalfEdge> {
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
    // First into buckets by the smaller end: vertices have few edges, so that little is left to sort.
    let mut ends = vec![0; mesh.vertices.len() + 1];
    sides().for_each(|side| ends[side.ends[0] as usize + 1] += 1);
    (1..ends.len()).for_each(|vertex| ends[vertex] += ends[vertex - 1]);
    let mut sorted = vec![MeshHalfEdge::default(); ends[mesh.vertices.len()]];
    for side in sides() {
        let end = &mut ends[side.ends[0] as usize];
        sorted[*end] = side;
        *end += 1;
    }
    // By now each bucket ends where the next one started.
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
