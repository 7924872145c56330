//! Exact signs for anything finite: big integers on the grid of the least power of two.
//!
//! The last resort, some microseconds and allocations; more if numbers of very different size meet,
//! because the grid is that of the smallest.

use super::determinant::{
    Number, Rows, determinant, orientation_of, power_of, squared_length, zeros,
};
use super::dyadic::Span;
use super::{Site, periods_apart};
use crate::Vector;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// The orientation.
pub(super) fn orientation<const D: usize>(sites: &[Site<D>], period: &Vector<D>) -> Ordering {
    let rows = differences(sites, period, &span(sites, period));
    orientation_of::<D>(sign(&determinant(&rows, D)))
}

/// The power.
pub(super) fn power<const D: usize>(sites: &[Site<D>], period: &Vector<D>) -> Ordering {
    let span = span(sites, period);
    let mut rows = differences(sites, period, &span);
    let last = whole(sites[sites.len() - 1].radius, &span);
    for (row, site) in rows.iter_mut().zip(&sites[..sites.len() - 1]) {
        let radius = whole(site.radius, &span);
        row[D] = squared_length::<_, D>(row) + (&last - &radius) * (&last + &radius);
    }
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

fn differences<const D: usize>(sites: &[Site<D>], period: &Vector<D>, span: &Span) -> Rows<BigInt> {
    let mut rows = zeros::<BigInt>();
    let last = &sites[sites.len() - 1];
    for i in 0..sites.len() - 1 {
        for axis in 0..D {
            let stored = whole(sites[i].center[axis], span) - whole(last.center[axis], span);
            rows[i][axis] = stored + whole(period[axis], span) * periods_apart(sites, i, axis);
        }
    }
    rows
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
