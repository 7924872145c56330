//! One collision of two discs in both ways.

use super::koti1989::{Koti1989Error, Koti1989Impact, Koti1989Scene};
use super::snapshot::{DiscSnapshot, UndisturbedDiscMotion};
use super::{bonded_method, koti1989_method};
use carom::geometry::Vector;

/// What happened in one of the ways.
#[derive(Clone, Debug)]
pub struct ImpactOutcome {
    /// How long the discs touched.
    pub duration: f64,
    /// The largest force between them.
    pub largest_force: f64,
    /// Pairs of particles, or particles, that touched at the most.
    pub most_contacts: u64,
    /// The speed along the line of centers with which they parted, in parts of that with which they met.
    pub restitution: f64,
    /// The length of the change of momentum of both together, in parts of the reduced mass times the relative speed.
    pub momentum_error: f64,
    /// The energy that came from nowhere, in parts of the energy of the relative motion. In the old way the work of the
    /// prescribed force is not counted as such, and reported by itself.
    pub energy_error: f64,
    /// The work of the prescribed force, in the same parts; zero in the right way.
    pub work: f64,
    /// The speed of longitudinal waves along the grid.
    pub wave_speed: f64,
    /// The discs at the moments of [`MOMENTS`](super::snapshot::MOMENTS), as far as they came.
    pub snapshots: Vec<DiscSnapshot>,
    /// Energy and force over the time, one row for each of some moments.
    pub samples: Vec<ImpactSample>,
}

/// A moment of a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactSample {
    /// The time since the discs touched.
    pub time: f64,
    /// The force between them.
    pub force: f64,
    /// Energy of motion of both.
    pub kinetic_energy: f64,
    /// Energy in their springs.
    pub bond_energy: f64,
}

/// A collision in both ways.
#[derive(Clone, Debug)]
pub struct DiscCollision {
    /// What was run.
    pub scene: Koti1989Scene,
    /// What the thesis prescribes.
    pub impact: Koti1989Impact,
    /// In the way of the thesis.
    pub koti1989: ImpactOutcome,
    /// With diagonal springs, a stable step and contact of surfaces.
    pub bonded: ImpactOutcome,
}

impl DiscCollision {
    /// Both outcomes with the name of their way.
    pub fn ways(&self) -> [(&'static str, &ImpactOutcome); 2] {
        [("thesis", &self.koti1989), ("right", &self.bonded)]
    }
}

/// Runs the first collision of a scene in both ways; refused if there is none.
pub fn measure(scene: &Koti1989Scene) -> Result<DiscCollision, Koti1989Error> {
    let (old, start) = koti1989_method::run(scene)?;
    let right = bonded_method::run(scene, &start)?;
    Ok(DiscCollision { scene: scene.clone(), impact: start.impact, koti1989: old, bonded: right })
}

/// The two discs when they touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactStart {
    /// Their numbers in the file, from zero.
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

    /// Restitution along the line of centers, from the velocities of both discs after the collision.
    pub(super) fn restitution(&self, after: [Vector<2>; 2]) -> f64 {
        (after[1] - after[0]).dot(&self.line_of_centers())
            / self.relative_velocity().dot(&self.line_of_centers())
    }

    /// The change of momentum by masses and velocities after the collision.
    pub(super) fn momentum_error(&self, masses: [f64; 2], after: [Vector<2>; 2]) -> f64 {
        let change =
            |side: usize| (after[side] - Vector::from(self.motions[side].velocity)) * masses[side];
        (change(0) + change(1)).norm() / (self.impact.mass * self.relative_velocity().norm())
    }
}
