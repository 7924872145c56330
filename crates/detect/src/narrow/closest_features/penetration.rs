//! How deep two bodies are in each other: the expanding polytope of van den Bergen (2001).
//!
//! A polytope of points of the difference grows until the face of it that is nearest to the origin is a
//! face of the difference itself. Distances are signed, so it does not matter whether the origin is in
//! the polytope from the start: bodies that just touch are no special case.

use super::simplex::{Difference, SLIVER, Simplex, VertexPair, weights_at};
use carom_geometry::{Vector, shape::ConvexPolyhedron};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The least motion that takes two bodies apart.
pub struct Penetration {
    /// The three points of the difference that it is found at, weighted.
    pub simplex: Simplex,
    pub depth: f64,
    /// From the first body to the second.
    pub normal: Vector<3>,
}

struct Polytope {
    points: Vec<(VertexPair, Vector<3>)>,
    faces: Vec<Face>,
    nearest: BinaryHeap<Nearest>,
}

#[derive(Clone, Copy)]
struct Face {
    corners: [u32; 3],
    /// The faces across the edges that start at each corner.
    across: [u32; 3],
    normal: Vector<3>,
    distance: f64,
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

/// The deepest penetration of two bodies, some points of whose difference are known.
pub fn deepest(
    difference: &Difference<'_, ConvexPolyhedron>,
    known: &Simplex,
    size: f64,
) -> Penetration {
    let mut polytope = Polytope::around(difference, known);
    let rounding = ROUNDING * size;
    let mut least = polytope.take_nearest();
    for _ in 0..MOST_POINTS {
        let Face { normal, distance, corners, .. } = polytope.faces[least as usize];
        let start = polytope.points[corners[0] as usize].0;
        let pair = difference.farthest_against(&-normal, start);
        let point = difference.point(pair);
        let is_known = corners.iter().any(|&corner| polytope.points[corner as usize].0 == pair);
        if is_known || normal.dot(&point) - distance <= rounding {
            break;
        }
        if !polytope.expand(least, pair, point, rounding) {
            break;
        }
        least = polytope.take_nearest();
    }
    polytope.penetration(least, rounding)
}

impl Polytope {
    /// A tetrahedron of four points of the difference that are far from lying in one plane.
    fn around(difference: &Difference<'_, ConvexPolyhedron>, known: &Simplex) -> Self {
        let start = known.pairs[0];
        let farthest = |direction: Vector<3>| {
            let pair = difference.farthest_against(&-direction, start);
            (pair, difference.point(pair))
        };
        let mut points: Vec<(VertexPair, Vector<3>)> =
            (0..known.count).map(|k| (known.pairs[k], known.points[k])).collect();
        for axis in 0..3 {
            let along = Vector::ith(axis, 1.0);
            points.extend([farthest(along), farthest(-along)]);
        }
        let chosen = spread(&points, farthest);
        let mut polytope =
            Polytope { points: chosen.to_vec(), faces: Vec::new(), nearest: BinaryHeap::new() };
        let corner = |k: usize| chosen[k].1;
        let turns = (corner(1) - corner(0)).cross(&(corner(2) - corner(0)));
        let faces: [[u32; 3]; 4] = if turns.dot(&(corner(3) - corner(0))) > 0.0 {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]]
        };
        for corners in faces {
            polytope.add(corners);
        }
        for face in 0..4 {
            for k in 0..3 {
                let (from, to) = polytope.edge(face, k);
                let other =
                    (0..4).find(|&other| (0..3).any(|m| polytope.edge(other, m) == (to, from)));
                polytope.faces[face as usize].across[k] = other.unwrap_or(face);
            }
        }
        polytope
    }

    fn edge(&self, face: u32, k: usize) -> (u32, u32) {
        let corners = self.faces[face as usize].corners;
        (corners[k], corners[(k + 1) % 3])
    }

    /// Adds a face, as yet without neighbours.
    fn add(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize].1);
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(&ac);
        let area = normal.norm();
        let face = self.faces.len() as u32;
        // A sliver has no plane of its own: it is never the nearest, and always in the way.
        let is_sliver = area <= SLIVER * ab.norm() * ac.norm();
        let normal = if is_sliver { Vector::zeros() } else { normal / area };
        let distance = normal.dot(&a).max(normal.dot(&b)).max(normal.dot(&c));
        if !is_sliver {
            self.nearest.push(Nearest { distance, face });
        }
        self.faces.push(Face { corners, across: [face; 3], normal, distance, is_gone: false });
        face
    }

    /// The face that is nearest to the origin.
    fn take_nearest(&mut self) -> u32 {
        while let Some(Nearest { face, .. }) = self.nearest.pop() {
            if !self.faces[face as usize].is_gone {
                return face;
            }
        }
        self.faces.len() as u32 - 1
    }

    /// Makes a point a corner; false, and nothing is changed, if rounding forbids it.
    fn expand(&mut self, seed: u32, pair: VertexPair, point: Vector<3>, rounding: f64) -> bool {
        let (seen, horizon) = self.seen_from(seed, &point, rounding);
        let Some(horizon) = as_loop(horizon) else { return false };
        for face in seen {
            self.faces[face as usize].is_gone = true;
        }
        let apex = self.points.len() as u32;
        self.points.push((pair, point));
        let first = self.faces.len() as u32;
        let count = horizon.len() as u32;
        for (k, rim) in (0..count).zip(&horizon) {
            let face = self.add([rim.from, rim.to, apex]);
            let (next, last) = (first + (k + 1) % count, first + (k + count - 1) % count);
            self.faces[face as usize].across = [rim.beyond, next, last];
            let back = (0..3).find(|&m| self.edge(rim.beyond, m) == (rim.to, rim.from));
            if let Some(back) = back {
                self.faces[rim.beyond as usize].across[back] = face;
            }
        }
        true
    }

    /// The faces that a point is beyond, those in one plane with it included, connected with one of
    /// them; and their rim.
    fn seen_from(&mut self, seed: u32, point: &Vector<3>, rounding: f64) -> (Vec<u32>, Vec<Rim>) {
        let (mut seen, mut rim) = (vec![seed], Vec::new());
        let mut next = 0;
        while let Some(&face) = seen.get(next) {
            next += 1;
            for k in 0..3 {
                let beyond = self.faces[face as usize].across[k];
                if seen.contains(&beyond) {
                    continue;
                }
                let Face { normal, distance, .. } = self.faces[beyond as usize];
                if normal.dot(point) - distance >= -rounding {
                    seen.push(beyond);
                } else {
                    let (from, to) = self.edge(face, k);
                    rim.push(Rim { from, to, beyond });
                }
            }
        }
        // An edge between two that were seen only later is not of the rim.
        rim.retain(|one: &Rim| !seen.contains(&one.beyond));
        (seen, rim)
    }

    /// What a face of the difference tells. It may be in parts, each a face of the polytope: of these the
    /// one that the origin stands over.
    fn penetration(&self, face: u32, rounding: f64) -> Penetration {
        let Face { normal, distance, .. } = self.faces[face as usize];
        let foot = normal * distance;
        let mut parts = vec![face];
        let mut best: Option<Simplex> = None;
        let mut next = 0;
        while let Some(&part) = parts.get(next) {
            next += 1;
            let simplex = self.simplex(part, &foot);
            let least =
                |simplex: &Simplex| simplex.weights[..3].iter().copied().fold(1.0, f64::min);
            if best.is_none_or(|best| least(&simplex) > least(&best)) {
                best = Some(simplex);
            }
            for beyond in self.faces[part as usize].across {
                let corners = self.faces[beyond as usize].corners;
                let height = |&corner: &u32| normal.dot(&self.points[corner as usize].1) - distance;
                let is_part = corners.iter().all(|corner| height(corner).abs() <= 4.0 * rounding);
                if is_part && !parts.contains(&beyond) {
                    parts.push(beyond);
                }
            }
        }
        let mut simplex = best.unwrap_or_else(|| self.simplex(face, &foot));
        simplex.clamp_weights();
        Penetration { simplex, depth: distance, normal }
    }

    /// A face, weighted so as to give a point of its plane.
    fn simplex(&self, face: u32, point: &Vector<3>) -> Simplex {
        let corners = self.faces[face as usize].corners;
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let mut simplex = Simplex::of(a.0, a.1);
        simplex.push(b.0, b.1);
        simplex.push(c.0, c.1);
        simplex.weights = weights_at(&simplex.points, point);
        simplex
    }
}

