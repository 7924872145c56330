//! Double-double numbers: the unevaluated sum of two `f64`, about 103 bits.
//!
//! The operations are those of Joldes, Muller and Popescu ("Tight and rigorous error bounds for basic
//! building blocks of double-word arithmetic", 2017), algorithms 6 and 10, whose relative errors are at
//! most 3 and 7 times `2^-106`. Products are exact by Dekker's splitting, since a fused multiply-add is slow
//! where the processor has none.

use super::determinant::{
    DeterminantMatrix, DeterminantScalar, determinant, lifted, matrix_of_rows, padded,
};
use super::filter::{self, RoundedScalar, larger};
use super::power_center::numerator;
use super::{WeightedSite, periods_apart};
use crate::Vector;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// A number of about 31 digits: `high + low`, where `high` is the nearest `f64` to the sum.
///
/// ```
/// use carom_geometry::predicates::DoubleDouble;
/// let third = DoubleDouble::from(1.0).divided_by(DoubleDouble::from(3.0));
/// assert!((third + third + third - DoubleDouble::from(1.0)).to_f64().abs() < 1e-31);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

/// Returns the orientation, if this precision suffices.
pub(super) fn orientation<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Option<Ordering> {
    let rows = matrix_of_rows(D, |i| padded::<_, D>(|axis| difference(sites, period, i, axis)));
    filter::orientation::<DoubleDouble, D>(&rows, 0.0)
}

/// Returns the power, if this precision suffices.
pub(super) fn power<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Option<Ordering> {
    let rows = lifted_rows(D + 1, sites, period);
    let heaviest = (0..=D).fold(0.0, |most, i| larger(most, weight(sites, i).high.abs()));
    filter::power::<DoubleDouble, D>(&rows, heaviest, 0.0)
}

/// Returns the center of the orthogonal sphere relative to the last site, if this precision suffices for
/// about ten digits.
pub(super) fn center<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> Option<Vector<D>> {
    let rows = lifted_rows(D, sites, period);
    let volume = determinant(&rows, D).nearest();
    let extent =
        |axis: usize| rows[..D].iter().fold(0.0, |most, row| larger(most, row[axis].high.abs()));
    let most: f64 = (0..D).map(extent).product();
    let certain = most > SMALLEST_VOLUME && volume.abs() > MIN_FLATNESS * most;
    let along = |axis: usize| numerator::<_, D>(&rows, axis).nearest() / (2.0 * volume);
    let center: Vector<D> = Vector::from_fn(|axis, _| along(axis));
    (certain && center.iter().all(|x| x.is_finite())).then_some(center)
}

/// Volumes no smaller than this, in units of the bounding box, are right to ten digits.
const MIN_FLATNESS: f64 = 1e-19;
/// Above this, products of three lengths and their rounding errors are far from underflow.
const SMALLEST_VOLUME: f64 = 1e-150;

fn lifted_rows<const D: usize>(
    count: usize,
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
) -> DeterminantMatrix<DoubleDouble> {
    matrix_of_rows(count, |i| {
        let places = padded::<_, D>(|axis| difference(sites, period, i, axis));
        lifted::<_, D>(places, &weight(sites, i))
    })
}

/// Returns `r_last^2 - r^2` for site `i`.
fn weight<const D: usize>(sites: &[WeightedSite<D>], i: usize) -> DoubleDouble {
    let (last, own) = (sites[sites.len() - 1].radius, sites[i].radius);
    DoubleDouble::two_difference(last, own).times(&DoubleDouble::two_sum(last, own))
}

/// Returns the normal of a triangle, twice its area long; seen from its tip the corners are
/// counterclockwise.
///
/// Its direction is right to the last bits however thin the triangle is, unless 30 digits do not distinguish
/// it from a line. Plain `f64` is used where it is good for ten digits.
pub(crate) fn triangle_normal(a: &Vector<3>, b: &Vector<3>, c: &Vector<3>) -> Vector<3> {
    let (to_b, to_c) = (b - a, c - a);
    let normal = to_b.cross(&to_c);
    // Ten digits are left of a triangle this wide.
    if normal.norm() > 1e-5 * to_b.norm() * to_c.norm() {
        return normal;
    }
    let to_b: [_; 3] = std::array::from_fn(|axis| DoubleDouble::two_difference(b[axis], a[axis]));
    let to_c: [_; 3] = std::array::from_fn(|axis| DoubleDouble::two_difference(c[axis], a[axis]));
    Vector::from_fn(|axis, _| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        to_b[i].times(&to_c[j]).minus(&to_b[j].times(&to_c[i])).nearest()
    })
}

