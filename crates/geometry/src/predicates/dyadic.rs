//! A finite `f64` as an integer times a power of two.

/// `mantissa * 2^exponent`, with an odd mantissa, or zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dyadic {
    pub(super) mantissa: i64,
    pub(super) exponent: i32,
}

impl Dyadic {
    /// Converts a finite number exactly.
    #[inline]
    pub(super) fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        // Subnormal numbers have the exponent of the least normal ones, and no hidden bit.
        let magnitude = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        if magnitude == 0 {
            return Dyadic { mantissa: 0, exponent: 0 };
        }
        let zeros = magnitude.trailing_zeros();
        let mantissa = magnitude >> zeros;
        Dyadic {
            mantissa: if value < 0.0 { -mantissa } else { mantissa },
            exponent: exponent.max(1) - 1075 + zeros as i32,
        }
    }
}

/// The range of binary exponents that some numbers span.
#[derive(Clone, Copy, Debug)]
pub(super) struct DyadicSpan {
    /// All numbers are multiples of two to the power of this.
    pub(super) least_exponent: i32,
    /// All numbers are smaller than two to the power of this.
    pub(super) greatest_exponent: i32,
}

impl DyadicSpan {
    pub(super) fn empty() -> Self {
        DyadicSpan { least_exponent: i32::MAX, greatest_exponent: i32::MIN }
    }

    /// Widens the span to hold one more number.
    #[inline]
    pub(super) fn include(&mut self, value: f64) {
        let Dyadic { mantissa, exponent } = Dyadic::new(value);
        if mantissa != 0 {
            let bits = 64 - mantissa.unsigned_abs().leading_zeros() as i32;
            self.least_exponent = self.least_exponent.min(exponent);
            self.greatest_exponent = self.greatest_exponent.max(exponent + bits);
        }
    }

    /// Returns the number of bits of the largest number on the grid of the least exponent; zero without
    /// numbers.
    pub(super) fn bits(&self) -> i32 {
        if self.least_exponent > self.greatest_exponent {
            0
        } else {
            self.greatest_exponent - self.least_exponent
        }
    }

    /// Returns the mantissa of a number in the span, and the left shift that puts it on the grid.
    #[inline]
    pub(super) fn on_grid(&self, value: f64) -> (i64, u32) {
        let Dyadic { mantissa, exponent } = Dyadic::new(value);
        if mantissa == 0 { (0, 0) } else { (mantissa, (exponent - self.least_exponent) as u32) }
    }
}
