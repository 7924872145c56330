//! A step of one body: what springs remember, how they pull, and who moves.

use super::body::Body;
use super::grid::Grid;
use super::inelastic::RowState;
use super::lattice::Link;
use super::particles::{PAD, Particles};
use super::springs::{Outcome, Pull, RowStep, StepLaw};
use carom_geometry::Vector;
use rayon::prelude::*;
use std::ops::Range;

/// Rows are shared out among threads so that each has about so many particles.
const SHARE: usize = 4096;

impl<const D: usize> Body<D> {
    /// A step: `kick` is the time for which forces act, `step` that for which particles move.
    pub fn step(&mut self, fall: &Vector<D>, kick: f64, step: f64) {
        let law = self.law(fall, kick, step);
        if self.inelastic.is_some() {
            // Dampers and pressures are felt by neighbours of neighbours.
            let Body { front, grid, particles, shift, drift, .. } = self;
            front.grow(grid, |fresh| wake(particles, fresh, shift, drift));
        }
        let rows = 0..self.grid.rows().len();
        let reached: Vec<_> = rows.map(|row| self.front.of_row(&self.grid, row)).collect();
        let before = self.drift;
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
        if self.inelastic.is_some() {
            self.prepare(&law, &reached, kick, &before);
        }
        let outcome = self.step_rows(&law, &reached);
        if self.inelastic.as_ref().is_some_and(|more| !more.swellings.is_empty()) {
            self.spent.fractured += self.swelling_lost(&law, &outcome.ends);
        }
        self.shift = moved;
        let Particles { positions, next, .. } = &mut self.particles;
        std::mem::swap(positions, next);
        self.broken_ends += outcome.ends.len() as u64;
        self.is_cracked |= !outcome.ends.is_empty();
        outcome.ends.iter().for_each(|end| self.torn[end[0] as usize] = true);
        self.spent.fractured += 0.25 * self.mass / kick * outcome.fractured;
        self.spent.damped += self.mass * outcome.damped;
        self.spent.held -= self.mass * outcome.held;
        let unreached = if self.front.is_everywhere() { 0.0 } else { self.drift.norm() };
        self.fastest = outcome.fastest.sqrt().max(unreached);
        self.fresh.extend(outcome.ends);
    }

    fn law(&self, fall: &Vector<D>, kick: f64, step: f64) -> StepLaw<D> {
        let per_mass = kick / self.mass;
        // Two particles on the shortest spring just do not swing with this.
        let critical = (2.0 * self.mass / self.stiffness.spring).sqrt();
        let pull = |link: &Link<D>| {
            let length = link.length * self.spacing;
            let pulled = self.stiffness.spring * link.stiffness * per_mass;
            Pull {
                per_square: 1.0 / (length * length),
                pulled,
                pushed: pulled * self.material.pushed,
                length,
                damping: pulled * self.material.damping * critical,
                swelling: link.stiffness,
            }
        };
        let half: Vec<Pull> = self.links.iter().map(pull).collect();
        let limit =
            self.material.breaks_at.map_or(f64::INFINITY, |stretch| (1.0 + stretch).powi(2));
        let fall = std::array::from_fn(|axis| fall[axis] * kick);
        StepLaw { pulls: [&half[..], &half[..]].concat(), limit, fall, step }
    }

    /// Brings up to date what springs remember and feel; `before` is the velocity of what no wave has reached.
    fn prepare(
        &mut self,
        law: &StepLaw<D>,
        reached: &[Range<usize>],
        kick: f64,
        before: &Vector<D>,
    ) {
        let Body { grid, jumps, shares, particles, inelastic, material, stiffness, .. } = self;
        let Some(more) = inelastic else { return };
        let positions: [&[f64]; D] = std::array::from_fn(|axis| &particles.positions[axis][..]);
        let springs = &particles.springs[..];
        let state = |row: usize| RowState {
            pulls: &law.pulls,
            jumps: &jumps[row * law.pulls.len()..][..law.pulls.len()],
            positions,
            springs,
            active: reached[row].start + PAD..reached[row].end + PAD,
        };
        if let Some(limit) = material.yields_at {
            let mut sets: Vec<&mut [f64]> =
                more.sets.iter_mut().map(|set| &mut set[PAD..]).collect();
            let works: Vec<_> =
                (shares.iter()).map(|rows| (rows.clone(), split(grid, rows, &mut sets))).collect();
            let lost = |(rows, (from, mut sets)): (Range<usize>, (usize, Vec<&mut [f64]>))| {
                rows.map(|row| state(row).yield_beyond(limit, &mut sets, from)).sum::<f64>()
            };
            // Sums of shares are added up in their order.
            let lost: Vec<f64> = works.into_par_iter().map(lost).collect();
            self.spent.yielded += 0.5 * self.mass / kick * lost.iter().sum::<f64>();
        }
        if !more.swellings.is_empty() {
            let mut swellings = vec![&mut more.swellings[PAD..]];
            let works: Vec<_> = (shares.iter())
                .map(|rows| (rows.clone(), split(grid, rows, &mut swellings)))
                .collect();
            let per_swelling = stiffness.swelling * D as f64 * kick / self.mass;
            works.into_par_iter().for_each(|(rows, (from, mut swellings))| {
                for row in rows {
                    let state = state(row);
                    for at in state.active.clone() {
                        let [swelling, whole] = state.swelling(at, springs[at]);
                        swellings[0][at - from] = match whole > 0.0 {
                            true => per_swelling * swelling / whole,
                            false => 0.0,
                        };
                    }
                }
            });
        }
        if !more.velocities[0].is_empty() {
            for axis in 0..D {
                more.velocities[axis].fill(before[axis]);
                for row in reached {
                    let row = row.start + PAD..row.end + PAD;
                    more.velocities[axis][row.clone()]
                        .copy_from_slice(&particles.velocities[axis][row]);
                }
            }
        }
    }

