//! One collision of two discs by both methods.

use super::koti1989::{Koti1989Error, Koti1989Impact, Koti1989Scene};
use super::snapshot::{ImpactHistory, UndisturbedDiscMotion};
use super::{bonded_method, koti1989_method};
use crate::records::{Record, record};
use carom::geometry::Vector;

/// The outcome of a collision by one of the methods.
#[derive(Clone, Debug)]
pub struct ImpactOutcome {
    /// Duration and largest force, how many particles or pairs of them touched at the most, the speed along the line of
    /// centers after the impact in parts of that before, the work of the prescribed force, the energy that came from
    /// nowhere, the momentum lost, and the speed of longitudinal waves along the grid.
    pub measured: Record,
    /// Snapshots and rows of the collision.
    pub history: ImpactHistory,
}

/// A collision by both methods.
#[derive(Clone, Debug)]
pub struct DiscCollision {
    /// The scene of the collision.
    pub scene: Koti1989Scene,
    /// Duration and force that the thesis prescribes.
    pub impact: Koti1989Impact,
    /// Outcome by the 1989 method.
    pub koti1989: ImpactOutcome,
    /// Outcome by the bonded engine, with diagonal springs, a stable time step and surface contact.
    pub bonded: ImpactOutcome,
}

impl DiscCollision {
    /// Both outcomes.
    pub fn outcomes(&self) -> [&ImpactOutcome; 2] {
        [&self.koti1989, &self.bonded]
    }
}

/// Runs the first collision of a scene by both methods; refused if there is none.
pub fn measure(scene: &Koti1989Scene) -> Result<DiscCollision, Koti1989Error> {
    let (old, start) = koti1989_method::run(scene)?;
    let right = bonded_method::run(scene, &start)?;
    Ok(DiscCollision { scene: scene.clone(), impact: start.impact, koti1989: old, bonded: right })
}

/// The two discs when they touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactStart {
    /// Numbers of the objects in the file, from zero.
    pub objects: [usize; 2],
    pub impact: Koti1989Impact,
    pub motions: [UndisturbedDiscMotion; 2],
}

impl ImpactStart {
    /// The unit vector from the first center to the second.
    pub(super) fn line_of_centers(&self) -> Vector<2> {
        let [one, two] = self.motions.map(|flight| Vector::from(flight.center));
        (two - one).normalize()
    }

    /// The velocity of the first as seen from the second.
    pub(super) fn relative_velocity(&self) -> Vector<2> {
        let [one, two] = self.motions.map(|flight| Vector::from(flight.velocity));
        one - two
    }

    /// The energy of the relative motion.
    pub(super) fn relative_energy(&self) -> f64 {
        0.5 * self.impact.mass * self.relative_velocity().norm_squared()
    }

    /// What the masses and velocities of both discs after the collision say: the restitution along the line of centers,
    /// and the length of the change of momentum of both together, in parts of the reduced mass times the relative speed.
    /// Work and gained energy are in parts of the energy of the relative motion.
    pub(super) fn balance(
        &self,
        masses: [f64; 2],
        after: [Vector<2>; 2],
        [work, gained]: [f64; 2],
    ) -> Record {
        let along = |velocity: Vector<2>| velocity.dot(&self.line_of_centers());
        let [one, two] = [0, 1]
            .map(|side| (after[side] - Vector::from(self.motions[side].velocity)) * masses[side]);
        let momentum = self.impact.mass * self.relative_velocity().norm();
        record! {
            "restitution": along(after[1] - after[0]) / along(self.relative_velocity()),
            "work of prescribed force": work / self.relative_energy(),
            "energy from nowhere": gained / self.relative_energy(),
            "momentum lost": (one + two).norm() / momentum,
        }
    }
}
