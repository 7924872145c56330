//! Four `f64` at once, in SIMD registers where the processor has them.
//!
//! These lanes and their entry into AVX2 are their own, not those of [`carom_geometry::simd`]: run through a closure
//! there, points were classified by multipoles a third more slowly.

use carom_geometry::math;

/// The number of values in a lane group.
pub(super) const LANES: usize = 4;

/// The exponent bits of an `f64`.
const EXPONENT: u64 = 0x7ff << 52;
/// The exponent bits of a number plus those of its inverse power of two.
const EXPONENT_OF_INVERSE: u64 = 0x7fe << 52;

/// Four values; products are added with one rounding if `FUSED`, which is slow where the processor cannot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct FusableF64x4<const FUSED: bool>(pub [f64; LANES]);

/// The arithmetic of harmonics: one value, or one for each of four points.
pub(super) trait HarmonicScalar: Copy {
    fn splat(value: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Returns `self * factor + sum`.
    fn times_plus(self, factor: Self, sum: Self) -> Self;
}

impl HarmonicScalar for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        self * factor + sum
    }
}

impl<const FUSED: bool> HarmonicScalar for FusableF64x4<FUSED> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        FusableF64x4([value; LANES])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip_with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip_with(other, |a, b| a - b)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip_with(other, |a, b| a * b)
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        FusableF64x4(std::array::from_fn(|lane| {
            let (a, b, c) = (self.0[lane], factor.0[lane], sum.0[lane]);
            if FUSED { a.mul_add(b, c) } else { a * b + c }
        }))
    }
}

