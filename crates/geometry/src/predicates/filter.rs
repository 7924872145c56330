//! Floating-point filter: the sign of a rounded determinant, where an error bound determines it.
//!
//! The bound is semi-static: it uses the largest difference along each axis, not the single products. In
//! the following `u` is the relative error of one operation, `s` the error of a coordinate, and terms of
//! the order of `u^2` are covered by rounding the constants up.
//!
//! - **Differences.** `X` is the largest computed difference along an axis plus `2s` (and a tiny
//!   number, see below), so it bounds the true differences too. A computed difference is wrong by
//!   at most `e = uX + 2s`.
//! - **Lifts.** `W`, the sum of all `X^2` and of the largest difference of squared radii, bounds
//!   the lifts. A square of a difference is wrong by `2Xe`, and no term of a lift goes through more
//!   than six roundings: together at most `8uW + 4s(X + Y + ..)`.
//! - **Wrong entries.** Replacing computed columns by exact ones one by one, each step changes the
//!   determinant by at most `H` times the column's error times the bounds of the others, where `H`
//!   is Hadamard's constant `n^(n/2)`: 2, 5.2 and 16 for the orders 2, 3 and 4.
//! - **Evaluation.** Each of the 2, 6 and 24 products of the expansion goes through 2, 5 and 9
//!   roundings.
//!
//! With `P` the product of the `X` and `Q` the sum of the products of all but one of them (so that
//! `P(X + Y + ..) <= WQ/2`) the error is at most
//!
//! | determinant | from `u` | from `s` |
//! |---|---|---|
//! | orientation, plane | `(2*2 + 2*2) uP = 8 uP` | `2*2 sQ` |
//! | orientation, space | `(5.2*3 + 6*5) uP = 46 uP` | `5.2*2 sQ` |
//! | power, plane | `(5.2*(2+8) + 6*5) uPW = 82 uPW` | `5.2*4 sQW` |
//! | power, space | `(16*(3+8) + 24*9) uPW = 392 uPW` | `16*4 sQW` |
//!
//! Underflow: every difference counts as at least 1e-50, which makes the bound so large (1e-281 or more,
//! even for double-double numbers) that the 1e-323 which may be lost in each product, times its factors, is
//! negligible. Infinities and NaN propagate to the determinant, which is then not finite and rejected; no
//! operation turns them back into finite numbers.

use super::determinant::{
    DeterminantMatrix, DeterminantScalar, determinant, orientation_of, power_of,
};
use std::cmp::Ordering;

/// A scalar type whose operations round.
pub(super) trait RoundedScalar: DeterminantScalar {
    /// Largest relative error of one operation.
    const UNIT_ROUNDOFF: f64;
    /// Returns the nearest `f64`; not finite if any part is not.
    fn nearest(&self) -> f64;
}

impl RoundedScalar for f64 {
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
    #[inline(always)]
    fn nearest(&self) -> f64 {
        *self
    }
}

/// Differences count as at least this large.
const MIN_DIFFERENCE: f64 = 1e-50;

/// Factors of the errors `u` and `s`, derived in the module's documentation and rounded up.
struct ErrorBoundConstants {
    from_unit: f64,
    from_rounding: f64,
}

const fn orientation_constants<const D: usize>() -> ErrorBoundConstants {
    match D {
        2 => ErrorBoundConstants { from_unit: 9.0, from_rounding: 4.1 },
        _ => ErrorBoundConstants { from_unit: 48.0, from_rounding: 10.6 },
    }
}

const fn power_constants<const D: usize>() -> ErrorBoundConstants {
    match D {
        2 => ErrorBoundConstants { from_unit: 84.0, from_rounding: 21.2 },
        _ => ErrorBoundConstants { from_unit: 400.0, from_rounding: 65.0 },
    }
}

/// Returns the orientation for `D` rows of differences to the last point.
#[inline(always)]
pub(super) fn orientation<T: RoundedScalar, const D: usize>(
    rows: &DeterminantMatrix<T>,
    rounding: f64,
) -> Option<Ordering> {
    let bound = const { orientation_constants::<D>() };
    let error = error_bound::<T, D>(&extents::<T, D>(&rows[..D], rounding), bound, rounding);
    sign(determinant(rows, D).nearest(), error).map(orientation_of::<D>)
}

/// Returns the power for `D + 1` rows of differences to the last point and lifts; `heaviest` is the largest
/// difference of squared radii.
#[inline(always)]
pub(super) fn power<T: RoundedScalar, const D: usize>(
    rows: &DeterminantMatrix<T>,
    heaviest: f64,
    rounding: f64,
) -> Option<Ordering> {
    let bound = const { power_constants::<D>() };
    let extents = extents::<T, D>(&rows[..D + 1], rounding);
    let highest = extents.iter().fold(heaviest, |sum, extent| sum + extent * extent);
    let error = error_bound::<T, D>(&extents, bound, rounding) * highest;
    sign(determinant(rows, D + 1).nearest(), error).map(power_of::<D>)
}

/// Returns the larger number by one instruction; `f64::max` takes more because of NaN.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Returns bounds on the differences, exact and computed, per axis.
#[inline(always)]
fn extents<T: RoundedScalar, const D: usize>(rows: &[[T; 4]], rounding: f64) -> [f64; D] {
    let least = 2.0 * rounding + MIN_DIFFERENCE;
    std::array::from_fn(|axis| {
        rows.iter().fold(0.0, |most, row| larger(most, row[axis].nearest().abs())) + least
    })
}

#[inline(always)]
fn error_bound<T: RoundedScalar, const D: usize>(
    extents: &[f64; D],
    constants: ErrorBoundConstants,
    rounding: f64,
) -> f64 {
    // This recurrence sums the products of all but one factor along with the full product.
    let (mut product, mut all_but_one) = (1.0, 0.0);
    for extent in extents {
        all_but_one = all_but_one * extent + product;
        product *= extent;
    }
    constants.from_unit * T::UNIT_ROUNDOFF * product
        + constants.from_rounding * rounding * all_but_one
}

/// Returns the sign of a number that is wrong by at most `error`, if that determines it.
#[inline(always)]
fn sign(value: f64, error: f64) -> Option<Ordering> {
    // The comparison fails for NaN on either side.
    if value.abs() > error && value.is_finite() {
        Some(if value > 0.0 { Ordering::Greater } else { Ordering::Less })
    } else {
        None
    }
}
