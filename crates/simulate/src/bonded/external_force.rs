//! Constant forces on single particles, which act from outside until they are changed.

use super::body::Body;
use crate::Error;
use carom_geometry::Vector;
use std::collections::{BTreeMap, HashMap};

/// Forces from outside on particles, none of them zero, by solid and particle: their order does not depend on the order
/// in which they were set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ExternalForces<const D: usize> {
    forces: BTreeMap<[u32; 2], Vector<D>>,
}

impl<const D: usize> ExternalForces<D> {
    /// Sets the force on a particle of a solid.
    pub(super) fn set(&mut self, particle: [u32; 2], force: Vector<D>) {
        if force == Vector::<D>::zeros() {
            self.forces.remove(&particle);
        } else {
            self.forces.insert(particle, force);
        }
    }

    /// Applies the forces for the time `kick`.
    pub(super) fn apply(&self, bodies: &mut [Body<D>], kick: f64) {
        for (&[body, number], force) in &self.forces {
            let body = &mut bodies[body as usize];
            let change = *force * (kick / body.particle_mass);
            body.kick_particle(number as usize, &change);
        }
    }

    /// Work of the forces in the step after which bodies have their present velocities. What holds particles takes up the
    /// forces on them, without work.
    pub(super) fn work(&self, bodies: &[Body<D>], time_step: f64) -> f64 {
        let work = |(particle, force): (&[u32; 2], &Vector<D>)| {
            let (body, number) = (&bodies[particle[0] as usize], particle[1] as usize);
            // Particles move with these velocities in the step, so that the work is exact.
            let power = force.dot(&body.velocity(number));
            if body.is_held(number) { 0.0 } else { power * time_step }
        };
        self.forces.iter().map(work).sum()
    }

    /// Adds the forces to those on the particles of each solid.
    pub(super) fn add_to(&self, force_on_particle: &mut [HashMap<u32, Vector<D>>]) {
        for (&[body, number], force) in &self.forces {
            *force_on_particle[body as usize].entry(number).or_insert_with(Vector::zeros) += force;
        }
    }

    /// Returns the forces as plain numbers.
    pub(super) fn save(&self) -> Vec<([u32; 2], Vector<D>)> {
        self.forces.iter().map(|(&particle, &force)| (particle, force)).collect()
    }

    /// Restores what [`save`](Self::save) returned. Errors if a particle does not exist or a force is not finite.
    pub(super) fn restore(
        saved: &[([u32; 2], Vector<D>)],
        bodies: &[Body<D>],
    ) -> Result<Self, Error> {
        let mut forces = ExternalForces::default();
        for &([body, number], force) in saved {
            let is_particle = bodies.get(body as usize).is_some_and(|body| {
                let (grid, number) = (body.grid(), number as usize);
                number < grid.slot_count() && grid.is_occupied(number)
            });
            if !is_particle || !force.iter().all(|part| part.is_finite()) {
                let text = "it has a force on a particle that the scene has not, or one that is not finite";
                return Err(Error::Saved(text.to_owned()));
            }
            forces.set([body, number], force);
        }
        Ok(forces)
    }
}