impl<const FUSED: bool> FusableF64x4<FUSED> {
    #[inline(always)]
    fn zip_with(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        FusableF64x4(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    pub fn negative(self) -> Self {
        FusableF64x4(self.0.map(|a| -a))
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        FusableF64x4(self.0.map(f64::abs))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        FusableF64x4(self.0.map(f64::sqrt))
    }

    /// Returns the reciprocals.
    #[inline(always)]
    pub fn reciprocal(self) -> Self {
        FusableF64x4(self.0.map(|a| 1.0 / a))
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        self.zip_with(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.zip_with(other, |a, b| if a > b { a } else { b })
    }

    /// Returns the power of two that scales a positive number to between one and two, or as close as there is.
    #[inline(always)]
    fn inverse_power_of_two(self) -> Self {
        let inverse =
            |a: f64| f64::from_bits(EXPONENT_OF_INVERSE.wrapping_sub(a.to_bits() & EXPONENT));
        FusableF64x4(self.0.map(inverse))
    }
}

/// Returns whether the processor has AVX2 and fused multiply-add.
pub(super) fn has_avx2_and_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns the dot product of two vectors.
#[inline(always)]
pub(super) fn dot<const FUSED: bool>(
    a: &[FusableF64x4<FUSED>; 3],
    b: &[FusableF64x4<FUSED>; 3],
) -> FusableF64x4<FUSED> {
    a[0].times_plus(b[0], a[1].times_plus(b[1], a[2].times(b[2])))
}

/// Sums of angles, as products of complex numbers with these arguments and counts of whole turns.
///
/// A product has its argument only up to whole turns, so every passage of the negative real axis is counted. The
/// sign of a zero imaginary part gives the side, as for `atan2`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngleSum<const FUSED: bool> {
    real: FusableF64x4<FUSED>,
    imaginary: FusableF64x4<FUSED>,
    turns: [i64; LANES],
}

impl<const FUSED: bool> AngleSum<FUSED> {
    /// Returns the empty sum.
    #[inline(always)]
    pub fn zero() -> Self {
        AngleSum {
            real: FusableF64x4::splat(1.0),
            imaginary: FusableF64x4::splat(0.0),
            turns: [0; LANES],
        }
    }

    /// Adds the arguments of the numbers `real + i imaginary`, from minus half a turn to half a turn.
    #[inline(always)]
    pub fn add(&mut self, real: FusableF64x4<FUSED>, imaginary: FusableF64x4<FUSED>) {
        let across = self.imaginary.times(imaginary);
        let product_real = self.real.times_plus(real, across.negative());
        let product_imaginary = self.real.times_plus(imaginary, self.imaginary.times(real));
        // Two angles of one sign whose sum has the other sign have passed half a turn; sign bits decide it without
        // branches.
        for lane in 0..LANES {
            let before = self.imaginary.0[lane].to_bits();
            let added = imaginary.0[lane].to_bits();
            let after = product_imaginary.0[lane].to_bits();
            let passes = !(before ^ added) & (before ^ after);
            self.turns[lane] += ((passes & !before) >> 63) as i64;
            self.turns[lane] -= ((passes & before) >> 63) as i64;
        }
        // Powers of two change no angle; without them a long product would over- or underflow.
        let scale = product_real.abs().max(product_imaginary.abs()).inverse_power_of_two();
        self.real = product_real.times(scale);
        self.imaginary = product_imaginary.times(scale);
    }

    /// Returns the sum of all lanes in turns; `None` if a number was zero, or too large or too small to multiply.
    #[inline(always)]
    pub fn turns(&self) -> Option<f64> {
        let mut sum = Self::zero();
        for lane in 0..LANES {
            let alone = |value: f64, others| FusableF64x4([value, others, others, others]);
            sum.add(alone(self.real.0[lane], 1.0), alone(self.imaginary.0[lane], 0.0));
        }
        sum.turns[0] += self.turns.iter().sum::<i64>();
        sum.turns_of(0)
    }

    /// Returns the sum of each lane.
    #[inline(always)]
    pub fn turns_of_each(&self) -> [Option<f64>; LANES] {
        std::array::from_fn(|lane| self.turns_of(lane))
    }

    #[inline(always)]
    fn turns_of(&self, lane: usize) -> Option<f64> {
        let (real, imaginary) = (self.real.0[lane], self.imaginary.0[lane]);
        // After scaling the size is near one; anything else has come from an infinite or undefined factor.
        let usable = (0.5..16.0).contains(&(real * real + imaginary * imaginary));
        usable
            .then(|| self.turns[lane] as f64 + math::atan2(imaginary, real) / std::f64::consts::TAU)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn angles_add_up_over_many_turns_in_both_directions() {
        for step in [0.1, 1.0, 3.0, -0.1, -2.9, 3.1] {
            let mut angles = AngleSum::<false>::zero();
            for k in 0..1000 {
                let size = (f64::from(k % 7) - 3.0).exp2();
                let (sine, cosine) = f64::sin_cos(step);
                angles.add(FusableF64x4::splat(cosine * size), FusableF64x4::splat(sine * size));
            }
            let expected = 4000.0 * step / TAU;
            let found = angles.turns().unwrap();
            assert!((found - expected).abs() < 1e-10, "{step}: {found} instead of {expected}");
        }
    }

    #[test]
    fn half_turns_keep_the_sign_of_their_zero() {
        let half = |zeros: [f64; 2]| {
            let mut angles = AngleSum::<false>::zero();
            for zero in zeros {
                angles.add(FusableF64x4::splat(-1.0), FusableF64x4([zero, 0.0, 0.0, 0.0]));
            }
            angles.turns().unwrap() * TAU
        };
        // The other three lanes make a whole turn each.
        assert!((half([0.0, 0.0]) - 4.0 * TAU).abs() < 1e-14);
        assert!((half([0.0, -0.0]) - 3.0 * TAU).abs() < 1e-14);
        assert!((half([-0.0, -0.0]) - 2.0 * TAU).abs() < 1e-14);
    }

    #[test]
    fn a_zero_or_an_overflow_gives_no_sum() {
        for size in [0.0, f64::INFINITY, f64::NAN] {
            let mut angles = AngleSum::<false>::zero();
            angles.add(FusableF64x4([1.0, size, 1.0, 1.0]), FusableF64x4::splat(0.0));
            angles.add(FusableF64x4::splat(1.0), FusableF64x4::splat(1.0));
            assert_eq!(angles.turns(), None, "{size}");
        }
    }
}
