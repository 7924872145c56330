//! Forces from outside: constant ones of single bodies, and functions of the state.

use super::body::ForceTorque;
use super::contact_law::ContactLaw;
use super::simulation::Simulation;
use crate::{Error, State, StateArray};
use carom_geometry::{Vector, embed_in_3d};
use rayon::prelude::*;
use std::sync::Arc;

/// Forces and torques on all bodies as a function of the state: adds to both, which stand in the order of the bodies. It
/// may keep the state, which is then made again for the next step; otherwise its memory is used again.
pub type ForceFunction<const D: usize> =
    dyn Fn(&Arc<State<D>>, &mut [Vector<D>], &mut [Vector<3>]) + Send + Sync;

/// What force functions are given, kept from step to step: to fetch as much new memory from the system takes longer than
/// a step of bodies that seldom touch.
#[derive(Default)]
pub(super) struct ForceBuffers<const D: usize> {
    state: Option<Arc<State<D>>>,
    forces: Vec<Vector<D>>,
    torques: Vec<Vector<3>>,
    /// Power of the force on each body.
    powers: Vec<f64>,
}

/// Bodies in one task of a thread.
const BODIES_PER_TASK: usize = 4096;

fn is_finite<const N: usize>(vector: &Vector<N>) -> bool {
    vector.iter().all(|part| part.is_finite())
}

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
        self.add_force_of_shared_state(move |state, forces| force(state, forces));
    }

    /// Adds a force as [`add_force`](Self::add_force) does, of a function that may keep the state that it is given.
    pub fn add_force_of_shared_state(
        &mut self,
        force: impl Fn(&Arc<State<D>>, &mut [Vector<D>]) + Send + Sync + 'static,
    ) {
        self.add_force_and_torque(move |state, forces, _| force(state, forces));
    }

    /// Adds a force as [`add_force_of_shared_state`](Self::add_force_of_shared_state) does, of a function that gives
    /// torques, too: about the centers of the bodies, in 2D only about the third axis.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let start = Body::at_rest([1.0, 0.0], 0.5, 2.0);
    /// let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e3)) };
    /// let mut simulation = Simulation::new(&[start], settings)?;
    /// simulation.add_force_and_torque(|_, _, torques| torques[0].z += 0.5);
    /// simulation.advance(1000)?;
    /// // The moment of inertia of a disc is half of its mass times the square of its radius.
    /// assert!((simulation.body(0).angular_velocity.z - 2.0).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn add_force_and_torque(
        &mut self,
        force: impl Fn(&Arc<State<D>>, &mut [Vector<D>], &mut [Vector<3>]) + Send + Sync + 'static,
    ) {
        let state = Arc::new(self.state());
        let mut forces = vec![Vector::zeros(); self.body_count()];
        let mut torques = vec![Vector::zeros(); self.body_count()];
        force(&state, &mut forces, &mut torques);
        self.force_functions.push(Box::new(force));
        // What is not finite is refused by the next step.
        if !self.has_saved_forces && forces.iter().all(is_finite) && torques.iter().all(is_finite) {
            self.add_forces_of_functions(&forces, &torques, &mut Vec::new());
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
        let mut buffers = std::mem::take(&mut self.force_buffers);
        let state = match buffers.state.map(Arc::try_unwrap) {
            Some(Ok(mut state)) => {
                self.read_state(&StateArray::ALL, &mut state);
                Arc::new(state)
            }
            _ => Arc::new(self.state()),
        };
        buffers.forces.clear();
        buffers.forces.resize(self.body_count(), Vector::zeros());
        buffers.torques.clear();
        buffers.torques.resize(self.body_count(), Vector::zeros());
        for force in &self.force_functions {
            force(&state, &mut buffers.forces, &mut buffers.torques);
        }
        self.check_finite("a force from outside of", &buffers.forces)?;
        self.check_finite("a torque from outside of", &buffers.torques)?;
        self.add_forces_of_functions(&buffers.forces, &buffers.torques, &mut buffers.powers);
        self.force_buffers = ForceBuffers { state: Some(state), ..buffers };
        Ok(())
    }

    fn check_finite<const N: usize>(
        &self,
        what: &'static str,
        of_bodies: &[Vector<N>],
    ) -> Result<(), Error> {
        for (body, vector) in of_bodies.iter().enumerate() {
            if let Some(value) = vector.iter().find(|value| !value.is_finite()) {
                let body = self.body_ids.id(body as u32) as usize;
                let value = value.to_string();
                return Err(Error::Body { body, what, value, rule: "it must be finite" });
            }
        }
        Ok(())
    }

    /// Adds forces and torques in the order of the bodies.
    fn add_forces_of_functions(
        &mut self,
        forces: &[Vector<D>],
        torques: &[Vector<3>],
        powers: &mut Vec<f64>,
    ) {
        let load_of = |body: usize| ForceTorque {
            force: embed_in_3d(&forces[body]),
            // A disc that left its plane could not come back.
            torque: if D == 2 { Vector::z() * torques[body].z } else { torques[body] },
        };
        let power_of = |(body, &index)| self.power_of(index as usize, &load_of(body));
        let order = &self.index_of_body;
        match rayon::current_thread_index() {
            Some(_) => {
                let bodies = order.par_iter().enumerate().with_min_len(BODIES_PER_TASK);
                bodies.map(power_of).collect_into_vec(powers);
            }
            None => {
                powers.clear();
                powers.extend(order.iter().enumerate().map(power_of));
            }
        }
        // One after the other in the order of the bodies, so that the sum does not depend on the number of threads.
        powers.iter().for_each(|power| self.external_power += power);
        for (sum, &body) in self.bodies.forces_torques.iter_mut().zip(&self.bodies.ids) {
            *sum += load_of(body as usize);
        }
    }

    pub(super) fn add_load(&mut self, index: usize, load: &ForceTorque) {
        self.external_power += self.power_of(index, load);
        self.bodies.forces_torques[index] += *load;
    }

    fn power_of(&self, index: usize, load: &ForceTorque) -> f64 {
        let motion = &self.bodies.motions[index];
        // The velocity now, not that of half a step ago.
        let velocity = motion.velocity + motion.velocity_change;
        let power = load.force.dot(&velocity) + load.torque.dot(&motion.current_angular_velocity());
        power * motion.freedom
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dem::{Body, CompositeLaw, Settings};

    fn one<const D: usize>() -> Simulation<D> {
        let start = Body::at_rest(Vector::repeat(5.0), 0.5, 2.0);
        let law = CompositeLaw::spring(1e3);
        let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(law) };
        Simulation::new(&[start], settings).unwrap()
    }

    fn turned<const D: usize>(torque: Vector<3>) -> (Vector<3>, f64) {
        let mut simulation = one::<D>();
        simulation.add_force_and_torque(move |_, _, torques| torques[0] += torque);
        simulation.advance(500).unwrap();
        let energy = simulation.energy();
        assert!((energy.rotational_energy - energy.external_work).abs() < 1e-9, "{energy:?}");
        (simulation.body(0).angular_velocity, energy.rotational_energy)
    }

    #[test]
    fn a_torque_turns_a_body_about_its_axis_and_its_work_is_counted() {
        for torque in [[0.3, 0.0, 0.0], [0.0, -0.2, 0.0], [0.1, 0.2, -0.3]].map(Vector::from) {
            // A sphere of mass 2 and radius 1/2.
            let expected = torque * 0.5 / (0.4 * 2.0 * 0.25);
            let (found, energy) = turned::<3>(torque);
            assert!((found - expected).norm() < 1e-9 && energy > 0.0, "{found} {expected}");
            // A disc keeps to its plane.
            let expected = Vector::z() * (torque.z * 0.5 / (0.5 * 2.0 * 0.25));
            let (found, _) = turned::<2>(torque);
            assert!((found - expected).norm() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn a_torque_that_is_not_finite_ends_the_run_with_a_sentence() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut simulation = one::<2>();
            simulation.add_force_and_torque(move |_, _, torques| torques[0].z = bad);
            let sentence = simulation.advance(1).unwrap_err().to_string();
            assert!(sentence.contains("body 0 has a torque from outside of"), "{sentence}");
        }
    }
}
