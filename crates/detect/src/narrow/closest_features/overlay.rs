//! The parts in which a face of one body lies over a face of the other, seen along the normal.
//!
//! From the faces at the closest points it goes on over the sides of each part to the next ones, as far as the bodies
//! are nearer than the reach. All of that hangs together, because it is convex; so no face is looked at that does not
//! press, or border on one that does.

use super::Corners;
use super::caps::{STEEP, View};
use super::mean_depth::Sums;
use super::polygon::{CUT, Corner, Linear, Polygon, Side, bounds};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use std::ops::Range;

/// So many faces of a body are looked at, the nearest first: more press only on bodies far finer than what they press.
const MOST: usize = 64;

/// Kept from question to question, so that nothing is allocated.
pub(super) struct Room {
    /// The faces of each body that have been looked at, and how they are seen.
    faces: [Vec<u32>; 2],
    seen: [Vec<Seen>; 2],
    /// The outlines of all of them, whose sides have their places here for numbers; the first is that of what was cut.
    outlines: Vec<Corner>,
    /// What is beyond each side.
    beyond: Vec<Beyond>,
    /// Parts by the numbers of their faces among those looked at, in the order in which they were found; the others are
    /// room.
    parts: Vec<[u32; 2]>,
    count: usize,
    /// For each face of the first body those of the second with which it makes a part, bit by bit.
    found: [u64; MOST],
    cuts: [Polygon; 2],
}

/// A face as seen.
struct Seen {
    height: Linear,
    outline: Range<u32>,
}

/// What is beyond a side: the number of a face of its body among those looked at.
#[derive(Clone, Copy)]
struct Beyond {
    number: u32,
    /// The body and the half edge of the side.
    which: u32,
    half_edge: u32,
}

/// Stand for the number of a face that has not been asked for yet, and for none.
const UNKNOWN: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX;

impl Default for Room {
    fn default() -> Self {
        Room {
            faces: Default::default(),
            seen: Default::default(),
            outlines: Vec::new(),
            beyond: Vec::new(),
            parts: vec![[0; 2]; MOST * MOST + 1],
            count: 0,
            found: [0; MOST],
            cuts: Default::default(),
        }
    }
}

impl Room {
    fn clear(&mut self) {
        self.found[..self.faces[0].len()].fill(0);
        self.faces.iter_mut().for_each(Vec::clear);
        self.seen.iter_mut().for_each(Vec::clear);
        self.outlines.clear();
        self.beyond.clear();
        self.outlines.push(Corner::default());
        self.beyond.push(Beyond { number: NONE, which: 0, half_edge: 0 });
        self.count = 0;
    }

    /// Puts a part behind the others, if it is new and its faces have numbers. Whether it is cannot be foreseen, so
    /// nothing branches on it.
    #[inline(always)]
    fn put(&mut self, part: [u32; 2]) {
        let is_one = (part[0] != NONE) & (part[1] != NONE);
        let row = &mut self.found[part[0] as usize % MOST];
        let bit = u64::from(is_one) << (part[1] as usize % MOST);
        let is_new = bit & !*row != 0;
        *row |= bit;
        self.parts[self.count] = part;
        self.count += usize::from(is_new);
    }
}

/// Two bodies, the second above the first.
pub(super) struct Overlay<'a> {
    bodies: [Turned<'a>; 2],
    reach: f64,
    room: &'a mut Room,
}

/// A body and the axes of the view, along its own axes.
struct Turned<'a> {
    body: &'a ConvexPolyhedron,
    right: Vector<3>,
    up: Vector<3>,
    normal: Vector<3>,
    /// Its origin as seen from the middle.
    origin: [f64; 3],
}