/// Returns the difference from the last site to site `i`, within one rounding of a sum.
fn difference<const D: usize>(
    sites: &[WeightedSite<D>],
    period: &Vector<D>,
    i: usize,
    axis: usize,
) -> DoubleDouble {
    let last = &sites[sites.len() - 1];
    let stored = DoubleDouble::two_difference(sites[i].center[axis], last.center[axis]);
    match periods_apart(sites, i, axis) {
        0 => stored,
        apart => stored.plus(&DoubleDouble::two_product(f64::from(apart), period[axis])),
    }
}

impl DoubleDouble {
    /// Returns exactly `a + b` (Knuth).
    #[inline(always)]
    fn two_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        // Knuth's two-sum: exact whichever of the two is larger.
        let b_in_high = high - a;
        let low = (a - (high - b_in_high)) + (b - b_in_high);
        DoubleDouble { high, low }
    }

    /// Returns exactly `a + b`, if `|a| >= |b|` or `a` is zero (Dekker).
    #[inline(always)]
    fn fast_two_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        DoubleDouble { high, low: b - (high - a) }
    }

    /// Returns exactly `a - b`.
    #[inline(always)]
    fn two_difference(a: f64, b: f64) -> Self {
        Self::two_sum(a, -b)
    }

    /// Returns exactly `a b`, except for underflow (Dekker, Veltkamp).
    #[inline(always)]
    fn two_product(a: f64, b: f64) -> Self {
        let (a_high, a_low) = veltkamp_split(a);
        let (b_high, b_low) = veltkamp_split(b);
        let high = a * b;
        let low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low);
        DoubleDouble { high, low }
    }
}

/// Splits `value` into a sum of two numbers of 26 bits, whose products are exact.
#[inline(always)]
fn veltkamp_split(value: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let large = SPLITTER * value;
    let high = large - (large - value);
    (high, value - high)
}

impl DoubleDouble {
    /// Returns the nearest `f64`.
    #[inline(always)]
    pub fn to_f64(self) -> f64 {
        self.high + self.low
    }

    /// Returns the quotient to about 30 digits.
    #[inline(always)]
    pub fn divided_by(self, divisor: Self) -> Self {
        let first = DoubleDouble::from(self.high / divisor.high);
        let rest = self - first * divisor;
        let second = DoubleDouble::from(rest.high / divisor.high);
        let last = (rest - second * divisor).high / divisor.high;
        first + second + DoubleDouble::from(last)
    }
}

impl From<f64> for DoubleDouble {
    #[inline(always)]
    fn from(value: f64) -> Self {
        DoubleDouble { high: value, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.plus(&other)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.minus(&other)
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.times(&other)
    }
}

impl DeterminantScalar for DoubleDouble {
    #[inline(always)]
    fn zero() -> Self {
        DoubleDouble { high: 0.0, low: 0.0 }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let high = Self::two_sum(self.high, other.high);
        let low = Self::two_sum(self.low, other.low);
        let joined = Self::fast_two_sum(high.high, high.low + low.high);
        Self::fast_two_sum(joined.high, low.low + joined.low)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        self.plus(&DoubleDouble { high: -other.high, low: -other.low })
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let high = Self::two_product(self.high, other.high);
        let crossed = self.high * other.low + self.low * other.high;
        Self::fast_two_sum(high.high, high.low + crossed)
    }
}

impl RoundedScalar for DoubleDouble {
    /// `2^-103`, above the error bounds of sum and product.
    const UNIT_ROUNDOFF: f64 = 4.0 * f64::EPSILON * (f64::EPSILON / 2.0);

    #[inline(always)]
    fn nearest(&self) -> f64 {
        self.high + self.low
    }
}
