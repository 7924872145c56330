//! Where two bodies that nearly touch press on each other, and how deep.
//!
//! All faces that come near enough are seen along the normal at the closest points. Wherever one of the first body lies
//! over one of the second, the depth by which they are nearer than a reach is a linear function, and all over it is
//! concave. The integral of its eighth power over that of its seventh is the depth of both: for flat faces the depth
//! itself, for an edge along a face 8/9 of the largest, for a corner or crossed edges 4/5, however steep or wide they
//! are. It changes without a jump as bodies tilt and roll over edges, and so does the point in which the push out of it
//! acts. A force along the gradient of such a depth gains no energy from bodies that rock or turn in an impact, as one by
//! the largest depth in the middle of the pressure would, or by the faces that happen to look at each other most.

use super::{Closest, Corners};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use nalgebra::Matrix3;
use std::cell::RefCell;

/// Of faces with more corners so many are taken, evenly.
const CORNERS: usize = 24;
/// A polygon of so many corners may be cut by as many sides, and once more.
const ROOM: usize = 2 * CORNERS + 2;
/// Faces steeper than this against the normal, in terms of its cosine, have too little of it to count.
const STEEP: f64 = 0.02;
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
        let view = View::along(&self.normal, (self.on_a + self.on_b) * 0.5);
        let depth = reach - self.distance;
        let mut sums = Sums::new(depth);
        ROOMS.with_borrow_mut(|[lower, upper]| {
            view.caps(a, pose_a, &self.corners_a(), 1.0, depth, lower);
            view.caps(b, pose_b, &self.corners_b(), -1.0, depth, upper);
            for below in &*lower {
                for above in upper.iter().filter(|above| below.may_meet(above)) {
                    sums.add(below, above, reach);
                }
            }
        });
        let middle = view.middle;
        let in_a_point = Pressure { middle, spread: Matrix3::zeros(), depth, rate: 1.0 };
        sums.mean().map_or(
            in_a_point,
            |Mean { middle: [x, y, height], squares: [xx, xy, yy], depth, rate }| Pressure {
                middle: view.place([x, y], height),
                spread: view.right * (view.right * xx + view.up * xy).transpose()
                    + view.up * (view.right * xy + view.up * yy).transpose(),
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
    /// axis by axis: zero on a corner.
    pub spread: Matrix3<f64>,
    /// How much nearer than the reach they are, as a mean.
    pub depth: f64,
    /// How fast that grows where the middle comes nearer with a speed of one.
    pub rate: f64,
}

/// The mean is that of depths weighted by a power one lower than this.
const POWER: usize = 8;

/// Of the depth over all that is pressed.
struct Mean {
    /// Across the normal and along it.
    middle: [f64; 3],
    squares: [f64; 3],
    depth: f64,
    rate: f64,
}

/// Axes of a plane across a normal.
struct View {
    middle: Vector<3>,
    right: Vector<3>,
    up: Vector<3>,
    normal: Vector<3>,
}

/// A linear function of the plane.
#[derive(Clone, Copy)]
struct Linear {
    slope: [f64; 2],
    at_zero: f64,
}

impl Linear {
    fn at(&self, point: [f64; 2]) -> f64 {
        self.slope[0] * point[0] + self.slope[1] * point[1] + self.at_zero
    }
}

impl View {
    fn along(normal: &Vector<3>, middle: Vector<3>) -> Self {
        let across = normal.iamin();
        let mut axis = Vector::zeros();
        axis[across] = 1.0;
        let right = normal.cross(&axis).normalize();
        View { middle, right, up: normal.cross(&right), normal: *normal }
    }

    fn place(&self, point: [f64; 2], height: f64) -> Vector<3> {
        self.middle + self.right * point[0] + self.up * point[1] + self.normal * height
    }

    /// The parts of a body's faces that are less than `depth` below its highest point along the normal, or against it
    /// with a `sign` of minus one.
    fn caps(
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
            for edge in body.leaving(vertex) {
                faces.insert(body.left(edge));
            }
            for other in body.neighbours(vertex) {
                if top - height(other) < depth {
                    vertices.insert(other);
                }
            }
            next += 1;
        }
        for face in faces.iter().filter(|&face| body.face(face).normal.dot(&direction) > STEEP) {
            caps.extend(self.cap(body, pose, face, sign, top, depth));
        }
    }

    /// The part of a face that is less than `depth` below the top of its body.
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
        let mut polygon = Polygon::empty();
        for k in 0..count.min(CORNERS) {
            let k = if count > CORNERS { k * count / CORNERS } else { k };
            let from_middle = place(face.vertices[if sign < 0.0 { count - 1 - k } else { k }]);
            polygon.push([from_middle.dot(&self.right), from_middle.dot(&self.up)]);
        }
        let normal = pose.rotation * face.normal;
        let rise = normal.dot(&self.normal);
        let slope = [-normal.dot(&self.right) / rise, -normal.dot(&self.up) / rise];
        let height = Linear { slope, at_zero: normal.dot(&place(face.vertices[0])) / rise };
        let top = top + (pose.position - self.middle).dot(&self.normal) * sign;
        polygon.clip(|point| depth - (top - sign * height.at(point)));
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
    fn new() -> Self {
        Few { all: [0; NEAR], count: 0 }
    }

    fn insert(&mut self, number: u32) {
        if self.count < NEAR && !self.all[..self.count].contains(&number) {
            self.all[self.count] = number;
            self.count += 1;
        }
    }

    fn get(&self, place: usize) -> Option<u32> {
        self.all[..self.count].get(place).copied()
    }

    fn iter(&self) -> impl Iterator<Item = u32> {
        self.all[..self.count].iter().copied()
    }
}

