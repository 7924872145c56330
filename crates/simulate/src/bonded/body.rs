//! One bonded body: its lattice grid of particles, its springs, and how far a wave has reached.

use super::inelastic::Inelastic;
use super::lattice::{Link, SpringLattice};
use super::lattice_grid::LatticeGrid;
use super::particles::{HELD, PAD, Particles};
use super::spring_forces::{BrokenEnd, neighbor_offsets};
use super::spring_properties::{SpringProperties, Stiffness};
use super::stepping::{activate, row_chunks};
use super::wave_front::WaveFront;
use crate::{Error, Material};
use carom_geometry::Vector;
use std::collections::HashMap;
use std::ops::Range;

/// Depth of particles at cracks below the crack's faces, in spacings. It is less than half a spacing: cell sides that
/// are inclined to a crack are nearer to the particles beyond it, which would be thrown apart when the crack opens.
const CRACK_DEPTH: f64 = 0.36;

/// Least and greatest depth of surface particles below the outline, in spacings.
const OUTLINE_DEPTH_RANGE: [f64; 2] = [0.25, 1.5];

/// Energies that left motion and springs, summed from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DissipatedEnergy {
    /// Energy of broken springs.
    pub fracture_loss: f64,
    /// Energy lost to yielding.
    pub plastic_loss: f64,
    /// Energy lost to damping.
    pub damping_loss: f64,
    /// Energy that went to held particles; negative where it came from them.
    pub constraint_loss: f64,
}

/// A body of bonded particles.
pub struct Body<const D: usize> {
    pub(super) grid: LatticeGrid<D>,
    pub(super) links: Vec<Link<D>>,
    /// For each row, index offsets from a particle to its neighbors along all links, then along the opposite ones.
    pub(super) neighbor_offsets: Vec<isize>,
    /// Ranges of rows, each the work of one thread.
    pub(super) row_chunks: Vec<Range<usize>>,
    pub(super) particles: Particles<D>,
    pub(super) wave_front: WaveFront,
    pub(super) springs: SpringProperties,
    pub(super) spacing: f64,
    /// Depths below the outline of the particles that are at the surface from the start.
    outline_depths: HashMap<u32, f64>,
    /// Mass of each particle, m.
    pub(super) particle_mass: f64,
    pub(super) stiffness: Stiffness,
    /// Stiffness of one layer of the lattice against compression, per particle.
    pub(super) layer_stiffness: f64,
    /// Plastic strains, damping and dilatation, if the material has any of these.
    pub(super) inelastic: Option<Inelastic<D>>,
    /// Whether some particles are held.
    pub(super) are_held: bool,
    /// Displacement since the start, and velocity half a step ago, of particles that no wave has reached.
    pub(super) unreached_displacement: Vector<D>,
    pub(super) unreached_velocity: Vector<D>,
    /// Whether springs were cut or have broken, so that the body may touch itself; and which particles lost springs.
    pub(super) is_cracked: bool,
    pub(super) has_lost_springs: Vec<bool>,
    /// Number of broken spring ends: each broken spring counts twice.
    pub(super) broken_ends: u64,
    /// Energies that left motion and springs up to now.
    pub(super) dissipated: DissipatedEnergy,
    /// Upper bound of the particles' speeds in the last step.
    pub(super) max_speed: f64,
    /// Spring ends that broke since the surface was last updated.
    pub(super) newly_broken: Vec<BrokenEnd>,
}

