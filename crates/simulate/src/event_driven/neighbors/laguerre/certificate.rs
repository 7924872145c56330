//! Certificates: the determinant of equation (1) of Gavrilova and Rokne (2002), the power test of a
//! simplex, as a polynomial in time.
//!
//! Seen from one corner of a simplex, the other corners and the apex across a facet follow polynomials in
//! time. Over the plane through the lifted corners the apex has the height `h`; the certificate is `h`
//! times the volume of the simplex, positive while the simplex is valid. Bodies on straight paths make it
//! a quintic (a quartic in 2D), bodies with different accelerations a polynomial of degree ten (eight).
//!
//! Most certificates are not solved: if the sum of all falling terms over the horizon is less than the
//! present value, the certificate cannot fail.

use carom_geometry::Vector;
use carom_geometry::simd::LaneNumber;

/// Motion of a vertex at a certain time.
#[derive(Clone, Copy, Debug)]
pub struct LaguerreVertexMotion<const D: usize> {
    pub position: Vector<D>,
    pub velocity: Vector<D>,
    pub acceleration: Vector<D>,
    pub radius: f64,
    /// Rate of change of the radius.
    pub radius_rate: f64,
}

/// Trajectory of a vertex relative to another: polynomials in time, constant term first, with `P`
/// coefficients per axis (two if all accelerations are the same, three if not) and `L = 2 P - 1` for
/// the lift.
#[derive(Clone, Copy, Debug)]
pub struct LiftedTrajectory<T, const D: usize, const P: usize, const L: usize> {
    pub coordinates: [[T; P]; D],
    /// Lift: the squared distance minus the difference of squared radii.
    pub lift: [T; L],
    pub distance: T,
}

impl<const D: usize, const P: usize, const L: usize> LiftedTrajectory<f64, D, P, L> {
    /// Returns the trajectory of a vertex relative to `origin`, at present `displacement` away.
    #[inline(always)]
    pub fn relative(
        origin: &LaguerreVertexMotion<D>,
        other: &LaguerreVertexMotion<D>,
        displacement: &Vector<D>,
    ) -> Self {
        const { assert!(L == 2 * P - 1) }
        let velocity = other.velocity - origin.velocity;
        let half_acceleration = (other.acceleration - origin.acceleration) * 0.5;
        let mut path = LiftedTrajectory {
            coordinates: [[0.0; P]; D],
            lift: [0.0; L],
            distance: displacement.norm(),
        };
        for axis in 0..D {
            let along = &mut path.coordinates[axis];
            (along[0], along[1]) = (displacement[axis], velocity[axis]);
            // Equal accelerations cancel in the difference, and all polynomials are shorter.
            if P > 2 {
                along[P - 1] = half_acceleration[axis];
            }
            add_product(&mut path.lift, 1.0, along, P, along, P);
        }
        let difference = [other.radius - origin.radius, other.radius_rate - origin.radius_rate];
        let sum = [other.radius + origin.radius, other.radius_rate + origin.radius_rate];
        // r² - r0² as (r - r0)(r + r0): without cancellation for nearly equal radii.
        add_product(&mut path.lift, -1.0, &difference, 2, &sum, 2);
        path
    }
}

impl<T: LaneNumber, const D: usize, const P: usize, const L: usize> LiftedTrajectory<T, D, P, L> {
    /// Returns the component of the cross product with another along the axis that is neither `next` nor
    /// `last`.
    #[inline(always)]
    fn cross_component(&self, other: &Self, next: usize, last: usize) -> [T; L] {
        let mut area = [T::splat(0.0); L];
        add_product(&mut area, 1.0, &self.coordinates[next], P, &other.coordinates[last], P);
        add_product(&mut area, -1.0, &self.coordinates[last], P, &other.coordinates[next], P);
        area
    }
}

/// Adds a multiple of the product of two polynomials of the given lengths.
#[inline(always)]
fn add_product<T: LaneNumber>(
    sum: &mut [T],
    factor: f64,
    one: &[T],
    one_length: usize,
    other: &[T],
    other_length: usize,
) {
    for i in 0..one_length {
        let scaled = if factor == 1.0 { one[i] } else { T::splat(factor) * one[i] };
        for j in 0..other_length {
            sum[i + j] = scaled.times_plus(other[j], sum[i + j]);
        }
    }
}

