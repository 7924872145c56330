//! Checkpoint of a simulation, from which it continues to the same bits.
//!
//! It does not contain what the scene gives again (grids, materials, walls). Surfaces follow from intact springs.

use super::body::{Body, DissipatedEnergy};
use super::external_force::ExternalForces;
use super::lattice_surface::LatticeSurface;
use super::particles::{HELD, PAD};
use super::saved_contacts::SavedContacts;
use super::simulation::Simulation;
use super::surface_contact::{SurfaceContactTotals, SurfaceContacts};
use crate::Error;
use carom_geometry::Vector;
use std::ops::Range;

/// State of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedState<const D: usize> {
    /// State of each body.
    pub bodies: Vec<SavedBody<D>>,
    /// Longest time step that the material allows.
    pub time_step: f64,
    /// Last time step.
    pub last_time_step: f64,
    /// Shortest time step so far.
    pub shortest_time_step: f64,
    /// Simulated time.
    pub time: f64,
    /// Number of time steps so far.
    pub steps: u64,
    /// Energy lost to friction.
    pub friction_loss: f64,
    /// Energy that contacts lost to held particles.
    pub constraint_loss: f64,
    /// Forces from outside that are not zero: solid and particle, and the force.
    pub external_forces: Vec<([u32; 2], Vector<D>)>,
    /// Work of these forces so far.
    pub external_work: f64,
    /// Contacts of the last step.
    pub contact_totals: SurfaceContactTotals,
    /// Candidate contacts until the next search.
    pub contacts: SavedContacts,
}

/// State of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedBody<const D: usize> {
    /// Positions by slot, holes included.
    pub positions: [Vec<f64>; D],
    /// Velocities by slot, half a time step ago.
    pub velocities: [Vec<f64>; D],
    /// Bits of the intact springs, and of particles that are held.
    pub spring_bits: Vec<u32>,
    /// Plastic strains of springs, by link; empty if the material does not yield.
    pub plastic_strains: Vec<Vec<f64>>,
    /// Range of each row that a wave has reached.
    pub reached: Vec<Range<i32>>,
    /// Whether the wave has reached everything.
    pub is_everywhere: bool,
    /// Displacement of the particles that no wave has reached.
    pub unreached_displacement: Vector<D>,
    /// Velocity of these particles, half a time step ago.
    pub unreached_velocity: Vector<D>,
    /// Energies lost so far.
    pub dissipated: DissipatedEnergy,
    /// Number of broken spring ends, two per spring.
    pub broken_ends: u64,
    /// Upper bound of the particles' speeds in the last step.
    pub max_speed: f64,
}

impl<const D: usize> Simulation<D> {
    /// Returns the current state.
    pub fn saved_state(&self) -> SavedState<D> {
        SavedState {
            bodies: self.bodies.iter().map(Body::save).collect(),
            time_step: self.time_step,
            last_time_step: self.last_time_step,
            shortest_time_step: self.shortest_time_step,
            time: self.now,
            steps: self.steps,
            friction_loss: self.friction_loss,
            constraint_loss: self.constraint_loss,
            external_forces: self.external_forces.save(),
            external_work: self.external_work,
            contact_totals: self.contact_totals,
            contacts: self.contacts.save(),
        }
    }

    /// Continues from a saved state of the same bodies, with the materials, gravity and walls of this simulation. Errors if
    /// bodies, particles or springs differ, or if this simulation has lost springs that the state has; then nothing
    /// changes.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let start = || {
    ///     let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    ///     let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    ///     body.set_particle_velocity(0, &[0.01, 0.01].into())?;
    ///     Simulation::new(vec![body])
    /// };
    /// let (mut simulation, mut restored) = (start()?, start()?);
    /// simulation.advance(20)?;
    /// restored.restore_state(simulation.saved_state())?;
    /// simulation.advance(20)?;
    /// restored.advance(20)?;
    /// assert_eq!(restored.state(), simulation.state());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn restore_state(&mut self, saved: SavedState<D>) -> Result<(), Error> {
        let counts = [saved.bodies.len(), self.bodies.len()];
        if counts[0] != counts[1] {
            let text = format!("it has {} bodies, but there are {}", counts[0], counts[1]);
            return Err(Error::Saved(text));
        }
        // All that can be refused comes before anything changes.
        self.bodies.iter().zip(&saved.bodies).try_for_each(|(body, saved)| body.check(saved))?;
        let external_forces = ExternalForces::restore(&saved.external_forces, &self.bodies)?;
        let contacts = SurfaceContacts::restore(&saved.contacts, &self.bodies, self.walls.len())?;
        for (body, saved) in self.bodies.iter_mut().zip(saved.bodies) {
            body.restore(saved);
        }
        (self.external_forces, self.contacts) = (external_forces, contacts);
        self.external_work = saved.external_work;
        (self.time_step, self.last_time_step) = (saved.time_step, saved.last_time_step);
        (self.shortest_time_step, self.now) = (saved.shortest_time_step, saved.time);
        (self.friction_loss, self.constraint_loss) = (saved.friction_loss, saved.constraint_loss);
        (self.steps, self.contact_totals) = (saved.steps, saved.contact_totals);
        // Surfaces follow from the springs that are left, so they are rebuilt rather than saved.
        self.surfaces = self.bodies.iter().map(LatticeSurface::new).collect();
        Ok(())
    }
}

