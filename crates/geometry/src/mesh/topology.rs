//! What a mesh is like: whether it is closed, and where it is bent.

mod connected_components;
mod defective_faces;
mod dihedral_angle;
mod half_edges;
mod holes;

#[cfg(test)]
mod tests;

use super::{PolygonMesh, convex_hull, first_equal_vertices, welded_faces_by};
use crate::shape::MassProperties;
use dihedral_angle::DihedralAngleTest;
use half_edges::MeshHalfEdge;
pub use holes::{MeshHole, NearDuplicateVertices, find_holes};

/// How the faces of a mesh hang together. Whether it is convex is told by
/// [`ConvexPolyhedron::from_mesh`](crate::shape::ConvexPolyhedron::from_mesh). Costs sorting all edges: some tenths of a microsecond for a
/// triangle.
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
    /// How many pairs of vertices are next to each other on a face.
    pub edge_count: usize,
    /// Edges of one face only.
    pub boundary_edges: Defects<[u32; 2]>,
    /// Edges of more than two faces.
    pub non_manifold_edges: Defects<[u32; 2]>,
    /// Edges that their two faces go along in the same direction, so that one has its outside where
    /// the other has its inside.
    pub misoriented_edges: Defects<[u32; 2]>,
    /// Edges of an odd number of faces; if there are none, whether a line from a point crosses an even
    /// number of faces does not depend on the line.
    pub odd_edges: Defects<[u32; 2]>,
    /// Edges that their faces do not go along equally often in both directions; if there are none, the
    /// mesh goes round a point a whole number of times.
    pub unbalanced_edges: Defects<[u32; 2]>,
    /// Faces that come to a vertex twice.
    pub self_touching_faces: Defects<u32>,
    /// Faces with the same vertices as an earlier one, in any order: the earlier and the later. Vertices
    /// that are equal are the same.
    pub duplicate_faces: Defects<[u32; 2]>,
    /// Faces without area, exactly: cut from their first corner, they are triangles with all corners on a
    /// line.
    pub degenerate_faces: Defects<u32>,
    /// In how many parts the faces fall that are joined by edges.
    pub component_count: usize,
    /// Edges whose two faces are bent inwards: next to the edge, one rises above the plane of the other
    /// by more than a millionth of the extent of all.
    pub reflex_edges: Defects<[u32; 2]>,
    /// Vertices on no face.
    pub unreferenced_vertices: Defects<u32>,
}

/// How many there are and which is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defects<T> {
    /// How many.
    pub count: usize,
    /// The one with the smallest numbers.
    pub first: Option<T>,
}

impl<T: Copy> Defects<T> {
    /// All of them, the one with the smallest numbers first.
    fn of(all: &[T]) -> Self {
        Defects { count: all.len(), first: all.first().copied() }
    }

    fn add(&mut self, one: T) {
        self.count += 1;
        self.first.get_or_insert(one);
    }
}

impl MeshTopology {
    /// Of a mesh whose faces have at least three corners, all of them vertices.
    ///
    /// A mesh that is not closed is looked at again with vertices that are equal taken as one: many
    /// files give every face vertices of its own.
    pub fn of(mesh: &PolygonMesh) -> Self {
        let first = first_equal_vertices(&mesh.vertices);
        let mut survey = MeshTopology {
            duplicate_faces: Defects::of(&defective_faces::duplicate_faces(mesh, &first)),
            degenerate_faces: Defects::of(&defective_faces::degenerate_faces(mesh)),
            ..MeshTopology::default()
        };
        for (vertex, used) in (0..).zip(referenced_vertices(mesh)) {
            if !used {
                survey.unreferenced_vertices.add(vertex);
            }
        }
        let mut as_given = survey.clone();
        let mut folded = Vec::new();
        as_given.count_edge_defects(mesh, &mut folded);
        if as_given.is_closed() {
            return as_given;
        }
        let faces = welded_faces_by(mesh, &first);
        survey.count_edge_defects(
            &PolygonMesh { vertices: mesh.vertices.clone(), faces },
            &mut folded,
        );
        survey
    }

    /// Faces of fewer than three corners count for nothing. Takes in folded faces beside those known.
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

    /// Whether every edge belongs to two faces that agree which side is out, so that there is an inside.
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

/// Which vertices are on a face.
fn referenced_vertices(mesh: &PolygonMesh) -> Vec<bool> {
    let mut used = vec![false; mesh.vertices.len()];
    mesh.faces.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
    used
}

/// The part of its convex hull that a closed mesh fills; none if it is flat.
pub fn hull_volume_fraction(mesh: &PolygonMesh) -> Option<f64> {
    let used = referenced_vertices(mesh);
    let corners = mesh.vertices.iter().zip(&used).filter(|(_, used)| **used);
    let hull = convex_hull(&corners.map(|(place, _)| *place).collect::<Vec<_>>()).ok()?;
    let volume = |mesh: &PolygonMesh| MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    Some(volume(mesh) / volume(&hull))
}
