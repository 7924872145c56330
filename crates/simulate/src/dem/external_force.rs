//! Forces from outside: constant ones of single bodies, and functions of the state.

use super::body::{BodyArrays, BodyMotion, ForceTorque};
use super::contact_law::ContactLaw;
use super::present_bodies::PresentBodies;
use super::simulation::Simulation;
use crate::{Error, State};
use carom_geometry::{Vector, embed_in_3d};
use rayon::prelude::*;
use std::sync::Arc;

/// A force on every body as a function of the bodies at the present moment. It may keep them, which makes the simulation
/// continue with a copy.
pub type ForceFunction<const D: usize> =
    dyn Fn(&Arc<PresentBodies<D>>, &mut ForceSum<'_, D>) + Send + Sync;

/// Bodies in one task of a thread, and in one partial sum of their powers.
const BODIES_PER_TASK: usize = 4096;

/// Where force functions add their forces.
pub struct ForceSum<'a, const D: usize> {
    /// Forces and torques on the bodies, where a single function adds to them; else its forces are summed first.
    loads: Option<Loads<'a>>,
    /// Number of bodies.
    count: usize,
    /// Sum of the forces in the order of the bodies; empty until something is added to it.
    sum: &'a mut Vec<Vector<D>>,
}

/// Forces and torques on bodies in their storage order, which are added to.
struct Loads<'a> {
    bodies: &'a BodyArrays,
    forces_torques: &'a mut [ForceTorque],
    /// Power of what was added.
    power: f64,
    /// The number of a body with a force that is not finite, and a component of it that is not.
    infinite: Option<(usize, f64)>,
}

impl<const D: usize> ForceSum<'_, D> {
    /// Adds a force on each body, in the order of their numbers. Bodies without an element are left as they are.
    ///
    /// It is the quickest way for forces that stand in an array already: the forces of a single function are not copied.
    pub fn add(&mut self, forces: &[Vector<D>]) {
        match &mut self.loads {
            Some(loads) => loads.add(forces),
            None => self.forces_mut().iter_mut().zip(forces).for_each(|(sum, it)| *sum += it),
        }
    }

    /// Returns the sum of the forces of functions on each body, to be added to.
    pub fn forces_mut(&mut self) -> &mut [Vector<D>] {
        self.sum.resize(self.count, Vector::zeros());
        self.sum
    }
}

impl<'a> Loads<'a> {
    fn of(bodies: &'a BodyArrays, forces_torques: &'a mut [ForceTorque]) -> Self {
        Loads { bodies, forces_torques, power: 0.0, infinite: None }
    }

    fn add<const D: usize>(&mut self, forces: &[Vector<D>]) {
        let BodyArrays { motions, ids, .. } = self.bodies;
        let chunks = self
            .forces_torques
            .par_chunks_mut(BODIES_PER_TASK)
            .zip(ids.par_chunks(BODIES_PER_TASK))
            .zip(motions.par_chunks(BODIES_PER_TASK));
        let add = |((loads, ids), motions): ((&mut [ForceTorque], &[u32]), &[BodyMotion])| {
            let mut power = 0.0;
            for ((load, &body), motion) in loads.iter_mut().zip(ids).zip(motions) {
                let Some(force) = forces.get(body as usize) else { continue };
                let added = ForceTorque { force: embed_in_3d(force), torque: Vector::zeros() };
                *load += added;
                power += power_of(motion, &added.force);
            }
            power
        };
        // The powers of each task are summed by themselves and then in the order of the tasks, so that the sum does not
        // depend on the number of threads.
        let power: f64 = match rayon::current_thread_index() {
            Some(_) => chunks.map(add).collect::<Vec<f64>>().into_iter().sum(),
            None => {
                let loads = self.forces_torques.chunks_mut(BODIES_PER_TASK);
                let bodies = ids.chunks(BODIES_PER_TASK).zip(motions.chunks(BODIES_PER_TASK));
                loads.zip(bodies).map(|(loads, (ids, motions))| add(((loads, ids), motions))).sum()
            }
        };
        self.power += power;
        // No power is finite of a force that is not, so that forces need to be looked at only then.
        if !power.is_finite() && self.infinite.is_none() {
            self.infinite = first_infinite(forces);
        }
    }
}