impl<const D: usize> Body<D> {
    fn save(&self) -> SavedBody<D> {
        let all = PAD..PAD + self.grid.slot_count();
        let (reached, is_everywhere) = self.wave_front.save();
        SavedBody {
            positions: self.particles.positions.each_ref().map(|array| array[all.clone()].to_vec()),
            velocities: (self.particles.velocities.each_ref())
                .map(|array| array[all.clone()].to_vec()),
            spring_bits: self.particles.spring_bits[all.clone()].to_vec(),
            plastic_strains: self.inelastic.as_ref().map_or_else(Vec::new, |more| {
                more.plastic_strains.iter().map(|set| set[all.clone()].to_vec()).collect()
            }),
            reached,
            is_everywhere,
            unreached_displacement: self.unreached_displacement,
            unreached_velocity: self.unreached_velocity,
            dissipated: self.dissipated,
            broken_ends: self.broken_ends,
            max_speed: self.max_speed,
        }
    }

    /// Refuses a state that is not one of this body.
    fn check(&self, saved: &SavedBody<D>) -> Result<(), Error> {
        let all = PAD..PAD + self.grid.slot_count();
        let mut lengths: Vec<usize> = saved
            .positions
            .iter()
            .chain(&saved.velocities)
            .chain(&saved.plastic_strains)
            .map(Vec::len)
            .collect();
        lengths.push(saved.spring_bits.len());
        let sets = self.inelastic.as_ref().map_or(0, |more| more.plastic_strains.len());
        if lengths.iter().any(|&length| length != all.len())
            || saved.plastic_strains.len() != sets
            || saved.reached.len() != self.grid.rows().len()
        {
            return Err(Error::Saved("a body has another number of particles".to_owned()));
        }
        let arrays = [&saved.positions, &saved.velocities].into_iter().flatten();
        let mut numbers = arrays.chain(&saved.plastic_strains).flatten();
        if numbers.any(|number| !number.is_finite()) {
            let reason = "a body has a position, velocity or strain that is not finite";
            return Err(Error::Saved(reason.to_owned()));
        }
        // A damaged checkpoint must not lead to springs that were never there.
        let whole = (0..all.len()).map(|number| self.particles.spring_bits[number + PAD]);
        if whole.zip(&saved.spring_bits).any(|(whole, &springs)| springs & !(whole | HELD) != 0) {
            return Err(Error::Saved("a body has springs that the scene has not".to_owned()));
        }
        Ok(())
    }

    fn restore(&mut self, saved: SavedBody<D>) {
        let all = PAD..PAD + self.grid.slot_count();
        for axis in 0..D {
            self.particles.positions[axis][all.clone()].copy_from_slice(&saved.positions[axis]);
            self.particles.next_positions[axis][all.clone()]
                .copy_from_slice(&saved.positions[axis]);
            self.particles.velocities[axis][all.clone()].copy_from_slice(&saved.velocities[axis]);
        }
        for (number, &springs) in saved.spring_bits.iter().enumerate() {
            // Particles may have been held or let go since the start.
            let changed = self.particles.spring_bits[number + PAD] ^ springs;
            self.has_lost_springs[number] |= changed & !HELD != 0;
        }
        self.are_held = saved.spring_bits.iter().any(|springs| springs & HELD != 0);
        self.particles.spring_bits[all.clone()].copy_from_slice(&saved.spring_bits);
        if let Some(more) = &mut self.inelastic {
            for (set, saved) in more.plastic_strains.iter_mut().zip(&saved.plastic_strains) {
                set[all.clone()].copy_from_slice(saved);
            }
        }
        self.wave_front.restore(saved.reached, saved.is_everywhere);
        self.unreached_displacement = saved.unreached_displacement;
        self.unreached_velocity = saved.unreached_velocity;
        self.dissipated = saved.dissipated;
        self.is_cracked |= saved.broken_ends > 0;
        (self.broken_ends, self.max_speed) = (saved.broken_ends, saved.max_speed);
        self.newly_broken.clear();
    }
}
