//! What a mesh is like: whether it is closed, and where it is bent.

mod bend;
mod faces;
mod holes;
mod parts;
mod sides;

#[cfg(test)]
mod tests;

use super::{PolygonMesh, convex_hull, first_of_equal, welded_by};
use crate::shape::MassProperties;
use bend::Bends;
pub use holes::{Hole, NearlyEqual, find_holes};
use sides::Side;

/// How the faces of a mesh hang together. Whether it is convex is told by
/// [`ConvexPolyhedron::from_mesh`](crate::shape::ConvexPolyhedron::from_mesh). Costs sorting all edges: some tenths of a microsecond for a
/// triangle.
///
/// ```
/// use carom_geometry::{Vector, mesh::{Survey, convex_hull}};
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
/// let mut mesh = convex_hull(&corners)?;
/// assert!(Survey::of(&mesh).is_closed());
/// mesh.faces.pop();
/// assert_eq!(Survey::of(&mesh).open.count, 3);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// How many pairs of vertices are next to each other on a face.
    pub edges: usize,
    /// Edges of one face only.
    pub open: Found<[u32; 2]>,
    /// Edges of more than two faces.
    pub crowded: Found<[u32; 2]>,
    /// Edges that their two faces go along in the same direction, so that one has its outside where
    /// the other has its inside.
    pub contrary: Found<[u32; 2]>,
    /// Edges of an odd number of faces; if there are none, whether a line from a point crosses an even
    /// number of faces does not depend on the line.
    pub odd: Found<[u32; 2]>,
    /// Edges that their faces do not go along equally often in both directions; if there are none, the
    /// mesh goes round a point a whole number of times.
    pub unbalanced: Found<[u32; 2]>,
    /// Faces that come to a vertex twice.
    pub folded: Found<u32>,
    /// Faces with the same vertices as an earlier one, in any order: the earlier and the later. Vertices
    /// that are equal are the same.
    pub repeated: Found<[u32; 2]>,
    /// Faces without area, exactly: cut from their first corner, they are triangles with all corners on a
    /// line.
    pub without_area: Found<u32>,
    /// In how many parts the faces fall that are joined by edges.
    pub parts: usize,
    /// Edges whose two faces are bent inwards: next to the edge, one rises above the plane of the other
    /// by more than a millionth of the extent of all.
    pub inward: Found<[u32; 2]>,
    /// Vertices on no face.
    pub unused: Found<u32>,
}

/// How many there are and which is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found<T> {
    /// How many.
    pub count: usize,
    /// The one with the smallest numbers.
    pub first: Option<T>,
}

impl<T: Copy> Found<T> {
    /// All of them, the one with the smallest numbers first.
    fn of(all: &[T]) -> Self {
        Found { count: all.len(), first: all.first().copied() }
    }

    fn add(&mut self, one: T) {
        self.count += 1;
        self.first.get_or_insert(one);
    }
}

impl Survey {
    /// Of a mesh whose faces have at least three corners, all of them vertices.
    ///
    /// A mesh that is not closed is looked at again with vertices that are equal taken as one: many
    /// files give every face vertices of its own.
    pub fn of(mesh: &PolygonMesh) -> Self {
        let first = first_of_equal(&mesh.vertices);
        let mut survey = Survey {
            repeated: Found::of(&faces::repeated(mesh, &first)),
            without_area: Found::of(&faces::without_area(mesh)),
            ..Survey::default()
        };
        for (vertex, used) in (0..).zip(used(mesh)) {
            if !used {
                survey.unused.add(vertex);
            }
        }
        let mut as_given = survey.clone();
        let mut folded = Vec::new();
        as_given.look_at_edges(mesh, &mut folded);
        if as_given.is_closed() {
            return as_given;
        }
        let faces = welded_by(mesh, &first);
        survey.look_at_edges(&PolygonMesh { vertices: mesh.vertices.clone(), faces }, &mut folded);
        survey
    }

    /// Faces of fewer than three corners count for nothing. Takes in folded faces beside those known.
    fn look_at_edges(&mut self, mesh: &PolygonMesh, folded: &mut Vec<u32>) {
        let sides = sides::sorted(mesh, folded);
        folded.sort_unstable();
        folded.dedup();
        self.folded = Found::of(folded);
        let gone = mesh.faces.iter().filter(|face| face.len() < 3).count();
        self.parts = parts::count(mesh.faces.len(), &sides) - gone;
        self.look_along_edges(mesh, &sides);
    }

    fn look_along_edges(&mut self, mesh: &PolygonMesh, sides: &[Side]) {
        let bends = Bends::of(mesh);
        for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
            let ends = edge[0].ends;
            self.edges += 1;
            match *edge {
                [_] => self.open.add(ends),
                [a, b] if a.upwards == b.upwards => self.contrary.add(ends),
                [a, b] if bends.is_inward(&a, &b) => self.inward.add(ends),
                [_, _] => {}
                _ => self.crowded.add(ends),
            }
            if edge.len() % 2 == 1 {
                self.odd.add(ends);
            }
            if 2 * edge.iter().filter(|side| side.upwards).count() != edge.len() {
                self.unbalanced.add(ends);
            }
        }
    }

    /// Whether every edge belongs to two faces that agree which side is out, so that there is an inside.
    pub fn is_closed(&self) -> bool {
        let faults = [self.open.count, self.crowded.count, self.contrary.count, self.folded.count];
        self.edges > 0 && faults == [0; 4]
    }
}

/// Which vertices are on a face.
fn used(mesh: &PolygonMesh) -> Vec<bool> {
    let mut used = vec![false; mesh.vertices.len()];
    mesh.faces.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
    used
}

/// The part of its convex hull that a closed mesh fills; none if it is flat.
pub fn part_of_hull(mesh: &PolygonMesh) -> Option<f64> {
    let used = used(mesh);
    let corners = mesh.vertices.iter().zip(&used).filter(|(_, used)| **used);
    let hull = convex_hull(&corners.map(|(place, _)| *place).collect::<Vec<_>>()).ok()?;
    let volume = |mesh: &PolygonMesh| MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    Some(volume(mesh) / volume(&hull))
}
