//! Bodies at the present moment, as force functions see them: an array is gathered when it is asked for.

use super::body::BodyArrays;
use super::contact_law::ContactLaw;
use super::shape::ContactShape;
use super::simulation::Simulation;
use crate::body_ids::BodyIds;
use crate::{State, StateArray};
use carom_geometry::{Boundary, Vector};
use nalgebra::UnitQuaternion;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Bodies in one task of a thread.
const BODIES_PER_TASK: usize = 4096;

/// Replaces values by those at the indices. Threads of a pool share the work; elsewhere a copy is no reason to start any.
fn gather<T: Send>(values: &mut [T], indices: &[u32], of: impl Fn(usize) -> T + Sync) {
    let fill = |(values, indices): (&mut [T], &[u32])| {
        for (value, &index) in values.iter_mut().zip(indices) {
            *value = of(index as usize);
        }
    };
    match rayon::current_thread_index() {
        // Within a pool its threads share the copy; outside of one rayon's global pool would be started for it.
        Some(_) => {
            let indices = indices.par_chunks(BODIES_PER_TASK);
            values.par_chunks_mut(BODIES_PER_TASK).zip(indices).for_each(fill);
        }
        None => fill((values, indices)),
    }
}

/// The first components of a vector in space.
#[inline(always)]
fn components<const D: usize>(vector: &Vector<3>) -> [f64; D] {
    let mut components = [0.0; D];
    (0..D).for_each(|axis| components[axis] = vector[axis]);
    components
}

/// The parts of a simulation that arrays of bodies are gathered from.
#[derive(Clone, Copy)]
pub(super) struct Gather<'a, const D: usize> {
    pub time: f64,
    pub boundary: &'a Boundary<D>,
    pub bodies: &'a BodyArrays,
    /// Storage index of each body, by the user's number.
    pub order: &'a [u32],
    pub ids: &'a BodyIds,
    pub shapes: &'a [ContactShape],
}

impl<const D: usize> Gather<'_, D> {
    fn positions<T: From<[f64; D]> + Send>(&self, out: &mut [T]) {
        gather(out, self.order, |index| {
            let position = components::<D>(&self.bodies.positions[index].position);
            T::from(self.boundary.wrap(position.into()).into())
        });
    }

    fn velocities<T: From<[f64; D]> + Send>(&self, out: &mut [T]) {
        gather(out, self.order, |index| T::from(components(&self.bodies.motions[index].velocity)));
    }

    fn angular_velocities<T: From<[f64; 3]> + Send>(&self, out: &mut [T]) {
        gather(out, self.order, |index| {
            T::from(self.bodies.motions[index].angular_velocity.into())
        });
    }

    fn orientations(&self, out: &mut [UnitQuaternion<f64>]) {
        gather(out, self.order, |index| self.bodies.body(index, self.shapes).orientation);
    }

    fn radii(&self, out: &mut [f64]) {
        gather(out, self.order, |index| self.bodies.positions[index].radius);
    }

    fn masses(&self, out: &mut [f64]) {
        gather(out, self.order, |index| self.bodies.masses[index]);
    }

    fn materials(&self, out: &mut [u32]) {
        gather(out, self.order, |index| self.bodies.materials[index]);
    }

    fn has_orientations(&self) -> bool {
        !self.bodies.rotation_states.is_empty()
    }

    /// Fills these arrays of a state, in the memory that it has, and sets its time.
    pub fn read(&self, arrays: &[StateArray], state: &mut State<D>) {
        let count = self.order.len();
        state.time = self.time;
        for array in arrays {
            match array {
                StateArray::Ids => self.ids.write(&mut state.ids),
                StateArray::Positions => {
                    state.positions.resize(count, Vector::zeros());
                    self.positions(&mut state.positions);
                }
                StateArray::Velocities => {
                    state.velocities.resize(count, Vector::zeros());
                    self.velocities(&mut state.velocities);
                }
                StateArray::AngularVelocities => {
                    state.angular_velocities.resize(count, Vector::zeros());
                    self.angular_velocities(&mut state.angular_velocities);
                }
                StateArray::Orientations => {
                    let shaped = if self.has_orientations() { count } else { 0 };
                    state.orientations.resize(shaped, UnitQuaternion::identity());
                    self.orientations(&mut state.orientations);
                }
                StateArray::Radii => {
                    state.radii.resize(count, 0.0);
                    self.radii(&mut state.radii);
                }
                StateArray::Masses => {
                    state.masses.resize(count, 0.0);
                    self.masses(&mut state.masses);
                }
                StateArray::Materials => {
                    state.materials.resize(count, 0);
                    self.materials(&mut state.materials);
                }
            }
        }
    }
}

