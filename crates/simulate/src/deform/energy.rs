//! Where the energy of a body is, and the pressure in it.

use super::body::Body;
use super::inelastic::whole_of;
use super::lattice::Link;
use super::particles::{HELD, PAD, stepped};
use carom_geometry::Vector;
use std::collections::HashMap;

/// Pressures below so many roundings of places say nothing.
const ROUNDINGS: f64 = 64.0;

/// The energy of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub moving: f64,
    /// In springs, and in surroundings of particles that resist swelling.
    pub stretched: f64,
    /// Of springs when they broke, up to now.
    pub fractured: f64,
    /// That went into sets of springs.
    pub yielded: f64,
    /// That dampers took.
    pub damped: f64,
    /// That went to where particles are held; negative where it came from there.
    pub held: f64,
    /// In contacts.
    pub touching: f64,
    /// That friction took.
    pub rubbed: f64,
    /// Of gravity, from the origin.
    pub lifted: f64,
}

impl Energy {
    /// What stays the same.
    pub fn total(&self) -> f64 {
        let kept = self.moving + self.stretched + self.touching + self.lifted;
        kept + self.fractured + self.yielded + self.damped + self.held + self.rubbed
    }

    /// All energy that was there before, was lost, given or fell since, and what rounding may hide of the
    /// rest: more cannot appear but out of nothing.
    pub fn known_since(&self, before: &Energy) -> f64 {
        let there = before.moving + before.stretched.abs() + before.touching.abs();
        let pairs = [
            [before.fractured, self.fractured],
            [before.yielded, self.yielded],
            [before.damped, self.damped],
            [before.held, self.held],
            [before.rubbed, self.rubbed],
            [before.lifted, self.lifted],
        ];
        let exchanged: f64 = pairs.iter().map(|[before, now]| (now - before).abs()).sum();
        let all: f64 = pairs.iter().map(|[_, now]| now.abs()).sum();
        there + exchanged + 1e-9 * all
    }

    /// The sum of two.
    pub fn plus(&self, other: &Energy) -> Energy {
        Energy {
            moving: self.moving + other.moving,
            stretched: self.stretched + other.stretched,
            fractured: self.fractured + other.fractured,
            yielded: self.yielded + other.yielded,
            damped: self.damped + other.damped,
            held: self.held + other.held,
            touching: self.touching + other.touching,
            rubbed: self.rubbed + other.rubbed,
            lifted: self.lifted + other.lifted,
        }
    }
}

/// A spring between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Numbers of the particles.
    pub ends: [usize; 2],
    /// Its length over that at rest, sets included, less one.
    pub stretch: f64,
    /// Whether it was cut or has broken.
    pub is_broken: bool,
}

