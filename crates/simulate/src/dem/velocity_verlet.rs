//! Time integration by velocity Verlet, block by block in parallel.

use super::body::{BodyArrays, BodyMotion, ForceTorque, PositionRadius};
use super::contact_law::ContactLaw;
use super::forces::split_off_front;
use super::rotation_state::RotationState;
use super::simulation::Simulation;
use crate::Error;
use carom_geometry::Vector;
use rayon::prelude::*;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Applies half a kick, once or twice (the one left over from the previous step), and then a drift over
    /// a time step. Returns the sum of all squared speeds and angular speeds.
    ///
    /// Errors if that sum is not finite.
    pub(super) fn kick_and_drift(&mut self, kicks: u32) -> Result<f64, Error> {
        let time_step = self.time_step;
        let (gravity, flat) = (self.settings.gravity.at(self.now()), D == 2);
        let speeds = self.for_each_block(|block| {
            let mut max_squared_speed = 0.0_f64;
            let mut sum = 0.0;
            for k in 0..block.positions.len() {
                let (motion, force_torque) = (&mut block.motions[k], &block.forces_torques[k]);
                // Two half kicks instead of a whole one: so the result has the same bits wherever a run
                // pauses between steps.
                (0..kicks).for_each(|_| kick(motion, force_torque, gravity, flat, 0.5 * time_step));
                motion.velocity_change =
                    acceleration(motion, force_torque, gravity, flat) * (0.5 * time_step);
                motion.angular_velocity_change = torque(force_torque, flat)
                    * (motion.inverse_inertia * motion.freedom * (0.5 * time_step));
                if let Some(rotation_state) =
                    block.rotation_states.get_mut(k).filter(|state| state.shape().is_some())
                {
                    let half = 0.5 * time_step * motion.freedom;
                    (0..kicks)
                        .for_each(|_| kick_rotation(rotation_state, force_torque, flat, half));
                    rotation_state.rotate_freely(time_step);
                    motion.angular_velocity = rotation_state.angular_velocity();
                    motion.angular_velocity_change =
                        rotation_state.apply_inverse_inertia(&(torque(force_torque, flat) * half));
                }
                let position = &mut block.positions[k];
                position.position += motion.velocity * time_step;
                // The fastest speed bounds displacements for the neighbor list; the sum detects lost
                // bodies and energy jumps, at no extra pass over memory.
                let squared = motion.velocity.norm_squared();
                max_squared_speed = max_squared_speed.max(squared);
                sum += squared + motion.angular_velocity.norm_squared();
            }
            [max_squared_speed, sum]
        });
        let sum: f64 = speeds.iter().map(|[_, sum]| sum).sum();
        // One test for all bodies: a single value that is not finite makes the sum so.
        if !sum.is_finite() {
            return Err(self.lost_body_error(&self.neighbors.contact_history(&self.bodies)));
        }
        let max_squared_speed = speeds.iter().map(|[fastest, _]| *fastest).fold(0.0, f64::max);
        self.displacement_bound +=
            // The sum of the largest steps bounds every displacement since the search, without a pass over
            // positions.
            max_squared_speed.sqrt() * time_step + self.max_wall_speed * time_step;
        self.steps += 1;
        if self.settings.gravity.rotates() {
            self.external_work -=
                (self.settings.gravity.at(self.now()) - gravity).dot(&self.midstep_mass_moment());
        }
        Ok(sum)
    }

    /// Returns the sum of mass times position at the midpoint of the step just made. Rotating gravity changes
    /// every potential energy, and the midpoint gives that work to the order of velocity Verlet.
    fn midstep_mass_moment(&self) -> Vector<3> {
        let BodyArrays { positions, motions, masses, .. } = &self.bodies;
        let half = 0.5 * self.time_step;
        let blocks: Vec<_> = (self.neighbors.blocks.par_iter())
            .map(|block| {
                let moment =
                    |k: usize| (positions[k].position - motions[k].velocity * half) * masses[k];
                block.bodies.clone().map(moment).sum::<Vector<3>>()
            })
            .collect();
        blocks.iter().sum()
    }

    /// Applies the half kick that is left over, so that velocities are at the present.
    ///
    /// Errors if one of them is not finite.
    pub(super) fn final_kick(&mut self) -> Result<(), Error> {
        let (half, flat) = (0.5 * self.time_step, D == 2);
        let gravity = self.settings.gravity.at(self.now());
        let speeds = self.for_each_block(|block| {
            for (motion, force_torque) in block.motions.iter_mut().zip(&*block.forces_torques) {
                kick(motion, force_torque, gravity, flat, half);
                motion.velocity_change = Vector::zeros();
                motion.angular_velocity_change = Vector::zeros();
            }
            for (k, rotation_state) in block.rotation_states.iter_mut().enumerate() {
                if rotation_state.shape().is_some() {
                    let half = half * block.motions[k].freedom;
                    kick_rotation(rotation_state, &block.forces_torques[k], flat, half);
                    block.motions[k].angular_velocity = rotation_state.angular_velocity();
                }
            }
            let motions = block.motions.iter();
            let vectors = motions.flat_map(|motion| [motion.velocity, motion.angular_velocity]);
            vectors.map(|velocity| velocity.norm_squared()).sum::<f64>()
        });
        match speeds.iter().sum::<f64>().is_finite() {
            true => Ok(()),
            false => Err(self.lost_body_error(&self.neighbors.contact_history(&self.bodies))),
        }
    }

    /// Adds the deferred forces to the bodies they act on.
    pub(super) fn apply_deferred(&mut self) {
        self.for_each_block(|_| ());
    }

    /// Runs `act` for every block in parallel, after adding the deferred forces of the block; returns the
    /// results in the order of blocks.
    fn for_each_block<T: Send>(&mut self, act: impl Fn(BlockMotion) -> T + Sync) -> Vec<T> {
        let (mut positions, mut motions, mut forces_torques) = (
            &mut self.bodies.positions[..],
            &mut self.bodies.motions[..],
            &mut self.bodies.forces_torques[..],
        );
        let mut rotation_states = &mut self.bodies.rotation_states[..];
        let (deferred, has_deferred) = (&self.deferred, self.has_deferred);
        let mut jobs = Vec::with_capacity(self.neighbors.blocks.len());
        for block in &self.neighbors.blocks {
            let count = block.bodies.len();
            let motion = BlockMotion {
                positions: split_off_front(&mut positions, count),
                motions: split_off_front(&mut motions, count),
                rotation_states: if rotation_states.is_empty() {
                    &mut []
                } else {
                    split_off_front(&mut rotation_states, count)
                },
                forces_torques: split_off_front(&mut forces_torques, count),
            };
            jobs.push((block, motion));
        }
        // Backwards, because the blocks whose forces were computed last are still in caches.
        let results = jobs.into_par_iter().rev().map(|(block, motion)| {
            if has_deferred {
                for deferred_force in &block.deferred_forces {
                    let force_torque = &mut motion.forces_torques
                        [deferred_force.body as usize - block.bodies.start];
                    let buffered = &deferred[deferred_force.slot as usize];
                    force_torque.force += buffered.force;
                    force_torque.torque += buffered.torque;
                }
            }
            act(motion)
        });
        let results = results.collect();
        self.has_deferred = false;
        results
    }
}

