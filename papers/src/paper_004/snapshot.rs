//! Two discs at a moment of their collision.

use crate::records::{Records, record};
use carom::geometry::Vector;

/// A particle of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapshotParticle {
    /// Which disc, from zero.
    pub object: usize,
    /// Position before the collision relative to the center of the disc, in spacings.
    pub site: [i32; 2],
    /// Present position.
    pub position: [f64; 2],
    /// Distance from its position without the collision.
    pub displacement: f64,
    /// Difference of its velocity from that of the disc before the collision.
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

/// Times of snapshots, in times that a wave takes to cross a disc.
pub const MOMENTS: [f64; 2] = [0.45, 0.9];

/// Records snapshots and rows of an impact.
#[derive(Clone, Debug, Default)]
pub struct ImpactHistory {
    /// The discs at the moments of [`MOMENTS`], as far as they came.
    pub snapshots: Vec<DiscSnapshot>,
    /// Force and energies over the time.
    pub rows: Records,
}

impl ImpactHistory {
    /// Adds force and energies, kinetic and elastic, at a time.
    pub(super) fn add_row(&mut self, way: &str, time: f64, force: f64, energies: [f64; 2]) {
        self.rows.extend([record! {
            "way": way, "time": time, "force": force, "kinetic energy": energies[0],
            "elastic energy": energies[1],
        }]);
    }

    /// Adds a snapshot some time after the discs touched, if it is the moment of one. Each particle has the number of its
    /// disc, its site, its place and its velocity.
    pub(super) fn add_snapshot(
        &mut self,
        motions: &[UndisturbedDiscMotion; 2],
        crossings: f64,
        time: f64,
        particles: impl IntoIterator<Item = (usize, [i32; 2], Vector<2>, Vector<2>)>,
    ) {
        if MOMENTS.get(self.snapshots.len()).is_some_and(|&moment| crossings >= moment) {
            let particle = |(object, site, place, velocity)| {
                let motion: &UndisturbedDiscMotion = &motions[object];
                motion.snapshot_particle(object, site, (place, velocity), time)
            };
            let particles = particles.into_iter().map(particle).collect();
            let spacings = motions.map(|motion| motion.spacing);
            self.snapshots.push(DiscSnapshot { crossings, spacings, particles });
        }
    }
}

/// Uniform motion of a disc before the collision.
#[derive(Clone, Copy, Debug)]
pub(super) struct UndisturbedDiscMotion {
    /// Center of the disc when the discs touch.
    pub center: [f64; 2],
    /// Velocity of the disc.
    pub velocity: [f64; 2],
    /// Lattice spacing of the disc.
    pub spacing: f64,
}

impl UndisturbedDiscMotion {
    /// A particle of the disc some time after the discs touched.
    fn snapshot_particle(
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
