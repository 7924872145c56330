//! One time step of a body: inelastic state, spring forces and motion, in parallel over chunks of rows.

use super::body::Body;
use super::inelastic::RowState;
use super::lattice::Link;
use super::lattice_grid::LatticeGrid;
use super::particles::{PAD, Particles};
use super::spring_forces::{
    BrokenEnd, RowStep, RowStepOutcome, SpringCoefficients, SpringStepCoefficients,
};
use carom_geometry::Vector;
use rayon::prelude::*;
use std::ops::Range;

/// Number of particles that a chunk of rows has about.
const PARTICLES_PER_CHUNK: usize = 4096;

impl<const D: usize> Body<D> {
    /// Makes one time step: forces act for `kick`, particles move for `step`.
    pub fn advance(&mut self, gravity: &Vector<D>, kick: f64, step: f64) {
        let coefficients = self.step_coefficients(gravity, kick, step);
        if self.inelastic.is_some() {
            // Damping and dilatation reach second neighbors, so the wave front grows by two in a step.
            let Body {
                wave_front,
                grid,
                particles,
                unreached_displacement,
                unreached_velocity,
                ..
            } = self;
            wave_front.grow(grid, |fresh| {
                activate(particles, fresh, unreached_displacement, unreached_velocity)
            });
        }
        let rows = 0..self.grid.rows().len();
        let reached: Vec<_> =
            rows.map(|row| self.wave_front.row_numbers(&self.grid, row)).collect();
        let before = self.unreached_velocity;
        // What no wave has reached falls freely: one velocity and one displacement stand for all of it.
        self.unreached_velocity += gravity * kick;
        let moved = self.unreached_displacement + self.unreached_velocity * step;
        let Body {
            wave_front, grid, particles, unreached_displacement, unreached_velocity, ..
        } = self;
        // Particles that the wave reaches in this step are read as neighbors, and stepped from the next step on.
        wave_front.grow(grid, |fresh| {
            activate(particles, fresh.clone(), unreached_displacement, unreached_velocity);
            for axis in 0..D {
                for at in fresh.start + PAD..fresh.end + PAD {
                    particles.next_positions[axis][at] =
                        step.mul_add(unreached_velocity[axis], particles.positions[axis][at]);
                }
            }
        });
        if self.inelastic.is_some() {
            self.update_inelastic_state(&coefficients, &reached, kick, &before);
        }
        let outcome = self.step_rows(&coefficients, &reached);
        if self.inelastic.as_ref().is_some_and(|more| !more.dilatation_pressures.is_empty()) {
            self.dissipated.fracture_loss +=
                self.dilatation_loss(&coefficients, &outcome.broken_ends);
        }
        self.unreached_displacement = moved;
        let Particles { positions, next_positions, .. } = &mut self.particles;
        std::mem::swap(positions, next_positions);
        self.broken_ends += outcome.broken_ends.len() as u64;
        self.is_cracked |= !outcome.broken_ends.is_empty();
        outcome
            .broken_ends
            .iter()
            .for_each(|end| self.has_lost_springs[end.particle as usize] = true);
        // ½ k x² per spring, with k = tension_kick · m / kick, and every spring is listed at both ends: a quarter.
        self.dissipated.fracture_loss += 0.25 * self.particle_mass / kick * outcome.fracture_loss;
        self.dissipated.damping_loss += self.particle_mass * outcome.damping_loss;
        self.dissipated.constraint_loss -= self.particle_mass * outcome.constraint_work;
        let unreached =
            if self.wave_front.is_everywhere() { 0.0 } else { self.unreached_velocity.norm() };
        self.max_speed = outcome.max_squared_speed.sqrt().max(unreached);
        self.newly_broken.extend(outcome.broken_ends);
    }

    fn step_coefficients(
        &self,
        gravity: &Vector<D>,
        kick: f64,
        time_step: f64,
    ) -> SpringStepCoefficients<D> {
        let per_mass = kick / self.particle_mass;
        // Critical damping coefficient over stiffness, for two particles joined by the shortest spring.
        let critical = (2.0 * self.particle_mass / self.stiffness.spring).sqrt();
        let spring = |link: &Link<D>| {
            let rest_length = link.length * self.spacing;
            let tension_kick = self.stiffness.spring * link.stiffness * per_mass;
            SpringCoefficients {
                inverse_square_length: 1.0 / (rest_length * rest_length),
                tension_kick,
                compression_kick: tension_kick * self.springs.compression_ratio,
                rest_length,
                damping: tension_kick * self.springs.damping_ratio * critical,
                dilatation_weight: link.stiffness,
            }
        };
        let half: Vec<SpringCoefficients> = self.links.iter().map(spring).collect();
        let breaking_square_ratio =
            self.springs.breaking_strain.map_or(f64::INFINITY, |stretch| (1.0 + stretch).powi(2));
        let gravity_kick = std::array::from_fn(|axis| gravity[axis] * kick);
        SpringStepCoefficients {
            // A link and its opposite have the same coefficients; listed twice, they need no modulo in the loop.
            springs: [&half[..], &half[..]].concat(),
            breaking_square_ratio,
            gravity_kick,
            time_step,
        }
    }