/// The moving plane through the lifted corners of a simplex: `volume` times the height of a lifted point
/// `e` over it is `volume e.lift - normal . e`. There are `V = 3 P - 2` and `N = 4 P - 3` coefficients; 2D
/// uses fewer.
#[derive(Clone, Copy, Debug)]
pub struct LiftedPlane<T, const D: usize, const V: usize, const N: usize> {
    volume: [T; V],
    normal: [[T; N]; D],
    size: T,
    farthest: T,
}

impl<T: LaneNumber, const D: usize, const V: usize, const N: usize> LiftedPlane<T, D, V, N> {
    /// Returns the plane of a positively oriented simplex, seen from one corner; `corners` are the others.
    #[inline(always)]
    pub fn through<const P: usize, const L: usize>(
        corners: [&LiftedTrajectory<T, D, P, L>; 3],
    ) -> Self {
        const { assert!(V == 3 * P - 2 && N == 4 * P - 3) }
        let [a, b, c] = corners;
        let none = T::splat(0.0);
        let mut plane = LiftedPlane {
            volume: [none; V],
            normal: [[none; N]; D],
            size: T::splat(1.0),
            farthest: none,
        };
        // The products of lengths that bound every term of the certificate, and with them its rounding error.
        for corner in &corners[..D] {
            plane.size = plane.size * corner.distance;
            plane.farthest = plane.farthest.max(corner.distance);
        }
        if D == 2 {
            add_product(&mut plane.volume, 1.0, &a.coordinates[0], P, &b.coordinates[1], P);
            add_product(&mut plane.volume, -1.0, &a.coordinates[1], P, &b.coordinates[0], P);
            add_product(&mut plane.normal[0], 1.0, &a.lift, L, &b.coordinates[1], P);
            add_product(&mut plane.normal[0], -1.0, &b.lift, L, &a.coordinates[1], P);
            add_product(&mut plane.normal[1], 1.0, &b.lift, L, &a.coordinates[0], P);
            add_product(&mut plane.normal[1], -1.0, &a.lift, L, &b.coordinates[0], P);
            return plane;
        }
        for axis in 0..D {
            let (next, last) = ((axis + 1) % D, (axis + 2) % D);
            let opposite_a = b.cross_component(c, next, last);
            let normal = &mut plane.normal[axis];
            add_product(&mut plane.volume, 1.0, &opposite_a, L, &a.coordinates[axis], P);
            add_product(normal, 1.0, &a.lift, L, &opposite_a, L);
            add_product(normal, 1.0, &b.lift, L, &c.cross_component(a, next, last), L);
            add_product(normal, 1.0, &c.lift, L, &a.cross_component(b, next, last), L);
        }
        plane
    }

    /// Returns the certificate of the facet between the simplex and an apex, with `C = 5 P - 4` coefficients;
    /// 2D uses fewer.
    #[inline(always)]
    pub fn certificate<const P: usize, const L: usize, const C: usize>(
        &self,
        beyond: &LiftedTrajectory<T, D, P, L>,
    ) -> Certificate<T, C> {
        const { assert!(C == 5 * P - 4) }
        // Arrays have the lengths of 3D; in 2D their ends are zero and not worth a multiplication.
        let (volume, normal) = if D == 2 { (2 * P - 1, 3 * P - 2) } else { (V, N) };
        let mut value = [T::splat(0.0); C];
        add_product(&mut value, 1.0, &self.volume, volume, &beyond.lift, L);
        for axis in 0..D {
            add_product(&mut value, -1.0, &beyond.coordinates[axis], P, &self.normal[axis], normal);
        }
        let scale = self.size * beyond.distance * self.farthest.max(beyond.distance);
        Certificate { value, slack: T::splat(SLACK) * scale }
    }
}

/// A certificate fails only when it is below zero by more than its rounding error, which is this times the
/// product of lengths that bounds it. So the exact predicate confirms the flip, and a flip that has just
/// been made is not undone.
const SLACK: f64 = 1e-14;

/// A polynomial in the time from now that is positive while a facet is valid.
#[derive(Clone, Copy, Debug)]
pub struct Certificate<T, const C: usize> {
    /// Coefficients, constant term first.
    value: [T; C],
    slack: T,
}

