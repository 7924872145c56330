//! The power center: the center of the sphere orthogonal to those of a simplex, however flat this is.
//!
//! Relative to the last site the center `x` satisfies `2 d x = |d|^2 + r_last^2 - r^2` for each other site
//! with relative position `d` and radius `r`; solved by Cramer's rule with the lifts of the power test.

use super::determinant::{DeterminantMatrix, DeterminantScalar, determinant};
use super::{WeightedSite, big_integer, double_double};
use crate::Vector;

/// Returns the point of equal power to `N = D + 1` spheres, relative to the last one's exact position;
/// `None` if their centers lie in a plane (in 2D, on a line).
///
/// Right to about ten digits for any simplex: by double-double numbers where they suffice, some hundred
/// nanoseconds, and otherwise by big integers, microseconds. For simplices that are not nearly flat plain
/// `f64` is faster and suffices.
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

/// Returns the numerator of Cramer's rule along an axis, to be divided by twice the determinant of the
/// positions, for `D` rows of positions and lifts.
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
