//! The time-stepped simulation of bonded bodies, their contacts and walls.

use super::body::Body;
use super::energy::Energy;
use super::external_force::ExternalForces;
use super::fragments::SolidMotion;
use super::lattice_surface::LatticeSurface;
use super::surface_contact::{
    NodeContact, SurfaceContactForces, SurfaceContactTotals, SurfaceContacts,
};
use crate::{Error, Wall, WallSurface};
use carom_geometry::{Pose, Vector};
use std::collections::HashMap;

/// Steps bonded bodies through time, with contacts between them, walls and gravity.
///
/// ```
/// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
/// let disc = |x: f64| {
///     let is_inside = |steps: &[i32; 2]| steps[0].pow(2) + steps[1].pow(2) <= 100;
///     let grid = LatticeGrid::fill(SpringLattice::Square8, [[-10; 2], [10; 2]], is_inside)?;
///     let shift = carom_geometry::Vector::from([x, 0.0]);
///     Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| place + shift)
/// };
/// let (mut one, two) = (disc(0.0)?, disc(21.2)?);
/// one.set_velocity([0.02, 0.0].into())?;
/// let mut simulation = Simulation::new(vec![one, two])?;
/// while simulation.now() < 150.0 {
///     simulation.advance(10)?;
/// }
/// // The first has passed most of its momentum to the second; the rest of its energy is in vibrations.
/// let bodies = simulation.bodies();
/// let speeds = [0, 1].map(|number| bodies[number].momentum().x / bodies[number].total_mass());
/// assert!(speeds[0].abs() < 0.004 && speeds[1] > 0.016);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub struct Simulation<const D: usize> {
    pub(super) bodies: Vec<Body<D>>,
    pub(super) surfaces: Vec<LatticeSurface<D>>,
    pub(super) contacts: SurfaceContacts<D>,
    pub(super) walls: Vec<Wall>,
    pub(super) gravity: Vector<D>,
    /// Longest time step that is taken.
    pub(super) time_step: f64,
    /// Time step before this one, Δt; velocities are known half of it ago (leapfrog).
    pub(super) last_time_step: f64,
    pub(super) now: f64,
    pub(super) steps: u64,
    pub(super) contact_totals: SurfaceContactTotals,
    pub(super) friction_loss: f64,
    pub(super) constraint_loss: f64,
    pub(super) external_forces: ExternalForces<D>,
    pub(super) external_work: f64,
    pub(super) shortest_time_step: f64,
}

/// Fraction of the longest stable time step that is taken by default.
const TIME_STEP_SAFETY: f64 = 0.4;

/// Farther from the origin than this, in spacings, strains would have less than four digits.
const MAX_COORDINATE: f64 = 1e11;

/// A time step is halved at most this many times.
const MAX_HALVINGS: u32 = 6;

/// Largest displacement of a particle in a time step, in spacings.
const MAX_DISPLACEMENT: f64 = 0.2;

impl<const D: usize> Simulation<D> {
    /// Creates a simulation at time 0 with two fifths of the longest stable time step; refuses an empty list of bodies.
    pub fn new(bodies: Vec<Body<D>>) -> Result<Self, Error> {
        if bodies.is_empty() {
            let (what, rule) = ("the number of bodies", "there must be one at least");
            return Err(Error::Setting { what, value: "0".to_owned(), rule });
        }
        let time_step = TIME_STEP_SAFETY
            * bodies.iter().map(Body::longest_stable_step).fold(f64::INFINITY, f64::min);
        Ok(Simulation {
            surfaces: bodies.iter().map(LatticeSurface::new).collect(),
            bodies,
            contacts: SurfaceContacts::default(),
            walls: Vec::new(),
            gravity: Vector::zeros(),
            time_step,
            last_time_step: 0.0,
            now: 0.0,
            steps: 0,
            contact_totals: SurfaceContactTotals::default(),
            friction_loss: 0.0,
            constraint_loss: 0.0,
            external_forces: ExternalForces::default(),
            external_work: 0.0,
            shortest_time_step: f64::INFINITY,
        })
    }

