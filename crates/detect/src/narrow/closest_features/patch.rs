//! Where two bodies that nearly touch press on each other, and how deep.
//!
//! All faces that come near enough are seen along the normal at the closest points. Wherever one of the first body lies
//! over one of the second, the depth by which they are nearer than a reach is a linear function, and all over it is
//! concave. The integral of its eighth power over that of its seventh is the depth of both: for flat faces the depth
//! itself, for an edge along a face 8/9 of the largest, for a corner or crossed edges 4/5, however steep or wide they
//! are. It changes without a jump as bodies tilt and roll over edges, and so does the point in which the push out of it
//! acts. A force along the gradient of such a depth gains no energy from bodies that rock or turn in an impact, as one by
//! the largest depth in the middle of the pressure would, or by the faces that happen to look at each other most.
//!
//! Cost: a tenth of a microsecond where one corner or two edges press (`foot.rs`), one or two between a few faces;
//! about six between bodies with small faces, for every near face of one is cut by every near one of the other, in
//! polygons with more room than they need.

use super::{Closest, Corners};
use carom_geometry::wide::{Job, run_widest};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use nalgebra::Matrix3;
use std::cell::RefCell;

/// Of faces with more corners so many are taken, evenly.
const CORNERS: usize = 24;
/// A polygon of so many corners may be cut by as many sides, and once more.
const ROOM: usize = 2 * CORNERS + 2;
/// Faces steeper than this against the normal, in terms of its cosine, have too little of it to count.
pub(super) const STEEP: f64 = 0.02;
/// So many corners and faces of a body are looked at; more are near only on bodies far finer than what they press.
const NEAR: usize = 48;

impl Closest {
    /// Where bodies whose surfaces are less than `reach` apart press on each other, the harder the
    /// nearer they are. Exchanging the bodies gives the same answer but for rounding.
    ///
    /// ```
    /// use carom_detect::narrow::ClosestFeatures;
    /// use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
    /// let corners: Vec<Vector<3>> =
    ///     (0..8).map(|k| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
    /// let cube = ConvexPolyhedron::hull(&corners)?;
    /// // One cube over a half of the other.
    /// let (low, high) = (Pose::identity(), Pose::at([0.5, 0.0, 1.01].into()));
    /// let closest = ClosestFeatures::new().query(&cube, &low, &cube, &high);
    /// let pressure = closest.pressure(&cube, &low, &cube, &high, 0.02);
    /// assert!((pressure.middle - Vector::from([0.75, 0.5, 1.005])).norm() < 1e-12);
    /// assert!((pressure.depth - 0.01).abs() < 1e-12);
    /// assert!((pressure.spread.m11 - 0.25 / 12.0).abs() < 1e-12);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn pressure(
        &self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
        reach: f64,
    ) -> Pressure {
        let (bodies, poses, depth) = ([a, b], [pose_a, pose_b], reach - self.distance);
        if let Some(radius) = self.reach_of_corner(bodies, poses, depth) {
            let part = POWER as f64 / (POWER + 2) as f64;
            let across = Matrix3::identity() - self.normal * self.normal.transpose();
            return Pressure {
                middle: (self.on_a + self.on_b) * 0.5,
                spread: across * (radius * radius / 12.0),
                depth: part * depth,
                rate: part,
            };
        }
        ROOMS.with_borrow_mut(|caps| {
            run_widest(Pressing { closest: self, bodies, poses, reach, caps })
        })
    }
}

