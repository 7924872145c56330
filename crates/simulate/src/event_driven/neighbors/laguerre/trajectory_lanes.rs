//! Four trajectories at once, in lanes. Fused multiply-add made certificates a sixth faster; they may then differ in
//! the last bit between processors, but collisions do not depend on them.

use super::certificate::LiftedTrajectory;
use carom_geometry::simd::{F64_LANES, F64x4};

impl<const FUSED: bool, const D: usize, const P: usize, const L: usize>
    LiftedTrajectory<F64x4<FUSED>, D, P, L>
{
    /// Transposes four trajectories into lanes.
    #[inline(always)]
    pub fn from_lanes(paths: [&LiftedTrajectory<f64, D, P, L>; F64_LANES]) -> Self {
        let [a, b, c, d] = paths;
        LiftedTrajectory {
            coordinates: std::array::from_fn(|axis| {
                std::array::from_fn(|k| {
                    F64x4([
                        a.coordinates[axis][k],
                        b.coordinates[axis][k],
                        c.coordinates[axis][k],
                        d.coordinates[axis][k],
                    ])
                })
            }),
            lift: std::array::from_fn(|k| F64x4([a.lift[k], b.lift[k], c.lift[k], d.lift[k]])),
            distance: F64x4([a.distance, b.distance, c.distance, d.distance]),
        }
    }
}
