//! A moment of a simulation to go on from, to the bit.
//!
//! What the scene says again (grids, materials, walls) is not in it. Surfaces follow from springs.

use super::body::{Body, Spent};
use super::contact::{Contacts, Touched};
use super::particles::PAD;
use super::saved_contacts::SavedContacts;
use super::simulation::Simulation;
use super::surface::Surface;
use crate::Error;
use carom_geometry::Vector;
use std::ops::Range;

/// All that changes in a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<const D: usize> {
    /// Of each body.
    pub bodies: Vec<SavedBody<D>>,
    /// The longest step, the one before, the time, and the shortest step so far.
    pub times: [f64; 4],
    /// Steps so far.
    pub steps: u64,
    /// Energies that went to friction, and from held particles by contacts.
    pub spent: [f64; 2],
    /// What touched in the last step.
    pub touched: Touched,
    /// What may touch until the next search.
    pub contacts: SavedContacts,
}

/// All that changes in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedBody<const D: usize> {
    /// Of all particles by number, holes counted.
    pub positions: [Vec<f64>; D],
    /// Of all particles, half a step ago.
    pub velocities: [Vec<f64>; D],
    /// Which springs hold.
    pub springs: Vec<u32>,
    /// By link, sets of springs; nothing if none yield.
    pub sets: Vec<Vec<f64>>,
    /// The stretch of each row that a wave has reached, and whether it has reached everything.
    pub reached: Vec<Range<i32>>,
    /// Whether it has reached everything.
    pub is_everywhere: bool,
    /// How what it has not reached has moved, and how fast it was half a step ago.
    pub drift: [Vector<D>; 2],
    /// Energies that broke springs, went into sets, dampers and to where particles are held.
    pub spent: [f64; 4],
    /// Springs that have broken, from both ends.
    pub broken_ends: u64,
    /// No particle was faster in the last step.
    pub fastest: f64,
}

impl<const D: usize> Simulation<D> {
    /// The moment of now.
    pub fn save(&self) -> Saved<D> {
        Saved {
            bodies: self.bodies.iter().map(Body::save).collect(),
            times: [self.step, self.last, self.now, self.shortest],
            steps: self.steps,
            spent: [self.rubbed, self.held],
            touched: self.touched,
            contacts: self.contacts.save(),
        }
    }

    /// Goes on from a moment of the same bodies; this must be a simulation at its start.
    pub fn restore(&mut self, saved: Saved<D>) -> Result<(), Error> {
        let counts = [saved.bodies.len(), self.bodies.len()];
        if counts[0] != counts[1] {
            let text = format!("it has {} bodies, but there are {}", counts[0], counts[1]);
            return Err(Error::Saved(text));
        }
        for (body, saved) in self.bodies.iter_mut().zip(saved.bodies) {
            body.restore(saved)?;
        }
        [self.step, self.last, self.now, self.shortest] = saved.times;
        [self.rubbed, self.held] = saved.spent;
        (self.steps, self.touched) = (saved.steps, saved.touched);
        self.surfaces = self.bodies.iter().map(Surface::new).collect();
        self.contacts = Contacts::restore(&saved.contacts, &self.bodies, self.walls.len())?;
        Ok(())
    }
}

impl<const D: usize> Body<D> {
    fn save(&self) -> SavedBody<D> {
        let all = PAD..PAD + self.grid.room();
        let Spent { fractured, yielded, damped, held } = self.spent;
        let (reached, is_everywhere) = self.front.save();
        SavedBody {
            positions: self.particles.positions.each_ref().map(|array| array[all.clone()].to_vec()),
            velocities: (self.particles.velocities.each_ref())
                .map(|array| array[all.clone()].to_vec()),
            springs: self.particles.springs[all.clone()].to_vec(),
            sets: self.inelastic.as_ref().map_or_else(Vec::new, |more| {
                more.sets.iter().map(|set| set[all.clone()].to_vec()).collect()
            }),
            reached,
            is_everywhere,
            drift: [self.shift, self.drift],
            spent: [fractured, yielded, damped, held],
            broken_ends: self.broken_ends,
            fastest: self.fastest,
        }
    }

    fn restore(&mut self, saved: SavedBody<D>) -> Result<(), Error> {
        let all = PAD..PAD + self.grid.room();
        let mut lengths: Vec<usize> = saved
            .positions
            .iter()
            .chain(&saved.velocities)
            .chain(&saved.sets)
            .map(Vec::len)
            .collect();
        lengths.push(saved.springs.len());
        let sets = self.inelastic.as_ref().map_or(0, |more| more.sets.len());
        if lengths.iter().any(|&length| length != all.len())
            || saved.sets.len() != sets
            || saved.reached.len() != self.grid.rows().len()
        {
            return Err(Error::Saved("a body has other particles".to_owned()));
        }
        // A damaged one must not lead to springs that were never there.
        let whole = (0..all.len()).map(|number| self.particles.springs[number + PAD]);
        if whole.zip(&saved.springs).any(|(whole, &springs)| springs & !whole != 0) {
            return Err(Error::Saved("a body has springs that the scene has not".to_owned()));
        }
        for axis in 0..D {
            self.particles.positions[axis][all.clone()].copy_from_slice(&saved.positions[axis]);
            self.particles.next[axis][all.clone()].copy_from_slice(&saved.positions[axis]);
            self.particles.velocities[axis][all.clone()].copy_from_slice(&saved.velocities[axis]);
        }
        for (number, &springs) in saved.springs.iter().enumerate() {
            self.torn[number] |= self.particles.springs[number + PAD] != springs;
        }
        self.particles.springs[all.clone()].copy_from_slice(&saved.springs);
        if let Some(more) = &mut self.inelastic {
            for (set, saved) in more.sets.iter_mut().zip(&saved.sets) {
                set[all.clone()].copy_from_slice(saved);
            }
        }
        self.front.restore(saved.reached, saved.is_everywhere);
        [self.shift, self.drift] = saved.drift;
        let [fractured, yielded, damped, held] = saved.spent;
        self.spent = Spent { fractured, yielded, damped, held };
        self.is_cracked |= saved.broken_ends > 0;
        (self.broken_ends, self.fastest) = (saved.broken_ends, saved.fastest);
        self.fresh.clear();
        Ok(())
    }
}