/// The bodies of a block, as slices of the arrays.
struct BlockMotion<'a> {
    positions: &'a mut [PositionRadius],
    motions: &'a mut [BodyMotion],
    /// Empty if all bodies are spheres.
    rotation_states: &'a mut [RotationState],
    forces_torques: &'a mut [ForceTorque],
}

/// Changes velocity and angular velocity by the acceleration over a time.
#[inline(always)]
fn kick(
    motion: &mut BodyMotion,
    force_torque: &ForceTorque,
    gravity: Vector<3>,
    flat: bool,
    time: f64,
) {
    motion.velocity += acceleration(motion, force_torque, gravity, flat) * time;
    motion.angular_velocity +=
        torque(force_torque, flat) * (motion.inverse_inertia * motion.freedom * time);
}

/// Returns the acceleration of a body.
#[inline(always)]
fn acceleration(
    motion: &BodyMotion,
    force_torque: &ForceTorque,
    gravity: Vector<3>,
    flat: bool,
) -> Vector<3> {
    let mut acceleration = force_torque.force * motion.inverse_mass + gravity;
    // In 2D the normals of prisms leave the plane by rounding; bodies must not.
    if flat {
        acceleration.z = 0.0;
    }
    acceleration * motion.freedom
}

/// Changes the angular momentum of a body with a shape by the torque over a time.
fn kick_rotation(
    rotation_state: &mut RotationState,
    force_torque: &ForceTorque,
    flat: bool,
    time: f64,
) {
    rotation_state.angular_momentum += torque(force_torque, flat) * time;
}

/// Returns the torque on a body; in 2D about the third axis only.
#[inline(always)]
fn torque(force_torque: &ForceTorque, flat: bool) -> Vector<3> {
    if flat { Vector::z() * force_torque.torque.z } else { force_torque.torque }
}
