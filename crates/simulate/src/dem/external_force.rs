//! Forces from outside: constant ones of single bodies, and functions of the state.

use super::body::{BodyArrays, BodyMotion, ForceTorque};
use super::contact_law::ContactLaw;
use super::present_bodies::PresentBodies;
use super::simulation::Simulation;
use crate::{Error, State};
use carom_geometry::{Vector, embed_in_3d};
use rayon::prelude::*;
use std::sync::Arc;

/// Forces and torques on all bodies as a function of the bodies at the present moment. It may keep them, which makes the
/// simulation continue with a copy.
pub type ForceFunction<const D: usize> =
    dyn Fn(&Arc<PresentBodies<D>>, &mut ForceSum<'_, D>) + Send + Sync;

/// What the error says that a body has where a force function gives a force that is not finite.
pub const INFINITE_FORCE: &str = "a force from outside of";

/// Bodies in one task of a thread, and in one partial sum of their powers.
const BODIES_PER_TASK: usize = 4096;

/// Where force functions add their forces and torques.
pub struct ForceSum<'a, const D: usize> {
    /// Forces and torques on the bodies, where a single function adds to them; else its forces are summed first.
    loads: Option<Loads<'a>>,
    /// Number of bodies.
    count: usize,
    sums: &'a mut FunctionForces<D>,
}

/// Sums of what force functions add, in the order of the bodies; each is empty until something is added to it. Their
/// memory is kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionForces<const D: usize> {
    forces: Vec<Vector<D>>,
    torques: Vec<Vector<3>>,
}

/// A component of a force or torque that is not finite.
struct Infinite {
    what: &'static str,
    /// Number of the body.
    body: usize,
    value: f64,
}

/// Forces and torques on bodies in their storage order, which are added to.
struct Loads<'a> {
    bodies: &'a BodyArrays,
    forces_torques: &'a mut [ForceTorque],
    /// Power of what was added.
    power: f64,
    infinite: Option<Infinite>,
}

impl<const D: usize> ForceSum<'_, D> {
    /// Adds a force on each body, in the order of their numbers. Bodies without an element are left as they are.
    ///
    /// It is the quickest way for forces that stand in an array already: the forces of a single function are not copied.
    pub fn add(&mut self, forces: &[Vector<D>]) {
        self.add_with_torques(forces, &[]);
    }

    /// Adds a force on each body as [`add`](Self::add) does, and a torque about its center, in 2D only about the third
    /// axis.
    pub fn add_with_torques(&mut self, forces: &[Vector<D>], torques: &[Vector<3>]) {
        if let Some(loads) = &mut self.loads {
            return loads.add(forces, torques);
        }
        self.forces_mut().iter_mut().zip(forces).for_each(|(sum, it)| *sum += it);
        if !torques.is_empty() {
            let (_, sums) = self.forces_and_torques_mut();
            sums.iter_mut().zip(torques).for_each(|(sum, it)| *sum += it);
        }
    }

    /// Returns the sum of the forces of functions on each body, to be added to.
    pub fn forces_mut(&mut self) -> &mut [Vector<D>] {
        self.sums.forces.resize(self.count, Vector::zeros());
        &mut self.sums.forces
    }

    /// Returns the sums of the forces and of the torques of functions on each body, to be added to. Torques are about the
    /// centers of the bodies, in 2D only about the third axis.
    pub fn forces_and_torques_mut(&mut self) -> (&mut [Vector<D>], &mut [Vector<3>]) {
        self.sums.forces.resize(self.count, Vector::zeros());
        self.sums.torques.resize(self.count, Vector::zeros());
        (&mut self.sums.forces, &mut self.sums.torques)
    }
}

impl<'a> Loads<'a> {
    fn of(bodies: &'a BodyArrays, forces_torques: &'a mut [ForceTorque]) -> Self {
        Loads { bodies, forces_torques, power: 0.0, infinite: None }
    }

    fn add<const D: usize>(&mut self, forces: &[Vector<D>], torques: &[Vector<3>]) {
        let BodyArrays { motions, ids, .. } = self.bodies;
        let chunks = self
            .forces_torques
            .par_chunks_mut(BODIES_PER_TASK)
            .zip(ids.par_chunks(BODIES_PER_TASK))
            .zip(motions.par_chunks(BODIES_PER_TASK));
        let add = |((loads, ids), motions): ((&mut [ForceTorque], &[u32]), &[BodyMotion])| {
            add_to_block(loads, ids, motions, forces, torques)
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
            self.infinite = first_infinite(INFINITE_FORCE, forces)
                .or_else(|| first_infinite("a torque from outside of", torques));
        }
    }
}

