//! Connected components of the faces, by union-find.

use super::half_edges::MeshHalfEdge;

/// Returns the number of connected components of faces that are joined by edges.
pub(super) fn count_components(faces: usize, sides: &[MeshHalfEdge]) -> usize {
    let mut parents: Vec<u32> = (0..).take(faces).collect();
    let mut parts = faces;
    for pair in sides.windows(2).filter(|pair| pair[0].ends == pair[1].ends) {
        let [first, second] = [pair[0], pair[1]].map(|side| find_root(&mut parents, side.face));
        if first != second {
            parents[first.max(second) as usize] = first.min(second);
            parts -= 1;
        }
    }
    parts
}

/// Returns the root of a face in the union-find structure, with path halving.
fn find_root(parents: &mut [u32], mut face: u32) -> u32 {
    while parents[face as usize] != face {
        let parent = parents[face as usize];
        parents[face as usize] = parents[parent as usize];
        face = parents[face as usize];
    }
    face
}
