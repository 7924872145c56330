//! The energy guard: a run that creates energy out of nothing ends with an error instead of wrong results.

use super::contact_law::ContactLaw;
use super::energy::Energy;
use super::simulation::Simulation;
use crate::ContactObstacle;
use crate::Error;

/// The energy of earlier steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnergyGuard {
    /// Decaying maximum of the sum of squared speeds, over about the last hundred steps.
    squared_speed_sum: f64,
    /// The energy balance when it was last computed.
    reference: Energy,
    /// Whether the guard is switched off.
    pub is_off: bool,
}

/// Growth of the sum of squared speeds within a step at which the energy balance is computed. A body that is
/// thrown off exceeds it and hardly anything else does, so that the guard costs next to nothing.
const JUMP_RATIO: f64 = 2.0;

/// Decay per step of the maximum sum of squared speeds, so that rounding noise of a bed at rest does not
/// trigger the guard again and again.
const DECAY_PER_STEP: f64 = 0.99;

/// Relative rounding error of energies.
const ROUNDING: f64 = 1e-9;

impl EnergyGuard {
    pub(super) fn start<const D: usize, L: ContactLaw>(
        simulation: &Simulation<D, L>,
    ) -> Result<Self, Error> {
        Ok(EnergyGuard {
            squared_speed_sum: simulation.squared_speed_sum(),
            reference: simulation.checked_energy()?,
            is_off: false,
        })
    }
}

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Switches the energy guard off (`true`) or on. While it is on, a run ends with an error when more energy
    /// appears in a step than there was.
    pub fn allow_energy_gain(&mut self, force: bool) {
        self.energy_guard.is_off = force;
    }

    /// Returns the present energy balance; errors if the energy that contacts store is not finite.
    fn checked_energy(&self) -> Result<Energy, Error> {
        let energy = self.energy();
        let value = energy.contact_energy;
        match value.is_finite() {
            true => Ok(energy),
            false => {
                let what = "contacts a stored energy".to_owned();
                Err(Error::ContactForce { what, value, time: self.now() })
            }
        }
    }

    fn squared_speed_sum(&self) -> f64 {
        let square = |motion: &super::body::BodyMotion| {
            motion.velocity.norm_squared() + motion.angular_velocity.norm_squared()
        };
        self.bodies.motions.iter().map(square).sum()
    }

    /// Refuses to continue where more energy appeared than there was or was exchanged; `squared_speed_sum` is
    /// the present sum of all squared speeds.
    pub(super) fn check_energy_jump(&mut self, squared_speed_sum: f64) -> Result<(), Error> {
        let before = self.energy_guard.squared_speed_sum;
        // The reference decays slowly: bodies at rest have speeds that fluctuate by large factors.
        self.energy_guard.squared_speed_sum = squared_speed_sum.max(DECAY_PER_STEP * before);
        // Energy is computed only after a jump of the speeds, which the step sums anyway.
        if self.energy_guard.is_off || squared_speed_sum <= JUMP_RATIO * before {
            return Ok(());
        }
        let now = self.checked_energy()?;
        let reference = std::mem::replace(&mut self.energy_guard.reference, now);
        let gained = now.total() - reference.total();
        let known = known_energy(&reference, &now);
        match gained > known {
            true => Err(self.energy_jump_error(gained, known)),
            false => Ok(()),
        }
    }

    /// Returns the error that names the fastest body and what it touches.
    fn energy_jump_error(&self, gained: f64, known: f64) -> Error {
        let fastest = (self.bodies.motions.iter().zip(&self.bodies.ids))
            .map(|(motion, &id)| (motion.velocity.norm_squared(), id))
            .max_by(|one, two| one.0.total_cmp(&two.0).then(two.1.cmp(&one.1)));
        let body = fastest.map_or(0, |(_, id)| id);
        let history = self.neighbors.contact_history(&self.bodies);
        let contact = match history.last_contact(body).map(|touched| self.with_id(touched)) {
            Some(into @ ContactObstacle::Body(_)) => format!("touches {into}"),
            Some(into @ ContactObstacle::Wall(_)) => format!("is in {into}"),
            None => "touches nothing".to_owned(),
        };
        let body = format!("body {}", self.body_ids.id(body));
        Error::EnergyJump { body, time: self.now(), contact, gained, known }
    }
}

/// Returns all energy that was there or was exchanged since with walls and gravity, plus a bound on rounding.
/// Losses since do not count: they come out of this energy, and a larger loss is itself out of nothing.
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