/// Power of a force on a body.
fn power_of(motion: &BodyMotion, force: &Vector<3>) -> f64 {
    // The velocity now, not that of half a step ago.
    force.dot(&(motion.velocity + motion.velocity_change)) * motion.freedom
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
        self.add_force_of_bodies(move |bodies, sum| force(bodies.state(), sum.forces_mut()));
    }

    /// Adds a force as [`add_force`](Self::add_force) does, of a function that gathers only the arrays that it needs and
    /// may have its forces in an array of its own.
    ///
    /// ```
    /// # use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// # let start = Body::at_rest([1.0, 0.0], 0.1, 1.0);
    /// # let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e3)) };
    /// # let mut simulation = Simulation::new(&[start], settings)?;
    /// simulation.add_force_of_bodies(|bodies, sum| {
    ///     let mut positions = vec![[0.0; 2]; bodies.count()];
    ///     bodies.positions_into(&mut positions);
    ///     let forces: Vec<_> = positions.iter().map(|&[x, y]| [-x, -y].into()).collect();
    ///     sum.add(&forces);
    /// });
    /// simulation.advance(6283)?;
    /// assert!((simulation.body(0).position.x - 1.0).abs() < 1e-5);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn add_force_of_bodies(
        &mut self,
        force: impl Fn(&Arc<PresentBodies<D>>, &mut ForceSum<'_, D>) + Send + Sync + 'static,
    ) {
        let (count, mut forces) = (self.body_count(), Vec::new());
        self.with_present_bodies(|bodies| {
            force(bodies, &mut ForceSum { loads: None, count, sum: &mut forces });
        });
        self.force_functions.push(Box::new(force));
        // What is not finite is refused by the next step.
        if !self.has_saved_forces && first_infinite(&forces).is_none() {
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
        let functions = std::mem::take(&mut self.force_functions);
        let mut forces = std::mem::take(&mut self.force_sum);
        forces.clear();
        let mut forces_torques = std::mem::take(&mut self.bodies.forces_torques);
        let (power, infinite) = self.with_present_bodies(|bodies| {
            let is_single = functions.len() == 1;
            let loads = is_single.then(|| Loads::of(&bodies.bodies, &mut forces_torques));
            let mut sum = ForceSum { loads, count: bodies.count(), sum: &mut forces };
            functions.iter().for_each(|force| force(bodies, &mut sum));
            sum.loads.map_or((0.0, None), |loads| (loads.power, loads.infinite))
        });
        self.bodies.forces_torques = forces_torques;
        self.force_functions = functions;
        self.external_power += power;
        let infinite = infinite.or(self.add_forces_of_functions(&forces));
        self.force_sum = forces;
        let Some((body, value)) = infinite else { return Ok(()) };
        let (what, value) = ("a force from outside of", value.to_string());
        let body = self.body_ids.id(body as u32) as usize;
        Err(Error::Body { body, what, value, rule: "it must be finite" })
    }

    /// Adds forces in the order of the bodies, and returns the first that is not finite.
    fn add_forces_of_functions(&mut self, forces: &[Vector<D>]) -> Option<(usize, f64)> {
        if forces.is_empty() {
            return None;
        }
        let mut forces_torques = std::mem::take(&mut self.bodies.forces_torques);
        let mut loads = Loads::of(&self.bodies, &mut forces_torques);
        loads.add(forces);
        let Loads { power, infinite, .. } = loads;
        self.external_power += power;
        self.bodies.forces_torques = forces_torques;
        infinite
    }

    pub(super) fn add_load(&mut self, index: usize, load: &ForceTorque) {
        let motion = &self.bodies.motions[index];
        self.external_power += power_of(motion, &load.force)
            + load.torque.dot(&motion.current_angular_velocity()) * motion.freedom;
        self.bodies.forces_torques[index] += *load;
    }
}

/// The number of the first body with a force that is not finite, and a component of it that is not.
fn first_infinite<const D: usize>(forces: &[Vector<D>]) -> Option<(usize, f64)> {
    let infinite = |force: &Vector<D>| force.iter().copied().find(|value| !value.is_finite());
    forces.iter().enumerate().find_map(|(body, force)| Some((body, infinite(force)?)))
}
