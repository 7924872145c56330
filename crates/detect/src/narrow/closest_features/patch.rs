//! Where two bodies that nearly touch press on each other, and how deep.
//!
//! The faces that look at each other at the closest points are seen along the normal; over the part that
//! they share, the depth by which they are nearer than a reach is a linear function. Its mean of the
//! sixteenth power is the depth of both: on a flat face the depth itself, on an edge or corner somewhat
//! less than the largest. It changes without a jump while bodies tilt, and so does the point in which
//! the push out of it acts. A force along the gradient of such a depth gains no energy from bodies that
//! rock, as one by the largest depth in the middle of the pressure would.

use super::{Closest, Corners};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use nalgebra::Matrix3;

/// Of faces with more corners so many are taken, evenly.
const CORNERS: usize = 24;
/// A polygon of so many corners may be cut by as many sides, and once more.
const ROOM: usize = 2 * CORNERS + 2;
/// Faces steeper than this against the normal, in terms of its cosine, are touched at a corner or edge.
pub(super) const STEEP: f64 = 0.1;

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
        let view = View::along(&self.normal, (self.on_a + self.on_b) * 0.5);
        let faces = [
            view.face(a, pose_a, &self.corners_a(), &self.normal),
            view.face(b, pose_b, &self.corners_b(), &-self.normal),
        ];
        let depth = reach - self.distance;
        let in_a_point =
            Pressure { middle: view.middle, spread: Matrix3::zeros(), depth, rate: 1.0 };
        let [Some((mut polygon, below)), Some((other, above))] = faces else { return in_a_point };
        let gap = Linear {
            slope: minus(above.slope, below.slope),
            at_zero: above.at_zero - below.at_zero,
        };
        other.sides(|side| polygon.clip(|point| side.left_of(point)));
        let shared = polygon.area();
        polygon.clip(|point| reach - gap.at(point));
        let depth = |point: [f64; 2]| reach - gap.at(point);
        match polygon.mean(shared, depth) {
            Some(Mean { middle, squares, depth, rate }) => Pressure {
                middle: view.place(middle, 0.5 * (above.at(middle) + below.at(middle))),
                spread: view.spread(squares),
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
pub(super) const POWER: usize = 16;

/// Of a linear function over a polygon.
pub(super) struct Mean {
    pub middle: [f64; 2],
    pub squares: [f64; 3],
    pub depth: f64,
    pub rate: f64,
}

/// Axes of a plane across a normal.
pub(super) struct View {
    pub middle: Vector<3>,
    pub right: Vector<3>,
    pub up: Vector<3>,
    normal: Vector<3>,
}

/// A linear function of the plane.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    slope: [f64; 2],
    at_zero: f64,
}

impl Linear {
    pub(super) fn at(&self, point: [f64; 2]) -> f64 {
        self.slope[0] * point[0] + self.slope[1] * point[1] + self.at_zero
    }
}

impl View {
    pub(super) fn along(normal: &Vector<3>, middle: Vector<3>) -> Self {
        let across = normal.iamin();
        let mut axis = Vector::zeros();
        axis[across] = 1.0;
        let right = normal.cross(&axis).normalize();
        View { middle, right, up: normal.cross(&right), normal: *normal }
    }

    pub(super) fn spread(&self, [xx, xy, yy]: [f64; 3]) -> Matrix3<f64> {
        self.right * (self.right * xx + self.up * xy).transpose()
            + self.up * (self.right * xy + self.up * yy).transpose()
    }

    pub(super) fn place(&self, point: [f64; 2], height: f64) -> Vector<3> {
        self.middle + self.right * point[0] + self.up * point[1] + self.normal * height
    }

    /// The face that looks most in a direction of those at the closest feature, to the left as seen
    /// against the normal, and how high it is; none if even that one is steep.
    pub(super) fn face(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        at: &Corners,
        direction: &Vector<3>,
    ) -> Option<(Polygon, Linear)> {
        let inner = pose.rotation.tr_mul(direction);
        let vertices = at.vertices[..at.count as usize].iter();
        let faces = vertices.flat_map(|&vertex| body.leaving(vertex).map(|edge| body.left(edge)));
        let cosine = |face: u32| body.face(face).normal.dot(&inner);
        let best =
            faces.reduce(|best, face| if cosine(face) > cosine(best) { face } else { best })?;
        if cosine(best) < STEEP {
            return None;
        }
        let face = body.face(best);
        let normal = pose.rotation * face.normal;
        let seen = |&vertex: &u32| {
            let from_middle = pose.apply(&body.vertices()[vertex as usize]) - self.middle;
            [from_middle.dot(&self.right), from_middle.dot(&self.up)]
        };
        let count = face.vertices.len();
        let mut polygon = Polygon::empty();
        let turned_round = normal.dot(&self.normal) < 0.0;
        for k in 0..count.min(CORNERS) {
            let k = if count > CORNERS { k * count / CORNERS } else { k };
            polygon.push(seen(&face.vertices[if turned_round { count - 1 - k } else { k }]));
        }
        let rise = normal.dot(&self.normal);
        let offset =
            normal.dot(&(pose.apply(&body.vertices()[face.vertices[0] as usize]) - self.middle));
        let slope = [-normal.dot(&self.right) / rise, -normal.dot(&self.up) / rise];
        Some((polygon, Linear { slope, at_zero: offset / rise }))
    }
}

/// A convex polygon, to the left.
#[derive(Clone)]
pub(super) struct Polygon {
    points: [[f64; 2]; ROOM],
    count: usize,
}

/// A side of a polygon.
pub(super) struct Side {
    from: [f64; 2],
    way: [f64; 2],
}

impl Side {
    pub(super) fn left_of(&self, point: [f64; 2]) -> f64 {
        cross(self.way, minus(point, self.from))
    }
}

impl Polygon {
    pub(super) fn empty() -> Self {
        Polygon { points: [[0.0; 2]; ROOM], count: 0 }
    }

    /// Turns it from the right to the left.
    pub(super) fn turn_round(&mut self) {
        self.points[..self.count].reverse();
    }

    pub(super) fn push(&mut self, point: [f64; 2]) {
        if self.count < ROOM {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    pub(super) fn sides(&self, mut visit: impl FnMut(Side)) {
        for k in 0..self.count {
            let (from, to) = (self.points[k], self.points[(k + 1) % self.count]);
            visit(Side { from, way: minus(to, from) });
        }
    }

    /// Keeps what has a positive value (Sutherland and Hodgman, 1974).
    pub(super) fn clip(&mut self, value: impl Fn([f64; 2]) -> f64) {
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

    /// Twice its area.
    pub(super) fn area(&self) -> f64 {
        self.triangles().map(|(_, area)| area).sum()
    }

    /// Triangles that it is made of, and twice the area of each.
    fn triangles(&self) -> impl Iterator<Item = ([[f64; 2]; 3], f64)> {
        (1..self.count.max(2) - 1).map(|k| {
            let corners = [self.points[0], self.points[k], self.points[k + 1]];
            (corners, cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
        })
    }

    /// The mean of a linear function that is positive here, over twice an area of which this is a part
    /// (the function counts as zero in the rest); none without area.
    fn mean(&self, whole: f64, value: impl Fn([f64; 2]) -> f64) -> Option<Mean> {
        let largest =
            self.points[..self.count].iter().map(|&point| value(point)).fold(0.0, f64::max);
        let sums = self.sums(largest, value);
        sums.mean(whole, largest, |middle| self.squares(middle))
    }

    /// The integrals of powers of a linear function, in parts of a value.
    pub(super) fn sums(&self, largest: f64, value: impl Fn([f64; 2]) -> f64) -> Sums {
        let mut sums = Sums::default();
        for (corners, area) in self.triangles() {
            let values = corners.map(|corner| (value(corner) / largest).max(0.0));
            // The integral of a power of a linear function over a triangle is the complete homogeneous
            // polynomial of its corner values over a binomial; with a coordinate before it, of these
            // and that corner's value once more.
            let mut complete = [0.0; POWER + 1];
            complete[0] = 1.0;
            values.iter().for_each(|&value| multiply(&mut complete, value));
            let (n, below) = (POWER as f64, (POWER - 1) as f64);
            sums.sum += area * complete[POWER] / ((n + 1.0) * (n + 2.0));
            sums.slope += area * complete[POWER - 1] / ((below + 1.0) * (below + 2.0));
            for (corner, value) in corners.iter().zip(values) {
                let mut more = complete;
                multiply(&mut more, value);
                let share =
                    area * more[POWER - 1] / ((below + 1.0) * (below + 2.0) * (below + 3.0));
                sums.moment[0] += share * corner[0];
                sums.moment[1] += share * corner[1];
            }
        }
        sums
    }

    /// The mean squares about a point; those in the middles of the sides of triangles give them exactly.
    pub(super) fn squares(&self, middle: [f64; 2]) -> [f64; 3] {
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

/// Integrals over twice an area: of the power of a function, of the power below, and of that times the
/// place.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub sum: f64,
    pub slope: f64,
    pub moment: [f64; 2],
}

impl Sums {
    /// The mean over twice an area; `squares` are those of the way from a point.
    pub(super) fn mean(
        &self,
        whole: f64,
        largest: f64,
        squares: impl Fn([f64; 2]) -> [f64; 3],
    ) -> Option<Mean> {
        // Areas are twice as large as they are, and so is the whole.
        let (sum, slope) = (2.0 * self.sum / whole, 2.0 * self.slope / whole);
        let middle = self.moment.map(|part| 2.0 * part / whole / slope);
        let depth = sum.powf(1.0 / POWER as f64);
        let rate = slope * depth / sum;
        let squares = squares(middle);
        let mut numbers = middle.iter().chain(&squares).chain([&depth, &rate]);
        let usable = sum > 0.0 && numbers.all(|number| number.is_finite());
        usable.then_some(Mean { middle, squares, depth: depth * largest, rate })
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
