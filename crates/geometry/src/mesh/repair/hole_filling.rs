//! Holes cut into triangles: ears of the outline in the plane that fits it are cut off, the shortest cut first.

use crate::Vector;
use crate::mesh::topology::half_edges::sorted_half_edges;
use crate::mesh::triangle_mesh::orientation_2d;
use crate::mesh::{PolygonMesh, polygon_normal};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The number of holes that were filled, and of triangles that fill them.
#[derive(Default)]
pub(super) struct FilledHoles {
    pub(super) holes: usize,
    pub(super) triangles: usize,
}

/// Fills the holes of at most this number of edges. A hole stays if its outline crosses itself in the plane that fits
/// it, or if all that would fill it is there already.
pub(super) fn fill(mesh: &mut PolygonMesh, most_edges: usize) -> FilledHoles {
    let mut filled = FilledHoles::default();
    if most_edges < 3 {
        return filled;
    }
    let sides = sorted_half_edges(mesh, &mut Vec::new());
    let mut edges: BTreeSet<[u32; 2]> = sides.iter().map(|side| side.ends).collect();
    // The back of a lone triangle is no hole, though all its edges are open.
    let known: BTreeSet<[u32; 3]> = mesh.faces.iter().filter_map(|face| sorted(face)).collect();
    for outline in outlines(mesh) {
        if outline.len() > most_edges || sorted(&outline).is_some_and(|it| known.contains(&it)) {
            continue;
        }
        if let Some(triangles) = triangulated(&mesh.vertices, &outline, &edges) {
            edges.extend(triangles.iter().flat_map(edges_of));
            filled.holes += 1;
            filled.triangles += triangles.len();
            mesh.faces.extend(triangles.iter().map(|triangle| triangle.to_vec()));
        }
    }
    filled
}

/// Returns the outlines of holes, each in the direction that its fill has. Where holes meet at a vertex, the edges are
/// parted into outlines that visit no vertex twice.
fn outlines(mesh: &PolygonMesh) -> Vec<Vec<u32>> {
    let sides = sorted_half_edges(mesh, &mut Vec::new());
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for edge in sides.chunk_by(|a, b| a.ends == b.ends).filter(|edge| edge.len() == 1) {
        let [low, high] = edge[0].ends;
        // Against the direction of the face that is there.
        let (from, to) = if edge[0].is_ascending { (high, low) } else { (low, high) };
        next.entry(from).or_default().push(to);
    }
    let mut outlines = Vec::new();
    while let Some((&first, _)) = next.first_key_value() {
        let mut path = vec![first];
        let mut places = BTreeMap::from([(first, 0)]);
        while let Some(vertex) = path.last().and_then(|last| taken(&mut next, *last)) {
            // A vertex that comes again closes a loop: holes that touch in a vertex are filled one by one.
            if let Some(&start) = places.get(&vertex) {
                let outline = path.split_off(start);
                outline.iter().for_each(|vertex| {
                    places.remove(vertex);
                });
                outlines.push(outline);
            }
            places.insert(vertex, path.len());
            path.push(vertex);
        }
    }
    outlines
}

/// Takes an edge from a vertex; none if there are no more.
fn taken(next: &mut BTreeMap<u32, Vec<u32>>, from: u32) -> Option<u32> {
    let ends = next.get_mut(&from)?;
    let end = ends.pop();
    if ends.is_empty() {
        next.remove(&from);
    }
    end
}

/// Returns the corners of a triangle, ascending; none of other polygons.
fn sorted(corners: &[u32]) -> Option<[u32; 3]> {
    let mut corners: [u32; 3] = corners.try_into().ok()?;
    corners.sort_unstable();
    Some(corners)
}

fn edges_of(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)])
}

/// Cuts an outline into triangles without using an edge twice; none if that fails.
fn triangulated(
    vertices: &[Vector<3>],
    outline: &[u32],
    edges: &BTreeSet<[u32; 2]>,
) -> Option<Vec<[u32; 3]>> {
    let normal = polygon_normal(vertices, outline);
    let axis = normal.iamax();
    if normal[axis] == 0.0 {
        return None;
    }
    let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
    if normal[axis] < 0.0 {
        (u, v) = (v, u);
    }
    let flat = |vertex: u32| {
        let place = &vertices[vertex as usize];
        Vector::from([place[u], place[v]])
    };
    let turn = |a: u32, b: u32, c: u32| orientation_2d([flat(a), flat(b), flat(c)]);
    let mut left = outline.to_vec();
    let mut triangles = Vec::with_capacity(outline.len() - 2);
    while left.len() > 3 {
        let count = left.len();
        let corners = |k: usize| [left[(k + count - 1) % count], left[k], left[(k + 1) % count]];
        let is_ear = |k: &usize| {
            let [a, b, c] = corners(*k);
            let is_covered = |&other: &u32| {
                ![a, b, c].contains(&other)
                    && [(a, b), (b, c), (c, a)]
                        .iter()
                        .all(|&(from, to)| turn(from, to, other) != Ordering::Less)
            };
            turn(a, b, c) == Ordering::Greater
                && !edges.contains(&[a.min(c), a.max(c)])
                && !left.iter().any(is_covered)
        };
        let cut = |k: usize| {
            let [a, _, c] = corners(k).map(|vertex| vertices[vertex as usize]);
            (c - a).norm_squared()
        };
        let ear = (0..count).filter(is_ear).min_by(|&a, &b| cut(a).total_cmp(&cut(b)))?;
        triangles.push(corners(ear));
        left.remove(ear);
    }
    let last = [left[0], left[1], left[2]];
    triangles.push(last);
    (turn(last[0], last[1], last[2]) == Ordering::Greater).then_some(triangles)
}