    /// Sets the acceleration of gravity that acts on all particles. Errors if it is not finite.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// let mut simulation = Simulation::new(vec![body])?;
    /// simulation.set_gravity([0.0, -0.1].into())?;
    /// simulation.advance(50)?;
    /// // All particles fall by ½ g t².
    /// let fallen = simulation.bodies()[0].position(0).y;
    /// assert!((fallen + 0.05 * simulation.now().powi(2)).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn set_gravity(&mut self, gravity: Vector<D>) -> Result<(), Error> {
        if let Some(value) = gravity.iter().find(|value| !value.is_finite()) {
            let (what, rule) = ("gravity", "it must be finite");
            return Err(Error::Setting { what, value: value.to_string(), rule });
        }
        self.gravity = gravity;
        Ok(())
    }

    /// Calls `visit` with every contact now, and with the force that acts in the next time step.
    pub(super) fn visit_contacts(&self, visit: &mut impl FnMut(NodeContact<D>)) {
        let Simulation { bodies, surfaces, walls, .. } = self;
        let kick = self.kick(self.next_time_step());
        if self.contacts.is_searched {
            return self.contacts.visit(bodies, walls, kick, visit);
        }
        // Before the first step nothing is known of contacts.
        let mut contacts = SurfaceContacts::default();
        if contacts.update(bodies, surfaces, walls, self.time_step).is_ok() {
            contacts.visit(bodies, walls, kick, visit);
        }
    }

    /// Time for which forces act in a step of this length. Leapfrog: velocities are half the last step behind, so it is
    /// the mean of both steps.
    fn kick(&self, time_step: f64) -> f64 {
        // Velocities are in the middle of steps, so a kick spans half of the last step and half of the next.
        0.5 * (self.last_time_step + time_step)
    }

    /// Replaces the walls: planes and cylinders at rest, of the material of the body that touches them.
    ///
    /// ```
    /// use carom_simulate::Wall;
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// body.set_velocity([-0.01, 0.0].into())?;
    /// let mut simulation = Simulation::new(vec![body])?;
    /// // Its outline is half a spacing outside of its particles, 0.1 from the wall.
    /// simulation.set_walls(vec![Wall::plane([1.0, 0.0, 0.0], -0.6)])?;
    /// while simulation.now() < 60.0 {
    ///     simulation.advance(10)?;
    /// }
    /// assert!(simulation.bodies()[0].momentum().x > 0.0, "it is thrown back");
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn set_walls(&mut self, walls: Vec<Wall>) -> Result<(), Error> {
        for (number, wall) in walls.iter().enumerate() {
            wall.check(number)?;
            let refuse = |what, rule| {
                Err(Error::Setting { what, value: format!("that of wall {number}"), rule })
            };
            if matches!(wall.surface, WallSurface::Mesh(_)) {
                return refuse("the mesh of a wall", "solids touch planes and cylinders only");
            }
            if wall.motion.moves() || wall.motion.initial != Pose::identity() {
                return refuse("the motion of a wall", "solids touch walls at rest only");
            }
            if wall.material.is_some() {
                let rule = "to solids a wall is of their own material: leave it out";
                return refuse("the material of a wall", rule);
            }
        }
        self.walls = walls;
        self.contacts.invalidate();
        Ok(())
    }

    /// Sets the longest time step, which must be at most nine tenths of the longest stable one.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// let longest = body.longest_stable_step();
    /// let mut simulation = Simulation::new(vec![body])?;
    /// assert!(simulation.set_time_step(0.5 * longest).is_ok());
    /// assert!(simulation.set_time_step(longest).is_err());
    /// assert_eq!(simulation.time_step(), 0.5 * longest);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        let longest =
            self.bodies.iter().map(Body::longest_stable_step).fold(f64::INFINITY, f64::min);
        if !(time_step > 0.0 && time_step <= 0.9 * longest) {
            let value = format!("{time_step:?}, and the longest stable one is {longest:?}");
            let rule = "it must be above zero and at most nine tenths of that";
            return Err(Error::Setting { what: "the time step", value, rule });
        }
        self.time_step = time_step;
        Ok(())
    }

    /// Advances by `steps` time steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.update_contacts()?;
            let time_step = self.next_time_step();
            let kick = self.kick(time_step);
            let Simulation { contacts, bodies, walls, .. } = self;
            self.contact_totals = contacts.apply_forces(bodies, walls, kick);
            self.constraint_loss += self.contact_totals.constraint_loss;
            self.external_forces.apply(&mut self.bodies, kick);
            for (body, surface) in self.bodies.iter_mut().zip(&mut self.surfaces) {
                body.advance(&self.gravity, kick, time_step);
                let newly_broken = std::mem::take(&mut body.newly_broken);
                if !newly_broken.is_empty() {
                    surface.update(body, newly_broken.iter().map(|end| end.particle));
                    self.contacts.note_broken_springs();
                }
            }
            // Only now: the work of friction needs the velocities after the step too.
            self.friction_loss += self.contacts.friction_loss(&self.bodies, kick);
            self.external_work += self.external_forces.work(&self.bodies, time_step);
            let max_speed = self.bodies.iter().map(|body| body.max_speed).fold(0.0, f64::max);
            self.contacts.add_displacement(max_speed * time_step);
            self.last_time_step = time_step;
            self.now += time_step;
            self.steps += 1;
            self.shortest_time_step = self.shortest_time_step.min(time_step);
        }
        Ok(())
    }

    /// Searches candidate contacts where that is due.
    fn update_contacts(&mut self) -> Result<(), Error> {
        self.contacts.update(&self.bodies, &self.surfaces, &self.walls, self.time_step)
    }

    /// Makes a change of particles between two steps. What it changes in the sum of energies counts as external work.
    pub(super) fn change_particles(
        &mut self,
        change: impl FnOnce(&mut Vec<Body<D>>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let search = |simulation: &mut Self| {
            if simulation.update_contacts().is_err() {
                // A particle is too far away for a search; the next step says so.
                simulation.contacts.invalidate();
            }
        };
        // At the start nothing is known of contacts; their energy does not come by the change.
        if !self.contacts.is_searched {
            search(self);
        }
        let before = self.energy().total();
        change(&mut self.bodies)?;
        self.contacts.invalidate();
        search(self);
        self.external_work += self.energy().total() - before;
        Ok(())
    }

    /// Changes the forces from outside; what that changes in the sum of energies, in which velocities are half a step
    /// ahead of those that are stored, counts as their work.
    pub(super) fn change_external_forces(
        &mut self,
        changes: impl IntoIterator<Item = ([u32; 2], Vector<D>)>,
    ) {
        let before = self.energy().total();
        changes.into_iter().for_each(|(particle, force)| self.external_forces.set(particle, force));
        self.external_work += self.energy().total() - before;
    }

    /// Returns an error if a particle has no finite position or velocity, or is so far from the origin that rounding
    /// hides its strains.
    pub fn check_positions(&self) -> Result<(), Error> {
        for (solid, body) in self.bodies.iter().enumerate() {
            let spacing = body.spacing;
            let places = body.grid.particles().map(|number| body.position(number));
            let distance = places.map(|place| place.amax()).fold(0.0, f64::max);
            if distance > MAX_COORDINATE * spacing {
                return Err(Error::FarAway { solid, distance, spacing, time: self.now });
            }
            let is_lost = |&number: &usize| {
                let numbers = [body.position(number), body.velocity(number)];
                numbers.iter().any(|vector| !vector.norm_squared().is_finite())
            };
            if let Some(particle) = body.grid.particles().find(is_lost) {
                return Err(Error::LostParticle { particle, solid, time: self.now });
            }
        }
        Ok(())
    }

    /// Describes where an incrementally updated surface differs from a rebuilt one, if anywhere; slow, for tests.
    pub fn surface_fault(&self) -> Option<String> {
        let mut all = self.bodies.iter().zip(&self.surfaces).enumerate();
        let fault = |(number, (body, surface)): (usize, (&Body<D>, &LatticeSurface<D>))| {
            Some(format!("solid {number}: {}", surface.fault(body)?))
        };
        all.find_map(fault)
    }

    /// The longest time step, halved until no particle passes through a face unseen, judged by the speeds of the last
    /// step.
    fn next_time_step(&self) -> f64 {
        let per_spacing = |body: &Body<D>| MAX_DISPLACEMENT * body.spacing / body.max_speed;
        let farthest = self.bodies.iter().map(per_spacing).fold(f64::INFINITY, f64::min);
        let longest = self.contact_totals.longest_time_step.min(farthest);
        let mut time_step = self.time_step;
        for _ in 0..MAX_HALVINGS {
            if time_step <= longest {
                break;
            }
            time_step *= 0.5;
        }
        time_step
    }

    /// All bodies, in the order they were given.
    pub fn bodies(&self) -> &[Body<D>] {
        &self.bodies
    }

    /// Changes the acceleration of gravity while the simulation runs; what that changes in potential energy counts as
    /// external work, so that the sum of energies stays. Errors if it is not finite.
    pub fn change_gravity(&mut self, gravity: Vector<D>) -> Result<(), Error> {
        let before = self.energy().total();
        self.set_gravity(gravity)?;
        self.external_work += self.energy().total() - before;
        Ok(())
    }

    /// Lets all held particles of a solid go while the simulation runs. Errors if there is no such solid.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// (0..100).try_for_each(|number| body.hold(number))?;
    /// let mut simulation = Simulation::new(vec![body])?;
    /// simulation.set_gravity([0.0, -0.01].into())?;
    /// simulation.advance(20)?;
    /// assert_eq!(simulation.bodies()[0].position(0).y, 0.0);
    /// simulation.release(0)?;
    /// simulation.advance(20)?;
    /// assert!(simulation.bodies()[0].position(0).y < 0.0);
    /// assert!(simulation.release(1).is_err());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn release(&mut self, solid: usize) -> Result<(), Error> {
        if solid >= self.bodies.len() {
            return Err(Error::Setting {
                what: "the number of a solid",
                value: solid.to_string(),
                rule: "there is no solid of this number",
            });
        }
        self.change_particles(|bodies| {
            let body = &mut bodies[solid];
            let particles: Vec<usize> = body.grid.particles().collect();
            particles.into_iter().try_for_each(|number| body.release(number))
        })
    }

    /// Motion and pieces of each solid.
    pub fn solids(&self) -> Vec<SolidMotion<D>> {
        self.bodies.iter().map(SolidMotion::of).collect()
    }

    /// Time since the start.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Longest time step; contacts and fast particles may shorten single steps.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// Shortest time step taken so far; before the first step, its upper bound.
    pub fn shortest_time_step(&self) -> f64 {
        self.shortest_time_step.min(self.time_step)
    }

    /// Number of time steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Contacts of the last time step, summed over all bodies and walls.
    pub fn contact_totals(&self) -> &SurfaceContactTotals {
        &self.contact_totals
    }

    /// Computes the energy of all bodies and contacts at the current time; costs about a time step.
    pub fn energy(&self) -> Energy {
        let Simulation { contacts, bodies, walls, .. } = self;
        let SurfaceContactForces { totals: contact_totals, node_forces, .. } =
            contacts.forces(bodies, walls, self.last_time_step);
        let mut force_on_particle = vec![HashMap::new(); bodies.len()];
        for (place, force) in node_forces {
            *force_on_particle[place.body].entry(place.number).or_insert_with(Vector::zeros) +=
                force;
        }
        self.external_forces.add_to(&mut force_on_particle);
        let mut sum = Energy {
            contact_energy: contact_totals.contact_energy,
            friction_loss: self.friction_loss,
            constraint_loss: self.constraint_loss,
            external_work: self.external_work,
            ..Energy::default()
        };
        for (body, pushes) in bodies.iter().zip(&force_on_particle) {
            sum = sum.plus(&body.energy(&self.gravity, pushes, self.last_time_step));
        }
        sum
    }
}