impl<T: LaneNumber, const C: usize> Certificate<T, C> {
    /// Returns a lower bound of the certificate over the next `time`: the constant term and all negative
    /// terms at their full extent, the positive ones left out. If it is positive, the certificate holds.
    #[inline(always)]
    pub fn lower_bound_within(&self, time: T) -> T {
        let mut power = T::splat(1.0);
        let mut least = self.value[0] + self.slack;
        // Rising terms are left out by a minimum and not by a branch, so that all lanes do the same.
        for k in 1..C {
            power = power * time;
            least = T::splat(0.0).min(self.value[k]).times_plus(power, least);
        }
        least
    }
}

impl<const C: usize> Certificate<f64, C> {
    /// Returns whether the certificate provably holds for the next `time`.
    #[inline(always)]
    pub fn is_safe_for(&self, time: f64) -> bool {
        self.lower_bound_within(time) > 0.0
    }

    /// Returns whether the certificate is below zero by more than rounding, now.
    pub fn has_failed(&self) -> bool {
        // A flip is due when the value has come down to minus the slack; twice that leaves room for the rounding of the time
        // of the flip.
        self.value[0] < -2.0 * self.slack
    }

    /// Returns the first time in an interval at which the certificate fails.
    ///
    /// The interval is bisected until the certificate either provably holds on a part or falls monotonically
    /// through it; so no root is missed, and double roots need no special care.
    pub fn first_failure(&self, from: f64, until: f64) -> Option<f64> {
        let mut parts = [(0.0, 0.0); MAX_BISECTION_DEPTH];
        parts[0] = (from, until);
        let mut count = 1;
        for _ in 0..MAX_INTERVALS {
            if count == 0 {
                return None;
            }
            count -= 1;
            let (low, high) = parts[count];
            let (width, local) = (high - low, self.shifted_to(low));
            if local.value[0] + self.slack <= 0.0 {
                return Some(low);
            }
            if local.is_safe_for(width) {
                continue;
            }
            let middle = low + 0.5 * width;
            // Falling all the way there is one root at most, which Newton's method finds. The same is taken where bisection
            // comes to the end of its stack or of the numbers in between.
            if local.is_decreasing_for(width)
                || count + 2 > MAX_BISECTION_DEPTH
                || middle <= low
                || middle >= high
            {
                if local.evaluate(width) + self.slack <= 0.0 {
                    return Some(low + local.newton_root(width));
                }
                continue;
            }
            // The earlier half on top of the stack, so that the first failure is found first.
            parts[count] = (middle, high);
            parts[count + 1] = (low, middle);
            count += 2;
        }
        // Numbers out of range: reported as a failure now, which the exact predicate confirms or refuses.
        Some(from)
    }

    /// Returns the same polynomial in the time from another moment (Taylor shift by Horner's scheme).
    fn shifted_to(&self, start: f64) -> Self {
        let mut moved = *self;
        for first in 0..C {
            for k in (first..C - 1).rev() {
                moved.value[k] += start * moved.value[k + 1];
            }
        }
        moved
    }

    fn evaluate(&self, time: f64) -> f64 {
        self.value.iter().rev().fold(0.0, |sum, term| sum * time + term)
    }

    /// Returns whether the certificate provably decreases over the next `time`: its derivative with all
    /// positive terms at their full extent is negative.
    fn is_decreasing_for(&self, time: f64) -> bool {
        let (mut power, mut rise) = (1.0, 0.0);
        for k in 2..C {
            power *= time;
            rise += k as f64 * self.value[k].max(0.0) * power;
        }
        self.value[1] + rise < 0.0
    }

    /// Returns where a decreasing certificate fails before `high`, by Newton's method safeguarded by bisection.
    fn newton_root(&self, high: f64) -> f64 {
        let (mut low, mut high, mut time) = (0.0, high, 0.0);
        for _ in 0..MAX_NEWTON_STEPS {
            let value = self.evaluate(time) + self.slack;
            if value.abs() < 0.5 * self.slack {
                return time;
            }
            if value <= 0.0 {
                high = time
            } else {
                low = time
            }
            let slope = (1..C).rev().fold(0.0, |sum, k| sum * time + k as f64 * self.value[k]);
            let next = time - value / slope;
            time = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        high
    }
}

/// Largest number of pending intervals of a bisection.
const MAX_BISECTION_DEPTH: usize = 64;
/// Bound on the intervals of one search; more than any polynomial of these degrees needs.
const MAX_INTERVALS: usize = 10_000;
/// Bound on Newton steps; enough for bisection alone to find a root to the last bit.
const MAX_NEWTON_STEPS: usize = 100;
