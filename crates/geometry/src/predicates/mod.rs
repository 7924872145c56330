//! Exact geometric predicates: the two tests of a weighted Delaunay triangulation.
//!
//! *Orientation* is the sign of the volume of `D + 1` points. *Power* is whether one more sphere conflicts
//! with the sphere that is orthogonal to `D + 1` others (the Laguerre, or power, diagram; Edelsbrunner and
//! Shah, Algorithmica 15, 1996). Both are signs of a determinant of differences to the last point.
//!
//! Call the estimates first: plain `f64` with an error bound, some nanoseconds, decided unless the points
//! are nearly degenerate. The exact functions decide the rest:
//!
//! 1. by integers, if all differences lie on one grid of 60 bits: lattices, coincident points and their
//!    images, some hundred nanoseconds at most;
//! 2. by double-double numbers with the same error bound at a finer rounding, some hundred nanoseconds;
//! 3. by big integers, always right, microseconds.
//!
//! The sources are Shewchuk (Discrete & Computational Geometry 18, 1997) for the cascade, and Joldes,
//! Muller and Popescu (ACM Transactions on Mathematical Software 44, 2017) for the double-double numbers.
//! An exact zero is reported as zero; breaking ties is left to the caller.
//!
//! Arrays may be longer than the dimension needs: entries between the first `D` (or `D + 1`) and the last
//! are ignored, so code for both dimensions may repeat the last point.

mod big_integer;
mod determinant;
mod double_double;
mod dyadic;
mod filter;
mod fixed_width_integer;
mod integer_grid;
mod power_center;

#[cfg(test)]
mod tests;

pub use double_double::DoubleDouble;
pub(crate) use double_double::triangle_normal;
pub use power_center::power_center;

use crate::{Sphere, Vector};
use std::cmp::Ordering;

/// A sphere or a periodic image of it: center, radius, and shift in whole periods.
///
/// Its exact position is, in real arithmetic, `center[a] + shift[a] * period[a]` on every axis `a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedSite<const D: usize> {
    /// Center of the unshifted sphere.
    pub center: Vector<D>,
    /// Radius, in the same unit.
    pub radius: f64,
    /// Shift of this image in periods, per axis.
    pub shift: [i8; D],
}

/// Returns the sign of `det[p1-p0; ..; pD-p0]` for `N = D + 1` points, if rounding cannot have changed it.
///
/// `rounding` is the absolute error of each given coordinate, zero if they are exact. In the plane,
/// counterclockwise points give `Greater`. Never `Equal`; `None` also where numbers leave the range between
/// 1e-50 and 1e60 too far.
///
/// ```
/// use carom_geometry::{Vector, predicates::orientation_estimate};
/// use std::cmp::Ordering::Greater;
/// let [a, b, c] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vector::from);
/// assert_eq!(orientation_estimate([&a, &b, &c], 0.0), Some(Greater));
/// assert_eq!(orientation_estimate([&a, &b, &b], 0.0), None);
/// ```
#[inline]
pub fn orientation_estimate<const D: usize, const N: usize>(
    points: [&Vector<D>; N],
    rounding: f64,
) -> Option<Ordering> {
    const { assert!((D == 2 || D == 3) && N > D) };
    let last = points[N - 1];
    let rows = determinant::matrix_of_rows(D, |i| {
        determinant::padded::<f64, D>(|axis| points[i][axis] - last[axis])
    });
    filter::orientation::<f64, D>(&rows, rounding)
}

