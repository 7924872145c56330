//! One body: a grid of particles, its springs, and how far a wave has come in it.

use super::front::Front;
use super::grid::Grid;
use super::lattice::Link;
use super::material::Material;
use super::particles::{HELD, PAD, Particles};
use super::springs::{Broken, Pull, RowStep, StepLaw, jumps};
use crate::Error;
use carom_geometry::Vector;
use rayon::prelude::*;
use std::ops::Range;

/// Rows are shared out among threads so that each has about so many particles.
const SHARE: usize = 4096;

/// A body of particles and springs.
pub struct Body<const D: usize> {
    pub(super) grid: Grid<D>,
    pub(super) links: Vec<Link<D>>,
    /// How far in memory neighbours are, row by row.
    jumps: Vec<isize>,
    /// Rows that one thread goes through.
    shares: Vec<Range<usize>>,
    pub(super) particles: Particles<D>,
    pub(super) front: Front,
    pub(super) material: Material,
    pub(super) spacing: f64,
    /// Of each particle.
    pub(super) mass: f64,
    /// Of the shortest springs, when pulled.
    pub(super) stiffness: f64,
    /// How particles that no wave has reached have moved since the start, and how fast they were half a step ago.
    pub(super) shift: Vector<D>,
    pub(super) drift: Vector<D>,
    /// Whether springs were cut or have broken, so that the body may touch itself.
    pub(super) is_cracked: bool,
    /// How many springs have broken, counted from both ends, and the energy that went into it.
    broken_ends: u64,
    pub(super) fractured: f64,
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
        Ok(Body {
            jumps: (0..grid.rows().len()).flat_map(|row| jumps(&grid, &links, row)).collect(),
            shares: shares(&grid),
            particles: Particles::new(&grid, &links, place),
            front: Front::new(&grid),
            mass: material.density * spacing.powi(D as i32) * solid.volume,
            stiffness: material.young * spacing.powi(D as i32 - 2) / solid.young,
            grid,
            links,
            material,
            spacing,
            shift: Vector::zeros(),
            drift: Vector::zeros(),
            is_cracked: false,
            broken_ends: 0,
            fractured: 0.0,
            fresh: Vec::new(),
        })
    }

    /// Gives all particles a velocity.
    pub fn set_velocity(&mut self, velocity: Vector<D>) {
        self.drift = velocity;
        for number in 0..self.grid.room() {
            self.particles.set_velocity(number, &velocity);
        }
    }

    /// Gives a particle a velocity of its own; the whole body is stepped from now on.
    pub fn set_particle_velocity(&mut self, number: usize, velocity: &Vector<D>) {
        self.reach_all();
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
        self.particles.springs[number + PAD] |= HELD;
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

    /// The mass of each particle.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The mass of all particles.
    pub fn total_mass(&self) -> f64 {
        self.mass * self.count() as f64
    }

    /// No particle is faster.
    pub(super) fn fastest(&self) -> f64 {
        let mut fastest = self.drift.norm_squared();
        for at in PAD..self.grid.room() + PAD {
            let square: f64 =
                self.particles.velocities.iter().map(|velocities| velocities[at].powi(2)).sum();
            fastest = fastest.max(square);
        }
        fastest.sqrt()
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
        self.particles.bytes() + self.grid.room() + size_of_val(&*self.jumps)
    }

    /// How many particles a wave has reached, holes counted; only these are stepped.
    pub fn reached(&self) -> usize {
        self.front.count(&self.grid)
    }

    /// The longest step that is stable: that of the lattice with the stiffer of its springs.
    pub fn longest_step(&self) -> f64 {
        let stiffest = self.stiffness * self.material.pushed.max(1.0);
        self.grid.lattice.solid().step * (self.mass / stiffest).sqrt()
    }

    /// A change of the velocity of one particle; the wave has reached it.
    pub(super) fn push(&mut self, number: usize, change: &Vector<D>) {
        let Body { front, grid, particles, shift, drift, .. } = self;
        front.touch(grid, number, |fresh| wake(particles, fresh, shift, drift));
        particles.push(number, change);
    }

    /// Lets the whole body be stepped from now on.
    pub fn reach_all(&mut self) {
        let Body { front, grid, particles, shift, drift, .. } = self;
        front.reach_all(grid, |fresh| wake(particles, fresh, shift, drift));
    }

    /// A step: `kick` is the time for which forces act, `step` that for which particles move.
    pub fn step(&mut self, fall: &Vector<D>, kick: f64, step: f64) {
        let law = self.law(fall, kick, step);
        let rows = 0..self.grid.rows().len();
        let reached: Vec<_> = rows.map(|row| self.front.of_row(&self.grid, row)).collect();
        self.drift += fall * kick;
        let moved = self.shift + self.drift * step;
        let Body { front, grid, particles, shift, drift, .. } = self;
        // What the wave reaches in this step is read in it, and stepped from the next one on.
        front.grow(grid, |fresh| {
            wake(particles, fresh.clone(), shift, drift);
            for axis in 0..D {
                for at in fresh.start + PAD..fresh.end + PAD {
                    particles.next[axis][at] =
                        step.mul_add(drift[axis], particles.positions[axis][at]);
                }
            }
        });
        let broken = self.step_rows(&law, &reached);
        self.shift = moved;
        let Particles { positions, next, .. } = &mut self.particles;
        std::mem::swap(positions, next);
        self.broken_ends += broken.ends.len() as u64;
        self.is_cracked |= !broken.ends.is_empty();
        self.fresh.extend(broken.ends);
        self.fractured += 0.25 * self.mass / kick * broken.energy;
    }

    fn law(&self, fall: &Vector<D>, kick: f64, step: f64) -> StepLaw<D> {
        let pull = |link: &Link<D>| {
            let length = link.length * self.spacing;
            let pulled = self.stiffness * link.stiffness * kick / self.mass;
            let pushed = pulled * self.material.pushed;
            Pull { per_square: 1.0 / (length * length), pulled, pushed, length }
        };
        let half: Vec<Pull> = self.links.iter().map(pull).collect();
        let limit =
            self.material.breaks_at.map_or(f64::INFINITY, |stretch| (1.0 + stretch).powi(2));
        let fall = std::array::from_fn(|axis| fall[axis] * kick);
        StepLaw { pulls: [&half[..], &half[..]].concat(), limit, fall, step }
    }

    fn step_rows(&mut self, law: &StepLaw<D>, reached: &[Range<usize>]) -> Broken {
        let Body { grid, jumps, shares, particles, .. } = self;
        let Particles { positions, next, velocities, springs } = particles;
        let positions: [&[f64]; D] = std::array::from_fn(|axis| &positions[axis][..]);
        let mut next = next.each_mut().map(|next| &mut next[PAD..]);
        let mut velocities = velocities.each_mut().map(|velocities| &mut velocities[PAD..]);
        let mut springs = &mut springs[PAD..];
        let works: Vec<Share<D>> = shares
            .iter()
            .map(|rows| {
                let [first, last] = [rows.start, rows.end - 1].map(|row| grid.rows()[row]);
                let count = last.start + last.count - first.start;
                Share {
                    rows: rows.clone(),
                    from: first.start + PAD,
                    next: next.each_mut().map(|next| taken(next, count)),
                    velocities: velocities.each_mut().map(|velocities| taken(velocities, count)),
                    springs: taken(&mut springs, count),
                }
            })
            .collect();
        let step = |mut share: Share<D>| {
            let mut broken = Broken::default();
            for row in share.rows.clone() {
                let active = reached[row].start + PAD..reached[row].end + PAD;
                if active.is_empty() {
                    continue;
                }
                let step = RowStep {
                    law,
                    jumps: &jumps[row * law.pulls.len()..][..law.pulls.len()],
                    positions,
                    active,
                    from: share.from,
                    next: share.next.each_mut().map(|next| &mut **next),
                    velocities: share.velocities.each_mut().map(|velocities| &mut **velocities),
                    springs: share.springs,
                };
                broken.add(step.run());
            }
            broken
        };
        let all: Vec<Broken> = works.into_par_iter().map(step).collect();
        let mut sum = Broken::default();
        all.into_iter().for_each(|broken| sum.add(broken));
        sum
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
        ("the stretch at which springs break", material.breaks_at.unwrap_or(1.0)),
    ];
    match numbers.into_iter().find(|(_, number)| !(number.is_finite() && *number > 0.0)) {
        Some((what, number)) => {
            refused(what, number.to_string(), "it must be finite and greater than zero")
        }
        None => Ok(()),
    }
}

