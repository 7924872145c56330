//! One body: a grid of particles, its springs, and how far a wave has come in it.

use super::front::Front;
use super::grid::Grid;
use super::inelastic::Inelastic;
use super::lattice::{Lattice, Link};
use super::material::{Material, Stiffness};
use super::particles::{HELD, PAD, Particles};
use super::springs::jumps;
use super::stepping::{shares, wake};
use crate::Error;
use carom_geometry::Vector;
use std::collections::HashMap;
use std::ops::Range;

/// How deep particles at cracks are below their faces, in spacings: sides of cells on a slant to a crack are nearer to
/// the particles beyond it than a spacing, and would be thrown apart when it opens.
const AT_CRACKS: f64 = 0.36;

/// Particles of the surface are so deep below the outline at least and at most, in spacings.
const DEPTHS: [f64; 2] = [0.25, 1.5];

/// Energies that left motion and springs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spent {
    pub fractured: f64,
    pub yielded: f64,
    pub damped: f64,
    /// What came from where particles are held, as a loss.
    pub held: f64,
}

/// A body of particles and springs.
pub struct Body<const D: usize> {
    pub(super) grid: Grid<D>,
    pub(super) links: Vec<Link<D>>,
    /// How far in memory neighbours are, row by row.
    pub(super) jumps: Vec<isize>,
    /// Rows that one thread goes through.
    pub(super) shares: Vec<Range<usize>>,
    pub(super) particles: Particles<D>,
    pub(super) front: Front,
    pub(super) material: Material,
    pub(super) spacing: f64,
    /// How deep particles are below the outline of the body, where they are at it from the start.
    depths: HashMap<u32, f64>,
    /// Of each particle.
    pub(super) mass: f64,
    pub(super) stiffness: Stiffness,
    /// What a layer of the lattice resists with, for each particle in it.
    pub(super) layer: f64,
    /// What springs do beside pulling by their length.
    pub(super) inelastic: Option<Inelastic<D>>,
    /// Whether some particles are held.
    pub(super) are_held: bool,
    /// How particles that no wave has reached have moved since the start, and how fast they were half a step ago.
    pub(super) shift: Vector<D>,
    pub(super) drift: Vector<D>,
    /// Whether springs were cut or have broken, so that the body may touch itself; and whose.
    pub(super) is_cracked: bool,
    pub(super) torn: Vec<bool>,
    /// How many springs have broken, counted from both ends.
    pub(super) broken_ends: u64,
    /// Energies that left motion and springs up to now.
    pub(super) spent: Spent,
    /// No particle was faster in the last step.
    pub(super) fastest: f64,
    /// Particles that lost springs since this was last looked at, and which.
    pub(super) fresh: Vec<[u32; 2]>,
}

impl<const D: usize> Body<D> {
    /// Particles at rest at the places of a grid, each where `place` puts it: a turn and a shift of a spacing. Refused
    /// are a lattice of another dimension, a grid without particles, and numbers that no material can have.
    pub fn new(
        grid: Grid<D>,
        material: Material,
        spacing: f64,
        place: impl Fn(&Vector<D>) -> Vector<D>,
    ) -> Result<Self, Error> {
        check(&grid, &material, spacing)?;
        let links = grid.lattice.half::<D>();
        let solid = grid.lattice.solid();
        let stiffness = material.stiffness(grid.lattice, spacing);
        let mut body = Body {
            layer: solid.longitudinal.powi(2) * stiffness.spring,
            jumps: (0..grid.rows().len()).flat_map(|row| jumps(&grid, &links, row)).collect(),
            shares: shares(&grid),
            particles: Particles::new(&grid, &links, place),
            front: Front::new(&grid),
            torn: vec![false; grid.room()],
            mass: material.density * spacing.powi(D as i32) * solid.volume,
            stiffness,
            inelastic: Inelastic::new(&material, links.len(), grid.room()),
            are_held: false,
            grid,
            links,
            material,
            spacing,
            depths: HashMap::new(),
            shift: Vector::zeros(),
            drift: Vector::zeros(),
            is_cracked: false,
            broken_ends: 0,
            spent: Spent::default(),
            fastest: 0.0,
            fresh: Vec::new(),
        };
        body.set_outline(|_| 0.5 * spacing);
        Ok(body)
    }

