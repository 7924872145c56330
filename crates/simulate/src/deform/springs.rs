//! What springs do to particles in a step: the loop in which nearly all time is spent.
//!
//! Each particle sums over its own springs, so that nothing is written to by two and sums have one order whatever the
//! number of threads. Lengths are found without a root: springs are hardly ever stretched by more than a quarter, and
//! there one over the root is a polynomial and a series, to the last digit. What is stretched farther, or too far, is
//! looked at once more by itself.

use super::grid::Grid;
use super::inelastic::Inelastic;
use super::lattice::Link;
use super::particles::{HELD, HOLE, PAD, stepped};
use carom_geometry::wide::{Job, run_widest_loops};
use std::ops::Range;

/// How a spring along one link pulls, for a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    /// One over the square of its length at rest.
    pub per_square: f64,
    /// The change of velocity in a step for a stretch of one, when pulled and when pushed.
    pub pulled: f64,
    pub pushed: f64,
    /// The length at rest.
    pub length: f64,
    /// The change of velocity for a rate of stretch of one.
    pub damping: f64,
    /// How much this spring counts in the swelling of its surroundings.
    pub swelling: f64,
}

impl Pull {
    /// The change of velocity for a way of one, by one less the length at rest over that of now.
    #[inline(always)]
    pub(super) fn strength(&self, slack: f64) -> f64 {
        // Both are read before one is taken, which would be looked up for each spring otherwise.
        let (pulled, pushed) = (self.pulled, self.pushed);
        slack * if slack > 0.0 { pulled } else { pushed }
    }
}

/// What a step does to all particles of a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepLaw<const D: usize> {
    /// By link, and then again for the opposite ones.
    pub pulls: Vec<Pull>,
    /// The square of the length at which a spring breaks, in squares of that at rest.
    pub limit: f64,
    /// A change of velocity for all.
    pub fall: [f64; D],
    pub step: f64,
}

/// The squared length over that at rest for which the polynomial holds.
pub(super) const NEAR: [f64; 2] = [0.64, 1.5625];

/// One over the root of one plus a number, within that range to 2.6e-4.
const FIRST: [f64; 5] = [
    0.999_796_237_946_365_9,
    -0.498_181_423_409_220_45,
    0.386_169_538_689_229_3,
    -0.358_912_450_274_922_8,
    0.223_023_683_369_967_42,
];

/// One less the root of one over a ratio.
#[inline(always)]
pub(super) fn slack(ratio: f64) -> f64 {
    let past = ratio - 1.0;
    let [a, b, c, d, e] = FIRST;
    let first = e.mul_add(past, d).mul_add(past, c).mul_add(past, b).mul_add(past, a);
    // One over the root of one less this, by its series, is what the first guess is to be multiplied by.
    let wrong = (-(ratio * first)).mul_add(first, 1.0);
    let series = (35.0 / 128.0_f64).mul_add(wrong, 5.0 / 16.0).mul_add(wrong, 3.0 / 8.0);
    let series = series.mul_add(wrong, 0.5) * wrong;
    (1.0 - first) - first * series
}

/// So many particles are gone through link by link, while what is summed stays in the nearest cache.
pub(super) const BLOCK: usize = 64;

/// So many particles are summed for at once, in registers; a block is a multiple of it.
const MANY: usize = 16;

/// And so many at the end of a row.
const FEW: usize = 8;

/// A stretch of a row and what is known of it.
pub(super) struct RowStep<'a, const D: usize> {
    pub law: &'a StepLaw<D>,
    /// How far in memory the neighbour along each link is, and then along each opposite one.
    pub jumps: &'a [isize],
    pub positions: [&'a [f64]; D],
    /// What springs do beside pulling by their length.
    pub inelastic: Option<&'a Inelastic<D>>,
    /// Whether some particles are held.
    pub are_held: bool,
    /// The particles to step, and where in memory the slices below begin.
    pub active: Range<usize>,
    pub from: usize,
    pub next: [&'a mut [f64]; D],
    pub velocities: [&'a mut [f64]; D],
    pub springs: &'a mut [u32],
}

/// What came of a step, beside motion. Energies are for a mass of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// Springs that broke, from both ends: the particle and the bit of the spring.
    pub ends: Vec<[u32; 2]>,
    /// The sum of `stiffness` times the squared stretch of these, from both ends.
    pub fractured: f64,
    /// The energy that dampers took.
    pub damped: f64,
    /// The energy that came from what holds particles.
    pub held: f64,
    /// The largest square of a speed.
    pub fastest: f64,
}

impl Outcome {
    pub(super) fn add(&mut self, other: Outcome) {
        self.ends.extend(other.ends);
        self.fractured += other.fractured;
        self.damped += other.damped;
        self.held += other.held;
        self.fastest = self.fastest.max(other.fastest);
    }
}

impl<const D: usize> RowStep<'_, D> {
    pub(super) fn run(self) -> Outcome {
        run_widest_loops(self)
    }
}