    /// Updates plastic strains, dilatation pressures and previous velocities; `before` is the velocity of particles
    /// that no wave has reached.
    fn update_inelastic_state(
        &mut self,
        coefficients: &SpringStepCoefficients<D>,
        reached: &[Range<usize>],
        kick: f64,
        before: &Vector<D>,
    ) {
        let Body {
            grid,
            neighbor_offsets,
            row_chunks,
            particles,
            inelastic,
            springs,
            stiffness,
            ..
        } = self;
        let Some(inelastic_state) = inelastic else { return };
        let positions: [&[f64]; D] = std::array::from_fn(|axis| &particles.positions[axis][..]);
        let spring_bits = &particles.spring_bits[..];
        let state = |row: usize| RowState {
            springs: &coefficients.springs,
            neighbor_offsets: &neighbor_offsets[row * coefficients.springs.len()..]
                [..coefficients.springs.len()],
            positions,
            spring_bits,
            active: reached[row].start + PAD..reached[row].end + PAD,
        };
        if let Some(limit) = springs.yield_strain {
            let mut plastic_strains: Vec<&mut [f64]> =
                inelastic_state.plastic_strains.iter_mut().map(|set| &mut set[PAD..]).collect();
            let works: Vec<_> = (row_chunks.iter())
                .map(|rows| (rows.clone(), split_rows(grid, rows, &mut plastic_strains)))
                .collect();
            let lost = |(rows, (from, mut sets)): (Range<usize>, (usize, Vec<&mut [f64]>))| {
                rows.map(|row| state(row).yield_springs(limit, &mut sets, from)).sum::<f64>()
            };
            // Partial sums are added in the order of chunks: the same bits for any number of threads.
            let lost: Vec<f64> = works.into_par_iter().map(lost).collect();
            self.dissipated.plastic_loss +=
                0.5 * self.particle_mass / kick * lost.iter().sum::<f64>();
        }
        if !inelastic_state.dilatation_pressures.is_empty() {
            let mut dilatation_pressures = vec![&mut inelastic_state.dilatation_pressures[PAD..]];
            let works: Vec<_> = (row_chunks.iter())
                .map(|rows| (rows.clone(), split_rows(grid, rows, &mut dilatation_pressures)))
                .collect();
            let per_swelling = stiffness.dilatation * D as f64 * kick / self.particle_mass;
            works.into_par_iter().for_each(|(rows, (from, mut swellings))| {
                for row in rows {
                    let state = state(row);
                    for at in state.active.clone() {
                        let dilatation = state.dilatation(at, spring_bits[at]);
                        swellings[0][at - from] = match dilatation.normalization > 0.0 {
                            true => per_swelling * dilatation.value / dilatation.normalization,
                            false => 0.0,
                        };
                    }
                }
            });
        }
        if !inelastic_state.previous_velocities[0].is_empty() {
            for axis in 0..D {
                inelastic_state.previous_velocities[axis].fill(before[axis]);
                for row in reached {
                    let row = row.start + PAD..row.end + PAD;
                    inelastic_state.previous_velocities[axis][row.clone()]
                        .copy_from_slice(&particles.velocities[axis][row]);
                }
            }
        }
    }

    /// Dilatation energy lost with broken springs, from the state before they broke.
    fn dilatation_loss(&self, coefficients: &SpringStepCoefficients<D>, ends: &[BrokenEnd]) -> f64 {
        let mut ends = ends.to_vec();
        ends.sort_unstable();
        let mut dilatation_loss = 0.0;
        for broken in ends.chunk_by(|one, two| one.particle == two.particle) {
            let number = broken[0].particle as usize;
            let row = self.grid.row_of(number);
            let state: RowState<D> = RowState {
                springs: &coefficients.springs,
                neighbor_offsets: &self.neighbor_offsets[row * coefficients.springs.len()..]
                    [..coefficients.springs.len()],
                positions: std::array::from_fn(|axis| &self.particles.positions[axis][..]),
                spring_bits: &self.particles.spring_bits,
                active: number + PAD..number + PAD + 1,
            };
            let energy = |springs: u32| {
                let dilatation = state.dilatation(number + PAD, springs);
                0.5 * self.stiffness.dilatation * dilatation.value.powi(2)
            };
            let left = self.particles.spring_bits[number + PAD];
            // The springs that broke are put back for the energy before.
            let before = broken.iter().fold(left, |springs, end| springs | 1 << end.bit);
            dilatation_loss += energy(before) - energy(left);
        }
        dilatation_loss
    }