/// The upper part of a face: its outline, how high it is, and the box around it.
struct Cap {
    polygon: Polygon,
    height: Linear,
    low: [f64; 2],
    high: [f64; 2],
}

impl Cap {
    fn may_meet(&self, other: &Cap) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// A convex polygon, to the left.
#[derive(Clone, Copy)]
struct Polygon {
    points: [[f64; 2]; ROOM],
    count: usize,
}

/// A side of a polygon.
struct Side {
    from: [f64; 2],
    way: [f64; 2],
}

impl Side {
    fn left_of(&self, point: [f64; 2]) -> f64 {
        cross(self.way, minus(point, self.from))
    }
}

impl Polygon {
    fn empty() -> Self {
        Polygon { points: [[0.0; 2]; ROOM], count: 0 }
    }

    /// The least and the largest coordinates; none without corners.
    fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        let mut points = self.points[..self.count].iter();
        let first = *points.next()?;
        Some(points.fold([first, first], |[low, high], point| {
            let either = |choose: fn(f64, f64) -> f64, bound: [f64; 2]| {
                [0, 1].map(|axis| choose(bound[axis], point[axis]))
            };
            [either(f64::min, low), either(f64::max, high)]
        }))
    }

    fn push(&mut self, point: [f64; 2]) {
        if self.count < ROOM {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn sides(&self, mut visit: impl FnMut(Side)) {
        for k in 0..self.count {
            let (from, to) = (self.points[k], self.points[(k + 1) % self.count]);
            visit(Side { from, way: minus(to, from) });
        }
    }

    /// Keeps what has a positive value (Sutherland and Hodgman, 1974).
    fn clip(&mut self, value: impl Fn([f64; 2]) -> f64) {
        let mut left = Polygon::empty();
        for k in 0..self.count {
            let (from, to) = (self.points[k], self.points[(k + 1) % self.count]);
            let (at_from, at_to) = (value(from), value(to));
            if at_from >= 0.0 {
                left.push(from);
            }
            if (at_from > 0.0 && at_to < 0.0) || (at_from < 0.0 && at_to > 0.0) {
                let part = at_from / (at_from - at_to);
                left.push([0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis])));
            }
        }
        *self = left;
    }

    /// Triangles that it is made of, and twice the area of each.
    fn triangles(&self) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
        (1..self.count.max(2) - 1).map(|k| {
            let corners = [self.points[0], self.points[k], self.points[k + 1]];
            (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        })
    }
}

/// What is summed over all parts that press on each other. Areas are twice as large as they are.
#[derive(Default)]
struct Sums {
    /// The largest depth that there can be, in parts of which others are told.
    largest: f64,
    /// Integrals of the depth in the mean's power, and in those one and two lower.
    powers: [f64; 3],
    /// The same of the two lower ones times the place.
    moments: [Vector<3>; 2],
    /// The area, places and squares of places.
    area: f64,
    places: [f64; 2],
    squares: [f64; 3],
}

impl Sums {
    fn new(largest: f64) -> Self {
        Sums { largest, ..Sums::default() }
    }

    /// Adds where one cap lies over another and is nearer than the reach.
    fn add(&mut self, below: &Cap, above: &Cap, reach: f64) {
        let mut polygon = below.polygon;
        above.polygon.sides(|side| polygon.clip(|point| side.left_of(point)));
        let depth = |point| reach - (above.height.at(point) - below.height.at(point));
        polygon.clip(depth);
        for (corners, area) in polygon.triangles() {
            let values = corners.map(|corner| (depth(corner) / self.largest).max(0.0));
            // The integral of a power of a linear function over a triangle is the complete homogeneous
            // polynomial of its corner values over a binomial; with a coordinate before it, of these
            // and that corner's value once more.
            let mut complete = [0.0; POWER + 1];
            complete[0] = 1.0;
            values.iter().for_each(|&value| multiply(&mut complete, value));
            for lower in 0..3 {
                let n = (POWER - lower) as f64;
                self.powers[lower] += area * complete[POWER - lower] / ((n + 1.0) * (n + 2.0));
            }
            for (&corner, value) in corners.iter().zip(values) {
                let mut more = complete;
                multiply(&mut more, value);
                let height = 0.5 * (above.height.at(corner) + below.height.at(corner));
                for lower in 1..3 {
                    let n = (POWER - lower) as f64;
                    let share = area * more[POWER - lower] / ((n + 1.0) * (n + 2.0) * (n + 3.0));
                    self.moments[lower - 1] += Vector::from([corner[0], corner[1], height]) * share;
                }
            }
            self.add_squares(&corners, area);
        }
    }

    /// Points in the middles of the sides of a triangle give its mean squares exactly.
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
    fn mean(&self) -> Option<Mean> {
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

/// Complete homogeneous polynomials of some numbers, by their degree, become those of one more.
fn multiply(complete: &mut [f64; POWER + 1], value: f64) {
    (1..=POWER).for_each(|degree| complete[degree] += value * complete[degree - 1]);
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

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
