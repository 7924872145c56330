//! Four certificates at once: in wide registers where the processor has them.

use super::certificate::{Number, Path};

/// So many at once.
pub const LANES: usize = 4;

/// One number for each of four certificates; products are added with one rounding if `FUSED`, which
/// is slow where the processor cannot.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Four<const FUSED: bool>(pub [f64; LANES]);

impl<const FUSED: bool> Four<FUSED> {
    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        Four(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl<const FUSED: bool> Number for Four<FUSED> {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Four([value; LANES])
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
    #[inline(always)]
    fn times_plus(self, other: Self, sum: Self) -> Self {
        Four(std::array::from_fn(|lane| {
            let (a, b, c) = (self.0[lane], other.0[lane], sum.0[lane]);
            if FUSED { a.mul_add(b, c) } else { a * b + c }
        }))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }
}

impl<const FUSED: bool, const D: usize, const P: usize, const L: usize> Path<Four<FUSED>, D, P, L> {
    /// Four paths side by side.
    #[inline(always)]
    pub fn together(paths: [&Path<f64, D, P, L>; LANES]) -> Self {
        let [a, b, c, d] = paths;
        Path {
            along: std::array::from_fn(|axis| {
                std::array::from_fn(|k| {
                    Four([a.along[axis][k], b.along[axis][k], c.along[axis][k], d.along[axis][k]])
                })
            }),
            lift: std::array::from_fn(|k| Four([a.lift[k], b.lift[k], c.lift[k], d.lift[k]])),
            distance: Four([a.distance, b.distance, c.distance, d.distance]),
        }
    }
}
