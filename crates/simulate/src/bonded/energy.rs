//! Energy balance of a body, and the pressure in it.

use super::body::Body;
use super::inelastic::dilatation_normalization;
use super::lattice::Link;
use super::particles::{HELD, PAD, offset_coordinates};
use carom_geometry::Vector;
use std::collections::HashMap;

/// Pressures below this many rounding errors of positions count as zero.
const NOISE_ROUNDINGS: f64 = 64.0;

/// Energies and losses of bonded bodies, in mass · length² / time².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy, ½ Σ m v².
    pub kinetic_energy: f64,
    /// Elastic energy of springs and of dilatation.
    pub bond_energy: f64,
    /// Energy of springs at the moment they broke, summed from the start.
    pub fracture_loss: f64,
    /// Plastic work of yielding springs, summed from the start.
    pub plastic_loss: f64,
    /// Energy taken by dampers, summed from the start.
    pub damping_loss: f64,
    /// Energy that went to held particles, summed from the start; negative where it came from them.
    pub constraint_loss: f64,
    /// Energy stored in contacts.
    pub contact_energy: f64,
    /// Energy taken by friction, summed from the start.
    pub friction_loss: f64,
    /// Potential energy in gravity, -Σ m g·x.
    pub potential_energy: f64,
    /// Work of the forces from outside, summed from the start.
    pub external_work: f64,
}

impl Energy {
    /// Sum of all energies and losses, less the work of forces from outside, which a simulation conserves.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// // A plate that is struck at a corner: springs take up energy of motion and give it back.
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// body.set_particle_velocity(0, &[0.01, 0.01].into())?;
    /// let mut simulation = Simulation::new(vec![body])?;
    /// // A short time step, for the fastest vibrations too.
    /// simulation.set_time_step(0.02)?;
    /// simulation.advance(1000)?;
    /// let (energy, start) = (simulation.energy(), 0.5 * 2.0 * 0.01f64.powi(2));
    /// assert!(energy.bond_energy > 0.1 * start);
    /// assert!((energy.total() - start).abs() < 0.02 * start);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn total(&self) -> f64 {
        let kept =
            self.kinetic_energy + self.bond_energy + self.contact_energy + self.potential_energy;
        kept + self.fracture_loss
            + self.plastic_loss
            + self.damping_loss
            + self.constraint_loss
            + self.friction_loss
            - self.external_work
    }

    /// All energy that was there at `before` or was exchanged since, plus what rounding may hide: an upper bound for
    /// energy that can appear without an error.
    pub fn known_energy_since(&self, before: &Energy) -> f64 {
        let there = before.kinetic_energy + before.bond_energy.abs() + before.contact_energy.abs();
        let pairs = [
            [before.fracture_loss, self.fracture_loss],
            [before.plastic_loss, self.plastic_loss],
            [before.damping_loss, self.damping_loss],
            [before.constraint_loss, self.constraint_loss],
            [before.friction_loss, self.friction_loss],
            [before.potential_energy, self.potential_energy],
            [before.external_work, self.external_work],
        ];
        let exchanged: f64 = pairs.iter().map(|[before, now]| (now - before).abs()).sum();
        let all: f64 = pairs.iter().map(|[_, now]| now.abs()).sum();
        there + exchanged + 1e-9 * all
    }

    /// Adds two energies term by term.
    pub fn plus(&self, other: &Energy) -> Energy {
        Energy {
            kinetic_energy: self.kinetic_energy + other.kinetic_energy,
            bond_energy: self.bond_energy + other.bond_energy,
            fracture_loss: self.fracture_loss + other.fracture_loss,
            plastic_loss: self.plastic_loss + other.plastic_loss,
            damping_loss: self.damping_loss + other.damping_loss,
            constraint_loss: self.constraint_loss + other.constraint_loss,
            contact_energy: self.contact_energy + other.contact_energy,
            friction_loss: self.friction_loss + other.friction_loss,
            potential_energy: self.potential_energy + other.potential_energy,
            external_work: self.external_work + other.external_work,
        }
    }
}

/// A spring between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticeSpring {
    /// Numbers of the particles at both ends.
    pub ends: [usize; 2],
    /// Elastic strain: length over rest length, plastic strain included, minus one.
    pub stretch: f64,
    /// Whether it was cut or has broken.
    pub is_broken: bool,
}

