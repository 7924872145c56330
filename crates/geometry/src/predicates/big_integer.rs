//! Exact signs for any finite input: big integers on the grid of the least power of two.
//!
//! The last resort: some microseconds and allocations, more if numbers of very different size meet, because
//! the grid is that of the smallest.

use super::determinant::{
    DeterminantMatrix, DeterminantScalar, determinant, lifted, matrix_of_rows, orientation_of,
    padded, power_of,
};
use super::dyadic::DyadicSpan;
use super::power_center::numerator;
use super::{WeightedSite, periods_apart};
use crate::Vector;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// Returns the orientation.
pub(super) fn orientation<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Ordering {
    let span = span(sites, period);
    let rows = matrix_of_rows(D, |i| difference(sites, period, i, &span));
    orientation_of::<D>(sign(&determinant(&rows, D)))
}

/// Returns the power.
pub(super) fn power<const D: usize>(sites: &[WeightedSite<D>], period: &Vector<D>) -> Ordering {
    let span = span(sites, period);
    let rows = lifted_rows(D + 1, sites, period, &span);
    power_of::<D>(sign(&determinant(&rows, D + 1)))
}

/// Returns the center of the orthogonal sphere relative to the last site; `None` if the simplex has no
/// volume.
pub(super) fn center<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Option<Vector<D>> {
    let span = span(sites, period);
    let rows = lifted_rows(D, sites, period, &span);
    let twice = determinant(&rows, D) * 2;
    let along =
        |axis: usize| quotient(&numerator::<_, D>(&rows, axis), &twice, span.least_exponent);
    (twice != BigInt::ZERO).then(|| Vector::from_fn(|axis, _| along(axis)))
}

/// Returns `numerator / denominator * 2^exponent` to sixteen digits; the denominator must not be zero.
fn quotient(numerator: &BigInt, denominator: &BigInt, exponent: i32) -> f64 {
    // The shift makes the integer quotient 64 or 65 bits long.
    let shift = 64 + denominator.bits() as i64 - numerator.bits() as i64;
    let whole = match shift {
        0.. => (numerator << shift) / denominator,
        _ => numerator / (denominator << -shift),
    };
    let magnitude: f64 =
        whole.iter_u64_digits().rev().fold(0.0, |sum, digit| sum * 2f64.powi(64) + digit as f64);
    let power = i64::from(exponent) - shift;
    // In two steps, since the power alone may leave the range of `f64`.
    let (half, rest) = ((power / 2) as i32, (power - power / 2) as i32);
    let value = magnitude * 2f64.powi(half) * 2f64.powi(rest);
    if whole.sign() == Sign::Minus { -value } else { value }
}

/// Returns positions relative to the last site, and their lifts.
fn lifted_rows<const D: usize>(
    count: usize,
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
    span: &DyadicSpan,
) -> DeterminantMatrix<BigInt> {
    let last = whole(sites[sites.len() - 1].radius, span);
    matrix_of_rows(count, |i| {
        let radius = whole(sites[i].radius, span);
        let weight = (&last - &radius) * (&last + &radius);
        lifted::<_, D>(difference(sites, period, i, span), &weight)
    })
}

fn span<const D: usize>(sites: &[WeightedSite<D>], period: &Vector<D>) -> DyadicSpan {
    let mut span = DyadicSpan::empty();
    for site in sites {
        site.center.iter().for_each(|&x| span.include(x));
        span.include(site.radius);
    }
    period.iter().for_each(|&length| span.include(length));
    span
}

/// Returns the difference from the last site to site `i`.
fn difference<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
    i: usize,
    span: &DyadicSpan,
) -> [BigInt; 4] {
    let last = &sites[sites.len() - 1];
    padded::<_, D>(|axis| {
        let stored = whole(sites[i].center[axis], span) - whole(last.center[axis], span);
        stored + whole(period[axis], span) * periods_apart(sites, i, axis)
    })
}

/// Returns the number as an integer on the grid.
fn whole(value: f64, span: &DyadicSpan) -> BigInt {
    let (mantissa, shift) = span.on_grid(value);
    BigInt::from(mantissa) << shift
}

fn sign(value: &BigInt) -> Ordering {
    match value.sign() {
        Sign::Minus => Ordering::Less,
        Sign::NoSign => Ordering::Equal,
        Sign::Plus => Ordering::Greater,
    }
}

impl DeterminantScalar for BigInt {
    fn zero() -> Self {
        BigInt::ZERO
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}
