//! The EPA polytope: a convex hull of points of the Minkowski difference that grows vertex by vertex.

use super::minkowski_difference::MinkowskiDifference;
use super::nearest_on_simplex::{SLIVER_SINE, triangle_weights};
use super::simplex::{GjkSimplex, VertexPair};
use carom_geometry::{Vector, shape::ConvexPolyhedron};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A polytope of triangles. Its buffers are reused from query to query.
#[derive(Default)]
pub struct EpaPolytope {
    pub vertices: Vec<EpaVertex>,
    pub faces: Vec<EpaFace>,
    queue: BinaryHeap<EpaQueueEntry>,
    /// Buffers for the faces that a new vertex sees and for the horizon around them.
    pub visible_faces: Vec<u32>,
    horizon: Vec<EpaHorizonEdge>,
    open_edges: Vec<(u32, usize)>,
}

/// A point of the Minkowski difference.
#[derive(Clone, Copy)]
pub struct EpaVertex {
    pub pair: VertexPair,
    pub point: Vector<3>,
    /// The last new vertex whose horizon it was on.
    horizon_of: u32,
}

/// A triangle, counterclockwise when seen from outside.
#[derive(Clone, Copy)]
pub struct EpaFace {
    pub vertices: [u32; 3],
    /// The faces across the edges that start at each vertex.
    pub neighbors: [u32; 3],
    pub normal: Vector<3>,
    pub distance: f64,
    /// The last new vertex that saw it.
    pub visited_by: u32,
    is_removed: bool,
}

/// A face in the queue, nearest first; ties go to the lower index, which keeps runs repeatable.
#[derive(Clone, Copy, PartialEq)]
struct EpaQueueEntry {
    distance: f64,
    face: u32,
}

impl Eq for EpaQueueEntry {}

impl Ord for EpaQueueEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.face.cmp(&self.face))
    }
}

impl PartialOrd for EpaQueueEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl EpaPolytope {
    /// Resets the polytope to a tetrahedron of four points of the difference that are far from coplanar.
    pub fn reset_to_tetrahedron(
        &mut self,
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        known: &GjkSimplex,
    ) {
        let farthest = |direction: Vector<3>| {
            let pair = difference.support_against(&-direction);
            EpaVertex::new(pair, difference.point(pair))
        };
        let known = (0..known.count).map(|k| EpaVertex::new(known.pairs[k], known.points[k]));
        self.vertices.clear();
        self.vertices.extend(known);
        for axis in 0..3 {
            let along = Vector::ith(axis, 1.0);
            // The simplex of GJK may be flat or a single point; extreme points along the axes give the tetrahedron
            // volume.
            self.vertices.extend([farthest(along), farthest(-along)]);
        }
        let chosen = initial_tetrahedron(&self.vertices, farthest);
        self.vertices.clear();
        self.vertices.extend(chosen);
        self.faces.clear();
        self.queue.clear();
        let corner = |k: usize| chosen[k].point;
        // Faces are counterclockwise from outside, whichever way the four points are turned.
        let turns = (corner(1) - corner(0)).cross(&(corner(2) - corner(0)));
        let faces: [[u32; 3]; 4] = if turns.dot(&(corner(3) - corner(0))) > 0.0 {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]]
        };
        for corners in faces {
            self.add_face(corners);
        }
        for face in 0..4 {
            for k in 0..3 {
                let (from, to) = self.edge(face, k);
                let other = (0..4).find(|&other| self.edge_index(other, to, from).is_some());
                self.faces[face as usize].neighbors[k] = other.unwrap_or(face);
            }
        }
    }

    fn edge(&self, face: u32, k: usize) -> (u32, u32) {
        let corners = self.faces[face as usize].vertices;
        (corners[k], corners[(k + 1) % 3])
    }

    fn edge_index(&self, face: u32, from: u32, to: u32) -> Option<usize> {
        (0..3).find(|&k| self.edge(face, k) == (from, to))
    }

    /// Adds a face whose neighbors are not yet set.
    fn add_face(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|corner| self.vertices[corner as usize].point);
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(&ac);
        let squared = normal.norm_squared();
        let face = self.faces.len() as u32;
        // A sliver has no normal: it never enters the queue, and its zero normal makes it visible from every point,
        // so that the next vertex near it removes it.
        let is_sliver =
            squared <= SLIVER_SINE * SLIVER_SINE * ab.norm_squared() * ac.norm_squared();
        let normal = if is_sliver { Vector::zeros() } else { normal / squared.sqrt() };
        // The largest of the three rounded distances, so that no corner of the face is beyond it.
        let distance = normal.dot(&a).max(normal.dot(&b)).max(normal.dot(&c));
        if !is_sliver {
            self.queue.push(EpaQueueEntry { distance, face });
        }
        let (across, seen_by, is_gone) = ([face; 3], u32::MAX, false);
        self.faces.push(EpaFace {
            vertices: corners,
            neighbors: across,
            normal,
            distance,
            visited_by: seen_by,
            is_removed: is_gone,
        });
        face
    }

    /// Takes the face nearest to the origin out of the queue; faces removed since are skipped (lazy deletion).
    pub fn pop_nearest_face(&mut self) -> Option<u32> {
        while let Some(EpaQueueEntry { face, .. }) = self.queue.pop() {
            if !self.faces[face as usize].is_removed {
                return Some(face);
            }
        }
        None
    }

    /// Adds a point as a vertex. Returns false, and leaves the polytope unchanged, if rounding has broken the
    /// horizon.
    pub fn expand(&mut self, seed: u32, pair: VertexPair, point: Vector<3>, rounding: f64) -> bool {
        let apex = self.vertices.len() as u32;
        self.find_visible_faces(seed, apex, &point, rounding);
        if !self.horizon_is_loop(apex) {
            return false;
        }
        for &face in &self.visible_faces {
            self.faces[face as usize].is_removed = true;
        }
        self.vertices.push(EpaVertex::new(pair, point));
        let first = self.faces.len() as u32;
        let count = self.horizon.len() as u32;
        for k in 0..count {
            let EpaHorizonEdge { from, to, neighbor: beyond, neighbor_edge: back } =
                self.horizon[k as usize];
            let face = self.add_face([from, to, apex]);
            let (next, last) = (first + (k + 1) % count, first + (k + count - 1) % count);
            self.faces[face as usize].neighbors = [beyond, next, last];
            self.faces[beyond as usize].neighbors[back] = face;
        }
        true
    }

    /// Finds the faces that a point sees, those coplanar with it included, connected with a first one, and their
    /// horizon, whose edges are in order if it is one loop.
    fn find_visible_faces(&mut self, seed: u32, apex: u32, point: &Vector<3>, rounding: f64) {
        self.visible_faces.clear();
        self.horizon.clear();
        self.visible_faces.push(seed);
        self.faces[seed as usize].visited_by = apex;
        self.open_edges.clear();
        self.open_edges.extend([(seed, 2), (seed, 1), (seed, 0)]);
        while let Some((face, k)) = self.open_edges.pop() {
            let beyond = self.faces[face as usize].neighbors[k];
            let EpaFace { normal, distance, visited_by: seen_by, .. } = self.faces[beyond as usize];
            if seen_by == apex {
                continue;
            }
            let (from, to) = self.edge(face, k);
            let back = self.edge_index(beyond, to, from).unwrap_or(0);
            // Coplanar faces count as visible: they would become slivers beside the new ones.
            if normal.dot(point) - distance >= -rounding {
                self.faces[beyond as usize].visited_by = apex;
                self.visible_faces.push(beyond);
                // Depth first and in turning order, so that the horizon comes out as a loop.
                self.open_edges.extend([(beyond, (back + 2) % 3), (beyond, (back + 1) % 3)]);
            } else {
                self.horizon.push(EpaHorizonEdge {
                    from,
                    to,
                    neighbor: beyond,
                    neighbor_edge: back,
                });
            }
        }
    }

    /// Returns whether the edges of the horizon form one loop that passes no vertex twice.
    fn horizon_is_loop(&mut self, apex: u32) -> bool {
        let count = self.horizon.len();
        (0..count).all(|k| {
            let EpaHorizonEdge { from, to, .. } = self.horizon[k];
            let is_new = self.vertices[from as usize].horizon_of != apex;
            self.vertices[from as usize].horizon_of = apex;
            is_new && to == self.horizon[(k + 1) % count].from
        }) && count >= 3
    }

    /// Returns the vertices of a face and the barycentric weights of a point in its plane.
    pub fn face_weights(&self, face: u32, point: &Vector<3>) -> (GjkSimplex, [f64; 3]) {
        let corners = self.faces[face as usize].vertices;
        let [a, b, c] = corners.map(|corner| self.vertices[corner as usize]);
        let mut simplex = GjkSimplex::default();
        for corner in [a, b, c] {
            simplex.push(corner.pair, corner.point);
        }
        (simplex, triangle_weights(&simplex.points, point))
    }
}