/// Rows that one thread goes through.
struct Share<'a, const D: usize> {
    rows: Range<usize>,
    from: usize,
    next: [&'a mut [f64]; D],
    velocities: [&'a mut [f64]; D],
    springs: &'a mut [u32],
}

/// Rows shared out so that each share has about as many particles.
fn shares<const D: usize>(grid: &Grid<D>) -> Vec<Range<usize>> {
    let mut shares: Vec<Range<usize>> = Vec::new();
    let mut count = 0;
    for (number, row) in grid.rows().iter().enumerate() {
        match shares.last_mut() {
            Some(share) if count < SHARE => share.end = number + 1,
            _ => {
                shares.push(number..number + 1);
                count = 0;
            }
        }
        count += row.count;
    }
    shares
}

/// The first of some, which are taken away.
fn taken<'a, T>(some: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    some.split_off_mut(..count).expect("rows share out what there is")
}

/// Puts particles where they have come to when a wave reaches them.
fn wake<const D: usize>(
    particles: &mut Particles<D>,
    fresh: Range<usize>,
    shift: &Vector<D>,
    drift: &Vector<D>,
) {
    for axis in 0..D {
        for at in fresh.start + PAD..fresh.end + PAD {
            particles.positions[axis][at] += shift[axis];
            particles.velocities[axis][at] = drift[axis];
        }
    }
}
