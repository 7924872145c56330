//! A polytope of points of the difference of two bodies that grows corner by corner.

use super::difference::Difference;
use super::nearest::{SLIVER, weights_at};
use super::simplex::{Simplex, VertexPair};
use carom_geometry::{Vector, shape::ConvexPolyhedron};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// It has triangles for faces. What it was before leaves nothing but room for what it becomes.
#[derive(Default)]
pub struct Polytope {
    pub corners: Vec<Corner>,
    pub faces: Vec<Face>,
    nearest: BinaryHeap<Nearest>,
    /// Room for the faces that a new corner sees, and for the rim of these.
    pub seen: Vec<u32>,
    rim: Vec<Rim>,
    todo: Vec<(u32, usize)>,
}

/// A point of the difference.
#[derive(Clone, Copy)]
pub struct Corner {
    pub pair: VertexPair,
    pub point: Vector<3>,
    /// The last corner on whose rim it was.
    rim_of: u32,
}

/// A triangle, to the left when seen from outside.
#[derive(Clone, Copy)]
pub struct Face {
    pub corners: [u32; 3],
    /// The faces across the edges that start at each corner.
    pub across: [u32; 3],
    pub normal: Vector<3>,
    pub distance: f64,
    /// The last corner that saw it.
    pub seen_by: u32,
    is_gone: bool,
}

/// A face by its distance.
#[derive(Clone, Copy, PartialEq)]
struct Nearest {
    distance: f64,
    face: u32,
}

impl Eq for Nearest {}

impl Ord for Nearest {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.face.cmp(&self.face))
    }
}