/// An edge of the rim of what is seen, and the face beyond it.
#[derive(Clone, Copy)]
struct Rim {
    from: u32,
    to: u32,
    beyond: u32,
}

/// The edges one after the other, if they are one loop.
fn as_loop(mut rim: Vec<Rim>) -> Option<Vec<Rim>> {
    for k in 1..rim.len() {
        let end = rim[k - 1].to;
        let next = (k..rim.len()).find(|&m| rim[m].from == end)?;
        rim.swap(k, next);
        // A corner that is passed twice pinches the loop.
        if rim[..k].iter().any(|earlier| earlier.from == end) {
            return None;
        }
    }
    let closes = rim.len() >= 3 && rim[rim.len() - 1].to == rim[0].from;
    closes.then_some(rim)
}

/// Four of some points that are far from lying in one plane.
fn spread(
    points: &[(VertexPair, Vector<3>)],
    farthest: impl Fn(Vector<3>) -> (VertexPair, Vector<3>),
) -> [(VertexPair, Vector<3>); 4] {
    let best = |value: &dyn Fn(&Vector<3>) -> f64, among: &[(VertexPair, Vector<3>)]| {
        let larger = |one: usize, other: usize| {
            if value(&among[other].1) > value(&among[one].1) { other } else { one }
        };
        among[(1..among.len()).fold(0, larger)]
    };
    let first = points[0];
    let second = best(&|p| (p - first.1).norm_squared(), points);
    let along = second.1 - first.1;
    let third = best(&|p| (p - first.1).cross(&along).norm_squared(), points);
    let normal = along.cross(&(third.1 - first.1));
    let both = [farthest(normal), farthest(-normal)];
    let fourth = best(&|p| (p - first.1).dot(&normal).abs(), &both);
    [first, second, third, fourth]
}

/// How wrong the height of a point over a plane may be, in sizes of the bodies.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// More points than any two bodies of a thousand faces each need.
const MOST_POINTS: usize = 100_000;
