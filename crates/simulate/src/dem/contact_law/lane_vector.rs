//! Vectors of one contact, or of four at once: the contact law is written once for both.

use carom_geometry::simd::LaneNumber;

/// A vector of one contact, or of four contacts in lanes.
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
