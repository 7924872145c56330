//! Particles of all solids as arrays, changes of them, and their contacts with forces.
//!
//! Particles are numbered through: those of the first solid in the order of its grid, then those of the second.

use super::simulation::Simulation;
use super::surface_contact::{BodyParticleId, NodeContact, NodeContactPartner};
use crate::body_ids::BodyIds;
use crate::{BodyChange, BodyProperty, ContactObstacle, EngineContact, Error, State};
use carom_geometry::Vector;

impl<const D: usize> Simulation<D> {
    /// Returns a copy of the state of all particles; the material is the number of the solid.
    ///
    /// Velocities are those of half a time step ago (leapfrog).
    pub fn state(&self) -> State<D> {
        let mut state = State {
            time: self.now(),
            ids: Vec::new(),
            positions: Vec::new(),
            velocities: Vec::new(),
            angular_velocities: Vec::new(),
            orientations: Vec::new(),
            radii: Vec::new(),
            masses: Vec::new(),
            materials: Vec::new(),
        };
        for (solid, body) in (0..).zip(self.bodies()) {
            for number in body.grid().particles() {
                state.positions.push(body.position(number));
                state.velocities.push(body.velocity(number));
                state.radii.push(0.5 * body.spacing());
                state.masses.push(body.particle_mass());
                state.materials.push(solid);
            }
        }
        state.ids = (0..state.positions.len() as u32).collect();
        state
    }

    /// Returns all contacts of particles with faces and walls now. The obstacle of a particle at a face is the corner
    /// nearest to the contact point. As in DEM, forces are those of the present positions, which act in the next time step:
    /// friction, which at most slows the slip down by a part in a step, for the length of that step.
    pub fn contacts(&self) -> Vec<EngineContact<D>> {
        let numbers = ParticleNumbers::of(self);
        let mut contacts = Vec::new();
        self.visit_contacts(&mut |contact: NodeContact<D>| {
            let obstacle = match contact.partner {
                NodeContactPartner::Particle(particle) => {
                    ContactObstacle::Body(numbers.number(&particle))
                }
                NodeContactPartner::Wall(wall) => ContactObstacle::Wall(wall),
            };
            let place = self.bodies()[contact.node.body].position(contact.node.number as usize);
            // Toward the obstacle, as in all engines.
            let normal = -contact.normal;
            let normal_force = -contact.force.dot(&normal);
            contacts.push(EngineContact {
                body: numbers.number(&contact.node),
                obstacle,
                triangle: 0,
                position: place + normal * contact.distance,
                normal,
                overlap: contact.overlap,
                normal_force,
                tangential_force: contact.force + normal * normal_force,
            });
        });
        contacts
    }

    /// Changes positions and velocities of particles, or holds them at rest; all changes are made or, if an error is
    /// returned, none.
    ///
    /// Velocities are those of half a time step ago (leapfrog). What changes in the sum of energies counts as work of what
    /// holds particles, so that it stays. Costs about two time steps and a search for contacts, so that several changes should be
    /// made in one call.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// use carom_simulate::{BodyChange, BodyProperty};
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let mut simulation =
    ///     Simulation::new(vec![Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?])?;
    /// let to = BodyProperty::Velocity([0.3, 0.4].into());
    /// simulation.apply(&[BodyChange { body: 0, to }])?;
    /// let energy = simulation.energy();
    /// assert!((energy.kinetic_energy - 0.125).abs() < 1e-12);
    /// assert!((energy.constraint_loss + 0.125).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        let numbers = ParticleNumbers::of(self);
        for change in changes {
            numbers.check(change)?;
        }
        self.change_particles(|bodies| {
            for change in changes {
                let BodyParticleId { body, number } = numbers.particle(change.body);
                let (body, number) = (&mut bodies[body], number as usize);
                match change.to {
                    BodyProperty::Position(place) => {
                        let by = place - body.position(number);
                        body.displace(number, &by);
                    }
                    BodyProperty::Velocity(velocity) => {
                        body.set_particle_velocity(number, &velocity);
                    }
                    BodyProperty::Fixed(_) => {
                        body.set_particle_velocity(number, &Vector::zeros());
                        body.hold(number);
                    }
                    _ => {}
                }
            }
        });
        Ok(())
    }
}

/// The numbers of particles over all solids.
struct ParticleNumbers {
    /// Number of the first particle of each solid, and the number of all.
    firsts: Vec<u32>,
    /// Grid numbers of the particles of each solid, ascending.
    particles: Vec<Vec<u32>>,
}

impl ParticleNumbers {
    fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        let particles: Vec<Vec<u32>> = (simulation.bodies().iter())
            .map(|body| body.grid().particles().map(|number| number as u32).collect())
            .collect();
        let mut firsts = vec![0];
        for list in &particles {
            firsts.push(firsts[firsts.len() - 1] + list.len() as u32);
        }
        ParticleNumbers { firsts, particles }
    }

    fn number(&self, particle: &BodyParticleId) -> u32 {
        let list = &self.particles[particle.body];
        self.firsts[particle.body] + list.partition_point(|&other| other < particle.number) as u32
    }

    fn particle(&self, number: u32) -> BodyParticleId {
        let body = self.firsts.partition_point(|&first| first <= number) - 1;
        BodyParticleId { body, number: self.particles[body][(number - self.firsts[body]) as usize] }
    }

    fn check<const D: usize>(&self, change: &BodyChange<D>) -> Result<(), Error> {
        let count = self.firsts[self.firsts.len() - 1];
        change.check()?;
        BodyIds::new(count as usize).number(change.body)?;
        let is_known = matches!(
            change.to,
            BodyProperty::Position(_) | BodyProperty::Velocity(_) | BodyProperty::Fixed(true)
        );
        let rule =
            "particles of solids have positions and velocities, and can be held but not let go";
        if is_known { Ok(()) } else { Err(change.refuse(rule)) }
    }
}
