//! Energies and other quantities of a simulation at any moment.

use super::body::{Body, BodyArrays, BodyMotion, ForceTorque, PositionRadius};
use super::checks::MAX_INITIAL_OVERLAP;
use super::contact_law::{ContactLaw, reduced_radius};
use super::forces::{self, ContactLawTable, StepTotals};
use super::neighbor_list::VerletNeighborList;
use super::rotation_state::RotationState;
use super::shape::ContactShape;
use super::simulation::{Settings, Simulation};
use super::wall::{self, PosedWall};
use crate::ContactObstacle;

/// The energy balance of a simulation, in mass · length² / time².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Translational kinetic energy, ½ Σ m v².
    pub kinetic_energy: f64,
    /// Rotational kinetic energy, ½ Σ ω · I ω.
    pub rotational_energy: f64,
    /// Potential energy in gravity, -Σ m g · x.
    pub potential_energy: f64,
    /// Elastic energy stored in contacts, less the energy of cohesion.
    pub contact_energy: f64,
    /// Energy lost so far to damping along normals.
    pub damping_loss: f64,
    /// Energy lost so far to friction, tangential damping and rolling resistance.
    pub friction_loss: f64,
    /// Work done from outside so far: by driven walls, by rotating gravity, by inserted bodies.
    pub external_work: f64,
}

impl Energy {
    /// Returns the conserved total: all energies plus all losses minus external work.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Damping, Settings, Simulation, Wall};
    /// // A ball that falls on a floor and bounces: what it loses is counted.
    /// let law = CompositeLaw { damping: Damping::restitution(0.8), ..CompositeLaw::spring(1e5) };
    /// let (walls, gravity) = (vec![Wall::plane([0.0, 0.0, 1.0], 0.0)], [0.0, 0.0, -10.0].into());
    /// let settings = Settings { walls, gravity, ..Settings::with_law(law) };
    /// let mut simulation = Simulation::new(&[Body::at_rest([0.0, 0.0, 1.0], 0.5, 1.0)], settings)?;
    /// let start = simulation.energy().total();
    /// simulation.advance(5000)?;
    /// assert!(simulation.energy().damping_loss > 1.0);
    /// assert!((simulation.energy().total() - start).abs() < 0.01 * start);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn total(&self) -> f64 {
        let there = self.kinetic_energy
            + self.rotational_energy
            + self.potential_energy
            + self.contact_energy;
        there + self.damping_loss + self.friction_loss - self.external_work
    }
}

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns the present time.
    pub fn now(&self) -> f64 {
        self.steps as f64 * self.time_step
    }

    /// Returns the number of time steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the time step.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// Returns the Verlet skin.
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// Returns the number of neighbor searches so far.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// // A body has to move by half the Verlet skin before a search becomes due.
    /// let bodies = [0.0, 2.0].map(|x| Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([x, 0.0], 0.5, 1.0) });
    /// let settings = Settings { time_step: Some(1e-3), ..Settings::with_law(CompositeLaw::spring(1e3)) };
    /// let mut simulation = Simulation::new(&bodies, settings)?;
    /// let at_start = simulation.searches();
    /// simulation.advance((0.4 * simulation.skin() / 1e-3) as u64)?;
    /// assert_eq!(simulation.searches(), at_start);
    /// simulation.advance(2000)?;
    /// assert!(simulation.searches() > at_start);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// Returns the sums over all contacts of the last time step.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// // An overlap of an eighth of a radius: the virial is force times distance.
    /// let bodies = [0.0, 0.9375].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
    /// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1024.0)))?;
    /// let totals = simulation.step_totals();
    /// assert_eq!((totals.contacts, totals.max_relative_overlap), (1, 0.125));
    /// assert!((totals.virial - 64.0 * 0.9375).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn step_totals(&self) -> &StepTotals {
        &self.step_totals
    }

    /// Returns the integral over time of the virial of all contacts: force times center distance, and with walls
    /// force times the arm from the center.
    pub fn virial_integral(&self) -> f64 {
        self.virial_integral
    }

    /// Returns the number of pairs in the neighbor list.
    pub fn neighbor_pair_count(&self) -> usize {
        self.neighbors.pairs.len()
    }

    /// Returns the number of bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Returns a body by the user's number; on periodic axes it may be slightly outside the box.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let bodies = [0.0, 2.0].map(|x| Body::at_rest([x, 0.0], 0.5, 1.5));
    /// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e3)))?;
    /// let second = simulation.body(1);
    /// assert_eq!((simulation.body_count(), second.position.x, second.mass), (2, 2.0, 1.5));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Where the number is not below [`body_count`](Self::body_count).
    pub fn body(&self, number: usize) -> Body<D> {
        self.stored_body(number).projected()
    }

    pub(super) fn stored_body(&self, number: usize) -> Body<3> {
        self.bodies.body(self.index_of_body[number] as usize, &self.shapes)
    }

    /// Returns the settings of the run.
    pub fn settings(&self) -> &Settings<D, L> {
        &self.settings
    }

    /// Returns the present energy balance. Costs about as much as a time step on one thread.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy {
            contact_energy: contact_energy(
                &self.bodies,
                &self.neighbors,
                &self.contact_laws,
                &self.shapes,
                &wall::posed_walls(&self.settings.walls, self.now()),
            ),
            damping_loss: self.losses.damping_loss,
            friction_loss: self.losses.friction_loss,
            external_work: self.external_work,
            potential_energy: self.potential_energy(),
            ..Energy::default()
        };
        let BodyArrays { motions, masses, rotation_states, .. } = &self.bodies;
        for (k, (motion, mass)) in motions.iter().zip(masses).enumerate() {
            energy.kinetic_energy += 0.5 * mass * motion.velocity.norm_squared();
            let angular_velocity = &motion.angular_velocity;
            energy.rotational_energy += 0.5
                * match rotation_states.get(k).filter(|state| state.shape().is_some()) {
                    // ½ ω·L, without the inertia tensor in the world frame.
                    Some(state) => angular_velocity.dot(&state.angular_momentum),
                    None => angular_velocity.norm_squared() / motion.inverse_inertia,
                };
        }
        energy
    }

    /// Returns the bytes held.
    pub fn bytes(&self) -> usize {
        let each = size_of::<PositionRadius>()
            + size_of::<f64>()
            + size_of::<BodyMotion>()
            + size_of::<ForceTorque>()
            + 3 * size_of::<u32>()
            + if self.shapes.is_empty() { 0 } else { size_of::<RotationState>() };
        each * self.body_count()
            + self.deferred.capacity() * size_of::<ForceTorque>()
            + self.neighbors.bytes()
    }

    /// Returns the potential energy in gravity.
    pub(super) fn potential_energy(&self) -> f64 {
        let gravity = self.settings.gravity.at(self.now());
        let all = self.bodies.positions.iter().zip(&self.bodies.masses);
        all.map(|(place, mass)| -mass * gravity.dot(&place.position)).sum()
    }
}

