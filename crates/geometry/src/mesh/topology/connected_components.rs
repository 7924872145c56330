//! What hangs together.

use super::half_edges::MeshHalfEdge;

/// In how many parts faces fall that are joined by edges.
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

/// The face that stands for the part of this one. Halves the way there for the next time.
fn find_root(parents: &mut [u32], mut face: u32) -> u32 {
    while parents[face as usize] != face {
        let parent = parents[face as usize];
        parents[face as usize] = parents[parent as usize];
        face = parents[face as usize];
    }
    face
}
