//! Two discs at a moment of their collision.

use carom::geometry::Vector;

/// A particle of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotParticle {
    /// Which disc, from zero.
    pub object: usize,
    /// Where it was before the collision, from the center of the disc in spacings.
    pub site: [i32; 2],
    /// Where it is.
    pub position: [f64; 2],
    /// How far it is from where it would be without the collision.
    pub displacement: f64,
    /// How much its velocity differs from that of the disc before.
    pub velocity_disturbance: f64,
}

/// All particles at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscSnapshot {
    /// The time since the discs touched, in times that a longitudinal wave takes to cross a disc.
    pub crossings: f64,
    /// The spacing of each disc.
    pub spacings: [f64; 2],
    /// All particles.
    pub particles: Vec<SnapshotParticle>,
}

impl DiscSnapshot {
    /// The largest disturbance.
    pub fn most_disturbed(&self) -> f64 {
        self.particles.iter().map(|spot| spot.velocity_disturbance).fold(0.0, f64::max)
    }
}

/// When snapshots are taken, in times that a wave takes to cross a disc.
pub const MOMENTS: [f64; 2] = [0.45, 0.9];

/// How a disc moves while nothing happens to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct UndisturbedDiscMotion {
    /// Its center when the discs touch.
    pub center: [f64; 2],
    /// Its velocity.
    pub velocity: [f64; 2],
    /// Its spacing.
    pub spacing: f64,
}

impl UndisturbedDiscMotion {
    /// A particle of the disc some time after the discs touched.
    pub(super) fn snapshot_particle(
        &self,
        object: usize,
        site: [i32; 2],
        (place, velocity): (Vector<2>, Vector<2>),
        time: f64,
    ) -> SnapshotParticle {
        let expected = Vector::from([0, 1].map(|axis| {
            let start = self.center[axis] + f64::from(site[axis]) * self.spacing;
            start + self.velocity[axis] * time
        }));
        SnapshotParticle {
            object,
            site,
            position: place.into(),
            displacement: (place - expected).norm(),
            velocity_disturbance: (velocity - Vector::from(self.velocity)).norm(),
        }
    }
}
