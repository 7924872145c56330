//! Duplicate faces and faces without area.

use crate::Vector;
use crate::mesh::PolygonMesh;
use crate::mesh::triangle_mesh::orientation_2d;
use crate::predicates::triangle_normal;
use std::cmp::Ordering;

/// Returns each face that has the same vertices as an earlier one, with the first of these in front,
/// ascending. `first` gives the first of equal vertices; faces with fewer than three are ignored.
pub(in crate::mesh) fn duplicate_faces(mesh: &PolygonMesh, first: &[u32]) -> Vec<[u32; 2]> {
    // Sorted by their three smallest vertices first, in which most different faces differ.
    let mut faces: Vec<([u32; 3], u32)> =
        mesh.faces.iter().map(|corners| three_smallest(corners, first)).zip(0..).collect();
    faces.retain(|(smallest, _)| smallest[2] < u32::MAX);
    faces.sort_unstable();
    let mut repeated = Vec::new();
    for alike in faces.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        let mut alike: Vec<(Vec<u32>, u32)> = alike
            .iter()
            .map(|&(_, face)| {
                let corners = mesh.faces[face as usize].iter();
                let mut corners: Vec<u32> = corners.map(|&corner| first[corner as usize]).collect();
                corners.sort_unstable();
                corners.dedup();
                (corners, face)
            })
            .collect();
        alike.sort_unstable();
        for same in alike.chunk_by(|a, b| a.0 == b.0) {
            repeated.extend(same[1..].iter().map(|again| [same[0].1, again.1]));
        }
    }
    repeated.sort_unstable();
    repeated
}

/// Returns the three smallest distinct vertices of a face, padded with `u32::MAX`.
fn three_smallest(corners: &[u32], first: &[u32]) -> [u32; 3] {
    corners.iter().fold([u32::MAX; 3], |smallest, &corner| {
        let [a, b, c] = smallest;
        let corner = first[corner as usize];
        if smallest.contains(&corner) {
            smallest
        } else {
            [a.min(corner), b.min(a.max(corner)), c.min(b.max(corner))]
        }
    })
}

/// Returns each face whose fan of triangles from the first corner has no area, ascending.
pub(in crate::mesh) fn degenerate_faces(mesh: &PolygonMesh) -> Vec<u32> {
    let place = |corner: u32| &mesh.vertices[corner as usize];
    let empty = |corners: &[u32]| {
        corners[1..]
            .windows(2)
            .all(|pair| are_collinear([place(corners[0]), place(pair[0]), place(pair[1])]))
    };
    (0..).zip(&mesh.faces).filter(|(_, corners)| empty(corners)).map(|(face, _)| face).collect()
}

/// Returns whether three points are exactly collinear.
fn are_collinear(points: [&Vector<3>; 3]) -> bool {
    // Starts with the projection along the axis the normal is closest to, where the estimate decides for
    // all but slivers.
    let first = triangle_normal(points[0], points[1], points[2]).iamax();
    (first..first + 3).all(|axis| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        orientation_2d(points.map(|point| Vector::from([point[u], point[v]]))) == Ordering::Equal
    })
}
