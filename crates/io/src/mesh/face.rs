//! Rules for every face.

use super::MeshProblem;

/// Returns an error unless a face has at least three corners.
pub(super) fn check_corners(corners: usize) -> Result<(), MeshProblem> {
    if corners < 3 { Err(MeshProblem::FewCorners { corners }) } else { Ok(()) }
}

/// Returns the vertex that a number in the file stands for, where the first of `count` has number `first`.
#[inline]
pub(super) fn vertex(index: i64, count: usize, first: u32) -> Result<u32, MeshProblem> {
    let vertex = index.checked_sub(i64::from(first)).and_then(|vertex| u32::try_from(vertex).ok());
    let there = vertex.filter(|&vertex| (vertex as usize) < count);
    there.ok_or(MeshProblem::NoSuchVertex { index, count, first })
}