/// Returns the energy stored in all contacts.
fn contact_energy<L: ContactLaw>(
    bodies: &BodyArrays,
    neighbors: &VerletNeighborList<L::History>,
    contact_laws: &ContactLawTable<L>,
    shapes: &[ContactShape],
    walls: &[PosedWall],
) -> f64 {
    let context = forces::force_context(bodies, neighbors, contact_laws, shapes, walls);
    let mut sum = 0.0;
    context.each_contact(neighbors, |pair, _, contact_point, history| {
        let (law, radius) = (context.law(pair[0], pair[1]), reduced_radius(contact_point.radii));
        sum += law.stored_energy(contact_point.overlap, radius, history);
    });
    sum + wall::contact_energy(&context.wall_force_context(), &neighbors.wall_pairs)
}

/// Returns the deepest contact with a wall: penetration depth in units of a radius, and the numbers of the
/// body and the wall.
pub(super) fn deepest_in_wall<L: ContactLaw>(
    bodies: &BodyArrays,
    neighbors: &VerletNeighborList<L::History>,
    contact_laws: &ContactLawTable<L>,
    shapes: &[ContactShape],
    walls: &[PosedWall],
) -> Option<(f64, u32, u32)> {
    let context = forces::force_context(bodies, neighbors, contact_laws, shapes, walls);
    let (part, body, wall) =
        wall::deepest_contact(&context.wall_force_context(), &neighbors.wall_pairs)?;
    Some((part, bodies.ids[body as usize], u32::from(wall)))
}

/// Returns the first body with a shape that penetrates another or a wall too deeply, what it penetrates, and
/// the penetration depth.
pub(super) fn first_too_deep<L: ContactLaw>(
    bodies: &BodyArrays,
    neighbors: &VerletNeighborList<L::History>,
    contact_laws: &ContactLawTable<L>,
    shapes: &[ContactShape],
    walls: &[PosedWall],
) -> Option<(u32, ContactObstacle, f64)> {
    let context = forces::force_context(bodies, neighbors, contact_laws, shapes, walls);
    let size = |body: usize| {
        bodies
            .shape(body, shapes)
            .map_or(bodies.positions[body].radius, ContactShape::equivalent_radius)
    };
    let mut deep = neighbors.each_pair().filter(|(pair, _)| context.is_shaped(*pair)).filter_map(
        |(pair, number)| {
            let image = &neighbors.image_shifts[usize::from(neighbors.pairs[number].image)];
            let depth = context.max_overlap(pair, image);
            let ids = pair.map(|body| bodies.ids[body]);
            let is_deep = depth > MAX_INITIAL_OVERLAP * size(pair[0]).min(size(pair[1]));
            is_deep.then_some((
                ids[0].min(ids[1]),
                ContactObstacle::Body(ids[0].max(ids[1])),
                depth,
            ))
        },
    );
    let in_wall = || {
        let (body, wall, depth) = wall::first_deeper_than(
            &context.wall_force_context(),
            &neighbors.wall_pairs,
            MAX_INITIAL_OVERLAP,
        )?;
        Some((bodies.ids[body as usize], ContactObstacle::Wall(wall), depth))
    };
    deep.next().or_else(in_wall)
}