impl<const D: usize> Job for RowStep<'_, D> {
    type Output = Outcome;
    #[inline(always)]
    fn run(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        let (mut push, mut drag) = ([[0.0; BLOCK]; D], [[0.0; BLOCK]; D]);
        for at in self.active.clone().step_by(BLOCK) {
            let count = BLOCK.min(self.active.end - at);
            let is_near = match self.inelastic {
                None => self.pull(at, count, &mut push),
                Some(more) => self.pull_inelastic(more, at, count, [&mut push, &mut drag]),
            };
            if !is_near {
                for local in 0..count {
                    let changed = self.pull_with_care(at + local, &mut outcome);
                    for axis in 0..D {
                        push[axis][local] = changed[0][axis];
                        drag[axis][local] = changed[1][axis];
                    }
                }
            }
            if self.inelastic.is_some() || self.are_held {
                self.count_energies(at, count, [&push, &drag], &mut outcome);
            }
            let fastest = self.move_on(at, count, &push);
            outcome.fastest = if fastest > outcome.fastest { fastest } else { outcome.fastest };
        }
        outcome
    }
}

impl<const D: usize> RowStep<'_, D> {
    /// Sums the changes of velocity of some particles by their springs, and tells whether no spring is stretched so far
    /// that it must be looked at with more care.
    #[inline(always)]
    fn pull(&self, at: usize, count: usize, push: &mut [[f64; BLOCK]; D]) -> bool {
        let (mut is_near, mut begin) = (true, 0);
        while begin < count {
            // Rows that end soon after a multiple of a few leave fewer lanes without work.
            if count - begin > FEW {
                is_near &= self.pull_lanes::<MANY>(at + begin, count - begin, begin, push);
                begin += MANY;
            } else {
                is_near &= self.pull_lanes::<FEW>(at + begin, count - begin, begin, push);
                begin += FEW;
            }
        }
        is_near
    }

    /// The same of so many particles, of which the first `count` are meant; sums stay in registers and go to where they
    /// belong in a block.
    #[inline(always)]
    fn pull_lanes<const LANES: usize>(
        &self,
        at: usize,
        count: usize,
        begin: usize,
        sums: &mut [[f64; BLOCK]; D],
    ) -> bool {
        // Rows are followed by others or by the room at the end.
        let lanes = |from: usize| {
            self.positions.map(|all| *all[from..].first_chunk::<LANES>().expect("there is room"))
        };
        let last = self.positions[0].len() - LANES;
        let here = lanes(at);
        let held = self.springs_of::<LANES>(at, count);
        let [low, high] = [NEAR[0], NEAR[1].min(self.law.limit)];
        let (mut push, mut least, mut most) = ([[0.0; LANES]; D], [1.0; LANES], [1.0; LANES]);
        for (bit, (pull, &jump)) in self.law.pulls.iter().zip(self.jumps).enumerate() {
            // Where none of these springs leads to, anything may be read.
            let there = lanes(at.saturating_add_signed(jump).min(last));
            let pull = *pull;
            for lane in 0..LANES {
                let way: [f64; D] =
                    std::array::from_fn(|axis| there[axis][lane] - here[axis][lane]);
                let mut square = way[0] * way[0];
                (1..D).for_each(|axis| square = way[axis].mul_add(way[axis], square));
                let holds = held[lane] & (1 << bit) != 0;
                let ratio = square * pull.per_square;
                let ratio = if holds { ratio } else { 1.0 };
                least[lane] = if ratio < least[lane] { ratio } else { least[lane] };
                most[lane] = if ratio > most[lane] { ratio } else { most[lane] };
                let strength = pull.strength(slack(ratio));
                let strength = if holds { strength } else { 0.0 };
                for axis in 0..D {
                    push[axis][lane] = strength.mul_add(way[axis], push[axis][lane]);
                }
            }
        }
        for (sums, push) in sums.iter_mut().zip(&push) {
            sums[begin..begin + LANES].copy_from_slice(push);
        }
        least
            .iter()
            .zip(&most)
            .fold(true, |near, (&least, &most)| near & (least >= low) & (most <= high))
    }

    /// Which springs of so many particles hold, of the first `count` of them; none of the others.
    #[inline(always)]
    fn springs_of<const LANES: usize>(&self, at: usize, count: usize) -> [u32; LANES] {
        let springs = &self.springs[at - self.from..];
        match springs.first_chunk::<LANES>() {
            Some(all) => std::array::from_fn(|lane| if lane < count { all[lane] } else { 0 }),
            None => std::array::from_fn(|lane| match springs.get(lane) {
                Some(&springs) if lane < count => springs,
                _ => 0,
            }),
        }
    }

    /// The same of one particle, to any stretch, and what dampers have in it; springs that are stretched too far break.
    #[inline(never)]
    fn pull_with_care(&mut self, at: usize, outcome: &mut Outcome) -> [[f64; D]; 2] {
        let (mut push, mut drag) = ([0.0; D], [0.0; D]);
        let springs = &mut self.springs[at - self.from];
        for (bit, (pull, &jump)) in self.law.pulls.iter().zip(self.jumps).enumerate() {
            if *springs & (1 << bit) == 0 {
                continue;
            }
            let there = at.strict_add_signed(jump);
            let way: [f64; D] =
                std::array::from_fn(|axis| self.positions[axis][there] - self.positions[axis][at]);
            let mut square = way[0] * way[0];
            (1..D).for_each(|axis| square = way[axis].mul_add(way[axis], square));
            let ratio = square * pull.per_square;
            let set = self.inelastic.map_or(0.0, |more| more.set([at, there], bit));
            if ratio > self.law.limit {
                *springs &= !(1 << bit);
                outcome.ends.push([(at - PAD) as u32, bit as u32]);
                // It broke at the limit, somewhere between two steps.
                let stretch = self.law.limit.sqrt() - 1.0 - set;
                outcome.fractured += pull.pulled * (pull.length * stretch).powi(2);
                continue;
            }
            let is_near = (NEAR[0]..=NEAR[1]).contains(&ratio);
            let slack = if is_near { slack(ratio) } else { 1.0 - 1.0 / ratio.sqrt() };
            let mut strength = pull.strength(slack - set * (1.0 - slack));
            if let Some(more) = self.inelastic {
                strength += more.swelling([at, there], pull) * (1.0 - slack);
                let damped = more.rate([at, there], &way) * pull.damping / square;
                strength += damped;
                (0..D).for_each(|axis| drag[axis] = damped.mul_add(way[axis], drag[axis]));
            }
            (0..D).for_each(|axis| push[axis] = strength.mul_add(way[axis], push[axis]));
        }
        [push, drag]
    }

    /// What dampers take and what comes from outside, where particles are held.
    fn count_energies(
        &self,
        at: usize,
        count: usize,
        [push, drag]: [&[[f64; BLOCK]; D]; 2],
        outcome: &mut Outcome,
    ) {
        for local in 0..count {
            let number = at - self.from + local;
            let is_held = self.springs[number] & HELD != 0;
            for axis in 0..D {
                let (push, drag) = (push[axis][local], drag[axis][local]);
                let before = self.velocities[axis][number];
                let fall = self.law.fall[axis];
                let middle = if is_held { before } else { before + 0.5 * (push + fall) };
                outcome.damped -= drag * middle;
                outcome.held -= if is_held { (push + fall) * before } else { 0.0 };
            }
        }
    }

    /// Moves particles on, and tells the largest square of a speed.
    #[inline(always)]
    fn move_on(&mut self, at: usize, count: usize, push: &[[f64; BLOCK]; D]) -> f64 {
        let within = at - self.from..at - self.from + count;
        let springs = &self.springs[within.clone()];
        let StepLaw { fall, step, .. } = self.law;
        let mut squares = [0.0; BLOCK];
        for axis in 0..D {
            let (here, push) = (&self.positions[axis][at..at + count], &push[axis][..count]);
            let velocities = &mut self.velocities[axis][within.clone()];
            let next = &mut self.next[axis][within.clone()];
            let squares = &mut squares[..count];
            for local in 0..count {
                let is_free = springs[local] & (HELD | HOLE) == 0;
                let change = if is_free { push[local] + fall[axis] } else { 0.0 };
                velocities[local] += change;
                let speed = if springs[local] & HOLE == 0 { velocities[local] } else { 0.0 };
                squares[local] = speed.mul_add(speed, squares[local]);
                next[local] = step.mul_add(velocities[local], here[local]);
            }
        }
        // One after the other they would wait for each other.
        let larger = |one: f64, other: f64| if one > other { one } else { other };
        let mut most = [0.0; FEW];
        for squares in squares.as_chunks::<FEW>().0 {
            most = std::array::from_fn(|lane| larger(squares[lane], most[lane]));
        }
        most.into_iter().fold(0.0, larger)
    }
}

/// How far in memory the neighbours of a row are along each link, and then along each opposite one.
pub(super) fn jumps<const D: usize>(grid: &Grid<D>, links: &[Link<D>], row: usize) -> Vec<isize> {
    let (steps, here) = (grid.row_steps(row), grid.rows()[row]);
    let jump = |link: &Link<D>, sign| {
        let there = grid.rows()[grid.row_at(&stepped(&steps, &link.offset, sign))?];
        let shift = here.first - there.first + sign * link.offset[0];
        Some(there.start as isize - here.start as isize + shift as isize)
    };
    let jumps = [1, -1].into_iter().flat_map(|sign| links.iter().map(move |link| (link, sign)));
    jumps.map(|(link, sign)| jump(link, sign).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_is_right_to_the_last_digits() {
        for k in 0..=100_000 {
            let ratio = NEAR[0] + (NEAR[1] - NEAR[0]) * f64::from(k) / 1e5;
            let exact = 1.0 - 1.0 / ratio.sqrt();
            assert!((slack(ratio) - exact).abs() < 3e-16, "{ratio} {} {exact}", slack(ratio));
        }
    }
}
