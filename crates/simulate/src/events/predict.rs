//! The inner loop: which neighbour does a body meet first.

use super::bodies::Bodies;
use super::schedule::NOTHING;
use carom_scene::scene::Side;

/// The neighbour met first and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    pub time: f64,
    pub partner: u32,
}

/// What is around a body and its neighbours beside other bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// All neighbours are on this side of every end, and the body meets none of these soon.
    Clear,
    /// It may meet a wall or a seam, and see neighbours through a seam.
    NearEnds,
}

impl<const D: usize> Bodies<D> {
    /// Improves `best` by the neighbours that `body` meets earlier. Equal times go to the neighbour
    /// that `before` puts first.
    #[inline]
    pub fn earliest_meeting(
        &self,
        body: u32,
        neighbours: &[u32],
        now: f64,
        surroundings: Surroundings,
        best: Meeting,
        before: impl Fn(u32, u32) -> bool,
    ) -> Meeting {
        if !self.straight {
            return self.earliest_by(neighbours, best, before, |other| {
                self.time_of_contact(body, other, now)
            });
        }
        straight::earliest(self, body, neighbours, now, surroundings, best, before)
    }

    /// Whether a body is farther than `reach` from all walls and seams.
    #[inline]
    pub fn is_clear(&self, body: u32, now: f64, reach: f64) -> bool {
        let position = self.position_at(body, now);
        (0..D).all(|axis| {
            (position[axis] > reach) & (position[axis] < self.region.size[axis] - reach)
                || self.region.sides[axis] == Side::Open
        })
    }

    #[inline(always)]
    fn earliest_by(
        &self,
        neighbours: &[u32],
        mut best: Meeting,
        before: impl Fn(u32, u32) -> bool,
        time_of: impl Fn(u32) -> f64,
    ) -> Meeting {
        for &partner in neighbours {
            best = best.or(Meeting { time: time_of(partner), partner }, &before);
        }
        best
    }
}

impl Meeting {
    /// Never and with nobody.
    pub const NONE: Meeting = Meeting { time: f64::INFINITY, partner: NOTHING };

    #[inline(always)]
    fn or(self, other: Meeting, before: &impl Fn(u32, u32) -> bool) -> Meeting {
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

/// Neither gravity nor growth: four neighbours at once where the processor can.
mod straight {
    use super::{Bodies, Meeting, Surroundings};
    #[cfg(target_arch = "x86_64")]
    use crate::events::lanes::{FirstOfFour, LANES, first_of_four};
    use crate::events::lanes::{View, time_of_contact};

    struct Freshly<const FRESH: bool, const SEAM: bool>;

    impl<const FRESH: bool, const SEAM: bool> View for Freshly<FRESH, SEAM> {
        const FRESH: bool = FRESH;
        const SEAM: bool = SEAM;
    }

    #[inline]
    pub fn earliest<const D: usize>(
        bodies: &Bodies<D>,
        body: u32,
        neighbours: &[u32],
        now: f64,
        surroundings: Surroundings,
        best: Meeting,
        before: impl Fn(u32, u32) -> bool,
    ) -> Meeting {
        let fresh = bodies.records[body as usize].clock == now;
        match (fresh, surroundings) {
            (true, Surroundings::NearEnds) => {
                seen::<D, Freshly<true, true>>(bodies, body, neighbours, now, best, before)
            }
            (true, Surroundings::Clear) => {
                seen::<D, Freshly<true, false>>(bodies, body, neighbours, now, best, before)
            }
            (false, Surroundings::NearEnds) => {
                seen::<D, Freshly<false, true>>(bodies, body, neighbours, now, best, before)
            }
            (false, Surroundings::Clear) => {
                seen::<D, Freshly<false, false>>(bodies, body, neighbours, now, best, before)
            }
        }
    }

    #[inline(always)]
    fn seen<const D: usize, V: View>(
        bodies: &Bodies<D>,
        body: u32,
        neighbours: &[u32],
        now: f64,
        best: Meeting,
        before: impl Fn(u32, u32) -> bool,
    ) -> Meeting {
        #[cfg(target_arch = "x86_64")]
        if bodies.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { by_fours::<D, V>(bodies, body, neighbours, now, best, before) };
        }
        one_by_one::<D, V>(bodies, body, neighbours, now, best, before)
    }

    fn one_by_one<const D: usize, V: View>(
        bodies: &Bodies<D>,
        body: u32,
        neighbours: &[u32],
        now: f64,
        best: Meeting,
        before: impl Fn(u32, u32) -> bool,
    ) -> Meeting {
        let me = bodies.records[body as usize];
        bodies.earliest_by(neighbours, best, before, |other| {
            let other = &bodies.records[other as usize];
            time_of_contact::<D, V>(&me, other, bodies.growth.value, now, &bodies.images)
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn by_fours<const D: usize, V: View>(
        bodies: &Bodies<D>,
        body: u32,
        neighbours: &[u32],
        now: f64,
        mut best: Meeting,
        before: impl Fn(u32, u32) -> bool,
    ) -> Meeting {
        let me = bodies.records[body as usize];
        let scale = bodies.growth.value;
        for start in (0..neighbours.len()).step_by(LANES) {
            // A body never meets itself.
            let mut partners = [body; LANES];
            match neighbours[start..].first_chunk::<LANES>() {
                Some(four) => partners = *four,
                None => {
                    for (k, &partner) in neighbours[start..].iter().enumerate() {
                        partners[k] = partner;
                    }
                }
            }
            let others = partners.map(|partner| &bodies.records[partner as usize]);
            match first_of_four::<D, V>(&me, others, scale, now, &bodies.images, best.time) {
                FirstOfFour::None => {}
                FirstOfFour::One(time, k) => best = Meeting { time, partner: partners[k] },
                FirstOfFour::Tied(times) => {
                    for k in 0..LANES {
                        best = best.or(Meeting { time: times[k], partner: partners[k] }, &before);
                    }
                }
            }
        }
        best
    }
}
