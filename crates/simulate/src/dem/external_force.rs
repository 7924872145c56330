//! Forces from outside: constant ones of single bodies, and functions of the state.

use super::body::ForceTorque;
use super::contact_law::ContactLaw;
use super::simulation::Simulation;
use crate::{Error, State};
use carom_geometry::{Vector, embed_in_3d};

/// A force on every body as a function of the state: adds to the forces, which stand in the order of the bodies.
pub type ForceFunction<const D: usize> = dyn Fn(&State<D>, &mut [Vector<D>]) + Send + Sync;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Adds a force that acts on bodies from now on, as a function of their state: called now and once per time step,
    /// with positions at the present and velocities half a step before. Its work counts as external work.
    ///
    /// Functions are not part of a saved state, but what they did last is: add them again after
    /// [`resume`](Self::resume) and before the next step, and the run continues to the bit. So a force that is new there
    /// acts from the end of that step on.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let start = Body::at_rest([1.0, 0.0], 0.1, 1.0);
    /// let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e3)) };
    /// let mut simulation = Simulation::new(&[start], settings)?;
    /// // A spring to the origin: the period is 2 pi.
    /// simulation.add_force(|state, forces| {
    ///     forces.iter_mut().zip(&state.positions).for_each(|(force, place)| *force -= place);
    /// });
    /// simulation.advance(6283)?;
    /// assert!((simulation.body(0).position.x - 1.0).abs() < 1e-5);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn add_force(
        &mut self,
        force: impl Fn(&State<D>, &mut [Vector<D>]) + Send + Sync + 'static,
    ) {
        let (state, mut forces) = (self.state(), vec![Vector::zeros(); self.body_count()]);
        force(&state, &mut forces);
        self.force_functions.push(Box::new(force));
        // What is not finite is refused by the next step.
        if !self.has_saved_forces
            && forces.iter().all(|force| force.iter().all(|part| part.is_finite()))
        {
            self.add_forces_of_functions(&forces);
        }
    }

    /// Adds the forces from outside to those of contacts, and counts their work.
    pub(super) fn add_external_forces(&mut self) -> Result<(), Error> {
        let before = std::mem::take(&mut self.external_power);
        self.has_saved_forces = false;
        self.sum_external_forces()?;
        // By the trapezoidal rule, as velocity Verlet changes the kinetic energy.
        self.external_work += 0.5 * self.time_step * (before + self.external_power);
        Ok(())
    }

    fn sum_external_forces(&mut self) -> Result<(), Error> {
        if !self.bodies.external.is_empty() {
            let external = std::mem::take(&mut self.bodies.external);
            external.iter().enumerate().for_each(|(index, load)| self.add_load(index, load));
            self.bodies.external = external;
        }
        if self.force_functions.is_empty() {
            return Ok(());
        }
        let state = self.state();
        let mut forces = vec![Vector::zeros(); self.body_count()];
        self.force_functions.iter().for_each(|force| force(&state, &mut forces));
        for (body, force) in forces.iter().enumerate() {
            if let Some(value) = force.iter().find(|value| !value.is_finite()) {
                let (what, value) = ("a force from outside of", value.to_string());
                let body = self.body_ids.id(body as u32) as usize;
                return Err(Error::Body { body, what, value, rule: "it must be finite" });
            }
        }
        self.add_forces_of_functions(&forces);
        Ok(())
    }

    /// Adds forces in the order of the bodies.
    fn add_forces_of_functions(&mut self, forces: &[Vector<D>]) {
        for (body, force) in forces.iter().enumerate() {
            let load = ForceTorque { force: embed_in_3d(force), torque: Vector::zeros() };
            self.add_load(self.index_of_body[body] as usize, &load);
        }
    }

    pub(super) fn add_load(&mut self, index: usize, load: &ForceTorque) {
        let (motion, sum) = (&self.bodies.motions[index], &mut self.bodies.forces_torques[index]);
        sum.force += load.force;
        sum.torque += load.torque;
        // The velocity now, not that of half a step ago.
        let velocity = motion.velocity + motion.velocity_change;
        let power = load.force.dot(&velocity) + load.torque.dot(&motion.current_angular_velocity());
        self.external_power += power * motion.freedom;
    }
}
