//! Forces from outside: constant ones of single bodies, and functions of the state.

use super::body::ForceTorque;
use super::contact_law::ContactLaw;
use super::simulation::Simulation;
use crate::{Error, State, StateArray};
use carom_geometry::{Vector, embed_in_3d};
use rayon::prelude::*;
use std::sync::Arc;

/// A force on every body as a function of the state: adds to the forces, which stand in the order of the bodies. It may
/// keep the state, which is then made again for the next step; otherwise its memory is used again.
pub type ForceFunction<const D: usize> = dyn Fn(&Arc<State<D>>, &mut [Vector<D>]) + Send + Sync;

/// All force functions.
#[derive(Default)]
pub(super) struct ForceFunctions<const D: usize> {
    functions: Vec<Box<ForceFunction<D>>>,
    /// The arrays of the state that any of them reads.
    arrays: Vec<StateArray>,
}

impl<const D: usize> ForceFunctions<D> {
    /// Adds a function that reads these arrays.
    fn add(&mut self, arrays: &[StateArray], function: Box<ForceFunction<D>>) {
        for array in arrays {
            if !self.arrays.contains(array) {
                self.arrays.push(*array);
            }
        }
        self.functions.push(function);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.functions.len()
    }
}

/// What force functions are given, kept from step to step: to fetch as much new memory from the system takes longer than
/// a step of bodies that seldom touch.
#[derive(Default)]
pub(super) struct ForceBuffers<const D: usize> {
    state: Option<Arc<State<D>>>,
    forces: Vec<Vector<D>>,
    /// Power of the force on each body.
    powers: Vec<f64>,
}

/// Bodies in one task of a thread.
const BODIES_PER_TASK: usize = 4096;

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
        self.add_force_reading(&StateArray::ALL, force);
    }

    /// Adds a force as [`add_force_of_shared_state`](Self::add_force_of_shared_state) does, of a function that reads only
    /// these arrays of the state. The others are not made, and empty, unless another force reads them.
    ///
    /// ```
    /// use carom_simulate::StateArray;
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let start = Body::at_rest([1.0, 0.0], 0.1, 1.0);
    /// let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e3)) };
    /// let mut simulation = Simulation::new(&[start], settings)?;
    /// simulation.add_force_reading(&[StateArray::Positions], |state, forces| {
    ///     assert!(state.velocities.is_empty());
    ///     forces.iter_mut().zip(&state.positions).for_each(|(force, place)| *force -= place);
    /// });
    /// simulation.advance(6283)?;
    /// assert!((simulation.body(0).position.x - 1.0).abs() < 1e-5);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn add_force_reading(
        &mut self,
        arrays: &[StateArray],
        force: impl Fn(&Arc<State<D>>, &mut [Vector<D>]) + Send + Sync + 'static,
    ) {
        let mut state = State::default();
        self.read_state(arrays, &mut state);
        let state = Arc::new(state);
        let mut forces = vec![Vector::zeros(); self.body_count()];
        force(&state, &mut forces);
        self.force_functions.add(arrays, Box::new(force));
        // What is not finite is refused by the next step.
        if !self.has_saved_forces
            && forces.iter().all(|force| force.iter().all(|part| part.is_finite()))
        {
            self.add_forces_of_functions(&forces, &mut Vec::new());
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
        let ForceFunctions { functions, arrays } = &self.force_functions;
        if functions.is_empty() {
            return Ok(());
        }
        let mut buffers = std::mem::take(&mut self.force_buffers);
        let mut state = match buffers.state.map(Arc::try_unwrap) {
            Some(Ok(state)) => state,
            _ => State::default(),
        };
        self.read_state(arrays, &mut state);
        let state = Arc::new(state);
        buffers.forces.clear();
        buffers.forces.resize(self.body_count(), Vector::zeros());
        functions.iter().for_each(|force| force(&state, &mut buffers.forces));
        for (body, force) in buffers.forces.iter().enumerate() {
            if let Some(value) = force.iter().find(|value| !value.is_finite()) {
                let (what, value) = ("a force from outside of", value.to_string());
                let body = self.body_ids.id(body as u32) as usize;
                return Err(Error::Body { body, what, value, rule: "it must be finite" });
            }
        }
        self.add_forces_of_functions(&buffers.forces, &mut buffers.powers);
        self.force_buffers = ForceBuffers { state: Some(state), ..buffers };
        Ok(())
    }

    /// Adds forces in the order of the bodies.
    fn add_forces_of_functions(&mut self, forces: &[Vector<D>], powers: &mut Vec<f64>) {
        let load_of = |force| ForceTorque { force: embed_in_3d(force), torque: Vector::zeros() };
        let power_of = |(&index, force)| self.power_of(index as usize, &load_of(force));
        let order = &self.index_of_body;
        match rayon::current_thread_index() {
            Some(_) => (order.par_iter().zip(forces).with_min_len(BODIES_PER_TASK).map(power_of))
                .collect_into_vec(powers),
            None => {
                powers.clear();
                powers.extend(order.iter().zip(forces).map(power_of));
            }
        }
        // One after the other in the order of the bodies, so that the sum does not depend on the number of threads.
        powers.iter().for_each(|power| self.external_power += power);
        for (sum, &body) in self.bodies.forces_torques.iter_mut().zip(&self.bodies.ids) {
            *sum += load_of(&forces[body as usize]);
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