impl<const D: usize> Body<D> {
    /// All particles: their rows and numbers.
    fn in_rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.grid.rows().iter().enumerate().flat_map(|(row, numbers)| {
            let taken = numbers.numbers().filter(|&number| self.grid.is_taken(number));
            taken.map(move |number| (row, number))
        })
    }

    /// All springs that there were before any was cut or broke.
    pub fn springs(&self) -> impl Iterator<Item = Spring> + '_ {
        self.in_rows().flat_map(move |(row, number)| {
            let steps = self.grid.steps(row, number);
            self.links.iter().enumerate().filter_map(move |(bit, link)| {
                let there = self.grid.at(&stepped(&steps, &link.offset, 1))?;
                let ends = [number, there];
                let set = self
                    .inelastic
                    .as_ref()
                    .map_or(0.0, |more| more.set(ends.map(|end| end + PAD), bit));
                let rest = link.length * self.spacing * (1.0 + set);
                let length = (self.position(there) - self.position(number)).norm();
                let is_broken = !self.holds(number, bit);
                Some(Spring { ends, stretch: length / rest - 1.0, is_broken })
            })
        })
    }

    /// The energy of now, half of `kick` after velocities are known; `pushes` act on particles beside springs and gravity.
    pub(super) fn energy(
        &self,
        gravity: &Vector<D>,
        pushes: &HashMap<u32, Vector<D>>,
        kick: f64,
    ) -> Energy {
        let spent = self.spent;
        let mut energy = Energy {
            fractured: spent.fractured,
            yielded: spent.yielded,
            damped: spent.damped,
            held: spent.held,
            ..Energy::default()
        };
        let swellings = self.swellings();
        for (row, number) in self.in_rows() {
            let (pull, stretched) = self.pull(row, number, &swellings);
            let is_held = self.particles.springs[number + PAD] & HELD != 0;
            let pushed = pushes.get(&(number as u32)).copied().unwrap_or_else(Vector::zeros);
            let change = (pull + pushed) / self.mass + gravity;
            let change = if is_held { Vector::zeros() } else { change * (0.5 * kick) };
            let velocity = self.velocity(number) + change;
            energy.moving += 0.5 * self.mass * velocity.norm_squared();
            energy.lifted -= self.mass * gravity.dot(&self.position(number));
            // Each spring is met at both ends.
            energy.stretched += 0.5 * stretched;
        }
        let swollen: f64 = swellings.iter().map(|[swelling, _]| swelling * swelling).sum();
        energy.stretched += 0.5 * self.stiffness.swelling * swollen;
        energy
    }

    /// The momentum of half a step ago.
    pub fn momentum(&self) -> Vector<D> {
        self.grid.particles().map(|number| self.velocity(number) * self.mass).sum()
    }

    /// Springs that hold of a particle: the bit, the particle at the other end and the way there.
    pub(super) fn springs_of(
        &self,
        row: usize,
        number: usize,
    ) -> impl Iterator<Item = (usize, usize, Vector<D>)> + '_ {
        let steps = self.grid.steps(row, number);
        let here = self.position(number);
        let both =
            [1, -1].into_iter().flat_map(|sign| self.links.iter().map(move |link| (link, sign)));
        both.enumerate().filter(move |&(bit, _)| self.holds(number, bit)).filter_map(
            move |(bit, (link, sign))| {
                let there = self.grid.at(&stepped(&steps, &link.offset, sign))?;
                Some((bit, there, self.position(there) - here))
            },
        )
    }

    /// How much the surroundings of each particle have swollen, and the sum that made it a mean; of bodies that do not
    /// mind, nothing.
    fn swellings(&self) -> Vec<[f64; 2]> {
        if self.inelastic.as_ref().is_none_or(|more| more.swellings.is_empty()) {
            return Vec::new();
        }
        let mut swellings = vec![[0.0; 2]; self.grid.room()];
        let weight = |link: &Link<D>| link.stiffness * (link.length * self.spacing).powi(2);
        let all: f64 = 2.0 * self.links.iter().map(weight).sum::<f64>();
        for row in 0..self.grid.rows().len() {
            for number in self.grid.rows()[row].numbers() {
                let (mut sum, mut whole) = (0.0, 0.0);
                for (bit, _, way) in self.springs_of(row, number) {
                    let link = &self.links[bit % self.links.len()];
                    let rest = link.length * self.spacing;
                    sum += link.stiffness * rest * (way.norm() - rest);
                    whole += link.stiffness * rest * rest;
                }
                let whole = whole_of(whole, all);
                swellings[number] = [D as f64 * sum / whole, whole];
            }
        }
        swellings
    }

    /// The mean pressure around each particle that there is, in the order of their numbers: by Clausius's virial,
    /// `-sum(tension x length) / (2 D V)`, without what dampers add. Negative where springs pull; what the rounding of
    /// places makes of it is zero. At surfaces, where a particle has fewer springs, it is less than inside.
    ///
    /// ```
    /// use carom_simulate::deform::{Body, Grid, Lattice, Material};
    /// let grid = Grid::fill(Lattice::Square8, [[0, 0], [9, 9]], |_| true);
    /// let body = Body::new(grid, Material::elastic(1.0, 1.0), 1.0, |place| *place)?;
    /// assert_eq!(body.pressures(), [0.0; 100]);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn pressures(&self) -> Vec<f64> {
        let swellings = self.swellings();
        let volume = self.mass / self.material.density;
        let pressure = |(row, number): (usize, usize)| {
            let mut work = 0.0;
            self.each_tension(row, number, &swellings, |_, length, [tension, _]| {
                // Half of it belongs to the particle at the other end.
                work -= 0.5 * tension * length;
            });
            let farthest = self.position(number).amax() / self.spacing + 1.0;
            let noise = ROUNDINGS * f64::EPSILON * farthest * self.material.young;
            let pressure = work / (D as f64 * volume);
            if pressure.abs() > noise { pressure } else { 0.0 }
        };
        self.in_rows().map(pressure).collect()
    }

    /// What springs pull at a particle with, and the energy in them; `swellings` are those of all particles.
    pub(super) fn pull(
        &self,
        row: usize,
        number: usize,
        swellings: &[[f64; 2]],
    ) -> (Vector<D>, f64) {
        let mut pull = Vector::zeros();
        let energy = self.each_tension(row, number, swellings, |way, length, [tension, damped]| {
            pull += way * ((tension + damped) / length);
        });
        (pull, energy)
    }

    /// Calls `visit` with the way along each spring of a particle, its length, and what it and its damper pull with; returns
    /// the energy in all of them.
    fn each_tension(
        &self,
        row: usize,
        number: usize,
        swellings: &[[f64; 2]],
        mut visit: impl FnMut(Vector<D>, f64, [f64; 2]),
    ) -> f64 {
        let mut energy = 0.0;
        let critical = (2.0 * self.mass / self.stiffness.spring).sqrt();
        let pressure = |number: usize| match swellings.get(number) {
            Some([swelling, whole]) if *whole > 0.0 => {
                self.stiffness.swelling * D as f64 * swelling / whole
            }
            _ => 0.0,
        };
        for (bit, there, way) in self.springs_of(row, number) {
            let link = &self.links[bit % self.links.len()];
            let (length, first) = (way.norm(), link.length * self.spacing);
            let ends = [number + PAD, there + PAD];
            let set = self.inelastic.as_ref().map_or(0.0, |more| more.set(ends, bit));
            let rest = first * (1.0 + set);
            let pushed = if length < rest { self.material.pushed } else { 1.0 };
            let stiffness = self.stiffness.spring * link.stiffness;
            let rate = (self.velocity(there) - self.velocity(number)).dot(&way) / length;
            let tension = stiffness * pushed * (length - rest)
                + link.stiffness * first * (pressure(number) + pressure(there));
            let damped = stiffness * self.material.damping * critical * rate;
            visit(way, length, [tension, damped]);
            energy += 0.5 * stiffness * pushed * (length - rest).powi(2);
        }
        energy
    }
}
