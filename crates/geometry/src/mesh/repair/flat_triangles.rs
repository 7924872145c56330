//! Triangles without area.
//!
//! The corners of such a triangle are on a line. Without it, its longest edge would be next to the two shorter ones,
//! which have a vertex between: a gap, though one without area. So the triangle at its longest edge is divided there.

use crate::mesh::PolygonMesh;
use crate::mesh::topology::defective_faces::degenerate_faces;
use std::collections::{BTreeMap, BTreeSet};

/// A triangle that was divided may border on another flat one, so removal is repeated, no more often than this.
const MOST_PASSES: usize = 64;

/// Removes flat triangles and returns their number. One with more than two triangles at its longest edge, or with
/// a polygon there, stays.
pub(super) fn remove(mesh: &mut PolygonMesh) -> usize {
    let before = mesh.faces.len();
    let mut divided = 0;
    for _ in 0..MOST_PASSES {
        match remove_some(mesh) {
            None => break,
            Some(count) => divided += count,
        }
    }
    // Each division has added a triangle.
    before + divided - mesh.faces.len()
}

/// Removes those whose neighbors are not flat and not yet changed; returns how many neighbors were divided, none if
/// nothing could be removed.
fn remove_some(mesh: &mut PolygonMesh) -> Option<usize> {
    let flat: BTreeSet<u32> = degenerate_faces(mesh)
        .into_iter()
        .filter(|&face| mesh.faces[face as usize].len() == 3)
        .collect();
    if flat.is_empty() {
        return None;
    }
    let mut at_edge: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for &face in &flat {
        at_edge.insert(longest_edge(mesh, face).0, Vec::new());
    }
    for (number, face) in (0..).zip(&mesh.faces) {
        for (k, &from) in face.iter().enumerate() {
            let to = face[(k + 1) % face.len()];
            if let Some(faces) = at_edge.get_mut(&[from.min(to), from.max(to)]) {
                faces.push(number);
            }
        }
    }
    let mut changed: BTreeSet<u32> = BTreeSet::new();
    let (mut removed, mut divided) = (BTreeSet::new(), Vec::new());
    for &face in &flat {
        let (edge, middle) = longest_edge(mesh, face);
        let others: Vec<u32> = at_edge[&edge].iter().copied().filter(|&it| it != face).collect();
        match others[..] {
            [] => {}
            [other] => {
                let is_triangle = mesh.faces[other as usize].len() == 3;
                // Each neighbor is divided once per round; what is left waits for the next round.
                if !is_triangle || flat.contains(&other) || !changed.insert(other) {
                    continue;
                }
                let halves = halves(&mesh.faces[other as usize], edge, middle);
                mesh.faces[other as usize] = halves[0].to_vec();
                divided.push(halves[1].to_vec());
            }
            _ => continue,
        }
        removed.insert(face);
    }
    let mut number = 0;
    mesh.faces.retain(|_| {
        number += 1;
        !removed.contains(&(number - 1))
    });
    let count = divided.len();
    mesh.faces.extend(divided);
    (!removed.is_empty()).then_some(count)
}

/// Returns the longest edge of a triangle, its smaller vertex first, and the corner between.
fn longest_edge(mesh: &PolygonMesh, face: u32) -> ([u32; 2], u32) {
    let corners = &mesh.faces[face as usize];
    let length = |k: usize| {
        let [from, to] = [k, (k + 1) % 3].map(|k| mesh.vertices[corners[k] as usize]);
        (to - from).norm_squared()
    };
    let longest = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let [from, to] = [corners[longest], corners[(longest + 1) % 3]];
    ([from.min(to), from.max(to)], corners[(longest + 2) % 3])
}

/// Divides a triangle at a vertex on one of its edges.
fn halves(triangle: &[u32], edge: [u32; 2], middle: u32) -> [[u32; 3]; 2] {
    let is_edge = |k: &usize| {
        let [from, to] = [triangle[*k], triangle[(k + 1) % 3]];
        [from.min(to), from.max(to)] == edge
    };
    let start = (0..3).find(is_edge).expect("the triangle was found by this edge");
    let [from, to, apex] = [0, 1, 2].map(|k| triangle[(start + k) % 3]);
    [[from, middle, apex], [middle, to, apex]]
}
