//! Numbers of one contact, or of four at once: the law is written for both.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// One number, or four of four contacts. Nothing is contracted, so that each of four comes out as if it
/// were alone.
pub(in crate::steps) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The same for all.
    fn of(value: f64) -> Self;
    fn sqrt(self) -> Self;
    /// `above` where this is larger than `bound`, else `below`.
    fn choose(self, bound: Self, above: Self, below: Self) -> Self;
    /// Whether any is larger.
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

impl Number for f64 {
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

/// So many contacts at once.
pub(in crate::steps) const LANES: usize = 4;

/// One number of each of four contacts.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(in crate::steps) struct Four(pub [f64; LANES]);

impl Four {
    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        Four(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Add for Four {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }
}

impl Sub for Four {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }
}

impl Mul for Four {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }
}

impl Div for Four {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.each(other, |a, b| a / b)
    }
}

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Four(self.0.map(|value| -value))
    }
}

impl Number for Four {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Four([value; LANES])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Four(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn choose(self, bound: Self, above: Self, below: Self) -> Self {
        Four(std::array::from_fn(|k| if self.0[k] > bound.0[k] { above.0[k] } else { below.0[k] }))
    }
    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        let [a, b, c, d] = std::array::from_fn(|k| self.0[k] > bound.0[k]);
        a | b | c | d
    }
}

/// A vector in space of such numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::steps) struct Arrow<N>(pub [N; 3]);

impl<N: Number> Arrow<N> {
    #[inline(always)]
    fn each(&self, other: &Self, operation: impl Fn(N, N) -> N) -> Self {
        Arrow(std::array::from_fn(|axis| operation(self.0[axis], other.0[axis])))
    }
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        self.each(other, |a, b| a + b)
    }
    #[inline(always)]
    pub fn minus(&self, other: &Self) -> Self {
        self.each(other, |a, b| a - b)
    }
    #[inline(always)]
    pub fn times(&self, factor: N) -> Self {
        Arrow(self.0.map(|value| value * factor))
    }
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> N {
        let [x, y, z] = self.each(other, |a, b| a * b).0;
        x + y + z
    }
    #[inline(always)]
    pub fn cross(&self, other: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Arrow([b * z - c * y, c * x - a * z, a * y - b * x])
    }
    /// `above` where `value` is larger than `bound`, else `below`.
    #[inline(always)]
    pub fn choose(value: N, bound: N, above: &Self, below: &Self) -> Self {
        above.each(below, |above, below| value.choose(bound, above, below))
    }
}
