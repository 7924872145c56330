//! What a mesh is like: whether it is closed, and whether it is convex.

use super::{PolygonMesh, convex_hull, polygon_normal};
use crate::shape::MassProperties;
use crate::{Aabb, Vector};

/// Part of the extent that rounding may move a vertex off the plane of a face; what a hull joins into
/// one face is flatter.
const ROUNDING: f64 = 1e-11;

/// So much of its hull may be missing from a convex body, by rounding of volumes.
const ROUNDING_OF_VOLUMES: f64 = 1e-9;

/// How the faces of a mesh hang together. Costs sorting all edges.
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
    /// Faces that come to a vertex twice.
    pub folded: Found<u32>,
    /// Edges whose two faces are bent inwards by more than rounding.
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

impl<T> Found<T> {
    fn add(&mut self, one: T) {
        self.count += 1;
        self.first.get_or_insert(one);
    }
}

/// A face along an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The ends of the edge, the smaller first.
    ends: [u32; 2],
    face: u32,
    /// Whether the face goes from the smaller end to the larger.
    upwards: bool,
}

impl Survey {
    /// Of a mesh whose faces have at least three corners, all of them vertices.
    pub fn of(mesh: &PolygonMesh) -> Self {
        let mut survey = Survey::default();
        let tolerance = ROUNDING * extent(&mesh.vertices);
        for edge in sides(mesh, &mut survey.folded).chunk_by(|a, b| a.ends == b.ends) {
            let ends = edge[0].ends;
            survey.edges += 1;
            match *edge {
                [_] => survey.open.add(ends),
                [a, b] if a.upwards == b.upwards => survey.contrary.add(ends),
                [a, b] if bend(mesh, a.face, b.face) > tolerance => survey.inward.add(ends),
                [_, _] => {}
                _ => survey.crowded.add(ends),
            }
        }
        let mut used = vec![false; mesh.vertices.len()];
        mesh.faces.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
        let unused = (0..).zip(&used).filter(|(_, used)| !**used);
        unused.for_each(|(vertex, _)| survey.unused.add(vertex));
        survey
    }

    /// Whether every edge belongs to two faces that agree which side is out, so that there is an inside.
    pub fn is_closed(&self) -> bool {
        let faults = [self.open.count, self.crowded.count, self.contrary.count, self.folded.count];
        self.edges > 0 && faults == [0; 4]
    }

    /// Whether the mesh, closed and with this mass, bounds a convex body, up to rounding.
    ///
    /// No edge of it is bent inwards, and it fills this part of its hull.
    pub fn is_convex(&self, part_of_hull: f64) -> bool {
        let whole = (part_of_hull - 1.0).abs() <= ROUNDING_OF_VOLUMES;
        self.is_closed() && self.inward.count == 0 && whole
    }
}

/// The part of its convex hull that a closed mesh fills; none if it is flat.
pub fn part_of_hull(mesh: &PolygonMesh) -> Option<f64> {
    let hull = convex_hull(&mesh.vertices).ok()?;
    let volume = |mesh: &PolygonMesh| MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    Some(volume(mesh) / volume(&hull))
}

fn sides(mesh: &PolygonMesh, folded: &mut Found<u32>) -> Vec<Side> {
    let mut sides = Vec::with_capacity(mesh.faces.iter().map(Vec::len).sum());
    let mut sorted = Vec::new();
    for (face, corners) in (0..).zip(&mesh.faces) {
        sorted.clone_from(corners);
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            folded.add(face);
            continue;
        }
        let next = corners.iter().cycle().skip(1);
        sides.extend(corners.iter().zip(next).map(|(&from, &to)| Side {
            ends: [from.min(to), from.max(to)],
            face,
            upwards: from < to,
        }));
    }
    sides.sort_unstable();
    sides
}

/// How far the corners of one of two faces rise above the plane of the other, whichever is more.
fn bend(mesh: &PolygonMesh, first: u32, second: u32) -> f64 {
    let corners = |face: u32| &mesh.faces[face as usize];
    let rise = |plane: u32, face: u32| {
        let start = mesh.vertices[corners(plane)[0] as usize];
        let normal = polygon_normal(&mesh.vertices, corners(plane)).try_normalize(0.0)?;
        let height = |&vertex: &u32| normal.dot(&(mesh.vertices[vertex as usize] - start));
        Some(corners(face).iter().map(height).fold(0.0, f64::max))
    };
    let rises = [rise(first, second), rise(second, first)];
    rises.into_iter().flatten().fold(0.0, f64::max)
}

