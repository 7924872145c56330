//! Where two bodies that nearly touch press on each other, and how deep.
//!
//! The faces that look at each other at the closest points are seen along the normal; over the part that
//! they share, the depth by which they are nearer than a reach is a linear function. Its mean of the
//! sixteenth power is the depth of both: on a flat face the depth itself, on an edge or corner somewhat
//! less than the largest. It changes without a jump while bodies tilt, and so does the point in which
//! the push out of it acts. A force along the gradient of such a depth gains no energy from bodies that
//! rock, as one by the largest depth in the middle of the pressure would.

use super::{Closest, Corners};
use carom_geometry::wide::{Job, run_widest};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use nalgebra::Matrix3;

/// Of faces with more corners so many are taken, evenly.
const CORNERS: usize = 24;
/// A polygon of so many corners may be cut by as many sides, and once more.
const ROOM: usize = 2 * CORNERS + 2;
/// Faces steeper than this against the normal, in terms of its cosine, are touched at a corner or edge.
const STEEP: f64 = 0.1;

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
        run_widest(Pressing { closest: self, bodies: [a, b], poses: [pose_a, pose_b], reach })
    }
}

/// What is asked of two bodies that nearly touch.
struct Pressing<'a> {
    closest: &'a Closest,
    bodies: [&'a ConvexPolyhedron; 2],
    poses: [&'a Pose; 2],
    reach: f64,
}

impl Job for Pressing<'_> {
    type Output = Pressure;

    #[inline(always)]
    fn run(self) -> Pressure {
        let Pressing { closest, bodies: [a, b], poses: [pose_a, pose_b], reach } = self;
        let view = View::along(&closest.normal, (closest.on_a + closest.on_b) * 0.5);
        let (mut one, mut two, mut other) = (Polygon::new(), Polygon::new(), Polygon::new());
        let (mut polygon, mut clipped) = (&mut one, &mut two);
        let below = view.face(a, pose_a, &closest.corners_a(), &closest.normal, polygon);
        let above = view.face(b, pose_b, &closest.corners_b(), &-closest.normal, &mut other);
        let depth = reach - closest.distance;
        let in_a_point =
            Pressure { middle: view.middle, spread: Matrix3::zeros(), depth, rate: 1.0 };
        let (Some(below), Some(above)) = (below, above) else { return in_a_point };
        let gap = Linear {
            slope: minus(above.slope, below.slope),
            at_zero: above.at_zero - below.at_zero,
        };
        for side in other.sides() {
            polygon.clip_into(clipped, |point| side.left_of(point));
            std::mem::swap(&mut polygon, &mut clipped);
        }
        let shared = polygon.area();
        let depth = |point: [f64; 2]| reach - gap.at(point);
        polygon.clip_into(clipped, depth);
        match clipped.mean(shared, depth) {
            Some(Mean { middle, squares: [xx, xy, yy], depth, rate }) => Pressure {
                middle: view.place(middle, 0.5 * (above.at(middle) + below.at(middle))),
                spread: view.right * (view.right * xx + view.up * xy).transpose()
                    + view.up * (view.right * xy + view.up * yy).transpose(),
                depth,
                rate,
            },
            None => in_a_point,
        }
    }
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

/// Depths are averaged in this power.
const POWER: usize = 16;

/// Of a linear function over a polygon.
struct Mean {
    middle: [f64; 2],
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
    #[inline(always)]
    fn at(&self, point: [f64; 2]) -> f64 {
        self.slope[0] * point[0] + self.slope[1] * point[1] + self.at_zero
    }
}

impl View {
    #[inline(always)]
    fn along(normal: &Vector<3>, middle: Vector<3>) -> Self {
        let across = normal.iamin();
        let mut axis = Vector::zeros();
        axis[across] = 1.0;
        let right = normal.cross(&axis).normalize();
        View { middle, right, up: normal.cross(&right), normal: *normal }
    }

    #[inline(always)]
    fn place(&self, point: [f64; 2], height: f64) -> Vector<3> {
        self.middle + self.right * point[0] + self.up * point[1] + self.normal * height
    }

    /// The face that looks most in a direction of those at the closest feature becomes the polygon, to the
    /// left as seen against the normal; how high it is, and none if even that one is steep.
    #[inline(always)]
    fn face(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        at: &Corners,
        direction: &Vector<3>,
        polygon: &mut Polygon,
    ) -> Option<Linear> {
        let inner = pose.rotation.tr_mul(direction);
        let (mut best, mut cosine) = (0, f64::NEG_INFINITY);
        for &vertex in &at.vertices[..at.count as usize] {
            for &face in body.faces_at(vertex) {
                let other = body.normal(face).dot(&inner);
                if other > cosine {
                    (best, cosine) = (face, other);
                }
            }
        }
        if cosine < STEEP {
            return None;
        }
        let face = body.face(best);
        let normal = pose.rotation * face.normal;
        let seen = |&vertex: &u32| {
            let from_middle = pose.apply(&body.vertices()[vertex as usize]) - self.middle;
            [from_middle.dot(&self.right), from_middle.dot(&self.up)]
        };
        let count = face.vertices.len();
        let turned_round = normal.dot(&self.normal) < 0.0;
        for k in 0..count.min(CORNERS) {
            let k = if count > CORNERS { k * count / CORNERS } else { k };
            polygon.push(seen(&face.vertices[if turned_round { count - 1 - k } else { k }]));
        }
        let rise = normal.dot(&self.normal);
        let offset =
            normal.dot(&(pose.apply(&body.vertices()[face.vertices[0] as usize]) - self.middle));
        let slope = [-normal.dot(&self.right) / rise, -normal.dot(&self.up) / rise];
        Some(Linear { slope, at_zero: offset / rise })
    }
}

/// A convex polygon, to the left.
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
    #[inline(always)]
    fn left_of(&self, point: [f64; 2]) -> f64 {
        cross(self.way, minus(point, self.from))
    }
}