impl PartialOrd for Nearest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Polytope {
    /// A tetrahedron of four points of the difference that are far from lying in one plane.
    pub fn put_around(&mut self, difference: &Difference<'_, ConvexPolyhedron>, known: &Simplex) {
        let farthest = |direction: Vector<3>| {
            let pair = difference.farthest_against(&-direction);
            Corner::new(pair, difference.point(pair))
        };
        let known = (0..known.count).map(|k| Corner::new(known.pairs[k], known.points[k]));
        self.corners.clear();
        self.corners.extend(known);
        for axis in 0..3 {
            let along = Vector::ith(axis, 1.0);
            self.corners.extend([farthest(along), farthest(-along)]);
        }
        let chosen = spread(&self.corners, farthest);
        self.corners.clear();
        self.corners.extend(chosen);
        self.faces.clear();
        self.nearest.clear();
        let corner = |k: usize| chosen[k].point;
        let turns = (corner(1) - corner(0)).cross(&(corner(2) - corner(0)));
        let faces: [[u32; 3]; 4] = if turns.dot(&(corner(3) - corner(0))) > 0.0 {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]]
        };
        for corners in faces {
            self.add(corners);
        }
        for face in 0..4 {
            for k in 0..3 {
                let (from, to) = self.edge(face, k);
                let other = (0..4).find(|&other| self.edge_number(other, to, from).is_some());
                self.faces[face as usize].across[k] = other.unwrap_or(face);
            }
        }
    }

    fn edge(&self, face: u32, k: usize) -> (u32, u32) {
        let corners = self.faces[face as usize].corners;
        (corners[k], corners[(k + 1) % 3])
    }

    fn edge_number(&self, face: u32, from: u32, to: u32) -> Option<usize> {
        (0..3).find(|&k| self.edge(face, k) == (from, to))
    }

    /// Adds a face, as yet without neighbours.
    fn add(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|corner| self.corners[corner as usize].point);
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(&ac);
        let squared = normal.norm_squared();
        let face = self.faces.len() as u32;
        // A sliver has no plane of its own: it is never the nearest, and always in the way.
        let is_sliver = squared <= SLIVER * SLIVER * ab.norm_squared() * ac.norm_squared();
        let normal = if is_sliver { Vector::zeros() } else { normal / squared.sqrt() };
        let distance = normal.dot(&a).max(normal.dot(&b)).max(normal.dot(&c));
        if !is_sliver {
            self.nearest.push(Nearest { distance, face });
        }
        let (across, seen_by, is_gone) = ([face; 3], u32::MAX, false);
        self.faces.push(Face { corners, across, normal, distance, seen_by, is_gone });
        face
    }

    /// The face that is nearest to the origin, of those not taken before.
    pub fn take_nearest(&mut self) -> Option<u32> {
        while let Some(Nearest { face, .. }) = self.nearest.pop() {
            if !self.faces[face as usize].is_gone {
                return Some(face);
            }
        }
        None
    }

    /// Makes a point a corner; false, and the polytope stays as it was, if rounding forbids it.
    pub fn expand(&mut self, seed: u32, pair: VertexPair, point: Vector<3>, rounding: f64) -> bool {
        let apex = self.corners.len() as u32;
        self.see(seed, apex, &point, rounding);
        if !self.rim_is_loop(apex) {
            return false;
        }
        for &face in &self.seen {
            self.faces[face as usize].is_gone = true;
        }
        self.corners.push(Corner::new(pair, point));
        let first = self.faces.len() as u32;
        let count = self.rim.len() as u32;
        for k in 0..count {
            let Rim { from, to, beyond, back } = self.rim[k as usize];
            let face = self.add([from, to, apex]);
            let (next, last) = (first + (k + 1) % count, first + (k + count - 1) % count);
            self.faces[face as usize].across = [beyond, next, last];
            self.faces[beyond as usize].across[back] = face;
        }
        true
    }

    /// Finds the faces that a point is beyond, those in one plane with it included, connected with one
    /// of them; and their rim, in order if it is one loop.
    fn see(&mut self, seed: u32, apex: u32, point: &Vector<3>, rounding: f64) {
        self.seen.clear();
        self.rim.clear();
        self.seen.push(seed);
        self.faces[seed as usize].seen_by = apex;
        self.todo.clear();
        self.todo.extend([(seed, 2), (seed, 1), (seed, 0)]);
        while let Some((face, k)) = self.todo.pop() {
            let beyond = self.faces[face as usize].across[k];
            let Face { normal, distance, seen_by, .. } = self.faces[beyond as usize];
            if seen_by == apex {
                continue;
            }
            let (from, to) = self.edge(face, k);
            let back = self.edge_number(beyond, to, from).unwrap_or(0);
            if normal.dot(point) - distance >= -rounding {
                self.faces[beyond as usize].seen_by = apex;
                self.seen.push(beyond);
                self.todo.extend([(beyond, (back + 2) % 3), (beyond, (back + 1) % 3)]);
            } else {
                self.rim.push(Rim { from, to, beyond, back });
            }
        }
    }

    /// Whether the edges of the rim follow one another, and pass no corner twice.
    fn rim_is_loop(&mut self, apex: u32) -> bool {
        let count = self.rim.len();
        (0..count).all(|k| {
            let Rim { from, to, .. } = self.rim[k];
            let is_new = self.corners[from as usize].rim_of != apex;
            self.corners[from as usize].rim_of = apex;
            is_new && to == self.rim[(k + 1) % count].from
        }) && count >= 3
    }

    /// A face, and the weights that give a point of its plane.
    pub fn weighted(&self, face: u32, point: &Vector<3>) -> (Simplex, [f64; 3]) {
        let corners = self.faces[face as usize].corners;
        let [a, b, c] = corners.map(|corner| self.corners[corner as usize]);
        let mut simplex = Simplex::default();
        for corner in [a, b, c] {
            simplex.push(corner.pair, corner.point);
        }
        (simplex, weights_at(&simplex.points, point))
    }
}

impl Corner {
    fn new(pair: VertexPair, point: Vector<3>) -> Self {
        Corner { pair, point, rim_of: u32::MAX }
    }
}

/// An edge of the rim of what is seen, the face beyond it, and which of that face's edges it is.
#[derive(Clone, Copy)]
struct Rim {
    from: u32,
    to: u32,
    beyond: u32,
    back: usize,
}

/// Four of some points that are far from lying in one plane.
fn spread(points: &[Corner], farthest: impl Fn(Vector<3>) -> Corner) -> [Corner; 4] {
    let best = |value: &dyn Fn(&Vector<3>) -> f64, among: &[Corner]| {
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
    if off_line(&third.point) <= ON_LINE * ON_LINE * along.norm_squared().powi(2) {
        // A needle along a diagonal reaches farthest along all axes with its tips.
        let across = along.cross(&Vector::ith(along.iamin(), 1.0));
        let other = along.cross(&across);
        third = best(&off_line, &[across, -across, other, -other].map(&farthest));
    }
    let normal = along.cross(&(third.point - first.point));
    let both = [farthest(normal), farthest(-normal)];
    let fourth = best(&|p| (p - first.point).dot(&normal).abs(), &both);
    [first, second, third, fourth]
}

/// Points that are no farther from a line, in parts of their distance along it, lie on it.
const ON_LINE: f64 = 1e-6;