impl<const D: usize> Body<D> {
    /// Rows and numbers of all particles.
    fn particles_by_row(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.grid.rows().iter().enumerate().flat_map(|(row, numbers)| {
            let taken = numbers.numbers().filter(|&number| self.grid.is_occupied(number));
            taken.map(move |number| (row, number))
        })
    }

    /// All springs of the initial body, with their current strains.
    pub fn springs(&self) -> impl Iterator<Item = LatticeSpring> + '_ {
        self.particles_by_row().flat_map(move |(row, number)| {
            let steps = self.grid.coordinates(row, number);
            self.links.iter().enumerate().filter_map(move |(bit, link)| {
                let there = self.grid.particle_at(&offset_coordinates(&steps, &link.offset, 1))?;
                let ends = [number, there];
                let plastic_strain = self
                    .inelastic
                    .as_ref()
                    .map_or(0.0, |more| more.plastic_strain(ends.map(|end| end + PAD), bit));
                let rest = link.length * self.spacing * (1.0 + plastic_strain);
                let length = (self.position(there) - self.position(number)).norm();
                let is_broken = !self.spring_holds(number, bit);
                Some(LatticeSpring { ends, stretch: length / rest - 1.0, is_broken })
            })
        })
    }

    /// Computes the energy at the current time, half of `kick` after that of the velocities; `contact_forces` act on
    /// particles beside springs and gravity.
    pub(super) fn energy(
        &self,
        gravity: &Vector<D>,
        contact_forces: &HashMap<u32, Vector<D>>,
        kick: f64,
    ) -> Energy {
        let dissipated = self.dissipated;
        let mut energy = Energy {
            fracture_loss: dissipated.fracture_loss,
            plastic_loss: dissipated.plastic_loss,
            damping_loss: dissipated.damping_loss,
            constraint_loss: dissipated.constraint_loss,
            ..Energy::default()
        };
        let dilatations = self.dilatations();
        for (row, number) in self.particles_by_row() {
            let (force, bond_energy) = self.spring_force(row, number, &dilatations);
            let is_held = self.particles.spring_bits[number + PAD] & HELD != 0;
            let pushed =
                contact_forces.get(&(number as u32)).copied().unwrap_or_else(Vector::zeros);
            let change = (force + pushed) / self.particle_mass + gravity;
            let change = if is_held { Vector::zeros() } else { change * (0.5 * kick) };
            let velocity = self.velocity(number) + change;
            energy.kinetic_energy += 0.5 * self.particle_mass * velocity.norm_squared();
            energy.potential_energy -= self.particle_mass * gravity.dot(&self.position(number));
            // Each spring is visited from both ends.
            energy.bond_energy += 0.5 * bond_energy;
        }
        let swollen: f64 = dilatations.iter().map(|[swelling, _]| swelling * swelling).sum();
        energy.bond_energy += 0.5 * self.stiffness.dilatation * swollen;
        energy
    }

    /// Momentum, half a time step ago.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 2.0), 1.0, |place| *place)?;
    /// body.set_velocity([0.5, 0.0].into())?;
    /// assert!((body.momentum().x - 0.5 * body.total_mass()).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn momentum(&self) -> Vector<D> {
        self.grid.particles().map(|number| self.velocity(number) * self.particle_mass).sum()
    }

    /// Intact springs of a particle: bit, particle at the other end, and separation.
    pub(super) fn intact_springs(
        &self,
        row: usize,
        number: usize,
    ) -> impl Iterator<Item = (usize, usize, Vector<D>)> + '_ {
        let steps = self.grid.coordinates(row, number);
        let here = self.position(number);
        let both =
            [1, -1].into_iter().flat_map(|sign| self.links.iter().map(move |link| (link, sign)));
        both.enumerate().filter(move |&(bit, _)| self.spring_holds(number, bit)).filter_map(
            move |(bit, (link, sign))| {
                let there =
                    self.grid.particle_at(&offset_coordinates(&steps, &link.offset, sign))?;
                Some((bit, there, self.position(there) - here))
            },
        )
    }

    /// Dilatation of each particle's neighborhood and the divisor of its mean; empty if the material has no dilatation
    /// stiffness.
    fn dilatations(&self) -> Vec<[f64; 2]> {
        if self.inelastic.as_ref().is_none_or(|more| more.dilatation_pressures.is_empty()) {
            return Vec::new();
        }
        let mut dilatations = vec![[0.0; 2]; self.grid.slot_count()];
        let weight = |link: &Link<D>| link.stiffness * (link.length * self.spacing).powi(2);
        let all: f64 = 2.0 * self.links.iter().map(weight).sum::<f64>();
        for row in 0..self.grid.rows().len() {
            for number in self.grid.rows()[row].numbers() {
                let (mut sum, mut whole) = (0.0, 0.0);
                for (bit, _, separation) in self.intact_springs(row, number) {
                    let link = &self.links[bit % self.links.len()];
                    let rest = link.length * self.spacing;
                    sum += link.stiffness * rest * (separation.norm() - rest);
                    whole += link.stiffness * rest * rest;
                }
                let whole = dilatation_normalization(whole, all);
                dilatations[number] = [D as f64 * sum / whole, whole];
            }
        }
        dilatations
    }

    /// Computes the mean pressure at each particle, in the order of their numbers, by Clausius's virial:
    /// `-sum(tension x length) / (2 D V)`, without dampers. It is negative in tension; values within the rounding of
    /// positions are set to zero. At surfaces, where particles have fewer springs, it is lower than inside.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// assert_eq!(body.pressures(), [0.0; 100]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn pressures(&self) -> Vec<f64> {
        let dilatations = self.dilatations();
        let volume = self.particle_mass / self.springs.density;
        let pressure = |(row, number): (usize, usize)| {
            let mut work = 0.0;
            self.each_tension(row, number, &dilatations, |_, length, [tension, _]| {
                // Half of the virial belongs to the particle at the other end.
                work -= 0.5 * tension * length;
            });
            let farthest = self.position(number).amax() / self.spacing + 1.0;
            let noise = NOISE_ROUNDINGS * f64::EPSILON * farthest * self.springs.youngs_modulus;
            let pressure = work / (D as f64 * volume);
            if pressure.abs() > noise { pressure } else { 0.0 }
        };
        self.particles_by_row().map(pressure).collect()
    }

    /// Force of all springs on a particle, and the energy in them; `dilatations` are those of all particles.
    pub(super) fn spring_force(
        &self,
        row: usize,
        number: usize,
        dilatations: &[[f64; 2]],
    ) -> (Vector<D>, f64) {
        let mut force = Vector::zeros();
        let energy =
            self.each_tension(row, number, dilatations, |separation, length, [tension, damped]| {
                force += separation * ((tension + damped) / length);
            });
        (force, energy)
    }

    /// Calls `visit` with the separation along each spring of a particle, its length, and the tensions of spring and
    /// damper; returns the elastic energy of these springs.
    fn each_tension(
        &self,
        row: usize,
        number: usize,
        dilatations: &[[f64; 2]],
        mut visit: impl FnMut(Vector<D>, f64, [f64; 2]),
    ) -> f64 {
        let mut energy = 0.0;
        let critical = (2.0 * self.particle_mass / self.stiffness.spring).sqrt();
        let pressure = |number: usize| match dilatations.get(number) {
            Some([swelling, whole]) if *whole > 0.0 => {
                self.stiffness.dilatation * D as f64 * swelling / whole
            }
            _ => 0.0,
        };
        for (bit, there, separation) in self.intact_springs(row, number) {
            let link = &self.links[bit % self.links.len()];
            let (length, first) = (separation.norm(), link.length * self.spacing);
            let ends = [number + PAD, there + PAD];
            let plastic_strain =
                self.inelastic.as_ref().map_or(0.0, |more| more.plastic_strain(ends, bit));
            let rest = first * (1.0 + plastic_strain);
            let compression_ratio =
                if length < rest { self.springs.compression_ratio } else { 1.0 };
            let stiffness = self.stiffness.spring * link.stiffness;
            let rate = (self.velocity(there) - self.velocity(number)).dot(&separation) / length;
            let tension = stiffness * compression_ratio * (length - rest)
                + link.stiffness * first * (pressure(number) + pressure(there));
            let damped = stiffness * self.springs.damping_ratio * critical * rate;
            visit(separation, length, [tension, damped]);
            energy += 0.5 * stiffness * compression_ratio * (length - rest).powi(2);
        }
        energy
    }
}