impl<const D: usize> Body<D> {
    /// Creates a body at rest from the particles of a grid; `place` maps a lattice position to space: a rotation, a
    /// shift and a scaling by the spacing. Refuses a lattice of another dimension, a grid without particles, invalid
    /// material properties, and a position that is not finite.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// // Ten times ten particles, 0.5 apart.
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(1.0, 4.0), 0.5, |place| place * 0.5)?;
    /// assert_eq!((body.particle_count(), body.spring_count()), (100, 2 * 10 * 9));
    /// assert_eq!((body.particle_mass(), body.total_mass()), (4.0 * 0.5 * 0.5, 100.0));
    /// assert_eq!(body.position(99).x, 9.0 * 0.5);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn new(
        grid: LatticeGrid<D>,
        material: &Material,
        spacing: f64,
        place: impl Fn(&Vector<D>) -> Vector<D>,
    ) -> Result<Self, Error> {
        check_grid(&grid)?;
        let springs = SpringProperties::of(material, grid.lattice, spacing)?;
        check_properties(grid.lattice, &springs, spacing)?;
        let links = grid.lattice.half_links::<D>();
        let solid = grid.lattice.solid();
        let stiffness = springs.stiffness(grid.lattice, spacing);
        let mut body = Body {
            // A layer of the lattice is pressed without moving sideways: its stiffness is that of longitudinal
            // waves.
            layer_stiffness: solid.longitudinal_wave_speed.powi(2) * stiffness.spring,
            neighbor_offsets: (0..grid.rows().len())
                .flat_map(|row| neighbor_offsets(&grid, &links, row))
                .collect(),
            row_chunks: row_chunks(&grid),
            particles: Particles::new(&grid, &links, place),
            wave_front: WaveFront::new(&grid),
            has_lost_springs: vec![false; grid.slot_count()],
            particle_mass: springs.density * spacing.powi(D as i32) * solid.particle_volume,
            stiffness,
            inelastic: Inelastic::new(&springs, links.len(), grid.slot_count()),
            are_held: false,
            grid,
            links,
            springs,
            spacing,
            outline_depths: HashMap::new(),
            unreached_displacement: Vector::zeros(),
            unreached_velocity: Vector::zeros(),
            is_cracked: false,
            broken_ends: 0,
            dissipated: DissipatedEnergy::default(),
            max_speed: 0.0,
            newly_broken: Vec::new(),
        };
        for number in body.grid.particles() {
            check_finite("the position of a particle", &body.particles.position(number))?;
        }
        body.set_outline(|_| 0.5 * spacing)?;
        Ok(body)
    }

    /// Sets the velocity of all particles. Errors if it is not finite.
    pub fn set_velocity(&mut self, velocity: Vector<D>) -> Result<(), Error> {
        check_finite("the velocity of a solid", &velocity)?;
        self.unreached_velocity = velocity;
        self.max_speed = velocity.norm();
        for number in 0..self.grid.slot_count() {
            self.particles.set_velocity(number, &velocity);
        }
        Ok(())
    }

    /// Sets the velocity of one particle; the whole body is stepped from now on. Errors if there is no such particle, or
    /// if the velocity is not finite; then nothing changes.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [2, 0]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// let refused = body.set_particle_velocity(3, &[0.1, 0.0].into());
    /// assert_eq!(
    ///     refused.err().map(|error| error.to_string()).as_deref(),
    ///     Some("the number of a particle is 3; there is no particle of this number in the solid")
    /// );
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn set_particle_velocity(
        &mut self,
        number: usize,
        velocity: &Vector<D>,
    ) -> Result<(), Error> {
        self.check_particle(number)?;
        check_finite("the velocity of a particle", velocity)?;
        // A particle apart from the rest ends the rigid motion of the body: from here on all particles are stepped.
        self.activate_all();
        self.max_speed = self.max_speed.max(velocity.norm());
        self.particles.set_velocity(number, velocity);
        Ok(())
    }

    /// Moves one particle; the whole body is stepped from now on. Errors if there is no such particle, or if the
    /// displacement is not finite; then nothing changes.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// // A row of three particles; the one in the middle is moved by a tenth.
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [2, 0]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// body.displace(1, &[0.1, 0.0].into())?;
    /// let stretches: Vec<f64> = body.springs().map(|spring| spring.stretch).collect();
    /// assert!((stretches[0] - 0.1).abs() < 1e-12 && (stretches[1] + 0.1).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn displace(&mut self, number: usize, by: &Vector<D>) -> Result<(), Error> {
        self.check_particle(number)?;
        check_finite("the displacement of a particle", by)?;
        self.activate_all();
        for axis in 0..D {
            self.particles.positions[axis][number + PAD] += by[axis];
            self.particles.next_positions[axis][number + PAD] += by[axis];
        }
        Ok(())
    }

    /// Moves a particle, of which there must be one, to a place; the whole body is stepped from now on.
    pub(super) fn move_particle_to(&mut self, number: usize, place: &Vector<D>) {
        self.activate_all();
        for axis in 0..D {
            self.particles.positions[axis][number + PAD] = place[axis];
            self.particles.next_positions[axis][number + PAD] = place[axis];
        }
    }

    /// Makes a particle keep its velocity from now on, whatever force acts on it. Errors if there is no such particle.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, Simulation, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// // The lowest row stays where it is while the others fall.
    /// (0..10).try_for_each(|number| body.hold(number))?;
    /// let mut simulation = Simulation::new(vec![body])?;
    /// simulation.set_gravity([0.0, -1e-3].into())?;
    /// simulation.advance(20)?;
    /// let body = &simulation.bodies()[0];
    /// assert!(body.is_held(5) && body.position(5).y == 0.0);
    /// assert!(body.position(95).y < 9.0);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn hold(&mut self, number: usize) -> Result<(), Error> {
        self.check_particle(number)?;
        self.activate_all();
        self.are_held = true;
        self.particles.spring_bits[number + PAD] |= HELD;
        Ok(())
    }

    /// Lets a particle go that was held: from now on forces change its velocity. Errors if there is no such particle.
    pub fn release(&mut self, number: usize) -> Result<(), Error> {
        self.check_particle(number)?;
        self.particles.spring_bits[number + PAD] &= !HELD;
        Ok(())
    }

    /// Sets the depth of the surface particles below the outline of the shape that the body stands for, as a function
    /// of their positions; the default is half a spacing. Depths are taken to be from a quarter of a spacing to one and
    /// a half. Errors if one is not a number; then nothing changes.
    pub fn set_outline(&mut self, depth: impl Fn(&Vector<D>) -> f64) -> Result<(), Error> {
        let range = OUTLINE_DEPTH_RANGE.map(|spacings| spacings * self.spacing);
        let mut outline_depths = HashMap::new();
        for number in self.grid.particles().filter(|&number| self.is_boundary(number)) {
            let depth = depth(&self.position(number));
            if depth.is_nan() {
                return Err(Error::Setting {
                    what: "the depth of a particle below the outline",
                    value: depth.to_string(),
                    rule: "it must be a number",
                });
            }
            outline_depths.insert(number as u32, depth.clamp(range[0], range[1]));
        }
        self.outline_depths = outline_depths;
        Ok(())
    }

    /// Errors if there is no particle of this number.
    fn check_particle(&self, number: usize) -> Result<(), Error> {
        if number < self.grid.slot_count() && self.grid.is_occupied(number) {
            return Ok(());
        }
        Err(Error::Setting {
            what: "the number of a particle",
            value: number.to_string(),
            rule: "there is no particle of this number in the solid",
        })
    }

    /// The depth of a surface particle below the outline.
    pub(super) fn outline_depth(&self, number: usize) -> f64 {
        self.outline_depths.get(&(number as u32)).copied().unwrap_or(self.crack_depth())
    }

    /// Upper bound of the depths of surface particles.
    pub(super) fn max_outline_depth(&self) -> f64 {
        OUTLINE_DEPTH_RANGE[1] * self.spacing
    }

    /// The depth of particles below the faces of cracks.
    pub(super) fn crack_depth(&self) -> f64 {
        CRACK_DEPTH * self.spacing
    }

    /// Whether a particle keeps its velocity whatever force acts on it.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`LatticeGrid::slot_count`].
    pub fn is_held(&self, number: usize) -> bool {
        self.particles.spring_bits[number + PAD] & HELD != 0
    }

    /// Cuts the springs for which `is_cut` is true, given the positions of both ends.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
    /// let mut body = Body::new(grid, &Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// // A cut along x = 2.5 leaves three columns on one side and seven on the other.
    /// body.cut_springs(|one, other| (one.x - 2.5) * (other.x - 2.5) < 0.0);
    /// let counts: Vec<usize> = body.fragments().list.iter().map(|part| part.count).collect();
    /// assert_eq!(counts, [70, 30]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn cut_springs(&mut self, is_cut: impl Fn(&Vector<D>, &Vector<D>) -> bool) {
        for row in 0..self.grid.rows().len() {
            for number in self.grid.rows()[row].numbers() {
                let steps = self.grid.coordinates(row, number);
                for (bit, link) in self.links.iter().enumerate() {
                    let there = super::particles::offset_coordinates(&steps, &link.offset, 1);
                    let Some(other) = self.grid.particle_at(&there) else { continue };
                    let ends = [number, other].map(|number| self.position(number));
                    if self.particles.spring_bits(number) >> bit & 1 == 1
                        && is_cut(&ends[0], &ends[1])
                    {
                        self.is_cracked = true;
                        (self.has_lost_springs[number], self.has_lost_springs[other]) =
                            (true, true);
                        self.particles.spring_bits[number + PAD] &= !(1 << bit);
                        // A spring has a bit at each end, behind those of the forward links at the far one.
                        self.particles.spring_bits[other + PAD] &= !(1 << (bit + self.links.len()));
                    }
                }
            }
        }
    }

    /// The lattice sites that have particles.
    pub fn grid(&self) -> &LatticeGrid<D> {
        &self.grid
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.grid.particles().count()
    }

    /// Distance between nearest particles at rest.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Whether springs of its material can yield.
    pub fn can_yield(&self) -> bool {
        self.springs.yield_strain.is_some()
    }

    /// Speed of longitudinal waves.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// // A plate in plane stress: c² = E / (ρ (1 - ν²)), with the Poisson's ratio 1/3 of the lattice.
    /// let grid = LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, 9]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(2.0, 4.0), 0.5, |place| place * 0.5)?;
    /// assert!((body.wave_speed().powi(2) - 2.0 / (4.0 * (1.0 - 1.0 / 9.0))).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn wave_speed(&self) -> f64 {
        let unit = self.grid.lattice.solid().longitudinal_wave_speed * self.spacing;
        let swelling = self.stiffness.dilatation / (self.stiffness.spring * self.spacing.powi(2));
        unit * ((1.0 + swelling / self.grid.lattice.solid().longitudinal_wave_speed.powi(2))
            * self.stiffness.spring
            / self.particle_mass)
            .sqrt()
    }

    /// Number of springs before any was cut or broke.
    pub fn spring_count(&self) -> u64 {
        self.springs().count() as u64
    }

    /// Mass of each particle.
    pub fn particle_mass(&self) -> f64 {
        self.particle_mass
    }

    /// Mass of all particles.
    pub fn total_mass(&self) -> f64 {
        self.particle_mass * self.particle_count() as f64
    }

    /// Position of a particle.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`LatticeGrid::slot_count`].
    pub fn position(&self, number: usize) -> Vector<D> {
        let stored = self.particles.position(number);
        if self.wave_front.contains(&self.grid, number) {
            stored
        } else {
            // Not stored for each particle: until a wave comes all of them have moved alike.
            stored + self.unreached_displacement
        }
    }

    /// Velocity of a particle half a time step ago (leapfrog).
    ///
    /// # Panics
    ///
    /// Where the number is not below [`LatticeGrid::slot_count`].
    pub fn velocity(&self, number: usize) -> Vector<D> {
        match self.wave_front.contains(&self.grid, number) {
            true => self.particles.velocity(number),
            false => self.unreached_velocity,
        }
    }

    /// Whether a particle lacks a neighbor or a spring.
    pub(crate) fn is_boundary(&self, number: usize) -> bool {
        self.grid.is_occupied(number)
            && self.particles.spring_bits(number) != (1 << (2 * self.links.len())) - 1
    }

    /// Whether the spring at a bit is intact; bits count the links, then the opposite ones.
    pub(super) fn spring_holds(&self, number: usize, bit: usize) -> bool {
        self.particles.spring_bits(number) >> bit & 1 == 1
    }

    /// Number of springs that have broken; cut ones do not count.
    pub fn broken_springs(&self) -> u64 {
        self.broken_ends / 2
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        let inelastic = self.inelastic.as_ref().map_or(0, Inelastic::bytes);
        // Two flags per slot: occupied, has lost springs.
        self.particles.bytes()
            + 2 * self.grid.slot_count()
            + size_of_val(&*self.neighbor_offsets)
            + inelastic
    }

    /// Number of slots that a wave has reached, holes included; only these are stepped.
    pub fn reached_count(&self) -> usize {
        self.wave_front.count(&self.grid)
    }

    /// Longest stable time step.
    ///
    /// ```
    /// use carom_simulate::bonded::{Body, LatticeGrid, Material, SpringLattice};
    /// // Neighbors in antiphase are the fastest: ω² = 4 k / m, and the limit of velocity Verlet is 2 / ω.
    /// let grid = LatticeGrid::fill(SpringLattice::Square4, [[0, 0], [9, 9]], |_| true)?;
    /// let body = Body::new(grid, &Material::elastic(1.0, 4.0), 1.0, |place| *place)?;
    /// assert!((body.longest_stable_step() - 2.0).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn longest_stable_step(&self) -> f64 {
        let Stiffness { spring, time_step_factor, .. } = self.stiffness;
        time_step_factor
            * self.grid.lattice.solid().stable_time_step
            * (self.particle_mass / spring).sqrt()
    }

    /// Changes the velocity of one particle, which counts as reached by the wave from now on.
    pub(super) fn kick_particle(&mut self, number: usize, change: &Vector<D>) {
        let Body {
            wave_front, grid, particles, unreached_displacement, unreached_velocity, ..
        } = self;
        wave_front.reach_particle(grid, number, |fresh| {
            activate(particles, fresh, unreached_displacement, unreached_velocity)
        });
        particles.add_velocity(number, change);
        // The bound on displacements must hold for the next search of contacts too.
        self.max_speed = self.max_speed.max(self.particles.velocity(number).norm());
    }

    /// Steps the whole body from now on, as if a wave had reached all of it.
    pub fn activate_all(&mut self) {
        let Body {
            wave_front, grid, particles, unreached_displacement, unreached_velocity, ..
        } = self;
        wave_front.reach_all(grid, |fresh| {
            activate(particles, fresh, unreached_displacement, unreached_velocity)
        });
    }
}

