//! Four certificates at once, in vector registers where the processor has them.

use super::certificate::{CertificateScalar, LiftedTrajectory};

/// Number of certificates computed at once.
pub const LANES: usize = 4;

/// One number for each of four certificates. `FUSED` uses fused multiply-add, which is a slow library call
/// where the processor lacks it; where it has it, certificates were computed a sixth faster.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct CertificateLanes<const FUSED: bool>(pub [f64; LANES]);

impl<const FUSED: bool> CertificateLanes<FUSED> {
    #[inline(always)]
    fn zip_with(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        CertificateLanes(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl<const FUSED: bool> CertificateScalar for CertificateLanes<FUSED> {
    #[inline(always)]
    fn of(value: f64) -> Self {
        CertificateLanes([value; LANES])
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip_with(other, |a, b| a * b)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip_with(other, |a, b| a + b)
    }
    #[inline(always)]
    fn times_plus(self, other: Self, sum: Self) -> Self {
        CertificateLanes(std::array::from_fn(|lane| {
            let (a, b, c) = (self.0[lane], other.0[lane], sum.0[lane]);
            if FUSED { a.mul_add(b, c) } else { a * b + c }
        }))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip_with(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip_with(other, |a, b| if a > b { a } else { b })
    }
}

impl<const FUSED: bool, const D: usize, const P: usize, const L: usize>
    LiftedTrajectory<CertificateLanes<FUSED>, D, P, L>
{
    /// Transposes four trajectories into lanes.
    #[inline(always)]
    pub fn from_lanes(paths: [&LiftedTrajectory<f64, D, P, L>; LANES]) -> Self {
        let [a, b, c, d] = paths;
        LiftedTrajectory {
            coordinates: std::array::from_fn(|axis| {
                std::array::from_fn(|k| {
                    CertificateLanes([
                        a.coordinates[axis][k],
                        b.coordinates[axis][k],
                        c.coordinates[axis][k],
                        d.coordinates[axis][k],
                    ])
                })
            }),
            lift: std::array::from_fn(|k| {
                CertificateLanes([a.lift[k], b.lift[k], c.lift[k], d.lift[k]])
            }),
            distance: CertificateLanes([a.distance, b.distance, c.distance, d.distance]),
        }
    }
}
