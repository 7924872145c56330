//! The inner loop: which neighbor does a body meet first.

use super::hard_spheres::HardSpheres;
use super::schedule::NO_PARTNER;
use carom_scene::scene::BoundaryCondition;

/// The neighbor met first and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedCollision {
    pub time: f64,
    pub partner: u32,
}

/// What is around a body and its neighbors beside other bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundaryProximity {
    /// All neighbors are on this side of every end, and the body meets none of these soon.
    Interior,
    /// It may meet a wall or a seam, and see neighbors through a seam.
    NearFaces,
}

impl<const D: usize> HardSpheres<D> {
    /// Improves `best` by the neighbors that `body` meets earlier. Equal times go to the neighbor
    /// that `before` puts first.
    #[inline]
    pub fn earliest_collision(
        &self,
        body: u32,
        neighbors: &[u32],
        now: f64,
        surroundings: BoundaryProximity,
        best: PredictedCollision,
        before: impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        if !self.uniform_motion {
            return self.earliest_collision_by(neighbors, best, before, |other| {
                self.time_of_contact(body, other, now)
            });
        }
        uniform_motion::earliest_collision(self, body, neighbors, now, surroundings, best, before)
    }

    /// Whether a body is farther than `reach` from all walls and seams.
    #[inline]
    pub fn is_interior(&self, body: u32, now: f64, reach: f64) -> bool {
        let position = self.position_at(body, now);
        (0..D).all(|axis| {
            (position[axis] > reach) & (position[axis] < self.region.size[axis] - reach)
                || self.region.boundary_conditions[axis] == BoundaryCondition::Open
        })
    }

    #[inline(always)]
    fn earliest_collision_by(
        &self,
        neighbors: &[u32],
        mut best: PredictedCollision,
        before: impl Fn(u32, u32) -> bool,
        time_of: impl Fn(u32) -> f64,
    ) -> PredictedCollision {
        for &partner in neighbors {
            best = best.earlier_of(PredictedCollision { time: time_of(partner), partner }, &before);
        }
        best
    }
}

impl PredictedCollision {
    /// Never and with nobody.
    pub const NONE: PredictedCollision =
        PredictedCollision { time: f64::INFINITY, partner: NO_PARTNER };

    #[inline(always)]
    fn earlier_of(
        self,
        other: PredictedCollision,
        before: &impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        if other.time > self.time {
            return self;
        }
        let tied = other.time == self.time;
        if tied && !(other.time.is_finite() && before(other.partner, self.partner)) {
            return self;
        }
        other
    }
}

/// Neither gravity nor growth: four neighbors at once where the processor can.
mod uniform_motion {
    use super::{BoundaryProximity, HardSpheres, PredictedCollision};
    use crate::event_driven::contact_time_simd::{ContactPredictionMode, time_of_contact};
    #[cfg(target_arch = "x86_64")]
    use crate::event_driven::contact_time_simd::{FirstOfFour, LANES, first_of_four};

    struct PredictionModeFlags<const FRESH: bool, const SEAM: bool>;

    impl<const FRESH: bool, const SEAM: bool> ContactPredictionMode
        for PredictionModeFlags<FRESH, SEAM>
    {
        const SYNCHRONIZED: bool = FRESH;
        const ACROSS_PERIODIC: bool = SEAM;
    }

    #[inline]
    pub fn earliest_collision<const D: usize>(
        bodies: &HardSpheres<D>,
        body: u32,
        neighbors: &[u32],
        now: f64,
        surroundings: BoundaryProximity,
        best: PredictedCollision,
        before: impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        let fresh = bodies.records[body as usize].clock == now;
        match (fresh, surroundings) {
            (true, BoundaryProximity::NearFaces) => {
                earliest_in_mode::<D, PredictionModeFlags<true, true>>(
                    bodies, body, neighbors, now, best, before,
                )
            }
            (true, BoundaryProximity::Interior) => {
                earliest_in_mode::<D, PredictionModeFlags<true, false>>(
                    bodies, body, neighbors, now, best, before,
                )
            }
            (false, BoundaryProximity::NearFaces) => {
                earliest_in_mode::<D, PredictionModeFlags<false, true>>(
                    bodies, body, neighbors, now, best, before,
                )
            }
            (false, BoundaryProximity::Interior) => {
                earliest_in_mode::<D, PredictionModeFlags<false, false>>(
                    bodies, body, neighbors, now, best, before,
                )
            }
        }
    }

    #[inline(always)]
    fn earliest_in_mode<const D: usize, V: ContactPredictionMode>(
        bodies: &HardSpheres<D>,
        body: u32,
        neighbors: &[u32],
        now: f64,
        best: PredictedCollision,
        before: impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        #[cfg(target_arch = "x86_64")]
        if bodies.has_avx2_fma {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { earliest_avx2::<D, V>(bodies, body, neighbors, now, best, before) };
        }
        earliest_scalar::<D, V>(bodies, body, neighbors, now, best, before)
    }

    fn earliest_scalar<const D: usize, V: ContactPredictionMode>(
        bodies: &HardSpheres<D>,
        body: u32,
        neighbors: &[u32],
        now: f64,
        best: PredictedCollision,
        before: impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        let me = bodies.records[body as usize];
        bodies.earliest_collision_by(neighbors, best, before, |other| {
            let other = &bodies.records[other as usize];
            time_of_contact::<D, V>(&me, other, bodies.growth.value, now, &bodies.images)
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn earliest_avx2<const D: usize, V: ContactPredictionMode>(
        bodies: &HardSpheres<D>,
        body: u32,
        neighbors: &[u32],
        now: f64,
        mut best: PredictedCollision,
        before: impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        let me = bodies.records[body as usize];
        let scale = bodies.growth.value;
        for start in (0..neighbors.len()).step_by(LANES) {
            // A body never meets itself.
            let mut partners = [body; LANES];
            match neighbors[start..].first_chunk::<LANES>() {
                Some(four) => partners = *four,
                None => {
                    for (k, &partner) in neighbors[start..].iter().enumerate() {
                        partners[k] = partner;
                    }
                }
            }
            let others = partners.map(|partner| &bodies.records[partner as usize]);
            match first_of_four::<D, V>(&me, others, scale, now, &bodies.images, best.time) {
                FirstOfFour::None => {}
                FirstOfFour::One(time, k) => {
                    best = PredictedCollision { time, partner: partners[k] }
                }
                FirstOfFour::Tied(times) => {
                    for k in 0..LANES {
                        best = best.earlier_of(
                            PredictedCollision { time: times[k], partner: partners[k] },
                            &before,
                        );
                    }
                }
            }
        }
        best
    }
}
