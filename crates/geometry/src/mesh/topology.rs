//! Topology report of a mesh: whether it is closed, its defects, and its reflex edges.

mod connected_components;
pub(super) mod defective_faces;
mod dihedral_angle;
pub(super) mod half_edges;
mod holes;

#[cfg(test)]
mod tests;

use super::{PolygonMesh, convex_hull, first_equal_vertices, welded_faces_by};
use crate::shape::MassProperties;
use dihedral_angle::DihedralAngleTest;
use half_edges::MeshHalfEdge;
pub use holes::{MeshHole, NearDuplicateVertices, find_holes};

/// Topology report of a mesh: its edges, connected components and defects.
///
/// Whether the mesh is convex is decided by
/// [`ConvexPolyhedron::from_mesh`](crate::shape::ConvexPolyhedron::from_mesh). The cost is that of sorting
/// all edges: some tenths of a microsecond per triangle.
///
/// ```
/// use carom_geometry::{Vector, mesh::{MeshTopology, convex_hull}};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
/// let mut mesh = convex_hull(&corners)?;
/// assert!(MeshTopology::of(&mesh).is_closed());
/// mesh.faces.pop();
/// assert_eq!(MeshTopology::of(&mesh).boundary_edges.count, 3);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshTopology {
    /// Number of edges: pairs of vertices that are adjacent on a face.
    pub edge_count: usize,
    /// Boundary edges: they belong to one face only.
    pub boundary_edges: Defects<[u32; 2]>,
    /// Non-manifold edges: they belong to more than two faces.
    pub non_manifold_edges: Defects<[u32; 2]>,
    /// Edges that both their faces traverse in the same direction, so that these have opposite orientation.
    pub misoriented_edges: Defects<[u32; 2]>,
    /// Edges of an odd number of faces; if there are none, the parity of the crossings of a ray does not
    /// depend on the ray.
    pub odd_edges: Defects<[u32; 2]>,
    /// Edges that their faces do not traverse equally often in both directions; if there are none, the
    /// winding number of every point is an integer.
    pub unbalanced_edges: Defects<[u32; 2]>,
    /// Faces that visit a vertex twice.
    pub self_touching_faces: Defects<u32>,
    /// Faces with the same vertices as an earlier one, in any order: the earlier and the later. Vertices
    /// of equal position count as the same.
    pub duplicate_faces: Defects<[u32; 2]>,
    /// Faces of exactly zero area: all triangles of the fan from their first corner are collinear.
    pub degenerate_faces: Defects<u32>,
    /// Number of connected components of the faces, joined by edges.
    pub component_count: usize,
    /// Reflex edges: next to the edge, one face rises above the plane of the other by more than a millionth
    /// of the extent of the mesh.
    pub reflex_edges: Defects<[u32; 2]>,
    /// Vertices that no face refers to.
    pub unreferenced_vertices: Defects<u32>,
}

/// The number of defects of one kind, and the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defects<T> {
    /// Number of defects of this kind in the whole mesh.
    pub count: usize,
    /// The defect with the smallest indices.
    pub first: Option<T>,
}

impl<T: Copy> Defects<T> {
    /// Counts defects that are given in ascending order.
    fn of(all: &[T]) -> Self {
        Defects { count: all.len(), first: all.first().copied() }
    }

    fn add(&mut self, one: T) {
        self.count += 1;
        self.first.get_or_insert(one);
    }
}

impl MeshTopology {
    /// Examines a mesh whose faces have at least three corners, all of them valid vertices.
    ///
    /// A mesh that is not closed is examined again with equal vertices welded: many files give every face
    /// vertices of its own.
    pub fn of(mesh: &PolygonMesh) -> Self {
        let first = first_equal_vertices(&mesh.vertices);
        let mut topology = MeshTopology {
            duplicate_faces: Defects::of(&defective_faces::duplicate_faces(mesh, &first)),
            degenerate_faces: Defects::of(&defective_faces::degenerate_faces(mesh)),
            ..MeshTopology::default()
        };
        for (vertex, used) in (0..).zip(referenced_vertices(mesh)) {
            if !used {
                topology.unreferenced_vertices.add(vertex);
            }
        }
        let mut as_given = topology.clone();
        let mut folded = Vec::new();
        as_given.count_edge_defects(mesh, &mut folded);
        if as_given.is_closed() {
            return as_given;
        }
        let faces = welded_faces_by(mesh, &first);
        topology.count_edge_defects(
            &PolygonMesh { vertices: mesh.vertices.clone(), faces },
            &mut folded,
        );
        topology
    }

    /// Counts the defects of edges and the components. Faces of fewer than three corners are ignored. Adds
    /// self-touching faces to those in `folded`.
    fn count_edge_defects(&mut self, mesh: &PolygonMesh, folded: &mut Vec<u32>) {
        let sides = half_edges::sorted_half_edges(mesh, folded);
        folded.sort_unstable();
        folded.dedup();
        self.self_touching_faces = Defects::of(folded);
        let gone = mesh.faces.iter().filter(|face| face.len() < 3).count();
        self.component_count =
            connected_components::count_components(mesh.faces.len(), &sides) - gone;
        self.classify_edges(mesh, &sides);
    }

    fn classify_edges(&mut self, mesh: &PolygonMesh, sides: &[MeshHalfEdge]) {
        let bends = DihedralAngleTest::of(mesh);
        for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
            let ends = edge[0].ends;
            self.edge_count += 1;
            match *edge {
                [_] => self.boundary_edges.add(ends),
                [a, b] if a.is_ascending == b.is_ascending => self.misoriented_edges.add(ends),
                [a, b] if bends.is_reflex(&a, &b) => self.reflex_edges.add(ends),
                [_, _] => {}
                _ => self.non_manifold_edges.add(ends),
            }
            if edge.len() % 2 == 1 {
                self.odd_edges.add(ends);
            }
            if 2 * edge.iter().filter(|side| side.is_ascending).count() != edge.len() {
                self.unbalanced_edges.add(ends);
            }
        }
    }

    /// Returns whether every edge belongs to two faces of consistent orientation, so that there is an inside.
    pub fn is_closed(&self) -> bool {
        let faults = [
            self.boundary_edges.count,
            self.non_manifold_edges.count,
            self.misoriented_edges.count,
            self.self_touching_faces.count,
        ];
        self.edge_count > 0 && faults == [0; 4]
    }
}

/// Returns which vertices are on a face.
fn referenced_vertices(mesh: &PolygonMesh) -> Vec<bool> {
    let mut used = vec![false; mesh.vertices.len()];
    mesh.faces.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
    used
}

/// Returns the fraction of its convex hull that a closed mesh fills; `None` if it is flat.
pub fn hull_volume_fraction(mesh: &PolygonMesh) -> Option<f64> {
    let used = referenced_vertices(mesh);
    let corners = mesh.vertices.iter().zip(&used).filter(|(_, used)| **used);
    let hull = convex_hull(&corners.map(|(place, _)| *place).collect::<Vec<_>>()).ok()?;
    let volume = |mesh: &PolygonMesh| MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    Some(volume(mesh) / volume(&hull))
}