impl EpaVertex {
    fn new(pair: VertexPair, point: Vector<3>) -> Self {
        EpaVertex { pair, point, horizon_of: u32::MAX }
    }
}

/// An edge of the horizon, the face beyond it, and which of that face's edges it is.
#[derive(Clone, Copy)]
struct EpaHorizonEdge {
    from: u32,
    to: u32,
    neighbor: u32,
    neighbor_edge: usize,
}

/// Returns four of some points that are far from coplanar.
fn initial_tetrahedron(
    points: &[EpaVertex],
    farthest: impl Fn(Vector<3>) -> EpaVertex,
) -> [EpaVertex; 4] {
    let best = |value: &dyn Fn(&Vector<3>) -> f64, among: &[EpaVertex]| {
        let larger = |one: usize, other: usize| {
            if value(&among[other].point) > value(&among[one].point) { other } else { one }
        };
        among[(1..among.len()).fold(0, larger)]
    };
    let first = points[0];
    let second = best(&|p| (p - first.point).norm_squared(), points);
    let along = second.point - first.point;
    let off_line = |p: &Vector<3>| (p - first.point).cross(&along).norm_squared();
    let mut third = best(&off_line, points);
    if off_line(&third.point) <= COLLINEAR_RATIO * COLLINEAR_RATIO * along.norm_squared().powi(2) {
        // The extreme points of a needle along a diagonal are its two tips on every axis: look across it.
        let across = along.cross(&Vector::ith(along.iamin(), 1.0));
        let other = along.cross(&across);
        third = best(&off_line, &[across, -across, other, -other].map(&farthest));
    }
    let normal = along.cross(&(third.point - first.point));
    let both = [farthest(normal), farthest(-normal)];
    let fourth = best(&|p| (p - first.point).dot(&normal).abs(), &both);
    [first, second, third, fourth]
}

/// Points are collinear if their distance from the line is below this fraction of its length.
const COLLINEAR_RATIO: f64 = 1e-6;
