//! Where the sphere orthogonal to others has its center, however flat the simplex of these is.
//!
//! Relative to the last site the center `x` obeys `2 d x = |d|^2 + r_last^2 - r^2` for each other one,
//! `d` its place and `r` its radius: Cramer's rule with the lifts that the power is made of.

use super::determinant::{DeterminantMatrix, DeterminantScalar, determinant};
use super::{WeightedSite, big_integer, double_double};
use crate::Vector;

/// The point with the same power to `N = D + 1` spheres, from the last one's true place; `None` if
/// their centers lie in a plane (a line, in the plane).
///
/// Right to about ten digits for any simplex: double-double numbers where they are good for it, some
/// hundred nanoseconds, and otherwise big integers, microseconds. Where plain numbers tell the volume
/// of the simplex well, there is no need for this.
///
/// ```
/// use carom_geometry::{Vector, predicates::{WeightedSite, power_center}};
/// let site = |x, y| WeightedSite { center: Vector::from([x, y]), radius: 0.1, shift: [0, 0] };
/// let flat = [site(0.0, 0.0), site(1.0, 1e-18), site(2.0, 0.0)];
/// let center = power_center(&flat, &Vector::zeros()).unwrap();
/// assert!((center.x + 1.0).abs() < 1e-9 && (center.y / -5e17 - 1.0).abs() < 1e-9);
/// ```
pub fn power_center<const D: usize, const N: usize>(
    sites: &[WeightedSite<D>; N],
    period: &Vector<D>,
) -> Option<Vector<D>> {
    const { assert!((D == 2 || D == 3) && N > D) };
    debug_assert!(super::all_finite(sites, period));
    double_double::center(sites, period).or_else(|| big_integer::center(sites, period))
}

/// What is to be divided along an axis by twice the determinant of the places, for `D` rows of places
/// and lifts.
pub(super) fn numerator<T: DeterminantScalar, const D: usize>(
    rows: &DeterminantMatrix<T>,
    axis: usize,
) -> T {
    let mut replaced = rows.clone();
    for row in &mut replaced[..D] {
        row[axis] = row[D].clone();
    }
    determinant(&replaced, D)
}