/// Returns the sign of the power of the last of `N = D + 2` spheres with respect to the sphere orthogonal to
/// the others, if rounding cannot have changed it.
///
/// It is the sign of the height of the last sphere over the plane through the other lifted ones, times the
/// orientation of these; the lift of a sphere is `|x|^2 - r^2`. If the others are positively oriented,
/// `Greater` means that the last one lies outside (they stay a simplex), `Less` that it lies inside (a
/// conflict). `rounding` is the absolute error of each given coordinate; radii are exact. Never `Equal`.
///
/// ```
/// use carom_geometry::{Sphere, predicates::power_estimate};
/// use std::cmp::Ordering::{Greater, Less};
/// let [a, b, c] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|center| Sphere::new(center, 0.1));
/// let far = Sphere::new([1.1, 1.0], 0.1);
/// let far_and_heavy = Sphere::new([1.1, 1.0], 0.9);
/// assert_eq!(power_estimate([&a, &b, &c, &far], 0.0), Some(Greater));
/// assert_eq!(power_estimate([&a, &b, &c, &far_and_heavy], 0.0), Some(Less));
/// ```
#[inline]
pub fn power_estimate<const D: usize, const N: usize>(
    spheres: [&Sphere<D>; N],
    rounding: f64,
) -> Option<Ordering> {
    const { assert!((D == 2 || D == 3) && N > D + 1) };
    let last = spheres[N - 1];
    let weight = |i: usize| (last.radius - spheres[i].radius) * (last.radius + spheres[i].radius);
    let rows = determinant::matrix_of_rows(D + 1, |i| {
        let row = determinant::padded::<f64, D>(|axis| spheres[i].center[axis] - last.center[axis]);
        determinant::lifted::<f64, D>(row, &weight(i))
    });
    let heaviest = (0..=D).fold(0.0, |most, i| filter::larger(most, weight(i).abs()));
    filter::power::<f64, D>(&rows, heaviest, rounding)
}

/// Returns the sign of [`orientation_estimate`] in real arithmetic, shifts included.
///
/// `period` is zero on open axes. All numbers must be finite.
///
/// ```
/// use carom_geometry::{Vector, predicates::{WeightedSite, orientation_exact}};
/// use std::cmp::Ordering::Equal;
/// let site = |x, y, shift| WeightedSite { center: Vector::from([x, y]), radius: 0.1, shift };
/// let on_a_line = [site(0.1, 0.1, [0, 0]), site(0.1, 0.1, [1, 1]), site(0.1, 0.1, [-2, -2])];
/// assert_eq!(orientation_exact(&on_a_line, &Vector::from([0.3, 0.3])), Equal);
/// ```
pub fn orientation_exact<const D: usize, const N: usize>(
    sites: &[WeightedSite<D>; N],
    period: &Vector<D>,
) -> Ordering {
    const { assert!((D == 2 || D == 3) && N > D) };
    debug_assert!(all_finite(sites, period));
    integer_grid::orientation(sites, period)
        .or_else(|| double_double::orientation(sites, period))
        .unwrap_or_else(|| big_integer::orientation(sites, period))
}

/// Returns the sign of [`power_estimate`] in real arithmetic, shifts included.
///
/// `period` is zero on open axes. All numbers must be finite.
///
/// ```
/// use carom_geometry::{Vector, predicates::{WeightedSite, power_exact}};
/// use std::cmp::Ordering::Equal;
/// let site = |x, y| WeightedSite { center: Vector::from([x, y]), radius: 0.7, shift: [0, 0] };
/// let rectangle = [site(0.1, 0.2), site(0.3, 0.2), site(0.3, 0.7), site(0.1, 0.7)];
/// assert_eq!(power_exact(&rectangle, &Vector::zeros()), Equal);
/// ```
pub fn power_exact<const D: usize, const N: usize>(
    sites: &[WeightedSite<D>; N],
    period: &Vector<D>,
) -> Ordering {
    const { assert!((D == 2 || D == 3) && N > D + 1) };
    debug_assert!(all_finite(sites, period));
    integer_grid::power(sites, period)
        .or_else(|| double_double::power(sites, period))
        .unwrap_or_else(|| big_integer::power(sites, period))
}

fn all_finite<const D: usize>(sites: &[WeightedSite<D>], period: &Vector<D>) -> bool {
    let site = |site: &WeightedSite<D>| {
        site.radius.is_finite() && site.center.iter().all(|x| x.is_finite())
    };
    sites.iter().all(site) && period.iter().all(|length| length.is_finite())
}

/// Returns the number of periods from the last site to site `i` along an axis.
fn periods_apart<const D: usize>(sites: &[WeightedSite<D>], i: usize, axis: usize) -> i16 {
    i16::from(sites[i].shift[axis]) - i16::from(sites[sites.len() - 1].shift[axis])
}