impl<'a> Overlay<'a> {
    #[inline(always)]
    pub(super) fn new(
        view: &View,
        bodies: [&'a ConvexPolyhedron; 2],
        poses: [&Pose; 2],
        reach: f64,
        room: &'a mut Room,
    ) -> Self {
        let turned = |which: usize| Turned::new(view, bodies[which], poses[which]);
        Overlay { bodies: [turned(0), turned(1)], reach, room }
    }

    /// Adds all parts, beginning at the corners of the closest features.
    #[inline(always)]
    pub(super) fn add_to(&mut self, sums: &mut Sums, at: [Corners; 2]) {
        self.begin(&at);
        // What is left of the smaller feature's face after the first cut is mostly small.
        let first = usize::from(at[1].count < at[0].count);
        let mut next = 0;
        while next < self.room.count {
            let part = self.room.parts[next];
            next += 1;
            let [lower, upper] = part.map(|number| number as usize);
            let [below, above] =
                [&self.room.seen[0][lower].height, &self.room.seen[1][upper].height];
            let [depth, height] = below.under(above, self.reach);
            self.cut(part, first, &depth);
            let corners = self.room.cuts[0].corners();
            if corners.len() < 3 {
                continue;
            }
            sums.add(corners, &depth, &height);
            for k in 0..corners.len() {
                self.go_on(part, self.room.cuts[0].corners()[k].side);
            }
        }
    }

    /// Finds the faces at the closest points.
    #[inline(always)]
    fn begin(&mut self, at: &[Corners; 2]) {
        self.room.clear();
        for which in 0..2 {
            let body = self.bodies[which].body;
            let corners = &at[which].vertices[..at[which].count as usize];
            let Some((&first, others)) = corners.split_first() else { continue };
            for &face in body.faces_at(first) {
                if others.iter().all(|&corner| body.faces_at(corner).contains(&face)) {
                    self.number(which, face);
                }
            }
            if self.room.faces[which].is_empty() {
                // Rounding has taken together what does not belong to one face, or it is steep.
                for &face in corners.iter().flat_map(|&corner| body.faces_at(corner)) {
                    self.number(which, face);
                }
            }
        }
        let [below, above] = [0, 1].map(|which| self.room.faces[which].len() as u32);
        for lower in 0..below {
            (0..above).for_each(|upper| self.room.put([lower, upper]));
        }
    }

    /// Goes on to the part beyond a side.
    #[inline(always)]
    fn go_on(&mut self, part: [u32; 2], side: u32) {
        let Beyond { mut number, which, half_edge } = self.room.beyond[side as usize];
        if number == UNKNOWN {
            let body = self.bodies[which as usize].body;
            number = self.number(which as usize, body.left(body.twin(half_edge)));
            self.room.beyond[side as usize].number = number;
        }
        let [lower, upper] = part;
        self.room.put(if which == 0 { [number, upper] } else { [lower, number] });
    }

    /// The number of a face among those looked at; none if it is steep, or one too many.
    #[inline(always)]
    fn number(&mut self, which: usize, face: u32) -> u32 {
        let Room { faces, seen, outlines, beyond, .. } = &mut *self.room;
        for (known, &other) in faces[which].iter().enumerate() {
            if other == face {
                return known as u32;
            }
        }
        let turned = &self.bodies[which];
        let height = turned.height(face, if which == 0 { 1.0 } else { -1.0 });
        let (Some(height), true) = (height, faces[which].len() < MOST) else { return NONE };
        let start = outlines.len() as u32;
        let edges = turned.body.half_edges(face);
        let count = edges.end - edges.start;
        for k in 0..count {
            // Seen from behind, what goes to the left goes to the right.
            let (from, along) = match which {
                0 => (k, k),
                _ => (count - 1 - k, if k + 1 == count { count - 1 } else { count - 2 - k }),
            };
            let place = turned.place(turned.body.origin(edges.start + from));
            outlines.push(Corner { place, side: start + k });
            let half_edge = edges.start + along;
            beyond.push(Beyond { number: UNKNOWN, which: which as u32, half_edge });
        }
        faces[which].push(face);
        seen[which].push(Seen { height, outline: start..start + count });
        seen[which].len() as u32 - 1
    }

    /// Cuts out where both faces are and the depth is positive, beginning with the face of one body.
    #[inline(always)]
    fn cut(&mut self, part: [u32; 2], first: usize, depth: &Linear) {
        let Room { seen, outlines, cuts: [now, then], .. } = &mut *self.room;
        let outline = |which: usize| {
            let Range { start, end } = seen[which][part[which] as usize].outline;
            &outlines[start as usize..end as usize]
        };
        now.cut_from(outline(first), CUT, |point| depth.at(point));
        let Some(around) = bounds(now.corners()) else { return };
        let others = outline(1 - first);
        let Some(last) = others.last() else { return };
        let mut from = last;
        for to in others {
            let side = Side::between(from.place, to.place);
            if side.may_cut(around) {
                then.cut_from(now.corners(), from.side, |point| side.left_of(point));
                std::mem::swap(now, then);
                if now.corners().len() < 3 {
                    return;
                }
            }
            from = to;
        }
    }
}

impl<'a> Turned<'a> {
    #[inline(always)]
    fn new(view: &View, body: &'a ConvexPolyhedron, pose: &Pose) -> Self {
        let seen = |axis: &Vector<3>| pose.rotation.tr_mul(axis);
        let from_middle = pose.position - view.middle;
        Turned {
            body,
            right: seen(&view.right),
            up: seen(&view.up),
            normal: seen(&view.normal),
            origin: [&view.right, &view.up, &view.normal].map(|axis| axis.dot(&from_middle)),
        }
    }