/// What is asked of two bodies that nearly touch.
struct Pressing<'a> {
    closest: &'a Closest,
    bodies: [&'a ConvexPolyhedron; 2],
    poses: [&'a Pose; 2],
    reach: f64,
    caps: &'a mut [Vec<Cap>; 2],
}

impl Job for Pressing<'_> {
    type Output = Pressure;

    #[inline(always)]
    fn run(self) -> Pressure {
        let Pressing { closest, bodies: [a, b], poses: [pose_a, pose_b], reach, caps } = self;
        let view = View::along(&closest.normal, (closest.on_a + closest.on_b) * 0.5);
        let depth = reach - closest.distance;
        let mut sums = Sums::new(depth);
        let mut rooms = [Polygon::empty(), Polygon::empty()];
        let [lower, upper] = caps;
        view.caps(a, pose_a, &closest.corners_a(), 1.0, depth, lower);
        view.caps(b, pose_b, &closest.corners_b(), -1.0, depth, upper);
        for below in &*lower {
            for above in upper.iter().filter(|above| below.may_meet(above)) {
                sums.add(below, above, reach, &mut rooms);
            }
        }
        let middle = view.middle;
        let in_a_point = Pressure { middle, spread: Matrix3::zeros(), depth, rate: 1.0 };
        sums.mean().map_or(
            in_a_point,
            |Mean { middle: [x, y, height], squares: [xx, xy, yy], depth, rate }| Pressure {
                middle: view.place([x, y], height),
                spread: view.spread([xx, xy, yy]),
                depth,
                rate,
            },
        )
    }
}