    /// Gives all particles a velocity.
    pub fn set_velocity(&mut self, velocity: Vector<D>) {
        self.drift = velocity;
        self.fastest = velocity.norm();
        for number in 0..self.grid.room() {
            self.particles.set_velocity(number, &velocity);
        }
    }

    /// Gives a particle a velocity of its own; the whole body is stepped from now on.
    pub fn set_particle_velocity(&mut self, number: usize, velocity: &Vector<D>) {
        self.reach_all();
        self.fastest = self.fastest.max(velocity.norm());
        self.particles.set_velocity(number, velocity);
    }

    /// Moves a particle; the whole body is stepped from now on.
    pub fn displace(&mut self, number: usize, by: &Vector<D>) {
        self.reach_all();
        for axis in 0..D {
            self.particles.positions[axis][number + PAD] += by[axis];
            self.particles.next[axis][number + PAD] += by[axis];
        }
    }

    /// Lets a particle keep its velocity from now on, whatever pulls at it.
    pub fn hold(&mut self, number: usize) {
        self.reach_all();
        self.are_held = true;
        self.particles.springs[number + PAD] |= HELD;
    }

    /// Tells how deep the particles of the surface are below the outline of the shape that the body stands for, by their
    /// places; if this is not told, half a spacing.
    pub fn set_outline(&mut self, depth: impl Fn(&Vector<D>) -> f64) {
        let boundary = self.grid.particles().filter(|&number| self.is_boundary(number));
        let depth = |number| {
            depth(&self.position(number)).clamp(DEPTHS[0] * self.spacing, DEPTHS[1] * self.spacing)
        };
        self.depths = boundary.map(|number| (number as u32, depth(number))).collect();
    }

    /// How deep a particle of the surface is below the outline.
    pub(super) fn depth(&self, number: usize) -> f64 {
        self.depths.get(&(number as u32)).copied().unwrap_or(self.depth_at_cracks())
    }

    /// No particle of the surface is deeper.
    pub(super) fn deepest(&self) -> f64 {
        DEPTHS[1] * self.spacing
    }

    /// How deep particles are below the faces of cracks.
    pub(super) fn depth_at_cracks(&self) -> f64 {
        AT_CRACKS * self.spacing
    }

    /// Whether a particle keeps its velocity whatever pulls at it.
    pub fn is_held(&self, number: usize) -> bool {
        self.particles.springs[number + PAD] & HELD != 0
    }

    /// Cuts the springs of which `is_cut` tells, by the places of both ends.
    pub fn cut(&mut self, is_cut: impl Fn(&Vector<D>, &Vector<D>) -> bool) {
        for row in 0..self.grid.rows().len() {
            for number in self.grid.rows()[row].numbers() {
                let steps = self.grid.steps(row, number);
                for (bit, link) in self.links.iter().enumerate() {
                    let there = super::particles::stepped(&steps, &link.offset, 1);
                    let Some(other) = self.grid.at(&there) else { continue };
                    let ends = [number, other].map(|number| self.position(number));
                    if self.particles.springs(number) >> bit & 1 == 1 && is_cut(&ends[0], &ends[1])
                    {
                        self.is_cracked = true;
                        (self.torn[number], self.torn[other]) = (true, true);
                        self.particles.springs[number + PAD] &= !(1 << bit);
                        self.particles.springs[other + PAD] &= !(1 << (bit + self.links.len()));
                    }
                }
            }
        }
    }

    /// Which places of the lattice have particles.
    pub fn grid(&self) -> &Grid<D> {
        &self.grid
    }

    /// How many particles there are.
    pub fn count(&self) -> usize {
        self.grid.particles().count()
    }

    /// From a particle to the nearest.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Whether its springs may keep sets.
    pub fn yields(&self) -> bool {
        self.material.yields_at.is_some()
    }

    /// The speed of longitudinal waves.
    pub fn wave_speed(&self) -> f64 {
        let unit = self.grid.lattice.solid().longitudinal * self.spacing;
        let swelling = self.stiffness.swelling / (self.stiffness.spring * self.spacing.powi(2));
        unit * ((1.0 + swelling / self.grid.lattice.solid().longitudinal.powi(2))
            * self.stiffness.spring
            / self.mass)
            .sqrt()
    }

    /// How many springs there were before any was cut or broke.
    pub fn spring_count(&self) -> u64 {
        self.springs().count() as u64
    }

    /// The mass of each particle.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The mass of all particles.
    pub fn total_mass(&self) -> f64 {
        self.mass * self.count() as f64
    }