impl Polygon {
    #[inline(always)]
    fn new() -> Self {
        Polygon { points: [[0.0; 2]; ROOM], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, point: [f64; 2]) {
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

    /// Twice its area.
    #[inline(always)]
    fn area(&self) -> f64 {
        self.triangles().map(|(_, area)| area).sum()
    }

    /// Triangles that it is made of, and twice the area of each.
    #[inline(always)]
    fn triangles(&self) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
        (1..self.count.max(2) - 1).map(|k| {
            let corners = [self.points[0], self.points[k], self.points[k + 1]];
            (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        })
    }

    /// The mean of a linear function that is positive here, over twice an area of which this is a part
    /// (the function counts as zero in the rest); none without area.
    #[inline(always)]
    fn mean(&self, whole: f64, value: impl Fn([f64; 2]) -> f64) -> Option<Mean> {
        let largest =
            self.points[..self.count].iter().map(|&point| value(point)).fold(0.0, f64::max);
        let (mut sum, mut slope, mut moment) = (0.0, 0.0, [0.0; 2]);
        for (corners, area) in self.triangles() {
            let values = corners.map(|corner| (value(corner) / largest).max(0.0));
            let complete = Complete::of(values);
            let (n, below) = (POWER as f64, (POWER - 1) as f64);
            sum += area * complete.last / ((n + 1.0) * (n + 2.0));
            slope += area * complete.below / ((below + 1.0) * (below + 2.0));
            for (corner, more) in corners.iter().zip(complete.below_with) {
                let share = area * more / ((below + 1.0) * (below + 2.0) * (below + 3.0));
                moment[0] += share * corner[0];
                moment[1] += share * corner[1];
            }
        }
        // Areas are twice as large as they are, and so is the whole.
        let (sum, slope) = (2.0 * sum / whole, 2.0 * slope / whole);
        let middle = moment.map(|part| 2.0 * part / whole / slope);
        let depth = sum.powf(1.0 / POWER as f64);
        let rate = slope * depth / sum;
        let squares = self.squares(middle);
        let mut numbers = middle.iter().chain(&squares).chain([&depth, &rate]);
        let usable = sum > 0.0 && numbers.all(|number| number.is_finite());
        usable.then_some(Mean { middle, squares, depth: depth * largest, rate })
    }

    /// The mean squares about a point; those in the middles of the sides of triangles give them exactly.
    #[inline(always)]
    fn squares(&self, middle: [f64; 2]) -> [f64; 3] {
        let (mut sum, mut squares) = (0.0, [0.0; 3]);
        for (corners, area) in self.triangles() {
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                let point = [0, 1].map(|axis| 0.5 * (corners[from][axis] + corners[to][axis]));
                let way = minus(point, middle);
                sum += area;
                squares[0] += area * way[0] * way[0];
                squares[1] += area * way[0] * way[1];
                squares[2] += area * way[1] * way[1];
            }
        }
        squares.map(|square| square / sum)
    }
}

/// Complete homogeneous polynomials of the values of a linear function in the corners of a triangle. The
/// integral of a power of the function is that of this degree over a binomial; with a coordinate before
/// it, that of these values and that corner's once more.
struct Complete {
    /// Of degree `POWER`.
    last: f64,
    /// Of one degree less.
    below: f64,
    /// The same with a value once more.
    below_with: [f64; 3],
}

impl Complete {
    /// Those of one more value follow from those of one degree less. All go on together from degree to degree, so
    /// that none waits for more than the degree before.
    #[inline(always)]
    fn of([x, y, z]: [f64; 3]) -> Self {
        let (mut of_x, mut of_two, mut of_all) = (1.0, 1.0, 1.0);
        let mut with = [1.0; 3];
        for _ in 1..POWER {
            of_x *= x;
            of_two = of_x + y * of_two;
            of_all = of_two + z * of_all;
            with = [of_all + x * with[0], of_all + y * with[1], of_all + z * with[2]];
        }
        let last = (of_x * x + y * of_two) + z * of_all;
        Complete { last, below: of_all, below_with: with }
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
            assert!((rate / expected - 1.0).abs() < 0.05, "{angle} {rate} {expected}");
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
