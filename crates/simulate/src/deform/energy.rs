//! Where the energy of a body is.

use super::body::Body;
use super::particles::{HELD, PAD};
use carom_geometry::Vector;

/// The energy of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion.
    pub moving: f64,
    /// In springs.
    pub stretched: f64,
    /// Of springs when they broke, up to now.
    pub fractured: f64,
}

impl Energy {
    /// What stays the same while nothing acts from outside.
    pub fn total(&self) -> f64 {
        self.moving + self.stretched + self.fractured
    }
}

impl<const D: usize> Body<D> {
    /// The energy of now, half a step after velocities are known.
    pub fn energy(&self, step: f64) -> Energy {
        let mut energy = Energy { fractured: self.fractured, ..Energy::default() };
        for row in 0..self.grid.rows().len() {
            for number in
                self.grid.rows()[row].numbers().filter(|&number| self.grid.is_taken(number))
            {
                let (pull, stretched) = self.pull(row, number);
                let is_held = self.particles.springs[number + PAD] & HELD != 0;
                let change =
                    if is_held { Vector::zeros() } else { pull * (0.5 * step / self.mass) };
                let velocity = self.velocity(number) + change;
                energy.moving += 0.5 * self.mass * velocity.norm_squared();
                // Each spring is met at both ends.
                energy.stretched += 0.5 * stretched;
            }
        }
        energy
    }

    /// The momentum of half a step ago.
    pub fn momentum(&self) -> Vector<D> {
        self.grid.particles().map(|number| self.velocity(number) * self.mass).sum()
    }

    /// What springs pull at a particle with, and the energy in them.
    pub(super) fn pull(&self, row: usize, number: usize) -> (Vector<D>, f64) {
        let (mut pull, mut energy) = (Vector::zeros(), 0.0);
        let steps = self.grid.steps(row, number);
        let here = self.position(number);
        for (bit, link) in self.links.iter().enumerate() {
            for (sign, bit) in [(1, bit), (-1, bit + self.links.len())] {
                let there = super::particles::stepped(&steps, &link.offset, sign);
                let Some(there) = self.grid.at(&there).filter(|_| self.holds(number, bit)) else {
                    continue;
                };
                let way = self.position(there) - here;
                let (length, rest) = (way.norm(), link.length * self.spacing);
                let pushed = if length < rest { self.material.pushed } else { 1.0 };
                let stiffness = self.stiffness * link.stiffness * pushed;
                pull += way * (stiffness * (length - rest) / length);
                energy += 0.5 * stiffness * (length - rest).powi(2);
            }
        }
        (pull, energy)
    }
}
