//! Where forces act between two bodies: the points in which they touch.
//!
//! If the normal is that of a face of one body, the face of the other that looks at it is clipped by its
//! sides (Sutherland and Hodgman, 1974); what is left touches. If it is that of two parallel edges, they
//! touch from where both have begun to where one ends. Of edges that cross, and of corners, one point is left.
//!
//! Room for clipped faces is kept by every thread, so that nothing is allocated once it has met its largest
//! face.

use super::{Closest, Corners, comes_first};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use std::cell::RefCell;

/// The points in which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold {
    /// From the first body to the second, of length one.
    pub normal: Vector<3>,
    points: [ContactPoint; MOST_CONTACTS],
    count: usize,
}

/// A point in which two bodies touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// Midway between the two surfaces.
    pub position: Vector<3>,
    /// Between the surfaces along the normal; less than zero where they penetrate.
    pub distance: f64,
}

/// So many points are enough to hold a body in place.
const MOST_CONTACTS: usize = 8;
/// A normal is that of a face if its cosine is not less than one by more than this.
const ALIGNED: f64 = 1e-9;
/// The same of an edge that a normal is perpendicular to: its sine.
const LEVEL: f64 = 4.5e-5;

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

/// What is left of a face, seen from the other body, and room for what a cut leaves of that.
#[derive(Default)]
struct Room {
    polygon: Vec<Vector<3>>,
    cut: Vec<Vector<3>>,
    heights: Vec<f64>,
    found: Vec<Candidate>,
}

/// A point that may be taken.
struct Candidate {
    point: ContactPoint,
    /// The square of its distance from the nearest point taken.
    apart: f64,
}

impl Manifold {
    /// The points of two bodies that are no farther from each other than `margin`, given their closest
    /// ones. At most eight; the deepest is among them. The same points, to the last bit, whichever body is
    /// called the first, unless nothing tells them apart.
    pub fn between(
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
        closest: &Closest,
        margin: f64,
    ) -> Self {
        let mut manifold =
            Manifold { normal: closest.normal, points: Default::default(), count: 0 };
        if closest.distance > margin {
            return manifold;
        }
        if comes_first(b, pose_b, a, pose_a) {
            manifold.find([b, a], [pose_b, pose_a], &closest.exchanged(), margin);
        } else {
            manifold.find([a, b], [pose_a, pose_b], closest, margin);
        }
        if manifold.count == 0 {
            let position = (closest.on_a + closest.on_b) * 0.5;
            manifold.points[0] = ContactPoint { position, distance: closest.distance };
            manifold.count = 1;
        }
        manifold
    }

    /// The points.
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }

    fn find(
        &mut self,
        bodies: [&ConvexPolyhedron; 2],
        poses: [&Pose; 2],
        closest: &Closest,
        margin: f64,
    ) {
        let corners = [closest.corners_a(), closest.corners_b()];
        let normals = [closest.normal, -closest.normal];
        let facing = [0, 1].map(|k| Facing::find(bodies[k], poses[k], &corners[k], &normals[k]));
        let reference = usize::from(facing[1].cosine > facing[0].cosine);
        let other = 1 - reference;
        if facing[reference].cosine >= 1.0 - ALIGNED {
            let relative = poses[reference].relative(poses[other]);
            ROOM.with_borrow_mut(|room| {
                room.overlap(bodies[reference], &facing[reference], &relative, &facing[other]);
                room.list(poses[reference], bodies[reference].face(facing[reference].face).normal);
                room.take(self, margin);
            });
            return;
        }
        let edges = [0, 1].map(|k| Edge::find(bodies[k], poses[k], &corners[k], &normals[k]));
        if let [Some(one), Some(two)] = edges {
            self.touch_along(&one, &two, &closest.normal, margin);
        }
    }

    /// The ends of what two parallel edges have in common.
    fn touch_along(&mut self, one: &Edge, two: &Edge, normal: &Vector<3>, margin: f64) {
        let along = one.step.normalize();
        if along.cross(&two.step).norm_squared() > LEVEL * LEVEL * two.step.norm_squared() {
            return;
        }
        let place = |point: &Vector<3>| along.dot(&(point - one.start));
        let (from, to) = (place(&two.start), place(&(two.start + two.step)));
        let (begin, end) =
            (from.min(to).max(0.0), from.max(to).min(place(&(one.start + one.step))));
        if begin >= end {
            return;
        }
        for at in [begin, end] {
            let on_one = one.start + along * at;
            let on_two = two.start + two.step * ((at - from) / (to - from));
            let distance = normal.dot(&(on_two - on_one));
            if distance <= margin {
                let position = (on_one + on_two) * 0.5;
                self.points[self.count] = ContactPoint { position, distance };
                self.count += 1;
            }
        }
    }
}

/// The face of a body that looks in a direction.
struct Facing<'a> {
    cosine: f64,
    face: u32,
    corners: &'a [u32],
    vertices: &'a [Vector<3>],
}