fn check_finite<const D: usize>(what: &'static str, vector: &Vector<D>) -> Result<(), Error> {
    if vector.iter().all(|value| value.is_finite()) {
        return Ok(());
    }
    let value = format!("{:?}", vector.as_slice());
    Err(Error::Setting { what, value, rule: "it must be finite" })
}

fn check_grid<const D: usize>(grid: &LatticeGrid<D>) -> Result<(), Error> {
    let refused = |what, value: String, rule| Err(Error::Setting { what, value, rule });
    if grid.lattice.dimension() != D {
        let rule = "it must have the dimension of the body";
        return refused("the lattice", format!("{:?}", grid.lattice), rule);
    }
    if grid.particles().next().is_none() {
        let rule = "a shape must have places of the lattice inside: take a shorter spacing";
        return refused("the number of particles", "0".to_owned(), rule);
    }
    Ok(())
}

fn check_properties(
    lattice: SpringLattice,
    springs: &SpringProperties,
    spacing: f64,
) -> Result<(), Error> {
    let refused =
        |what, value: f64, rule| Err(Error::Setting { what, value: value.to_string(), rule });
    let numbers = [
        ("the spacing", spacing),
        ("Young's modulus", springs.youngs_modulus),
        ("the density", springs.density),
        ("the compression ratio of springs", springs.compression_ratio),
        ("the yield strain of springs", springs.yield_strain.unwrap_or(1.0)),
        ("the breaking strain of springs", springs.breaking_strain.unwrap_or(1.0)),
    ];
    if let Some((what, number)) =
        numbers.into_iter().find(|(_, number)| !(number.is_finite() && *number > 0.0))
    {
        return refused(what, number, "it must be finite and greater than zero");
    }
    if !(1e-100..=1e100).contains(&spacing) {
        return refused("the spacing", spacing, "it must be between 1e-100 and 1e100");
    }
    check_ranges(lattice, springs)
}