    #[inline(always)]
    fn place(&self, vertex: u32) -> [f64; 2] {
        let vertex = &self.body.vertices()[vertex as usize];
        [self.right.dot(vertex) + self.origin[0], self.up.dot(vertex) + self.origin[1]]
    }

    /// How high a face is that looks along the normal, or against it with a `sign` of minus one; none if it is steep.
    #[inline(always)]
    fn height(&self, face: u32, sign: f64) -> Option<Linear> {
        let face = self.body.face(face);
        let rise = face.normal.dot(&self.normal);
        if rise * sign <= STEEP {
            return None;
        }
        let part = 1.0 / rise;
        let slope = [-face.normal.dot(&self.right) * part, -face.normal.dot(&self.up) * part];
        let [x, y, z] = self.origin;
        Some(Linear { slope, at_zero: face.offset * part + z - slope[0] * x - slope[1] * y })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ClosestFeatures;
    use super::super::mean_depth::Mean;
    use super::*;
    use nalgebra::UnitQuaternion;

    /// Points of a sphere, spread evenly and then moved a little by numbers that follow from their own.
    fn pebble(count: u32, unevenness: f64) -> ConvexPolyhedron {
        let point = |k: u32| {
            let height = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
            let angle = 2.399_963_229_728_653 * f64::from(k);
            let across = (1.0 - height * height).sqrt();
            let out = 0.5 + unevenness * (7.3 * f64::from(k * k % 101)).sin();
            Vector::from([across * angle.cos(), across * angle.sin(), height]) * out
        };
        ConvexPolyhedron::hull(&(0..count).map(point).collect::<Vec<_>>()).unwrap()
    }

    /// Every face of one body against every one of the other.
    fn of_all(overlay: &mut Overlay, largest: f64) -> Mean {
        let mut sums = Sums::new(largest);
        let faces = [0, 1].map(|which| 0..overlay.bodies[which].body.face_count() as u32);
        let [lower, upper] = faces;
        for pair in lower.flat_map(|one| upper.clone().map(move |two| [one, two])) {
            overlay.room.clear();
            if [0, 1].map(|which| overlay.number(which, pair[which])) != [0, 0] {
                continue;
            }
            let [below, above] = [0, 1].map(|which| overlay.room.seen[which][0].height);
            let [depth, height] = below.under(&above, overlay.reach);
            overlay.cut([0, 0], 1, &depth);
            sums.add(overlay.room.cuts[0].corners(), &depth, &height);
        }
        sums.mean().unwrap()
    }

    #[test]
    fn no_part_that_presses_is_left_out() {
        let mut parts = 0;
        for k in 0..400u32 {
            let part = f64::from(k) * 0.37;
            let bodies =
                [pebble(30 + 13 * (k % 11), 0.002 * f64::from(k % 3)), pebble(20 + k % 70, 0.0)];
            let turn = UnitQuaternion::from_euler_angles(part, 0.7 * part, 1.3 * part);
            let high = Pose {
                rotation: *turn.to_rotation_matrix().matrix(),
                position: [0.5 * part.sin(), 0.5 * part.cos(), 1.1].into(),
            };
            let (bodies, poses) = ([&bodies[0], &bodies[1]], [&Pose::identity(), &high]);
            let closest = ClosestFeatures::new().query(bodies[0], poses[0], bodies[1], poses[1]);
            let depth = [1e-4, 1e-3, 1e-2, 0.05][k as usize % 4];
            let reach = closest.distance + depth;
            let view = View::along(&closest.normal, (closest.on_a + closest.on_b) * 0.5);
            let mut room = Room::default();
            let mut overlay = Overlay::new(&view, bodies, poses, reach, &mut room);
            let mut sums = Sums::new(depth);
            overlay.add_to(&mut sums, [closest.corners_a(), closest.corners_b()]);
            parts += overlay.room.count;
            let found = sums.mean().unwrap();
            let all = of_all(&mut overlay, depth);
            assert!(
                (found.depth / all.depth - 1.0).abs() < 1e-11,
                "{k}: {} {}",
                found.depth,
                all.depth
            );
            assert!(
                (found.rate / all.rate - 1.0).abs() < 1e-10,
                "{k}: {} {}",
                found.rate,
                all.rate
            );
            for axis in 0..3 {
                assert!((found.middle[axis] - all.middle[axis]).abs() < 1e-11, "{k}");
                assert!((found.squares[axis] - all.squares[axis]).abs() < 1e-11, "{k}");
            }
        }
        assert!(parts > 4000, "{parts}");
    }
}