    fn step_rows(
        &mut self,
        coefficients: &SpringStepCoefficients<D>,
        reached: &[Range<usize>],
    ) -> RowStepOutcome {
        let Body { grid, neighbor_offsets, row_chunks, particles, inelastic, are_held, .. } = self;
        let (inelastic, are_held) = (inelastic.as_ref(), *are_held);
        let Particles { positions, next_positions, velocities, spring_bits } = particles;
        let positions: [&[f64]; D] = std::array::from_fn(|axis| &positions[axis][..]);
        let mut next_positions = next_positions.each_mut().map(|next| &mut next[PAD..]);
        let mut velocities = velocities.each_mut().map(|velocities| &mut velocities[PAD..]);
        let mut spring_bits = &mut spring_bits[PAD..];
        let chunks: Vec<RowChunk<D>> = row_chunks
            .iter()
            .map(|rows| {
                let (first_slot, count) = row_extent(grid, rows);
                RowChunk {
                    rows: rows.clone(),
                    first_slot,
                    next_positions: next_positions
                        .each_mut()
                        .map(|next| split_off_front(next, count)),
                    velocities: velocities
                        .each_mut()
                        .map(|velocities| split_off_front(velocities, count)),
                    spring_bits: split_off_front(&mut spring_bits, count),
                }
            })
            .collect();
        let step = |mut chunk: RowChunk<D>| {
            let mut outcome = RowStepOutcome::default();
            for row in chunk.rows.clone() {
                let active = reached[row].start + PAD..reached[row].end + PAD;
                if active.is_empty() {
                    continue;
                }
                let step = RowStep {
                    coefficients,
                    neighbor_offsets: &neighbor_offsets[row * coefficients.springs.len()..]
                        [..coefficients.springs.len()],
                    positions,
                    inelastic,
                    are_held,
                    active,
                    first_slot: chunk.first_slot,
                    next_positions: chunk.next_positions.each_mut().map(|next| &mut **next),
                    velocities: chunk.velocities.each_mut().map(|velocities| &mut **velocities),
                    spring_bits: chunk.spring_bits,
                };
                outcome.add(step.run());
            }
            outcome
        };
        let all: Vec<RowStepOutcome> = chunks.into_par_iter().map(step).collect();
        let mut sum = RowStepOutcome::default();
        all.into_iter().for_each(|outcome| sum.add(outcome));
        sum
    }
}

/// First slot of some rows, and their number of slots.
fn row_extent<const D: usize>(grid: &LatticeGrid<D>, rows: &Range<usize>) -> (usize, usize) {
    let [first, last] = [rows.start, rows.end - 1].map(|row| grid.rows()[row]);
    (first.start + PAD, last.start + last.count - first.start)
}

/// Splits the part of some rows off the front of each array; returns its first slot and the parts.
fn split_rows<'a, const D: usize>(
    grid: &LatticeGrid<D>,
    rows: &Range<usize>,
    arrays: &mut [&'a mut [f64]],
) -> (usize, Vec<&'a mut [f64]>) {
    let (from, count) = row_extent(grid, rows);
    (from, arrays.iter_mut().map(|array| split_off_front(array, count)).collect())
}

/// Rows that one thread steps, with the slices that it writes.
struct RowChunk<'a, const D: usize> {
    rows: Range<usize>,
    first_slot: usize,
    next_positions: [&'a mut [f64]; D],
    velocities: [&'a mut [f64]; D],
    spring_bits: &'a mut [u32],
}

/// Divides rows into chunks of about equal numbers of particles.
pub(super) fn row_chunks<const D: usize>(grid: &LatticeGrid<D>) -> Vec<Range<usize>> {
    let mut shares: Vec<Range<usize>> = Vec::new();
    let mut count = 0;
    for (number, row) in grid.rows().iter().enumerate() {
        match shares.last_mut() {
            Some(share) if count < PARTICLES_PER_CHUNK => share.end = number + 1,
            _ => {
                shares.push(number..number + 1);
                count = 0;
            }
        }
        count += row.count;
    }
    shares
}

/// Splits the first `count` elements off a slice.
fn split_off_front<'a, T>(some: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    some.split_off_mut(..count).expect("rows share out what there is")
}

/// Moves particles to where the unreached part of the body is, when a wave reaches them.
pub(super) fn activate<const D: usize>(
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
