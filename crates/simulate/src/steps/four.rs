//! What four contacts do, side by side in wide registers.
//!
//! Nearly all contacts of a dense bed go on from step to step; these are taken four at a time if they
//! follow one law.

use super::body::Motion;
use super::forces::Tally;
use super::law::{Arrow, ContactLaw, Four, LANES, Lasting, Number, Push, reduced_radius};
use super::row::Row;
use carom_geometry::Vector;

/// Four bodies side by side.
struct Bodies {
    place: Arrow<Four>,
    radius: Four,
    velocity: Arrow<Four>,
    spin: Arrow<Four>,
    velocity_change: Arrow<Four>,
    spin_change: Arrow<Four>,
    lightness: Four,
    agility: Four,
}

/// Four vectors side by side.
#[inline(always)]
fn vectors(all: [&Vector<3>; LANES]) -> Arrow<Four> {
    Arrow(std::array::from_fn(|axis| Four(all.map(|vector| vector[axis]))))
}

impl Bodies {
    #[inline(always)]
    fn new(places: [&Row; LANES], motions: [&Motion; LANES]) -> Self {
        Bodies {
            place: vectors(places.map(|place| &place.vector)),
            radius: Four(places.map(|place| place.fourth)),
            velocity: vectors(motions.map(|motion| &motion.velocity.vector)),
            spin: vectors(motions.map(|motion| &motion.spin.vector)),
            velocity_change: vectors(motions.map(|motion| &motion.velocity_change.vector)),
            spin_change: vectors(motions.map(|motion| &motion.spin_change.vector)),
            lightness: Four(motions.map(Motion::lightness)),
            agility: Four(motions.map(Motion::agility)),
        }
    }
}

/// What contacts amount to, each lane by itself.
#[derive(Default)]
pub(super) struct FourTally {
    contacts: u64,
    lost: [Four; 2],
    virial: Four,
    deepest: Four,
}

impl FourTally {
    /// Adds all lanes, in their order.
    pub(super) fn add_to(&self, tally: &mut Tally) {
        tally.contacts += self.contacts;
        for lane in 0..LANES {
            tally.lost[0] += self.lost[0].0[lane];
            tally.lost[1] += self.lost[1].0[lane];
            tally.virial += self.virial.0[lane];
            tally.deepest = tally.deepest.max(self.deepest.0[lane]);
        }
    }
}

/// Forces on the first body of each contact, and torques on both.
pub(super) struct FourPushed {
    force: Arrow<Four>,
    torque: Arrow<Four>,
    other_torque: Arrow<Four>,
}

impl FourPushed {
    /// The force and the torques of one lane.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> [Vector<3>; 3] {
        let vector = |arrow: &Arrow<Four>| Vector::from(arrow.0.map(|along| along.0[lane]));
        [vector(&self.force), vector(&self.torque), vector(&self.other_torque)]
    }
}

/// The bodies of four contacts: where they are, how they move, and the periods between them.
pub(super) struct FourContacts<'a> {
    pub places: [[&'a Row; LANES]; 2],
    pub motions: [[&'a Motion; LANES]; 2],
    pub images: [&'a Vector<3>; LANES],
}

impl FourContacts<'_> {
    /// What the contacts do; they must have touched a step ago and do so now.
    #[inline(always)]
    pub(super) fn push(
        &self,
        law: &ContactLaw,
        memories: [&mut Vector<3>; LANES],
        step: f64,
        tally: &mut FourTally,
    ) -> FourPushed {
        let one = Bodies::new(self.places[0], self.motions[0]);
        let two = Bodies::new(self.places[1], self.motions[1]);
        let way = two.place.minus(&one.place).plus(&vectors(self.images));
        let distance = way.dot(&way).sqrt();
        // Bodies at one place have no direction; the smallest number makes it zero.
        let normal = way.times(Four::of(1.0) / (distance + Four::of(f64::MIN_POSITIVE)));
        let overlap = one.radius + two.radius - distance;
        // From each centre to the middle of the overlap; both together are the distance.
        let half = Four::of(0.5) * overlap;
        let (arm, other_arm) = (one.radius - half, two.radius - half);
        let turning = one.spin.times(arm).plus(&two.spin.times(other_arm));
        let turning_change = one.spin_change.times(arm).plus(&two.spin_change.times(other_arm));
        let lightness = one.lightness + two.lightness;
        let touch = Lasting {
            normal,
            velocity: one.velocity.minus(&two.velocity).plus(&turning.cross(&normal)),
            change: (one.velocity_change.minus(&two.velocity_change))
                .plus(&turning_change.cross(&normal)),
            overlap,
            lightness,
            give: lightness + arm * arm * one.agility + other_arm * other_arm * two.agility,
        };
        let radius = || reduced_radius([one.radius, two.radius]);
        let mut memory = vectors(memories.each_ref().map(|memory| &**memory));
        let elastic = law.elastic(overlap, lightness, radius);
        let approach = touch.approach(&elastic, step);
        let Push { pressing, across, lost } =
            law.press(&touch, elastic, approach, &mut memory, step);
        for (lane, old) in memories.into_iter().enumerate() {
            *old = Vector::from(memory.0.map(|along| along.0[lane]));
        }
        let force = across.minus(&normal.times(pressing));
        tally.contacts += LANES as u64;
        tally.lost = [tally.lost[0] + lost[0], tally.lost[1] + lost[1]];
        tally.virial = tally.virial - force.dot(&way);
        let smaller = one.radius.choose(two.radius, two.radius, one.radius);
        tally.deepest = tally.deepest.max(overlap / smaller);
        let turn = normal.cross(&across);
        FourPushed { force, torque: turn.times(arm), other_torque: turn.times(other_arm) }
    }
}