fn check_ranges(lattice: SpringLattice, springs: &SpringProperties) -> Result<(), Error> {
    let refused =
        |what, value: f64, rule| Err(Error::Setting { what, value: value.to_string(), rule });
    if !(springs.friction_coefficient.is_finite() && springs.friction_coefficient >= 0.0) {
        let rule = "it must be finite and not negative";
        return refused("the friction coefficient", springs.friction_coefficient, rule);
    }
    if !(0.0..1.0).contains(&springs.damping_ratio) {
        let rule = "it must be at least 0 and below 1";
        return refused("the damping ratio of springs", springs.damping_ratio, rule);
    }
    if let Some(poisson) = springs.poissons_ratio {
        if lattice.solid().transverse_wave_speed == 0.0 {
            let rule =
                "a lattice without diagonals has none: take another lattice, or leave it out";
            return refused("Poisson's ratio", poisson, rule);
        }
        let (range, rule) = match lattice.dimension() {
            2 => (0.0..=0.9, "it must be from 0 to 0.9 in the plane"),
            _ => (0.0..=0.45, "it must be from 0 to 0.45 in space"),
        };
        if !range.contains(&poisson) {
            return refused("Poisson's ratio", poisson, rule);
        }
    }
    match (springs.yield_strain, springs.breaking_strain) {
        (Some(yields), Some(breaks)) if yields >= breaks => {
            refused("the yield strain of springs", yields, "it must be below the breaking strain")
        }
        _ => Ok(()),
    }
}
