//! Holes of a mesh, and vertices at them that were probably meant to be one.

use super::half_edges;
use crate::mesh::{PolygonMesh, first_equal_vertices, welded_faces_by};
use crate::union_find::UnionFind;
use crate::{Aabb, Vector};
use std::collections::{BTreeMap, HashMap};

/// A hole: a connected set of boundary edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHole {
    /// Mean of the midpoints of its edges.
    pub center: Vector<3>,
    /// Number of boundary edges that surround the hole.
    pub edge_count: usize,
}

/// Vertices of boundary edges that nearly, but not exactly, coincide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NearDuplicateVertices {
    /// Number of vertices with another one that near.
    pub vertex_count: usize,
    /// Largest distance from one of them to the nearest other.
    pub largest_distance: f64,
}

/// Vertices nearer than this fraction of the extent of a mesh were probably meant to be one.
const NEAR_DUPLICATE_TOLERANCE: f64 = 1e-4;
/// Their distance may be at most this fraction of the shortest boundary edge at the vertex.
const LARGEST_PART_OF_EDGE: f64 = 0.1;

/// Finds the holes of a mesh, and the vertices at them that were probably meant to be one. Vertices of equal
/// position count as one. Holes are in the order of their smallest vertices.
///
/// ```
/// use carom_geometry::{Vector, mesh::{convex_hull, find_holes}};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
/// let mut mesh = convex_hull(&corners)?;
/// assert!(find_holes(&mesh).0.is_empty());
/// mesh.faces.retain(|face| face.contains(&3));
/// let (holes, _) = find_holes(&mesh);
/// assert_eq!((holes.len(), holes[0].edge_count, holes[0].center.z), (1, 3, 0.0));
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
pub fn find_holes(mesh: &PolygonMesh) -> (Vec<MeshHole>, NearDuplicateVertices) {
    let edges = boundary_edges(mesh);
    (group_into_holes(mesh, &edges), near_duplicate_vertices(mesh, &edges))
}

/// Returns the boundary edges by their ends, after welding; none if the mesh is closed without it.
fn boundary_edges(mesh: &PolygonMesh) -> Vec<[u32; 2]> {
    let open = |mesh: &PolygonMesh| {
        let sides = half_edges::sorted_half_edges(mesh, &mut Vec::new());
        let edges = sides.chunk_by(|a, b| a.ends == b.ends).filter(|edge| edge.len() == 1);
        edges.map(|edge| edge[0].ends).collect::<Vec<_>>()
    };
    let as_given = open(mesh);
    if as_given.is_empty() {
        return as_given;
    }
    let faces = welded_faces_by(mesh, &first_equal_vertices(&mesh.vertices));
    open(&PolygonMesh { vertices: mesh.vertices.clone(), faces })
}

fn group_into_holes(mesh: &PolygonMesh, edges: &[[u32; 2]]) -> Vec<MeshHole> {
    if edges.is_empty() {
        return Vec::new();
    }
    let mut connected = UnionFind::new(mesh.vertices.len());
    for edge in edges {
        connected.unite(edge.map(|vertex| vertex as usize));
    }
    // By the smallest vertex of each hole.
    let mut found: BTreeMap<usize, (Vector<3>, usize)> = BTreeMap::new();
    for edge in edges {
        let [from, to] = edge.map(|vertex| mesh.vertices[vertex as usize]);
        let (sum, count) = found.entry(connected.find(edge[0] as usize)).or_default();
        *sum += from * 0.5 + to * 0.5;
        *count += 1;
    }
    let hole = |(sum, edges): (Vector<3>, usize)| MeshHole {
        center: sum / edges as f64,
        edge_count: edges,
    };
    found.into_values().map(hole).collect()
}

