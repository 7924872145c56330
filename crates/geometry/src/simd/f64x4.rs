//! Four `f64` at once, and formulas written once for one number or for four.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number of values in an [`F64x4`].
pub const F64_LANES: usize = 4;

/// One number, or one in each of four lanes: a formula over this trait is written once for both. Each lane does the
/// operations of the scalar version in the same order.
pub trait LaneNumber:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns a value in all lanes.
    fn splat(value: f64) -> Self;
    /// Returns `self * factor + sum`, rounded once or twice.
    fn times_plus(self, factor: Self, sum: Self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns `above` in lanes where this is larger than `bound`, else `below`.
    fn choose(self, bound: Self, above: Self, below: Self) -> Self;
    /// Returns whether any lane is larger than `bound`.
    fn any_above(self, bound: Self) -> bool;

    /// Returns the larger number; `other` unless this one is larger.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.choose(other, self, other)
    }

    /// Returns the smaller number; this one unless it is larger.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.choose(other, other, self)
    }
}

impl LaneNumber for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        self * factor + sum
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

/// Four numbers. Plain arrays with loops over lanes, which the compiler turns into vector instructions.
///
/// [`times_plus`](LaneNumber::times_plus) rounds once if `FUSED`, which is a slow library call where the processor
/// cannot: take `true` in kernels that [`Avx2Fma`](super::Avx2Fma) runs and whose last bits enter no result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct F64x4<const FUSED: bool>(pub [f64; F64_LANES]);

impl<const FUSED: bool> F64x4<FUSED> {
    #[inline(always)]
    fn zip_map(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        F64x4(from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }

    /// Returns the absolute values.
    #[inline(always)]
    pub fn abs(self) -> Self {
        F64x4(self.0.map(f64::abs))
    }

    /// Returns the reciprocals.
    #[inline(always)]
    pub fn reciprocal(self) -> Self {
        F64x4(self.0.map(|value| 1.0 / value))
    }
}

impl<const FUSED: bool> Add for F64x4<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a + b)
    }
}

impl<const FUSED: bool> Sub for F64x4<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a - b)
    }
}

impl<const FUSED: bool> Mul for F64x4<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a * b)
    }
}

impl<const FUSED: bool> Div for F64x4<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip_map(other, |a, b| a / b)
    }
}

impl<const FUSED: bool> Neg for F64x4<FUSED> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        F64x4(self.0.map(|value| -value))
    }
}

impl<const FUSED: bool> LaneNumber for F64x4<FUSED> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        F64x4([value; F64_LANES])
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        F64x4(from_fn(|lane| {
            let (a, b, c) = (self.0[lane], factor.0[lane], sum.0[lane]);
            if FUSED { a.mul_add(b, c) } else { a * b + c }
        }))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        F64x4(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn choose(self, bound: Self, above: Self, below: Self) -> Self {
        F64x4(from_fn(
            |lane| {
                if self.0[lane] > bound.0[lane] { above.0[lane] } else { below.0[lane] }
            },
        ))
    }

    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        let [a, b, c, d] = from_fn(|lane| self.0[lane] > bound.0[lane]);
        a | b | c | d
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula<N: LaneNumber>(x: N, y: N) -> N {
        let sum = x.times_plus(y, x / y) - N::splat(0.1) * x.sqrt();
        sum.min(x).max(-y).choose(N::splat(0.3), x + y, sum)
    }

    #[test]
    fn each_lane_has_the_bits_of_one_number() {
        let (x, y) = ([0.1, 0.7, 3.0, f64::MIN_POSITIVE], [0.3, -0.2, 1e-9, 5.0]);
        let together = formula(F64x4::<false>(x), F64x4(y)).0;
        let alone = from_fn(|lane| formula(x[lane], y[lane]));
        assert_eq!(together.map(f64::to_bits), alone.map(f64::to_bits));
        assert!(F64x4::<false>(x).any_above(F64x4::splat(2.9)));
        assert!(!F64x4::<false>(x).any_above(F64x4::splat(3.0)));
    }

    #[test]
    fn fused_lanes_round_once() {
        // The square of 1 + ε is 1 + 2ε + ε², of which a product alone loses the last term.
        let (a, square) = (1.0 + f64::EPSILON, 1.0 + 2.0 * f64::EPSILON);
        let [a, sum] = [a, -square].map(F64x4::<true>::splat);
        assert_eq!(a.times_plus(a, sum), F64x4::splat(f64::EPSILON * f64::EPSILON));
        let [a, sum] = [a, sum].map(|lanes| F64x4::<false>(lanes.0));
        assert_eq!(a.times_plus(a, sum), F64x4::splat(0.0));
    }
}
