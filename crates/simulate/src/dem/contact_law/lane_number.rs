//! Numbers of one contact, or of four at once: the contact law is written once for both.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of one contact, or of four contacts in lanes. There is no fused multiply-add, so that each lane
/// has the bits of the scalar version.
pub(in crate::dem) trait LaneNumber:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns a value in all lanes.
    fn of(value: f64) -> Self;
    fn sqrt(self) -> Self;
    /// Returns `above` in lanes where this is larger than `bound`, else `below`.
    fn choose(self, bound: Self, above: Self, below: Self) -> Self;
    /// Returns whether any lane is larger than `bound`.
    fn any_above(self, bound: Self) -> bool;
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.choose(other, self, other)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.choose(other, other, self)
    }
}

impl LaneNumber for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn choose(self, bound: Self, above: Self, below: Self) -> Self {
        if self > bound { above } else { below }
    }
    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        self > bound
    }
}

/// Number of contacts computed at once.
pub(in crate::dem) const LANES: usize = 4;

/// One number of each of four contacts. Plain arrays with loops over lanes, which the compiler turns into
/// vector instructions.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(in crate::dem) struct ContactF64x4(pub [f64; LANES]);

impl ContactF64x4 {
    #[inline(always)]
    fn zip_map(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        ContactF64x4(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Add for ContactF64x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a + b)
    }
}

impl Sub for ContactF64x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a - b)
    }
}

impl Mul for ContactF64x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a * b)
    }
}

impl Div for ContactF64x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a / b)
    }
}

impl Neg for ContactF64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        ContactF64x4(self.0.map(|value| -value))
    }
}

impl LaneNumber for ContactF64x4 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        ContactF64x4([value; LANES])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        ContactF64x4(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn choose(self, bound: Self, above: Self, below: Self) -> Self {
        ContactF64x4(std::array::from_fn(|k| {
            if self.0[k] > bound.0[k] { above.0[k] } else { below.0[k] }
        }))
    }
    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        let [a, b, c, d] = std::array::from_fn(|k| self.0[k] > bound.0[k]);
        a | b | c | d
    }
}

/// A vector of such numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct LaneVector<N>(pub [N; 3]);

impl<N: LaneNumber> LaneVector<N> {
    #[inline(always)]
    fn zip_map(&self, other: &Self, operation: impl Fn(N, N) -> N) -> Self {
        LaneVector(std::array::from_fn(|axis| operation(self.0[axis], other.0[axis])))
    }
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        self.zip_map(other, |a, b| a + b)
    }
    #[inline(always)]
    pub fn minus(&self, other: &Self) -> Self {
        self.zip_map(other, |a, b| a - b)
    }
    #[inline(always)]
    pub fn times(&self, factor: N) -> Self {
        LaneVector(self.0.map(|value| value * factor))
    }
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> N {
        let [x, y, z] = self.zip_map(other, |a, b| a * b).0;
        x + y + z
    }
    #[inline(always)]
    pub fn cross(&self, other: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        LaneVector([b * z - c * y, c * x - a * z, a * y - b * x])
    }
    /// Returns `above` in lanes where `value` is larger than `bound`, else `below`.
    #[inline(always)]
    pub fn choose(value: N, bound: N, above: &Self, below: &Self) -> Self {
        above.zip_map(below, |above, below| value.choose(bound, above, below))
    }
}