thread_local! {
    /// Kept from call to call, so that nothing is allocated.
    static ROOMS: RefCell<[Vec<Cap>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Where and how wide two bodies press on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressure {
    /// The point in which all of it together acts, midway between the bodies.
    pub middle: Vector<3>,
    /// Over all that is nearer than the reach, the mean square of the way from there, across the normal,
    /// axis by axis; on a corner about as much.
    pub spread: Matrix3<f64>,
    /// How much nearer than the reach they are, as a mean.
    pub depth: f64,
    /// How fast that grows where the middle comes nearer with a speed of one.
    pub rate: f64,
}

/// The mean is that of depths weighted by a power one lower than this.
const POWER: usize = 8;

/// Of the depth over all that is pressed.
pub(super) struct Mean {
    /// Across the normal and along it.
    pub middle: [f64; 3],
    pub squares: [f64; 3],
    pub depth: f64,
    pub rate: f64,
}

/// Axes of a plane across a normal.
pub(super) struct View {
    pub middle: Vector<3>,
    pub right: Vector<3>,
    pub up: Vector<3>,
    pub normal: Vector<3>,
}

/// A linear function of the plane.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    pub slope: [f64; 2],
    pub at_zero: f64,
}

impl Linear {
    #[inline(always)]
    fn at(&self, point: [f64; 2]) -> f64 {
        self.slope[0] * point[0] + self.slope[1] * point[1] + self.at_zero
    }
}

impl View {
    #[inline(always)]
    pub(super) fn along(normal: &Vector<3>, middle: Vector<3>) -> Self {
        let across = normal.iamin();
        let mut axis = Vector::zeros();
        axis[across] = 1.0;
        let right = normal.cross(&axis).normalize();
        View { middle, right, up: normal.cross(&right), normal: *normal }
    }

    /// Mean squares across the normal, axis by axis.
    pub(super) fn spread(&self, [xx, xy, yy]: [f64; 3]) -> Matrix3<f64> {
        self.right * (self.right * xx + self.up * xy).transpose()
            + self.up * (self.right * xy + self.up * yy).transpose()
    }

    #[inline(always)]
    pub(super) fn place(&self, point: [f64; 2], height: f64) -> Vector<3> {
        self.middle + self.right * point[0] + self.up * point[1] + self.normal * height
    }

    /// The parts of a body's faces that are less than `depth` below its highest point along the normal, or against it
    /// with a `sign` of minus one.
    #[inline(always)]
    pub(super) fn caps(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        at: &Corners,
        sign: f64,
        depth: f64,
        caps: &mut Vec<Cap>,
    ) {
        caps.clear();
        let direction = pose.rotation.tr_mul(&(self.normal * sign));
        let height = |vertex: u32| body.vertices()[vertex as usize].dot(&direction);
        let mut vertices = Few::new();
        at.vertices[..at.count as usize].iter().for_each(|&vertex| vertices.insert(vertex));
        let top = vertices.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let mut faces = Few::new();
        let mut next = 0;
        while let Some(vertex) = vertices.get(next) {
            body.faces_at(vertex).iter().for_each(|&face| faces.insert(face));
            for other in body.neighbours(vertex) {
                if top - height(other) < depth {
                    vertices.insert(other);
                }
            }
            next += 1;
        }
        for face in faces.iter().filter(|&face| body.normal(face).dot(&direction) > STEEP) {
            caps.extend(self.cap(body, pose, face, sign, top, depth));
        }
    }

    /// The part of a face that is less than `depth` below the top of its body.
    #[inline(always)]
    fn cap(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        face: u32,
        sign: f64,
        top: f64,
        depth: f64,
    ) -> Option<Cap> {
        let face = body.face(face);
        let place = |vertex: u32| pose.apply(&body.vertices()[vertex as usize]) - self.middle;
        let count = face.vertices.len();
        let (mut whole, mut polygon) = (Polygon::empty(), Polygon::empty());
        for k in 0..count.min(CORNERS) {
            let k = if count > CORNERS { k * count / CORNERS } else { k };
            let from_middle = place(face.vertices[if sign < 0.0 { count - 1 - k } else { k }]);
            whole.push([from_middle.dot(&self.right), from_middle.dot(&self.up)]);
        }
        let normal = pose.rotation * face.normal;
        let rise = normal.dot(&self.normal);
        let slope = [-normal.dot(&self.right) / rise, -normal.dot(&self.up) / rise];
        let height = Linear { slope, at_zero: normal.dot(&place(face.vertices[0])) / rise };
        let top = top + (pose.position - self.middle).dot(&self.normal) * sign;
        whole.clip_into(&mut polygon, |point| depth - (top - sign * height.at(point)));
        let [low, high] = polygon.bounds()?;
        Some(Cap { polygon, height, low, high })
    }
}

/// Different numbers, in the order in which they came.
struct Few {
    all: [u32; NEAR],
    count: usize,
}

impl Few {
    #[inline(always)]
    fn new() -> Self {
        Few { all: [0; NEAR], count: 0 }
    }

    #[inline(always)]
    fn insert(&mut self, number: u32) {
        if self.count < NEAR && !self.all[..self.count].contains(&number) {
            self.all[self.count] = number;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> Option<u32> {
        self.all[..self.count].get(place).copied()
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = u32> {
        self.all[..self.count].iter().copied()
    }
}

/// The upper part of a face: its outline, how high it is, and the box around it.
pub(super) struct Cap {
    pub polygon: Polygon,
    pub height: Linear,
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl Cap {
    #[inline(always)]
    pub(super) fn may_meet(&self, other: &Cap) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// A convex polygon, to the left.
#[derive(Clone, Copy)]
pub(super) struct Polygon {
    points: [[f64; 2]; ROOM],
    count: usize,
}

/// A side of a polygon.
struct Side {
    from: [f64; 2],
    way: [f64; 2],
}

impl Side {
    #[inline(always)]
    fn left_of(&self, point: [f64; 2]) -> f64 {
        cross(self.way, minus(point, self.from))
    }
}

impl Polygon {
    /// Turns it to the left if it is to the right.
    pub(super) fn turn_left(&mut self) {
        if self.triangles().map(|(_, area)| area).sum::<f64>() < 0.0 {
            self.points[..self.count].reverse();
        }
    }

    #[inline(always)]
    pub(super) fn empty() -> Self {
        Polygon { points: [[0.0; 2]; ROOM], count: 0 }
    }

    /// The least and the largest coordinates; none without corners.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        let mut points = self.points[..self.count].iter();
        let first = *points.next()?;
        Some(points.fold([first, first], |[low, high], point| {
            let either = |choose: fn(f64, f64) -> f64, bound: [f64; 2]| {
                [0, 1].map(|axis| choose(bound[axis], point[axis]))
            };
            [either(f64::min, low), either(f64::max, high)]
        }))
    }

    #[inline(always)]
    pub(super) fn push(&mut self, point: [f64; 2]) {
        if self.count < ROOM {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn sides(&self) -> impl Iterator<Item = Side> {
        (0..self.count).map(|k| {
            let (from, to) = (self.points[k], self.points[(k + 1) % self.count]);
            Side { from, way: minus(to, from) }
        })
    }

    /// What has a positive value becomes another polygon (Sutherland and Hodgman, 1974).
    #[inline(always)]
    fn clip_into(&self, clipped: &mut Polygon, value: impl Fn([f64; 2]) -> f64) {
        clipped.count = 0;
        let Some(&first) = self.points[..self.count].first() else { return };
        let value_of_first = value(first);
        let (mut from, mut at_from) = (first, value_of_first);
        for k in 1..=self.count {
            let (to, at_to) = match self.points[..self.count].get(k) {
                Some(&to) => (to, value(to)),
                None => (first, value_of_first),
            };
            if at_from >= 0.0 {
                clipped.push(from);
            }
            if (at_from > 0.0 && at_to < 0.0) || (at_from < 0.0 && at_to > 0.0) {
                let part = at_from / (at_from - at_to);
                clipped.push([0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis])));
            }
            (from, at_from) = (to, at_to);
        }
    }

    /// Triangles that it is made of, and twice the area of each.
    #[inline(always)]
    fn triangles(&self) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
        (1..self.count.max(2) - 1).map(|k| {
            let corners = [self.points[0], self.points[k], self.points[k + 1]];
            (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        })
    }
}

/// What is summed over all parts that press on each other. Areas are twice as large as they are.
#[derive(Default)]
pub(super) struct Sums {
    /// The largest depth that there can be, in parts of which others are told.
    largest: f64,
    /// Integrals of the depth in the mean's power, and in those one and two lower.
    pub powers: [f64; 3],
    /// The same of the two lower ones times the place.
    moments: [Vector<3>; 2],
    /// The area, places and squares of places.
    area: f64,
    places: [f64; 2],
    squares: [f64; 3],
}

impl Sums {
    #[inline(always)]
    pub(super) fn new(largest: f64) -> Self {
        Sums { largest, ..Sums::default() }
    }

    /// Adds where one cap lies over another and is nearer than the reach. What is cut off goes from one room to
    /// the other, so that polygons are not moved.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        below: &Cap,
        above: &Cap,
        reach: f64,
        [one, two]: &mut [Polygon; 2],
    ) {
        let (mut polygon, mut clipped) = (one, two);
        let depth = |point| reach - (above.height.at(point) - below.height.at(point));
        below.polygon.clip_into(polygon, depth);
        for side in above.polygon.sides() {
            if polygon.count < 3 {
                return;
            }
            polygon.clip_into(clipped, |point| side.left_of(point));
            std::mem::swap(&mut polygon, &mut clipped);
        }
        for (corners, area) in polygon.triangles() {
            let values = corners.map(|corner| (depth(corner) / self.largest).max(0.0));
            let complete = Complete::of(values);
            for lower in 0..3 {
                let n = (POWER - lower) as f64;
                self.powers[lower] += area * complete.all[lower] / ((n + 1.0) * (n + 2.0));
            }
            for (number, &corner) in corners.iter().enumerate() {
                let height = 0.5 * (above.height.at(corner) + below.height.at(corner));
                for lower in 1..3 {
                    let n = (POWER - lower) as f64;
                    let share =
                        area * complete.with[lower][number] / ((n + 1.0) * (n + 2.0) * (n + 3.0));
                    self.moments[lower - 1] += Vector::from([corner[0], corner[1], height]) * share;
                }
            }
            self.add_squares(&corners, area);
        }
    }

    /// Points in the middles of the sides of a triangle give its mean squares exactly.
    #[inline(always)]
    fn add_squares(&mut self, corners: &[[f64; 2]; 3], area: f64) {
        self.area += area;
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let [x, y] = [0, 1].map(|axis| 0.5 * (corners[from][axis] + corners[to][axis]));
            let share = area / 3.0;
            self.places = [self.places[0] + share * x, self.places[1] + share * y];
            let [xx, xy, yy] = self.squares;
            self.squares = [xx + share * x * x, xy + share * x * y, yy + share * y * y];
        }
    }

    /// None where nothing of any area is pressed.
    #[inline(always)]
    pub(super) fn mean(&self) -> Option<Mean> {
        let [highest, middle, lowest] = self.powers;
        let n = POWER as f64;
        let depth = highest / middle;
        // How the mean grows with the depth of a place: n d^(n-1) less (n-1) d^(n-2) times the mean.
        let lower = (n - 1.0) * depth;
        let rate = (n * middle - lower * lowest) / middle;
        let moment = (self.moments[0] * n - self.moments[1] * lower) / middle;
        let middle = moment / rate;
        let about = |square: f64, x: usize, y: usize| {
            (square - self.places[x] * middle[y] - self.places[y] * middle[x]) / self.area
                + middle[x] * middle[y]
        };
        let [xx, xy, yy] = self.squares;
        let squares = [about(xx, 0, 0).max(0.0), about(xy, 0, 1), about(yy, 1, 1).max(0.0)];
        let mut numbers = middle.iter().chain(&squares).chain([&depth, &rate]);
        let usable = rate > 0.0 && numbers.all(|number| number.is_finite());
        usable.then_some(Mean { middle: middle.into(), squares, depth: depth * self.largest, rate })
    }
}

/// Complete homogeneous polynomials of the values of a linear function in the corners of a triangle. The
/// integral of a power of the function is that of this degree over a binomial; with a coordinate before
/// it, that of these values and that corner's once more.
struct Complete {
    /// Of degree `POWER`, one less and two less.
    all: [f64; 3],
    /// The same with the value of each corner once more.
    with: [[f64; 3]; 3],
}

impl Complete {
    /// Those of one more value follow from those of one degree less. All go on together from degree to degree, so
    /// that none waits for more than the degree before.
    #[inline(always)]
    fn of([x, y, z]: [f64; 3]) -> Self {
        let (mut of_x, mut of_two) = (1.0, 1.0);
        let (mut all, mut with) = ([1.0; 3], [[1.0; 3]; 3]);
        for _ in 0..POWER {
            of_x *= x;
            of_two = of_x + y * of_two;
            all = [of_two + z * all[0], all[0], all[1]];
            let [before, ..] = with;
            let next = [all[0] + x * before[0], all[0] + y * before[1], all[0] + z * before[2]];
            with = [next, with[0], with[1]];
        }
        Complete { all, with }
    }
}

#[inline(always)]
fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use super::super::ClosestFeatures;
    use super::*;
    use nalgebra::UnitQuaternion;

    fn cube() -> ConvexPolyhedron {
        let corner =
            |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(|bit| f64::from(bit) - 0.5));
        ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
    }

    fn tilted(angle: f64) -> Vector<3> {
        pressed(angle, 0.01).middle
    }

    /// A cube over another, tilted, its lowest edge so far above.
    fn pressed(angle: f64, height: f64) -> Pressure {
        let cube = cube();
        let turn = UnitQuaternion::from_axis_angle(&Vector::y_axis(), angle);
        let lift = 0.5 + 0.5 * (angle.cos() + angle.abs().sin()) + height;
        let high = Pose {
            rotation: *turn.to_rotation_matrix().matrix(),
            position: [0.0, 0.0, lift].into(),
        };
        let low = Pose::identity();
        let closest = ClosestFeatures::new().query(&cube, &low, &cube, &high);
        assert!((closest.distance - height).abs() < 1e-9);
        closest.pressure(&cube, &low, &cube, &high, 0.02)
    }

    #[test]
    fn it_moves_from_the_middle_of_a_face_to_its_edge_without_a_jump() {
        let mut last = tilted(0.0);
        assert!(last.x.abs() < 1e-12 && last.y.abs() < 1e-12);
        for k in 1..=4000 {
            let angle = 1e-4 * f64::from(k);
            let point = tilted(angle);
            // A bed of springs that stiffen moves by some hundred lengths per radian here.
            assert!((point - last).norm() < 2e-2, "{angle} {last} {point}");
            assert!(point.y.abs() < 1e-9, "{angle} {point}");
            last = point;
        }
        // The lower edge is on the right, and pressed along its whole length.
        assert!((last.x - 0.5 * (0.4f64.cos() - 0.4f64.sin())).abs() < 0.02, "{last}");
    }

    #[test]
    fn the_depth_grows_as_its_rate_says_when_bodies_come_nearer_or_tilt() {
        assert!((pressed(0.0, 0.01).depth - 0.01).abs() < 1e-12);
        assert!((pressed(0.0, 0.01).rate - 1.0).abs() < 1e-12);
        // Tilted much more, the shared part itself becomes narrower.
        for angle in [1e-3, 5e-3, 0.02, 0.1] {
            let [near, here, far] = [0.009999, 0.01, 0.010001].map(|height| pressed(angle, height));
            let rate = (near.depth - far.depth) / 2e-6;
            assert!((rate / here.rate - 1.0).abs() < 1e-3, "{angle} {rate} {here:?}");
            // Turned about the lowest edge, all else comes nearer by its distance from there.
            let [less, more] = [angle - 1e-7, angle + 1e-7].map(|angle| pressed(angle, 0.01));
            let rate = (less.depth - more.depth) / 2e-7;
            let edge = 0.5 * (angle.cos() - angle.sin());
            let expected = here.rate * (edge - here.middle.x);
            // On the edge alone nothing changes.
            let wrong = (rate - expected).abs();
            assert!(wrong < 0.05 * expected.abs() + 1e-8, "{angle} {rate} {expected}");
        }
    }

    /// Where one corner or one crossing of edges presses, the integrals come to the same.
    #[test]
    fn corners_and_crossings_need_no_integrals() {
        let cube = cube();
        let mut corners = 0;
        for k in 0..4000 {
            let part = f64::from(k) * 0.37;
            let turn = UnitQuaternion::from_euler_angles(part, 0.7 * part, 1.3 * part);
            let high = Pose {
                rotation: *turn.to_rotation_matrix().matrix(),
                position: [0.9 * part.sin(), 0.9 * (1.1 * part).cos(), 1.5 + 0.3 * part.cos()]
                    .into(),
            };
            let low = Pose::identity();
            let closest = ClosestFeatures::new().query(&cube, &low, &cube, &high);
            let (bodies, poses) = ([&cube, &cube], [&low, &high]);
            if closest.distance < 1e-3 || closest.reach_of_corner(bodies, poses, 0.01).is_none() {
                continue;
            }
            corners += 1;
            let reach = closest.distance + 0.01;
            let known = closest.pressure(&cube, &low, &cube, &high, reach);
            let mut caps = [Vec::new(), Vec::new()];
            let found = Pressing { closest: &closest, bodies, poses, reach, caps: &mut caps }.run();
            // Faces that are nearly as steep as the normal are left out of the integrals.
            assert!((found.depth / known.depth - 1.0).abs() < 1e-3, "{k} {found:?} {known:?}");
            assert!((found.rate / known.rate - 1.0).abs() < 1e-3, "{k} {found:?} {known:?}");
            assert!((found.middle - known.middle).norm() < 1e-3, "{k} {found:?} {known:?}");
        }
        assert!(corners > 1000, "{corners}");
    }

    #[test]
    fn exchanged_bodies_press_in_the_same_point() {
        let cube = cube();
        for k in 0..200 {
            let part = f64::from(k) * 0.37;
            let turn = UnitQuaternion::from_euler_angles(part, 0.7 * part, 0.02 * part);
            let high = Pose {
                rotation: *turn.to_rotation_matrix().matrix(),
                position: [0.3 * part.sin(), 0.2 * part.cos(), 1.2].into(),
            };
            let low = Pose::identity();
            let one = ClosestFeatures::new().query(&cube, &low, &cube, &high);
            let two = ClosestFeatures::new().query(&cube, &high, &cube, &low);
            let reach = one.distance.max(0.0) + 0.01;
            let one = one.pressure(&cube, &low, &cube, &high, reach);
            let two = two.pressure(&cube, &high, &cube, &low, reach);
            assert!((one.middle - two.middle).norm() < 1e-9, "{k} {one:?} {two:?}");
            assert!((one.spread - two.spread).norm() < 1e-9, "{k} {one:?} {two:?}");
        }
    }
}