/// Adds forces and torques, in the order of the numbers of bodies, to those of some bodies, and returns their power.
fn add_to_block<const D: usize>(
    loads: &mut [ForceTorque],
    ids: &[u32],
    motions: &[BodyMotion],
    forces: &[Vector<D>],
    torques: &[Vector<3>],
) -> f64 {
    let mut power = 0.0;
    for ((load, &body), motion) in loads.iter_mut().zip(ids).zip(motions) {
        if let Some(force) = forces.get(body as usize) {
            let force = embed_in_3d(force);
            load.force += force;
            power += power_of_force(motion, &force);
        }
        if let Some(torque) = torques.get(body as usize) {
            // A disc that left its plane could not come back.
            let torque = if D == 2 { Vector::z() * torque.z } else { *torque };
            load.torque += torque;
            power += power_of_torque(motion, &torque);
        }
    }
    power
}

#[inline(always)]
fn power_of_torque(motion: &BodyMotion, torque: &Vector<3>) -> f64 {
    torque.dot(&motion.current_angular_velocity()) * motion.freedom
}

#[inline(always)]
fn power_of_force(motion: &BodyMotion, force: &Vector<3>) -> f64 {
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
        let (count, mut sums) = (self.body_count(), FunctionForces::default());
        self.with_present_bodies(|bodies| {
            force(bodies, &mut ForceSum { loads: None, count, sums: &mut sums });
        });
        self.force_functions.push(Box::new(force));
        // What is not finite is refused by the next step.
        let FunctionForces { forces, torques } = &sums;
        let is_finite =
            first_infinite("", forces).is_none() && first_infinite("", torques).is_none();
        if !self.has_saved_forces && is_finite {
            self.add_forces_of_functions(&sums);
        }
    }

    /// Adds a force as [`add_force`](Self::add_force) does, of a function that gives torques, too: about the centers of
    /// the bodies, in 2D only about the third axis.
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
        force: impl Fn(&State<D>, &mut [Vector<D>], &mut [Vector<3>]) + Send + Sync + 'static,
    ) {
        self.add_force_of_bodies(move |bodies, sum| {
            let (forces, torques) = sum.forces_and_torques_mut();
            force(bodies.state(), forces, torques);
        });
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
        let mut sums = std::mem::take(&mut self.force_sums);
        sums.forces.clear();
        sums.torques.clear();
        let mut forces_torques = std::mem::take(&mut self.bodies.forces_torques);
        let (power, infinite) = self.with_present_bodies(|bodies| {
            let is_single = functions.len() == 1;
            let loads = is_single.then(|| Loads::of(&bodies.bodies, &mut forces_torques));
            let mut sum = ForceSum { loads, count: bodies.count(), sums: &mut sums };
            functions.iter().for_each(|force| force(bodies, &mut sum));
            sum.loads.map_or((0.0, None), |loads| (loads.power, loads.infinite))
        });
        self.bodies.forces_torques = forces_torques;
        self.force_functions = functions;
        self.external_power += power;
        let infinite = infinite.or(self.add_forces_of_functions(&sums));
        self.force_sums = sums;
        let Some(Infinite { what, body, value }) = infinite else { return Ok(()) };
        let (body, value) = (self.body_ids.id(body as u32) as usize, value.to_string());
        Err(Error::Body { body, what, value, rule: "it must be finite" })
    }

    /// Adds forces in the order of the bodies, and returns the first that is not finite.
    fn add_forces_of_functions(&mut self, sums: &FunctionForces<D>) -> Option<Infinite> {
        if sums.forces.is_empty() {
            return None;
        }
        let mut forces_torques = std::mem::take(&mut self.bodies.forces_torques);
        let mut loads = Loads::of(&self.bodies, &mut forces_torques);
        loads.add(&sums.forces, &sums.torques);
        let Loads { power, infinite, .. } = loads;
        self.external_power += power;
        self.bodies.forces_torques = forces_torques;
        infinite
    }

    pub(super) fn add_load(&mut self, index: usize, load: &ForceTorque) {
        let motion = &self.bodies.motions[index];
        self.external_power +=
            power_of_force(motion, &load.force) + power_of_torque(motion, &load.torque);
        self.bodies.forces_torques[index] += *load;
    }
}

/// The first component that is not finite of vectors in the order of the bodies.
fn first_infinite<const N: usize>(what: &'static str, vectors: &[Vector<N>]) -> Option<Infinite> {
    let component = |vector: &Vector<N>| vector.iter().copied().find(|value| !value.is_finite());
    let of_body = |(body, vector)| Some(Infinite { what, body, value: component(vector)? });
    vectors.iter().enumerate().find_map(of_body)
}
