//! Two discs at a moment of their collision.

use carom::geometry::Vector;

/// A particle of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Which disc, from zero.
    pub object: usize,
    /// Where it was before the collision, from the centre of the disc in spacings.
    pub site: [i32; 2],
    /// Where it is.
    pub place: [f64; 2],
    /// How far it is from where it would be without the collision.
    pub displaced: f64,
    /// How much its velocity differs from that of the disc before.
    pub disturbed: f64,
}

/// All particles at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The time since the discs touched, in times that a longitudinal wave takes to cross a disc.
    pub crossings: f64,
    /// The spacing of each disc.
    pub spacings: [f64; 2],
    /// All particles.
    pub spots: Vec<Spot>,
}

impl Snapshot {
    /// The largest disturbance.
    pub fn most_disturbed(&self) -> f64 {
        self.spots.iter().map(|spot| spot.disturbed).fold(0.0, f64::max)
    }

    /// The farthest displacement, in spacings.
    pub fn farthest(&self) -> f64 {
        let spacings = self.spots.iter().map(|spot| spot.displaced / self.spacings[spot.object]);
        spacings.fold(0.0, f64::max)
    }
}

/// When snapshots are taken, in times that a wave takes to cross a disc.
pub const MOMENTS: [f64; 2] = [0.45, 0.9];

/// How a disc moves while nothing happens to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// Its centre when the discs touch.
    pub centre: [f64; 2],
    /// Its velocity.
    pub velocity: [f64; 2],
    /// Its spacing.
    pub spacing: f64,
}

impl Flight {
    /// A particle of the disc some time after the discs touched.
    pub(super) fn spot(
        &self,
        object: usize,
        site: [i32; 2],
        (place, velocity): (Vector<2>, Vector<2>),
        time: f64,
    ) -> Spot {
        let expected = Vector::from([0, 1].map(|axis| {
            let start = self.centre[axis] + f64::from(site[axis]) * self.spacing;
            start + self.velocity[axis] * time
        }));
        Spot {
            object,
            site,
            place: place.into(),
            displaced: (place - expected).norm(),
            disturbed: (velocity - Vector::from(self.velocity)).norm(),
        }
    }
}
