//! Collision prediction, the inner loop: which neighbor a body collides with first.

use super::hard_spheres::HardSpheres;
use super::schedule::NO_PARTNER;
use crate::BoundaryCondition;

/// The earliest collision of a body: its time and its partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedCollision {
    pub time: f64,
    pub partner: u32,
}

/// Whether faces of the box matter to a body and its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundaryProximity {
    /// No neighbor is seen through a periodic face, and the body's neighbors change before it reaches a face.
    Interior,
    /// The body may reach a wall or a periodic face, or see neighbors through one.
    NearFaces,
}

impl<const D: usize> HardSpheres<D> {
    /// Returns the earliest of `best` and the collisions of `body` with its neighbors. Equal times go to the
    /// neighbor that `before` puts first.
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

    /// Returns whether a body is farther than `reach` from all walls and periodic faces.
    #[inline]
    pub fn is_interior(&self, body: u32, now: f64, reach: f64) -> bool {
        let position = self.position_at(body, now);
        (0..D).all(|axis| {
            // `&` instead of `&&`: the outcome is not predictable, so nothing branches on it.
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
    /// No collision: an infinite time and no partner.
    pub const NONE: PredictedCollision =
        PredictedCollision { time: f64::INFINITY, partner: NO_PARTNER };

    #[inline(always)]
    fn earlier_of(
        self,
        other: PredictedCollision,
        before: &impl Fn(u32, u32) -> bool,
    ) -> PredictedCollision {
        // Ties are decided by body numbers. If the order of the list decided, collisions would depend on
        // the neighbor structure.
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

/// Prediction on straight paths with constant radii, for four neighbors at once where there is AVX2.
mod uniform_motion {
    use super::{BoundaryProximity, HardSpheres, PredictedCollision};
    use crate::event_driven::contact_time_simd::{ContactPredictionMode, time_of_contact};
    #[cfg(target_arch = "x86_64")]
    use crate::event_driven::contact_time_simd::{FirstOfFour, first_of_four};
    #[cfg(target_arch = "x86_64")]
    use carom_geometry::simd::F64_LANES;

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
        if bodies.avx2.is_some() {
            #[allow(unsafe_code)]
            // SAFETY: `avx2` is proof that the processor has these instructions.
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
        for start in (0..neighbors.len()).step_by(F64_LANES) {
            // Unused lanes hold the body itself: its relative velocity is zero, so it never collides.
            let mut partners = [body; F64_LANES];
            match neighbors[start..].first_chunk::<F64_LANES>() {
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
                    for k in 0..F64_LANES {
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

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::Region;
    use crate::event_driven::body::Body;
    use crate::event_driven::hard_spheres::RadiusScale;
    use crate::event_driven::settings::Settings;
    use carom_geometry::Vector;
    use carom_geometry::random::SplitMix64;

    /// Bodies on a coarse lattice of positions and velocities, so that equal times are common.
    fn bodies(count: usize) -> HardSpheres<3> {
        let mut random = SplitMix64::new(11);
        let mut coarse = |steps: u64| (random.bits() % steps) as f64;
        let records = (0..count).map(|_| Body {
            position: Vector::from([coarse(8), coarse(8), coarse(8)]),
            velocity: Vector::from([coarse(5) - 2.0, coarse(5) - 2.0, coarse(3) - 1.0]),
            clock: 0.5 * coarse(2),
            radius: 0.25,
        });
        let region =
            Region { size: [8.0; 3].into(), boundary_conditions: [BoundaryCondition::Periodic; 3] };
        let settings = Settings::new(region);
        HardSpheres::new(records.collect(), &settings, RadiusScale::CONSTANT, Vec::new())
    }

    #[test]
    fn four_lanes_predict_what_one_does_for_any_number_of_neighbors() {
        let wide = bodies(40);
        if wide.avx2.is_none() {
            return;
        }
        let plain = HardSpheres { avx2: None, ..wide.clone() };
        let neighbors: Vec<u32> = (1..40).collect();
        let before = |a: u32, b: u32| a < b;
        let mut found = 0;
        for (now, count) in [0.0, 0.5].into_iter().flat_map(|now| (0..40).map(move |n| (now, n))) {
            for proximity in [BoundaryProximity::Interior, BoundaryProximity::NearFaces] {
                let earliest = |bodies: &HardSpheres<3>| {
                    let neighbors = &neighbors[..count];
                    let none = PredictedCollision::NONE;
                    bodies.earliest_collision(0, neighbors, now, proximity, none, before)
                };
                let (wide, plain) = (earliest(&wide), earliest(&plain));
                let bits = |it: PredictedCollision| (it.time.to_bits(), it.partner);
                assert_eq!(bits(wide), bits(plain), "{count} neighbors at {now}, {proximity:?}");
                found += u32::from(wide.partner != NO_PARTNER);
            }
        }
        assert!(found > 40, "too few collisions to compare: {found}");
    }
}
