//! A run whose energy grows out of nothing ends with a sentence, instead of with wrong results.

use super::energy::Energy;
use super::simulation::Simulation;
use super::warnings::ContactObstacle;
use crate::Error;

/// What is known of the energy of earlier steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnergyGuard {
    /// The sum of squared speeds, the largest of the last hundred steps or so.
    squared_speed_sum: f64,
    /// When all energies were last looked at.
    reference: Energy,
    /// Whether energy may come from nowhere.
    pub is_off: bool,
}

/// Energies are looked at where the squared speeds of all bodies grow by more than this within a step:
/// whoever is thrown off does so, and else hardly anything, so that looking costs nothing.
const JUMP_RATIO: f64 = 2.0;

/// By this the largest sum of squared speeds fades in a step, so that the trembling of a bed at rest,
/// which is rounding, is not looked at again and again.
const DECAY_PER_STEP: f64 = 0.99;

/// Energies are known to this part of themselves.
const ROUNDING: f64 = 1e-9;

impl EnergyGuard {
    pub(super) fn start(simulation: &Simulation) -> Self {
        EnergyGuard {
            squared_speed_sum: simulation.squared_speed_sum(),
            reference: simulation.energy(),
            is_off: false,
        }
    }
}

impl Simulation {
    /// Lets energy come from nowhere, or not: without this a run ends when more of it appears in a
    /// step than there was.
    pub fn allow_energy_gain(&mut self, force: bool) {
        self.energy_guard.is_off = force;
    }

    fn squared_speed_sum(&self) -> f64 {
        let square = |motion: &super::body::BodyMotion| {
            motion.velocity.vector.norm_squared() + motion.angular_velocity.vector.norm_squared()
        };
        self.bodies.motions.iter().map(square).sum()
    }

    /// Refuses to continue where more energy appeared than there was or was exchanged; `squared_speed_sum` is the
    /// sum of all squared speeds now.
    pub(super) fn check_energy_jump(&mut self, squared_speed_sum: f64) -> Result<(), Error> {
        let before = self.energy_guard.squared_speed_sum;
        self.energy_guard.squared_speed_sum = squared_speed_sum.max(DECAY_PER_STEP * before);
        if self.energy_guard.is_off || squared_speed_sum <= JUMP_RATIO * before {
            return Ok(());
        }
        let now = self.energy();
        let reference = std::mem::replace(&mut self.energy_guard.reference, now);
        let gained = now.total() - reference.total();
        let known = known_energy(&reference, &now);
        match gained > known {
            true => Err(self.energy_jump_error(gained, known)),
            false => Ok(()),
        }
    }

    /// The error that names the fastest body and what it touches.
    fn energy_jump_error(&self, gained: f64, known: f64) -> Error {
        let fastest = (self.bodies.motions.iter().zip(&self.bodies.ids))
            .map(|(motion, &id)| (motion.velocity.vector.norm_squared(), id))
            .max_by(|one, two| one.0.total_cmp(&two.0).then(two.1.cmp(&one.1)));
        let body = fastest.map_or(0, |(_, id)| id);
        let contact = match self.neighbors.contact_history(&self.bodies).last_contact(body) {
            Some(into @ ContactObstacle::Body(_)) => format!("touches {into}"),
            Some(into @ ContactObstacle::Wall(_)) => format!("is in {into}"),
            None => "touches nothing".to_owned(),
        };
        let body = format!("body {body}");
        Error::EnergyJump { body, time: self.now(), contact, gained, known }
    }
}

/// All energy that was there, was given or fell since, and what rounding may hide of the rest. What was lost comes out
/// of that: a loss that is larger is itself out of nothing, and excuses no gain.
fn known_energy(reference: &Energy, now: &Energy) -> f64 {
    let there =
        reference.kinetic_energy + reference.rotational_energy + reference.contact_energy.abs();
    let exchanged = (now.external_work - reference.external_work).abs()
        + (now.potential_energy - reference.potential_energy).abs();
    let all = now.potential_energy.abs()
        + reference.damping_loss
        + reference.friction_loss
        + now.external_work.abs();
    there + exchanged + ROUNDING * all
}