    /// Where a particle is.
    pub fn position(&self, number: usize) -> Vector<D> {
        let stored = self.particles.position(number);
        if self.front.has(&self.grid, number) { stored } else { stored + self.shift }
    }

    /// How fast a particle was half a step ago.
    pub fn velocity(&self, number: usize) -> Vector<D> {
        match self.front.has(&self.grid, number) {
            true => self.particles.velocity(number),
            false => self.drift,
        }
    }

    /// Whether a particle lacks a neighbour.
    pub fn is_boundary(&self, number: usize) -> bool {
        self.grid.is_taken(number)
            && self.particles.springs(number) != (1 << (2 * self.links.len())) - 1
    }

    /// Whether the spring along a link, or an opposite one, holds.
    pub(super) fn holds(&self, number: usize, bit: usize) -> bool {
        self.particles.springs(number) >> bit & 1 == 1
    }

    /// How many springs have broken.
    pub fn broken_springs(&self) -> u64 {
        self.broken_ends / 2
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let inelastic = self.inelastic.as_ref().map_or(0, Inelastic::bytes);
        // Whether there is a particle, and whether it lost springs.
        self.particles.bytes() + 2 * self.grid.room() + size_of_val(&*self.jumps) + inelastic
    }

    /// How many particles a wave has reached, holes counted; only these are stepped.
    pub fn reached(&self) -> usize {
        self.front.count(&self.grid)
    }

    /// The longest step that is stable.
    pub fn longest_step(&self) -> f64 {
        let Stiffness { spring, step, .. } = self.stiffness;
        step * self.grid.lattice.solid().step * (self.mass / spring).sqrt()
    }

    /// A change of the velocity of one particle; the wave has reached it.
    pub(super) fn push(&mut self, number: usize, change: &Vector<D>) {
        let Body { front, grid, particles, shift, drift, .. } = self;
        front.touch(grid, number, |fresh| wake(particles, fresh, shift, drift));
        particles.push(number, change);
        self.fastest = self.fastest.max(self.particles.velocity(number).norm());
    }

    /// Lets the whole body be stepped from now on.
    pub fn reach_all(&mut self) {
        let Body { front, grid, particles, shift, drift, .. } = self;
        front.reach_all(grid, |fresh| wake(particles, fresh, shift, drift));
    }
}

fn check<const D: usize>(grid: &Grid<D>, material: &Material, spacing: f64) -> Result<(), Error> {
    let refused = |what, value: String, rule| Err(Error::Setting { what, value, rule });
    if grid.lattice.dimension() != D {
        let rule = "it must have the dimension of the body";
        return refused("the lattice", format!("{:?}", grid.lattice), rule);
    }
    if grid.particles().next().is_none() {
        let rule = "a shape must have places of the lattice inside: take a shorter spacing";
        return refused("the number of particles", "0".to_owned(), rule);
    }
    let numbers = [
        ("the spacing", spacing),
        ("Young's modulus", material.young),
        ("the density", material.density),
        ("the stiffness of pushed springs over that of pulled ones", material.pushed),
        ("the stretch at which springs yield", material.yields_at.unwrap_or(1.0)),
        ("the stretch at which springs break", material.breaks_at.unwrap_or(1.0)),
    ];
    match numbers.into_iter().find(|(_, number)| !(number.is_finite() && *number > 0.0)) {
        Some((what, number)) => {
            refused(what, number.to_string(), "it must be finite and greater than zero")
        }
        None => check_ranges(grid.lattice, material),
    }
}

fn check_ranges(lattice: Lattice, material: &Material) -> Result<(), Error> {
    let refused =
        |what, value: f64, rule| Err(Error::Setting { what, value: value.to_string(), rule });
    if !(material.friction.is_finite() && material.friction >= 0.0) {
        let rule = "it must be finite and not negative";
        return refused("the coefficient of friction", material.friction, rule);
    }
    if !(0.0..1.0).contains(&material.damping) {
        let rule = "it must be at least 0 and below 1";
        return refused("the damping of springs", material.damping, rule);
    }
    if let Some(poisson) = material.poisson {
        if lattice.solid().transverse == 0.0 {
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
    match (material.yields_at, material.breaks_at) {
        (Some(yields), Some(breaks)) if yields >= breaks => {
            refused("the stretch at which springs yield", yields, "they must break later than that")
        }
        _ => Ok(()),
    }
}
