//! Exact signs for sites on a common grid: integers of 60 bits, products of up to five words.
//!
//! Every `f64` is an integer times a power of two. If, on the grid of the least power among them, the
//! differences to the last site and the radii have at most 60 bits, the determinants fit into integers of
//! fixed width: minors and lifts have 123 bits, volumes 183 and the power 307. Lattices, dyadic or not,
//! coincident points and periodic images are mostly of this kind; and these make determinants vanish
//! exactly, where no approximate arithmetic can decide.
//!
//! Coordinates that are equal along an axis, and equal radii, cancel and need no bits.

use super::determinant::{orientation_of, power_of};
use super::dyadic::DyadicSpan;
use super::fixed_width_integer::FixedWidthInteger;
use super::{WeightedSite, periods_apart};
use crate::Vector;
use std::cmp::Ordering;

/// Largest number of bits of differences and radii.
const MAX_BITS: u32 = 60;

/// Largest number of bits before differences are taken: multiplied by up to 255 periods, and two of them
/// added, such numbers still fit into `i128`.
const MAX_BITS_BEFORE_DIFFERENCES: i32 = 110;

/// Differences to the last site, one row per site and one column per axis.
type IntegerDifferences = [[i64; 3]; 4];

/// Returns the orientation, if the sites fit on a grid.
pub(super) fn orientation<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Option<Ordering> {
    let span = span_of_places(sites, period);
    let [a, b, c, _] = differences(sites, period, &span)?;
    let sign = match D {
        2 => minor(&a, &b).cmp(&0),
        _ => volume(&a, &b, &c).sign(),
    };
    Some(orientation_of::<D>(sign))
}

/// Returns the power, if the sites fit on a grid.
pub(super) fn power<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Option<Ordering> {
    let mut span = span_of_places(sites, period);
    let (last, others) = sites.split_last()?;
    let radii_differ = others.iter().any(|site| site.radius != last.radius);
    // Equal radii cancel, and need not widen the grid.
    if radii_differ {
        sites.iter().for_each(|site| span.include(site.radius));
    }
    let rows = differences(sites, period, &span)?;
    let mut lifts = [0; 4];
    for i in 0..others.len() {
        let weight = if radii_differ { weight(last.radius, sites[i].radius, &span)? } else { 0 };
        lifts[i] = rows[i].iter().map(|&x| square(x)).sum::<i128>() + weight;
    }
    let sign = if D == 2 {
        lifted_determinant_2d(&rows, &lifts)
    } else {
        lifted_determinant_3d(&rows, &lifts)
    };
    Some(power_of::<D>(sign))
}

fn span_of_places<const D: usize>(sites: &[WeightedSite<D>], period: &Vector<D>) -> DyadicSpan {
    let mut span = DyadicSpan::empty();
    let last = &sites[sites.len() - 1];
    for axis in 0..D {
        let (mut moved, mut shifted) = (false, false);
        for i in 0..sites.len() - 1 {
            if sites[i].center[axis] != last.center[axis] {
                span.include(sites[i].center[axis]);
                moved = true;
            }
            shifted |= periods_apart(sites, i, axis) != 0;
        }
        if moved {
            span.include(last.center[axis]);
        }
        if shifted {
            span.include(period[axis]);
        }
    }
    span
}

fn differences<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
    span: &DyadicSpan,
) -> Option<IntegerDifferences> {
    if span.bits() > MAX_BITS_BEFORE_DIFFERENCES {
        return None;
    }
    let mut rows = [[0; 3]; 4];
    let last = &sites[sites.len() - 1];
    for i in 0..sites.len() - 1 {
        for axis in 0..D {
            let apart = periods_apart(sites, i, axis);
            let mut step = 0;
            if sites[i].center[axis] != last.center[axis] {
                step = whole(sites[i].center[axis], span) - whole(last.center[axis], span);
            }
            if apart != 0 {
                step += i128::from(apart) * whole(period[axis], span);
            }
            rows[i][axis] = small(step)?;
        }
    }
    Some(rows)
}

/// Returns the number as an integer on the grid.
#[inline]
fn whole(value: f64, span: &DyadicSpan) -> i128 {
    let (mantissa, shift) = span.on_grid(value);
    i128::from(mantissa) << shift
}

#[inline]
fn small(value: i128) -> Option<i64> {
    (value.unsigned_abs() >> MAX_BITS == 0).then_some(value as i64)
}

/// Returns `r_last^2 - r^2` on the grid.
fn weight(last: f64, radius: f64, span: &DyadicSpan) -> Option<i128> {
    let (last, radius) = (small(whole(last, span))?, small(whole(radius, span))?);
    Some(i128::from(last - radius) * i128::from(last + radius))
}

#[inline(always)]
fn square(value: i64) -> i128 {
    i128::from(value) * i128::from(value)
}

#[inline(always)]
fn minor(a: &[i64; 3], b: &[i64; 3]) -> i128 {
    i128::from(a[0]) * i128::from(b[1]) - i128::from(b[0]) * i128::from(a[1])
}

/// Returns the determinant of three rows.
#[inline(always)]
fn volume(a: &[i64; 3], b: &[i64; 3], c: &[i64; 3]) -> FixedWidthInteger<3> {
    let term = |minor: i128, height: i64| {
        FixedWidthInteger::<3>::product(
            &FixedWidthInteger::from_i128(minor),
            &FixedWidthInteger::from_i64(height),
        )
    };
    term(minor(a, b), c[2]).minus(&term(minor(a, c), b[2])).plus(&term(minor(b, c), a[2]))
}

/// Returns the sign of the determinant of the columns x, y and lift.
fn lifted_determinant_2d([a, b, c, _]: &IntegerDifferences, lifts: &[i128; 4]) -> Ordering {
    let term = |minor: i128, lift: i128| {
        FixedWidthInteger::<4>::product(
            &FixedWidthInteger::from_i128(minor),
            &FixedWidthInteger::from_i128(lift),
        )
    };
    term(minor(a, b), lifts[2])
        .minus(&term(minor(a, c), lifts[1]))
        .plus(&term(minor(b, c), lifts[0]))
        .sign()
}

/// Returns the sign of the determinant of the columns x, y, z and lift.
fn lifted_determinant_3d([a, b, c, d]: &IntegerDifferences, lifts: &[i128; 4]) -> Ordering {
    let term = |volume: FixedWidthInteger<3>, lift: i128| {
        FixedWidthInteger::<5>::product(&volume, &FixedWidthInteger::from_i128(lift))
    };
    term(volume(a, b, c), lifts[3])
        .minus(&term(volume(a, b, d), lifts[2]))
        .plus(&term(volume(a, c, d), lifts[1]))
        .minus(&term(volume(b, c, d), lifts[0]))
        .sign()
}
