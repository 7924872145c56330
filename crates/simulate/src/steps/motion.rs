//! How bodies move in a step: velocity Verlet, block by block.

use super::body::{Bodies, Load, Motion};
use super::forces::taken;
use super::row::Row;
use super::simulation::Simulation;
use super::turn::Turn;
use crate::Error;
use carom_geometry::Vector;
use rayon::prelude::*;

impl Simulation {
    /// Half a step of acceleration, once or twice (that left over from the step before), and then a
    /// step of motion. Returns the sum of all squared speeds.
    pub(super) fn kick_and_drift(&mut self, kicks: u32) -> Result<f64, Error> {
        let step = self.step;
        let (gravity, flat) = (self.settings.gravity.at(self.now()), self.settings.flat);
        let fastest = self.each_block(|block| {
            let mut fastest = 0.0_f64;
            let mut sum = 0.0;
            for k in 0..block.places.len() {
                let (motion, load) = (&mut block.motions[k], &block.loads[k]);
                (0..kicks).for_each(|_| kick(motion, load, gravity, flat, 0.5 * step));
                motion.velocity_change.vector =
                    acceleration(motion, load, gravity, flat) * (0.5 * step);
                motion.spin_change.vector = torque(load, flat) * (motion.agility() * (0.5 * step));
                if let Some(turn) = block.turns.get_mut(k).filter(|turn| turn.shape().is_some()) {
                    (0..kicks).for_each(|_| twist(turn, load, flat, 0.5 * step));
                    turn.go_on(step);
                    motion.spin.vector = turn.spin();
                    motion.spin_change.vector = turn.eased(&(torque(load, flat) * (0.5 * step)));
                }
                let place = &mut block.places[k];
                place.vector += motion.velocity.vector * step;
                let squared = motion.velocity.vector.norm_squared();
                fastest = fastest.max(squared);
                sum += squared + motion.spin.vector.norm_squared();
            }
            [fastest, sum]
        });
        let sum: f64 = fastest.iter().map(|[_, sum]| sum).sum();
        if !sum.is_finite() {
            return Err(self.name_lost(&self.neighbours.memories(&self.bodies)));
        }
        let fastest = fastest.iter().map(|[fastest, _]| *fastest).fold(0.0, f64::max);
        self.moved += fastest.sqrt() * step + self.wall_speed * step;
        self.steps += 1;
        if self.settings.gravity.turns() {
            self.driven -=
                (self.settings.gravity.at(self.now()) - gravity).dot(&self.middle_moment());
        }
        Ok(sum)
    }

    /// The sum of masses times places in the middle of the step just made. As gravity turns, every
    /// height becomes another, and the mean over the step is what velocity Verlet makes of it.
    fn middle_moment(&self) -> Vector<3> {
        let Bodies { places, motions, masses, .. } = &self.bodies;
        let half = 0.5 * self.step;
        let blocks: Vec<_> = (self.neighbours.blocks.par_iter())
            .map(|block| {
                let moment =
                    |k: usize| (places[k].vector - motions[k].velocity.vector * half) * masses[k];
                block.bodies.clone().map(moment).sum::<Vector<3>>()
            })
            .collect();
        blocks.iter().sum()
    }

    /// The half step of acceleration that is left over.
    pub(super) fn last_kick(&mut self) {
        let (half, flat) = (0.5 * self.step, self.settings.flat);
        let gravity = self.settings.gravity.at(self.now());
        self.each_block(|block| {
            for (motion, load) in block.motions.iter_mut().zip(&*block.loads) {
                kick(motion, load, gravity, flat, half);
                motion.velocity_change.vector = Vector::zeros();
                motion.spin_change.vector = Vector::zeros();
            }
            for (k, turn) in block.turns.iter_mut().enumerate() {
                if turn.shape().is_some() {
                    twist(turn, &block.loads[k], flat, half);
                    block.motions[k].spin.vector = turn.spin();
                }
            }
        });
    }

    /// Takes up what blocks have put down for each other.
    pub(super) fn take_up(&mut self) {
        self.each_block(|_| ());
    }

    /// Does something for every block, having taken up what was put down for it.
    fn each_block<T: Send>(&mut self, act: impl Fn(BlockMotion) -> T + Sync) -> Vec<T> {
        let (mut places, mut motions, mut loads) =
            (&mut self.bodies.places[..], &mut self.bodies.motions[..], &mut self.bodies.loads[..]);
        let mut turns = &mut self.bodies.turns[..];
        let (put_down, is_put_down) = (&self.put_down, self.is_put_down);
        let mut works = Vec::with_capacity(self.neighbours.blocks.len());
        for block in &self.neighbours.blocks {
            let count = block.bodies.len();
            let motion = BlockMotion {
                places: taken(&mut places, count),
                motions: taken(&mut motions, count),
                turns: if turns.is_empty() { &mut [] } else { taken(&mut turns, count) },
                loads: taken(&mut loads, count),
            };
            works.push((block, motion));
        }
        // Backwards, because of what forces were found for last is still in caches.
        let results = works.into_par_iter().rev().map(|(block, motion)| {
            if is_put_down {
                for incoming in &block.incoming {
                    let load = &mut motion.loads[incoming.body as usize - block.bodies.start];
                    let more = &put_down[incoming.slot as usize];
                    load.force += more.force;
                    load.torque += more.torque;
                }
            }
            act(motion)
        });
        let results = results.collect();
        self.is_put_down = false;
        results
    }
}

/// The bodies of a block.
struct BlockMotion<'a> {
    places: &'a mut [Row],
    motions: &'a mut [Motion],
    /// Empty if all bodies are spheres.
    turns: &'a mut [Turn],
    loads: &'a mut [Load],
}

/// Acceleration over some time. In the plane it stays there: normals of prisms lean out of it by
/// rounding.
#[inline(always)]
fn kick(motion: &mut Motion, load: &Load, gravity: Vector<3>, flat: bool, time: f64) {
    motion.velocity.vector += acceleration(motion, load, gravity, flat) * time;
    motion.spin.vector += torque(load, flat) * (motion.agility() * time);
}

/// How fast the velocity changes.
#[inline(always)]
fn acceleration(motion: &Motion, load: &Load, gravity: Vector<3>, flat: bool) -> Vector<3> {
    let mut acceleration = load.force * motion.lightness() + gravity;
    if flat {
        acceleration.z = 0.0;
    }
    acceleration
}

/// The same for the turning of a body with a shape.
fn twist(turn: &mut Turn, load: &Load, flat: bool, time: f64) {
    turn.momentum += torque(load, flat) * time;
}

/// What turns a body, in the plane about the third axis only.
#[inline(always)]
fn torque(load: &Load, flat: bool) -> Vector<3> {
    if flat { Vector::z() * load.torque.z } else { load.torque }
}
