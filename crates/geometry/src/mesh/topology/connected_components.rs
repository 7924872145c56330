//! Connected components of the faces.

use super::half_edges::MeshHalfEdge;
use crate::union_find::UnionFind;

/// Returns the number of connected components of faces that are joined by edges.
pub(super) fn count_components(faces: usize, sides: &[MeshHalfEdge]) -> usize {
    let mut forest = UnionFind::new(faces);
    let shared = sides.windows(2).filter(|pair| pair[0].ends == pair[1].ends);
    let joins =
        shared.filter(|pair| forest.unite([pair[0], pair[1]].map(|side| side.face as usize)));
    faces - joins.count()
}
