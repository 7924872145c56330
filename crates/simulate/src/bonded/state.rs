//! Particles of all solids as arrays, changes of them, and their contacts with forces.
//!
//! Particles are numbered through: those of the first solid in the order of its grid, then those of the second.

use super::body::Body;
use super::simulation::Simulation;
use super::surface_contact::{BodyParticleId, NodeContact, NodeContactPartner};
use crate::body_ids::BodyIds;
use crate::state::refill;
use crate::{BodyChange, BodyProperty, ContactObstacle, EngineContact, Error, State, StateArray};
use carom_geometry::Vector;

impl<const D: usize> Simulation<D> {
    /// Returns a copy of the state of all particles; the material is the number of the solid.
    ///
    /// Velocities are those of half a time step ago (leapfrog).
    pub fn state(&self) -> State<D> {
        let mut state = State::default();
        self.read_state(&StateArray::ALL, &mut state);
        state
    }

    /// Fills these arrays of a state, and sets its time; see [`Engine::read_state`](crate::Engine::read_state).
    pub fn read_state(&self, arrays: &[StateArray], state: &mut State<D>) {
        state.time = self.now();
        let particles = || {
            let solids = (0..).zip(self.bodies());
            solids.flat_map(|(solid, body)| {
                body.grid().particles().map(move |number| (solid, body, number))
            })
        };
        for array in arrays {
            match array {
                StateArray::Ids => refill(&mut state.ids, (0..).zip(particles()).map(|(id, _)| id)),
                StateArray::Positions => {
                    let positions = particles().map(|(_, body, number)| body.position(number));
                    refill(&mut state.positions, positions);
                }
                StateArray::Velocities => {
                    let velocities = particles().map(|(_, body, number)| body.velocity(number));
                    refill(&mut state.velocities, velocities);
                }
                // Particles do not rotate.
                StateArray::AngularVelocities => state.angular_velocities.clear(),
                StateArray::Orientations => state.orientations.clear(),
                StateArray::Radii => {
                    refill(&mut state.radii, particles().map(|(_, body, _)| 0.5 * body.spacing()));
                }
                StateArray::Masses => {
                    refill(&mut state.masses, particles().map(|(_, body, _)| body.particle_mass()));
                }
                StateArray::Materials => {
                    refill(&mut state.materials, particles().map(|(solid, ..)| solid));
                }
            }
        }
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

    /// Changes positions and velocities of particles, holds them at rest or lets them go, and sets forces that act on
    /// them from outside until they are changed again; all changes are made or, if an error is returned, none.
    ///
    /// Velocities are those of half a time step ago (leapfrog); that of a held particle is the one that it keeps. What
    /// changes in the sum of energies counts as external work, so that it stays. Costs about two time steps and, but for
    /// forces, a search for contacts, so that several changes should be made in one call.
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
    /// assert!((energy.external_work - 0.125).abs() < 1e-12);
    /// // All particles are pushed along x: they get a momentum of force times time each.
    /// let to = BodyProperty::Force([1e-3, 0.0].into());
    /// let changes: Vec<_> = (0..100).map(|body| BodyChange { body, to }).collect();
    /// simulation.apply(&changes)?;
    /// simulation.advance(50)?;
    /// let gained = simulation.bodies()[0].momentum().x - 0.3;
    /// // The first step is half a step for velocities, which are those of half a step ago.
    /// let time = simulation.now() - 0.5 * simulation.time_step();
    /// assert!((gained - 100.0 * 1e-3 * time).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn apply(&mut self, changes: &[BodyChange<D>]) -> Result<(), Error> {
        let numbers = ParticleNumbers::of(self);
        for change in changes {
            numbers.check(change)?;
        }
        let force = |change: &BodyChange<D>| {
            let BodyProperty::Force(force) = change.to else { return None };
            let BodyParticleId { body, number } = numbers.particle(change.body);
            Some(([body as u32, number], force))
        };
        if changes.iter().any(|change| force(change).is_none()) {
            self.change_particles(|bodies| {
                for change in changes {
                    let BodyParticleId { body, number } = numbers.particle(change.body);
                    bodies[body].change_particle(number as usize, &change.to)?;
                }
                Ok(())
            })?;
        }
        if changes.iter().any(|change| force(change).is_some()) {
            self.change_external_forces(changes.iter().filter_map(force));
        }
        Ok(())
    }
}

impl<const D: usize> Body<D> {
    /// Makes a change that was checked.
    fn change_particle(&mut self, number: usize, to: &BodyProperty<D>) -> Result<(), Error> {
        match to {
            BodyProperty::Position(place) => self.move_particle_to(number, place),
            BodyProperty::Velocity(velocity) => self.set_particle_velocity(number, velocity)?,
            BodyProperty::Fixed(true) => {
                self.set_particle_velocity(number, &Vector::zeros())?;
                self.hold(number)?;
            }
            BodyProperty::Fixed(false) => self.release(number)?,
            _ => {}
        }
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
        match change.to {
            BodyProperty::AngularVelocity(_) | BodyProperty::Torque(_) => {
                Err(change.refuse("particles of solids are points, which do not rotate"))
            }
            BodyProperty::Material(_) => {
                Err(change.refuse("particles have the material of their solid, which keeps it"))
            }
            _ => Ok(()),
        }
    }
}