/// The bodies of a simulation at one moment, as a force function sees them: positions at the present, velocities half a
/// step before.
///
/// An array is gathered when it is asked for, in the order of the numbers of bodies, by all threads of the pool that
/// asks; one that is not asked for costs nothing. `out` must have an element for each body: what it has besides stays as
/// it is.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// let start = Body { velocity: [2.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 4.0) };
/// let settings = Settings { time_step: Some(1e-4), ..Settings::with_law(CompositeLaw::spring(1e3)) };
/// let mut simulation = Simulation::new(&[start], settings)?;
/// // A drag of the medium, in proportion to the velocity: it decays by exp(-c t / m).
/// simulation.add_force_of_bodies(|bodies, sum| {
///     let mut velocities = vec![[0.0; 2]; bodies.count()];
///     bodies.velocities_into(&mut velocities);
///     let drag = velocities.iter().map(|&[x, y]| [-4.0 * x, -4.0 * y].into());
///     sum.add(&drag.collect::<Vec<_>>());
/// });
/// simulation.advance(10_000)?;
/// assert!((simulation.body(0).velocity.x - 2.0 * (-1.0_f64).exp()).abs() < 1e-4);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct PresentBodies<const D: usize> {
    time: f64,
    boundary: Boundary<D>,
    pub(super) bodies: BodyArrays,
    order: Vec<u32>,
    ids: BodyIds,
    shapes: Vec<ContactShape>,
    state: OnceLock<State<D>>,
    /// Memory of the state of an earlier step.
    spare: Mutex<State<D>>,
}

impl<const D: usize> PresentBodies<D> {
    fn gather(&self) -> Gather<'_, D> {
        let PresentBodies { time, boundary, bodies, order, ids, shapes, .. } = self;
        Gather { time: *time, boundary, bodies, order, ids, shapes }
    }

    /// Number of bodies.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// Simulated time.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the state of all bodies with all its arrays, gathered when it is first asked for.
    pub fn state(&self) -> &State<D> {
        self.state.get_or_init(|| {
            let spare = &mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut state = std::mem::take(spare);
            self.gather().read(&StateArray::ALL, &mut state);
            state
        })
    }

    /// Returns the ids, ascending.
    pub fn ids(&self) -> Vec<u32> {
        self.ids.all()
    }

    /// Whether bodies have orientations; if not, all are round.
    pub fn has_orientations(&self) -> bool {
        self.gather().has_orientations()
    }

    /// Writes the positions of the centers of mass, inside the box on periodic axes.
    pub fn positions_into(&self, out: &mut [[f64; D]]) {
        self.gather().positions(out);
    }

    /// Writes the velocities of the centers of mass.
    pub fn velocities_into(&self, out: &mut [[f64; D]]) {
        self.gather().velocities(out);
    }

    /// Writes the angular velocities about each axis.
    pub fn angular_velocities_into(&self, out: &mut [[f64; 3]]) {
        self.gather().angular_velocities(out);
    }

    /// Writes the radii, of bodies with a shape those of their bounding spheres.
    pub fn radii_into(&self, out: &mut [f64]) {
        self.gather().radii(out);
    }

    /// Writes the masses.
    pub fn masses_into(&self, out: &mut [f64]) {
        self.gather().masses(out);
    }

    /// Writes the indices of the materials.
    pub fn materials_into(&self, out: &mut [u32]) {
        self.gather().materials(out);
    }

    /// The same with a memory of its own, for a simulation whose bodies somebody keeps.
    fn copy(&self) -> Self {
        PresentBodies {
            time: self.time,
            boundary: self.boundary,
            bodies: self.bodies.clone(),
            order: self.order.clone(),
            ids: self.ids.clone(),
            shapes: self.shapes.clone(),
            state: OnceLock::new(),
            spare: Mutex::default(),
        }
    }
}

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// The source of gathered arrays of the bodies.
    pub(super) fn gather(&self) -> Gather<'_, D> {
        Gather {
            time: self.now(),
            boundary: &self.settings.boundary,
            bodies: &self.bodies,
            order: &self.index_of_body,
            ids: &self.body_ids,
            shapes: &self.shapes,
        }
    }

    /// Does work with the present bodies, which meanwhile are not in the simulation. Where the work keeps them, the
    /// simulation continues with copies.
    pub(super) fn with_present_bodies<R>(
        &mut self,
        work: impl FnOnce(&Arc<PresentBodies<D>>) -> R,
    ) -> R {
        let present = Arc::new(PresentBodies {
            time: self.now(),
            boundary: self.settings.boundary,
            bodies: std::mem::take(&mut self.bodies),
            order: std::mem::take(&mut self.index_of_body),
            ids: std::mem::replace(&mut self.body_ids, BodyIds::new(0)),
            shapes: std::mem::take(&mut self.shapes),
            state: OnceLock::new(),
            spare: Mutex::new(std::mem::take(&mut self.spare_state)),
        });
        let done = work(&present);
        let present = Arc::try_unwrap(present).unwrap_or_else(|kept| kept.copy());
        let PresentBodies { bodies, order, ids, shapes, state, spare, .. } = present;
        self.bodies = bodies;
        self.index_of_body = order;
        self.body_ids = ids;
        self.shapes = shapes;
        // Memory that is used again in the next step: to fetch as much from the system takes longer than a step of
        // bodies that seldom touch.
        self.spare_state = state
            .into_inner()
            .unwrap_or_else(|| spare.into_inner().unwrap_or_else(PoisonError::into_inner));
        done
    }
}