fn extent(vertices: &[Vector<3>]) -> f64 {
    let bounds = vertices.iter().fold(Aabb::empty(), |bounds, vertex| bounds.including(vertex));
    if vertices.is_empty() { 0.0 } else { bounds.size().max() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pyramid on a square; its tip goes below the ground if `height` is negative.
    fn pyramid(height: f64) -> PolygonMesh {
        let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, height]];
        let triangles = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
        let mut faces = vec![vec![3, 2, 1, 0]];
        faces.extend(triangles.map(|triangle| triangle.to_vec()));
        PolygonMesh { vertices: corners.map(Vector::from).to_vec(), faces }
    }

    /// A cube with the pyramid of that height on its top.
    fn house(height: f64) -> PolygonMesh {
        let mut mesh = pyramid(height);
        mesh.vertices.extend(
            [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, y]| Vector::from([x, y, -1.0])),
        );
        mesh.faces[0] = vec![8, 7, 6, 5];
        mesh.faces.extend((0..4).map(|k| vec![5 + k, 5 + (k + 1) % 4, (k + 1) % 4, k]));
        mesh
    }

    #[test]
    fn a_pyramid_is_closed_and_convex() {
        let mesh = pyramid(0.7);
        let survey = Survey::of(&mesh);
        assert_eq!(survey, Survey { edges: 8, ..Survey::default() });
        assert!(survey.is_closed() && survey.is_convex(part_of_hull(&mesh).unwrap()));
    }

    #[test]
    fn a_dent_is_told_by_its_edges_and_what_is_missing() {
        let (full, dented) = (house(0.5), house(-0.5));
        let part = part_of_hull(&full).unwrap();
        assert!(Survey::of(&full).is_convex(part));
        let survey = Survey::of(&dented);
        assert!(survey.is_closed());
        assert_eq!(survey.inward, Found { count: 4, first: Some([0, 4]) });
        let part = part_of_hull(&dented).unwrap();
        assert!((part - 5.0 / 6.0).abs() < 1e-12);
        assert!(!survey.is_convex(part));
    }

    #[test]
    fn two_bodies_are_not_convex_though_each_is() {
        let mut mesh = pyramid(1.0);
        let far = pyramid(1.0);
        mesh.vertices.extend(far.vertices.iter().map(|vertex| vertex + Vector::repeat(3.0)));
        mesh.faces.extend(far.faces.iter().map(|face| face.iter().map(|v| v + 5).collect()));
        let survey = Survey::of(&mesh);
        assert!(survey.is_closed() && survey.inward.count == 0);
        assert!(!survey.is_convex(part_of_hull(&mesh).unwrap()));
    }

    #[test]
    fn faults_are_counted_and_the_first_is_named() {
        let mut mesh = pyramid(1.0);
        mesh.faces.pop();
        mesh.faces[1].reverse();
        mesh.vertices.push(Vector::repeat(9.0));
        let survey = Survey::of(&mesh);
        assert_eq!(survey.open, Found { count: 3, first: Some([0, 3]) });
        assert_eq!(survey.contrary, Found { count: 2, first: Some([0, 1]) });
        assert_eq!(survey.unused, Found { count: 1, first: Some(5) });
        assert!(!survey.is_closed());
        let mut mesh = pyramid(1.0);
        mesh.faces.push(vec![0, 1, 2]);
        assert_eq!(Survey::of(&mesh).crowded, Found { count: 2, first: Some([0, 1]) });
        mesh.faces[5] = vec![0, 1, 0];
        assert_eq!(Survey::of(&mesh).folded, Found { count: 1, first: Some(5) });
        assert!(!Survey::of(&mesh).is_closed());
    }

    #[test]
    fn nothing_is_not_closed() {
        assert!(!Survey::of(&PolygonMesh::default()).is_closed());
    }
}