fn near_duplicate_vertices(mesh: &PolygonMesh, edges: &[[u32; 2]]) -> NearDuplicateVertices {
    let place = |vertex: u32| mesh.vertices[vertex as usize];
    let extent = mesh.vertices.iter().fold(Aabb::empty(), Aabb::including).size().max();
    let near = NEAR_DUPLICATE_TOLERANCE * extent;
    if !(near > 0.0 && near.is_finite()) {
        return NearDuplicateVertices::default();
    }
    let mut reach: HashMap<u32, f64> = HashMap::new();
    for &[a, b] in edges {
        let part = LARGEST_PART_OF_EDGE * (place(a) - place(b)).norm();
        for vertex in [a, b] {
            let reach = reach.entry(vertex).or_insert(near);
            *reach = reach.min(part);
        }
    }
    let cell = |at: &Vector<3>| [0, 1, 2].map(|axis| (at[axis] / near).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for &vertex in reach.keys() {
        cells.entry(cell(&place(vertex))).or_default().push(vertex);
    }
    let mut found = NearDuplicateVertices::default();
    for (&vertex, &reach) in &reach {
        let at = place(vertex);
        let around = (0..27).filter_map(|code| {
            let [x, y, z] = cell(&at);
            let shift = |k: i64| code / k % 3 - 1;
            cells.get(&[x + shift(1), y + shift(3), z + shift(9)])
        });
        let others = around.flatten().filter(|&&other| other != vertex);
        let nearest = others.map(|&other| (place(other) - at).norm()).fold(f64::INFINITY, f64::min);
        if nearest <= reach {
            found.vertex_count += 1;
            found.largest_distance = found.largest_distance.max(nearest);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::octahedron_sphere;

    #[test]
    fn a_closed_mesh_has_no_holes() {
        let mesh = octahedron_sphere(3).to_polygons();
        assert_eq!(find_holes(&mesh), (Vec::new(), NearDuplicateVertices::default()));
    }

    #[test]
    fn holes_are_separated_by_their_places() {
        let mut mesh = octahedron_sphere(4).to_polygons();
        let middle = |face: &Vec<u32>| {
            face.iter().map(|&vertex| mesh.vertices[vertex as usize].z).sum::<f64>() / 3.0
        };
        let faces = mesh.faces.iter().filter(|face| middle(face).abs() < 0.9).cloned().collect();
        mesh.faces = faces;
        let (mut holes, _) = find_holes(&mesh);
        holes.sort_by(|a, b| a.center.z.total_cmp(&b.center.z));
        assert_eq!(holes.len(), 2);
        assert!(holes[0].center.z < -0.8 && holes[1].center.z > 0.8);
        assert!(holes.iter().all(|hole| hole.edge_count > 4 && hole.center.xy().norm() < 1e-12));
    }

    #[test]
    fn vertices_almost_in_one_place_are_counted() {
        let mut mesh = octahedron_sphere(2).to_polygons();
        // Every face gets vertices of its own, some of them slightly displaced.
        let mut vertices = Vec::new();
        for face in &mut mesh.faces {
            for vertex in face {
                let number = vertices.len() as u32;
                let off = if number.is_multiple_of(7) { 2e-5 } else { 0.0 };
                vertices.push(mesh.vertices[*vertex as usize] + Vector::repeat(off));
                *vertex = number;
            }
        }
        mesh.vertices = vertices;
        let (holes, near) = find_holes(&mesh);
        assert!(!holes.is_empty() && near.vertex_count >= 20, "{near:?}");
        assert!((near.largest_distance - 2e-5 * 3f64.sqrt()).abs() < 1e-9, "{near:?}");
    }

    #[test]
    fn a_fine_mesh_with_a_hole_needs_no_welding() {
        let mut mesh = octahedron_sphere(4).to_polygons();
        mesh.faces.pop();
        // A far vertex makes the extent large compared with the edges.
        mesh.vertices.push(Vector::repeat(1e6));
        let (holes, near) = find_holes(&mesh);
        assert_eq!((holes.len(), near.vertex_count), (1, 0));
    }
}