    /// The energy of swelling that went when springs broke, found from what they were before.
    fn swelling_lost(&self, law: &StepLaw<D>, ends: &[[u32; 2]]) -> f64 {
        let mut ends = ends.to_vec();
        ends.sort_unstable();
        let mut lost = 0.0;
        for broken in ends.chunk_by(|one, two| one[0] == two[0]) {
            let number = broken[0][0] as usize;
            let row = self.grid.row_of(number);
            let state: RowState<D> = RowState {
                pulls: &law.pulls,
                jumps: &self.jumps[row * law.pulls.len()..][..law.pulls.len()],
                positions: std::array::from_fn(|axis| &self.particles.positions[axis][..]),
                springs: &self.particles.springs,
                active: number + PAD..number + PAD + 1,
            };
            let energy = |springs: u32| {
                let [swelling, _] = state.swelling(number + PAD, springs);
                0.5 * self.stiffness.swelling * swelling.powi(2)
            };
            let left = self.particles.springs[number + PAD];
            let before = broken.iter().fold(left, |springs, end| springs | 1 << end[1]);
            lost += energy(before) - energy(left);
        }
        lost
    }

    fn step_rows(&mut self, law: &StepLaw<D>, reached: &[Range<usize>]) -> Outcome {
        let Body { grid, jumps, shares, particles, inelastic, are_held, .. } = self;
        let (inelastic, are_held) = (inelastic.as_ref(), *are_held);
        let Particles { positions, next, velocities, springs } = particles;
        let positions: [&[f64]; D] = std::array::from_fn(|axis| &positions[axis][..]);
        let mut next = next.each_mut().map(|next| &mut next[PAD..]);
        let mut velocities = velocities.each_mut().map(|velocities| &mut velocities[PAD..]);
        let mut springs = &mut springs[PAD..];
        let works: Vec<Share<D>> = shares
            .iter()
            .map(|rows| {
                let (from, count) = extent(grid, rows);
                Share {
                    rows: rows.clone(),
                    from,
                    next: next.each_mut().map(|next| taken(next, count)),
                    velocities: velocities.each_mut().map(|velocities| taken(velocities, count)),
                    springs: taken(&mut springs, count),
                }
            })
            .collect();
        let step = |mut share: Share<D>| {
            let mut outcome = Outcome::default();
            for row in share.rows.clone() {
                let active = reached[row].start + PAD..reached[row].end + PAD;
                if active.is_empty() {
                    continue;
                }
                let step = RowStep {
                    law,
                    jumps: &jumps[row * law.pulls.len()..][..law.pulls.len()],
                    positions,
                    inelastic,
                    are_held,
                    active,
                    from: share.from,
                    next: share.next.each_mut().map(|next| &mut **next),
                    velocities: share.velocities.each_mut().map(|velocities| &mut **velocities),
                    springs: share.springs,
                };
                outcome.add(step.run());
            }
            outcome
        };
        let all: Vec<Outcome> = works.into_par_iter().map(step).collect();
        let mut sum = Outcome::default();
        all.into_iter().for_each(|outcome| sum.add(outcome));
        sum
    }
}

/// Where in memory the particles of some rows begin, and how many there are.
fn extent<const D: usize>(grid: &Grid<D>, rows: &Range<usize>) -> (usize, usize) {
    let [first, last] = [rows.start, rows.end - 1].map(|row| grid.rows()[row]);
    (first.start + PAD, last.start + last.count - first.start)
}

/// What belongs to some rows of each of some arrays, which it is taken from, and where it begins.
fn split<'a, const D: usize>(
    grid: &Grid<D>,
    rows: &Range<usize>,
    arrays: &mut [&'a mut [f64]],
) -> (usize, Vec<&'a mut [f64]>) {
    let (from, count) = extent(grid, rows);
    (from, arrays.iter_mut().map(|array| taken(array, count)).collect())
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
pub(super) fn shares<const D: usize>(grid: &Grid<D>) -> Vec<Range<usize>> {
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
pub(super) fn wake<const D: usize>(
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
