//! Exact signs for anything finite: big integers on the grid of the least power of two.
//!
//! The last resort, some microseconds and allocations; more if numbers of very different size meet,
//! because the grid is that of the smallest.

use super::determinant::{Number, determinant, lifted, orientation_of, padded, power_of, rows};
use super::dyadic::Span;
use super::{Site, periods_apart};
use crate::Vector;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// The orientation.
pub(super) fn orientation<const D: usize>(sites: &[Site<D>], period: &Vector<D>) -> Ordering {
    let span = span(sites, period);
    let rows = rows(D, |i| difference(sites, period, i, &span));
    orientation_of::<D>(sign(&determinant(&rows, D)))
}

/// The power.
pub(super) fn power<const D: usize>(sites: &[Site<D>], period: &Vector<D>) -> Ordering {
    let span = span(sites, period);
    let last = whole(sites[D + 1].radius, &span);
    let rows = rows(D + 1, |i| {
        let radius = whole(sites[i].radius, &span);
        let weight = (&last - &radius) * (&last + &radius);
        lifted::<_, D>(difference(sites, period, i, &span), &weight)
    });
    power_of::<D>(sign(&determinant(&rows, D + 1)))
}

fn span<const D: usize>(sites: &[Site<D>], period: &Vector<D>) -> Span {
    let mut span = Span::empty();
    for site in sites {
        site.center.iter().for_each(|&x| span.include(x));
        span.include(site.radius);
    }
    period.iter().for_each(|&length| span.include(length));
    span
}

/// From the last site to site `i`.
fn difference<const D: usize>(
    sites: &[Site<D>],
    period: &Vector<D>,
    i: usize,
    span: &Span,
) -> [BigInt; 4] {
    let last = &sites[sites.len() - 1];
    padded::<_, D>(|axis| {
        let stored = whole(sites[i].center[axis], span) - whole(last.center[axis], span);
        stored + whole(period[axis], span) * periods_apart(sites, i, axis)
    })
}

/// The number on the grid.
fn whole(value: f64, span: &Span) -> BigInt {
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

impl Number for BigInt {
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