impl<'a> Facing<'a> {
    /// Among the faces at the closest feature.
    fn find(body: &'a ConvexPolyhedron, pose: &Pose, at: &Corners, direction: &Vector<3>) -> Self {
        let inner = pose.rotation.tr_mul(direction);
        let (mut face, mut cosine) = (0, f64::NEG_INFINITY);
        for &vertex in &at.vertices[..at.count as usize] {
            for other in body.leaving(vertex).map(|edge| body.left(edge)) {
                let height = body.face(other).normal.dot(&inner);
                if height > cosine {
                    (face, cosine) = (other, height);
                }
            }
        }
        Facing { cosine, face, corners: body.face(face).vertices, vertices: body.vertices() }
    }

    fn corner(&self, number: usize) -> Vector<3> {
        self.vertices[self.corners[number] as usize]
    }
}

/// An edge of a body in the world.
struct Edge {
    start: Vector<3>,
    step: Vector<3>,
}

impl Edge {
    /// The most level edge at the closest feature, if it is level.
    fn find(body: &ConvexPolyhedron, pose: &Pose, at: &Corners, up: &Vector<3>) -> Option<Self> {
        let inner = pose.rotation.tr_mul(up);
        let mut best: Option<(f64, u32, u32)> = None;
        for &vertex in &at.vertices[..at.count as usize] {
            for other in body.neighbours(vertex) {
                let step = body.vertices()[other as usize] - body.vertices()[vertex as usize];
                let sine = step.dot(&inner).abs() / step.norm();
                if sine <= LEVEL && best.is_none_or(|(least, ..)| sine < least) {
                    best = Some((sine, vertex, other));
                }
            }
        }
        let (_, from, to) = best?;
        let [start, end] = [from, to].map(|vertex| pose.apply(&body.vertices()[vertex as usize]));
        Some(Edge { start, step: end - start })
    }
}

impl Room {
    /// The part of another face that lies over this one, seen from this body.
    fn overlap(
        &mut self,
        body: &ConvexPolyhedron,
        over: &Facing<'_>,
        relative: &Pose,
        other: &Facing<'_>,
    ) {
        self.polygon.clear();
        let seen = (0..other.corners.len()).map(|k| relative.apply(&other.corner(k)));
        self.polygon.extend(seen);
        let normal = body.face(over.face).normal;
        let count = over.corners.len();
        let mut from = over.corner(count - 1);
        let base = over.corner(0);
        for k in 0..count {
            let to = over.corner(k);
            let inwards = normal.cross(&(to - from));
            self.cut_by(&inwards, inwards.dot(&from));
            from = to;
        }
        self.heights.clear();
        self.heights.extend(self.polygon.iter().map(|point| normal.dot(&(point - base))));
    }

    /// Leaves of the polygon what has `inwards . x >= offset`.
    fn cut_by(&mut self, inwards: &Vector<3>, offset: f64) {
        self.heights.clear();
        self.heights.extend(self.polygon.iter().map(|point| inwards.dot(point) - offset));
        if self.heights.iter().all(|&height| height >= 0.0) {
            return;
        }
        self.cut.clear();
        let count = self.polygon.len();
        for k in 0..count {
            let next = if k + 1 == count { 0 } else { k + 1 };
            let (from, to) = (self.polygon[k], self.polygon[next]);
            let (at_from, at_to) = (self.heights[k], self.heights[next]);
            if at_from >= 0.0 {
                self.cut.push(from);
            }
            if (at_from > 0.0 && at_to < 0.0) || (at_from < 0.0 && at_to > 0.0) {
                self.cut.push(from + (to - from) * (at_from / (at_from - at_to)));
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.cut);
    }

    /// Lists the corners of what is left, in the world.
    fn list(&mut self, pose: &Pose, normal: Vector<3>) {
        self.found.clear();
        for (point, &distance) in self.polygon.iter().zip(&self.heights) {
            let position = pose.apply(&(point - normal * (0.5 * distance)));
            let point = ContactPoint { position, distance };
            self.found.push(Candidate { point, apart: -distance });
        }
    }

    /// Takes the points within the margin. Of too many the deepest, and then always the one farthest from
    /// those taken.
    fn take(&mut self, manifold: &mut Manifold, margin: f64) {
        self.found.retain(|candidate| candidate.point.distance <= margin);
        while manifold.count < MOST_CONTACTS && !self.found.is_empty() {
            let mut next = 0;
            for (k, candidate) in self.found.iter().enumerate() {
                if candidate.apart > self.found[next].apart {
                    next = k;
                }
            }
            let taken = self.found.remove(next).point;
            for candidate in &mut self.found {
                let apart = (candidate.point.position - taken.position).norm_squared();
                let is_first = manifold.count == 0;
                candidate.apart = if is_first { apart } else { apart.min(candidate.apart) };
            }
            manifold.points[manifold.count] = taken;
            manifold.count += 1;
        }
    }
}
