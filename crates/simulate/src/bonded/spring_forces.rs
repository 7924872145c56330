//! What springs do to particles in a step: the loop in which nearly all time is spent.
//!
//! Each particle sums over its own springs, so that nothing is written to by two and sums have one order whatever the
//! number of threads. Lengths are found without a root: springs are hardly ever stretched by more than a quarter, and
//! there one over the root is a polynomial and a series, to the last digit. What is stretched farther, or too far, is
//! looked at once more by itself.

use super::inelastic::Inelastic;
use super::lattice::Link;
use super::lattice_grid::LatticeGrid;
use super::particles::{HELD, HOLE, PAD, offset_coordinates};
use carom_geometry::simd::{SimdKernel, run_loops_with_widest_simd};
use std::ops::Range;

/// How a spring along one link pulls, for a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpringCoefficients {
    /// One over the square of its length at rest.
    pub inverse_square_length: f64,
    /// The change of velocity in a step for a stretch of one, when pulled and when pushed.
    pub tension_kick: f64,
    pub compression_kick: f64,
    /// The length at rest.
    pub rest_length: f64,
    /// The change of velocity for a rate of stretch of one.
    pub damping: f64,
    /// How much this spring counts in the swelling of its surroundings.
    pub dilatation_weight: f64,
}

impl SpringCoefficients {
    /// The change of velocity for a way of one, by one less the length at rest over that of now.
    #[inline(always)]
    pub(super) fn velocity_kick(&self, slack: f64) -> f64 {
        // Both are read before one is taken, which would be looked up for each spring otherwise.
        let (tension_kick, compression_kick) = (self.tension_kick, self.compression_kick);
        slack * if slack > 0.0 { tension_kick } else { compression_kick }
    }
}

/// What a step does to all particles of a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpringStepCoefficients<const D: usize> {
    /// By link, and then again for the opposite ones.
    pub springs: Vec<SpringCoefficients>,
    /// The square of the length at which a spring breaks, in squares of that at rest.
    pub breaking_square_ratio: f64,
    /// A change of velocity for all.
    pub gravity_kick: [f64; D],
    pub time_step: f64,
}

/// The squared length over that at rest for which the polynomial holds.
pub(super) const SERIES_RANGE: [f64; 2] = [0.64, 1.5625];

/// One over the root of one plus a number, within that range to 2.6e-4.
const INVERSE_SQRT_POLYNOMIAL: [f64; 5] = [
    0.999_796_237_946_365_9,
    -0.498_181_423_409_220_45,
    0.386_169_538_689_229_3,
    -0.358_912_450_274_922_8,
    0.223_023_683_369_967_42,
];

/// One less the root of one over a ratio.
#[inline(always)]
pub(super) fn one_minus_inverse_sqrt(ratio: f64) -> f64 {
    let past = ratio - 1.0;
    let [a, b, c, d, e] = INVERSE_SQRT_POLYNOMIAL;
    let first = e.mul_add(past, d).mul_add(past, c).mul_add(past, b).mul_add(past, a);
    // One over the root of one less this, by its series, is what the first guess is to be multiplied by.
    let wrong = (-(ratio * first)).mul_add(first, 1.0);
    let series = (35.0 / 128.0_f64).mul_add(wrong, 5.0 / 16.0).mul_add(wrong, 3.0 / 8.0);
    let series = series.mul_add(wrong, 0.5) * wrong;
    (1.0 - first) - first * series
}

/// So many particles are gone through link by link, while what is summed stays in the nearest cache.
pub(super) const BLOCK_SIZE: usize = 64;

/// So many particles are summed for at once, in registers; a block is a multiple of it.
const WIDE_LANES: usize = 16;

/// And so many at the end of a row.
const NARROW_LANES: usize = 8;

/// A stretch of a row and what is known of it.
pub(super) struct RowStep<'a, const D: usize> {
    pub coefficients: &'a SpringStepCoefficients<D>,
    /// How far in memory the neighbor along each link is, and then along each opposite one.
    pub neighbor_offsets: &'a [isize],
    pub positions: [&'a [f64]; D],
    /// What springs do beside pulling by their length.
    pub inelastic: Option<&'a Inelastic<D>>,
    /// Whether some particles are held.
    pub are_held: bool,
    /// The particles to step, and where in memory the slices below begin.
    pub active: Range<usize>,
    pub first_slot: usize,
    pub next_positions: [&'a mut [f64]; D],
    pub velocities: [&'a mut [f64]; D],
    pub spring_bits: &'a mut [u32],
}

/// What came of a step, beside motion. Energies are for a mass of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowStepOutcome {
    /// Springs that broke, from both ends: the particle and the bit of the spring.
    pub broken_ends: Vec<[u32; 2]>,
    /// The sum of `stiffness` times the squared stretch of these, from both ends.
    pub fracture_loss: f64,
    /// The energy that dampers took.
    pub damping_loss: f64,
    /// The energy that came from what holds particles.
    pub constraint_work: f64,
    /// The largest square of a speed.
    pub max_squared_speed: f64,
}

impl RowStepOutcome {
    pub(super) fn add(&mut self, other: RowStepOutcome) {
        self.broken_ends.extend(other.broken_ends);
        self.fracture_loss += other.fracture_loss;
        self.damping_loss += other.damping_loss;
        self.constraint_work += other.constraint_work;
        self.max_squared_speed = self.max_squared_speed.max(other.max_squared_speed);
    }
}

impl<const D: usize> RowStep<'_, D> {
    pub(super) fn run(self) -> RowStepOutcome {
        run_loops_with_widest_simd(self)
    }
}

impl<const D: usize> SimdKernel for RowStep<'_, D> {
    type Output = RowStepOutcome;
    #[inline(always)]
    fn run(mut self) -> RowStepOutcome {
        let mut outcome = RowStepOutcome::default();
        let (mut kicks, mut damping_kicks) = ([[0.0; BLOCK_SIZE]; D], [[0.0; BLOCK_SIZE]; D]);
        for at in self.active.clone().step_by(BLOCK_SIZE) {
            let count = BLOCK_SIZE.min(self.active.end - at);
            let is_near = match self.inelastic {
                None => self.sum_spring_kicks(at, count, &mut kicks),
                Some(more) => {
                    self.sum_inelastic_kicks(more, at, count, [&mut kicks, &mut damping_kicks])
                }
            };
            if !is_near {
                for local in 0..count {
                    let changed = self.sum_spring_kicks_exactly(at + local, &mut outcome);
                    for axis in 0..D {
                        kicks[axis][local] = changed[0][axis];
                        damping_kicks[axis][local] = changed[1][axis];
                    }
                }
            }
            if self.inelastic.is_some() || self.are_held {
                self.add_damping_and_constraint(at, count, [&kicks, &damping_kicks], &mut outcome);
            }
            let fastest = self.kick_and_drift(at, count, &kicks);
            outcome.max_squared_speed = if fastest > outcome.max_squared_speed {
                fastest
            } else {
                outcome.max_squared_speed
            };
        }
        outcome
    }
}

impl<const D: usize> RowStep<'_, D> {
    /// Sums the changes of velocity of some particles by their springs, and tells whether no spring is stretched so far
    /// that it must be looked at with more care.
    #[inline(always)]
    fn sum_spring_kicks(
        &self,
        at: usize,
        count: usize,
        kicks: &mut [[f64; BLOCK_SIZE]; D],
    ) -> bool {
        let (mut is_near, mut begin) = (true, 0);
        while begin < count {
            // Rows that end soon after a multiple of a few leave fewer lanes without work.
            if count - begin > NARROW_LANES {
                is_near &= self.sum_spring_kicks_lanes::<WIDE_LANES>(
                    at + begin,
                    count - begin,
                    begin,
                    kicks,
                );
                begin += WIDE_LANES;
            } else {
                is_near &= self.sum_spring_kicks_lanes::<NARROW_LANES>(
                    at + begin,
                    count - begin,
                    begin,
                    kicks,
                );
                begin += NARROW_LANES;
            }
        }
        is_near
    }

    /// The same of so many particles, of which the first `count` are meant; sums stay in registers and go to where they
    /// belong in a block.
    #[inline(always)]
    fn sum_spring_kicks_lanes<const LANES: usize>(
        &self,
        at: usize,
        count: usize,
        begin: usize,
        kicks: &mut [[f64; BLOCK_SIZE]; D],
    ) -> bool {
        // Rows are followed by others or by the room at the end.
        let lanes = |from: usize| {
            self.positions.map(|all| *all[from..].first_chunk::<LANES>().expect("there is room"))
        };
        let last = self.positions[0].len() - LANES;
        let here = lanes(at);
        let spring_bits = self.lane_spring_bits::<LANES>(at, count);
        let [low, high] =
            [SERIES_RANGE[0], SERIES_RANGE[1].min(self.coefficients.breaking_square_ratio)];
        let (mut lane_kicks, mut least, mut most) = ([[0.0; LANES]; D], [1.0; LANES], [1.0; LANES]);
        for (bit, (pull, &jump)) in
            self.coefficients.springs.iter().zip(self.neighbor_offsets).enumerate()
        {
            // Where none of these springs leads to, anything may be read.
            let there = lanes(at.saturating_add_signed(jump).min(last));
            let pull = *pull;
            for lane in 0..LANES {
                let separation: [f64; D] =
                    std::array::from_fn(|axis| there[axis][lane] - here[axis][lane]);
                let mut square = separation[0] * separation[0];
                (1..D).for_each(|axis| square = separation[axis].mul_add(separation[axis], square));
                let holds = spring_bits[lane] & (1 << bit) != 0;
                let ratio = square * pull.inverse_square_length;
                let ratio = if holds { ratio } else { 1.0 };
                least[lane] = if ratio < least[lane] { ratio } else { least[lane] };
                most[lane] = if ratio > most[lane] { ratio } else { most[lane] };
                let strength = pull.velocity_kick(one_minus_inverse_sqrt(ratio));
                let strength = if holds { strength } else { 0.0 };
                for axis in 0..D {
                    lane_kicks[axis][lane] =
                        strength.mul_add(separation[axis], lane_kicks[axis][lane]);
                }
            }
        }
        for (sums, push) in kicks.iter_mut().zip(&lane_kicks) {
            sums[begin..begin + LANES].copy_from_slice(push);
        }
        least
            .iter()
            .zip(&most)
            .fold(true, |near, (&least, &most)| near & (least >= low) & (most <= high))
    }

    /// Which springs of so many particles hold, of the first `count` of them; none of the others.
    #[inline(always)]
    fn lane_spring_bits<const LANES: usize>(&self, at: usize, count: usize) -> [u32; LANES] {
        let springs = &self.spring_bits[at - self.first_slot..];
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
    fn sum_spring_kicks_exactly(
        &mut self,
        at: usize,
        outcome: &mut RowStepOutcome,
    ) -> [[f64; D]; 2] {
        let (mut kick, mut damping_kick) = ([0.0; D], [0.0; D]);
        let spring_bits = &mut self.spring_bits[at - self.first_slot];
        for (bit, (pull, &jump)) in
            self.coefficients.springs.iter().zip(self.neighbor_offsets).enumerate()
        {
            if *spring_bits & (1 << bit) == 0 {
                continue;
            }
            let there = at.strict_add_signed(jump);
            let separation: [f64; D] =
                std::array::from_fn(|axis| self.positions[axis][there] - self.positions[axis][at]);
            let mut square = separation[0] * separation[0];
            (1..D).for_each(|axis| square = separation[axis].mul_add(separation[axis], square));
            let ratio = square * pull.inverse_square_length;
            let plastic_strain =
                self.inelastic.map_or(0.0, |more| more.plastic_strain([at, there], bit));
            if ratio > self.coefficients.breaking_square_ratio {
                *spring_bits &= !(1 << bit);
                outcome.broken_ends.push([(at - PAD) as u32, bit as u32]);
                // It broke at the limit, somewhere between two steps.
                let stretch = self.coefficients.breaking_square_ratio.sqrt() - 1.0 - plastic_strain;
                outcome.fracture_loss += pull.tension_kick * (pull.rest_length * stretch).powi(2);
                continue;
            }
            let is_near = (SERIES_RANGE[0]..=SERIES_RANGE[1]).contains(&ratio);
            let slack =
                if is_near { one_minus_inverse_sqrt(ratio) } else { 1.0 - 1.0 / ratio.sqrt() };
            let mut strength = pull.velocity_kick(slack - plastic_strain * (1.0 - slack));
            if let Some(more) = self.inelastic {
                strength += more.dilatation_tension([at, there], pull) * (1.0 - slack);
                let damped = more.separation_rate([at, there], &separation) * pull.damping / square;
                strength += damped;
                (0..D).for_each(|axis| {
                    damping_kick[axis] = damped.mul_add(separation[axis], damping_kick[axis])
                });
            }
            (0..D).for_each(|axis| kick[axis] = strength.mul_add(separation[axis], kick[axis]));
        }
        [kick, damping_kick]
    }

    /// What dampers take and what comes from outside, where particles are held.
    fn add_damping_and_constraint(
        &self,
        at: usize,
        count: usize,
        [kicks, damping_kicks]: [&[[f64; BLOCK_SIZE]; D]; 2],
        outcome: &mut RowStepOutcome,
    ) {
        for local in 0..count {
            let number = at - self.first_slot + local;
            let is_held = self.spring_bits[number] & HELD != 0;
            for axis in 0..D {
                let (push, drag) = (kicks[axis][local], damping_kicks[axis][local]);
                let before = self.velocities[axis][number];
                let gravity_kick = self.coefficients.gravity_kick[axis];
                let middle = if is_held { before } else { before + 0.5 * (push + gravity_kick) };
                outcome.damping_loss -= drag * middle;
                outcome.constraint_work -=
                    if is_held { (push + gravity_kick) * before } else { 0.0 };
            }
        }
    }

    /// Moves particles on, and tells the largest square of a speed.
    #[inline(always)]
    fn kick_and_drift(&mut self, at: usize, count: usize, kicks: &[[f64; BLOCK_SIZE]; D]) -> f64 {
        let within = at - self.first_slot..at - self.first_slot + count;
        let spring_bits = &self.spring_bits[within.clone()];
        let SpringStepCoefficients { gravity_kick, time_step, .. } = self.coefficients;
        let mut squares = [0.0; BLOCK_SIZE];
        for axis in 0..D {
            let (here, push) = (&self.positions[axis][at..at + count], &kicks[axis][..count]);
            let velocities = &mut self.velocities[axis][within.clone()];
            let next = &mut self.next_positions[axis][within.clone()];
            let squares = &mut squares[..count];
            for local in 0..count {
                let is_free = spring_bits[local] & (HELD | HOLE) == 0;
                let change = if is_free { push[local] + gravity_kick[axis] } else { 0.0 };
                velocities[local] += change;
                let speed = if spring_bits[local] & HOLE == 0 { velocities[local] } else { 0.0 };
                squares[local] = speed.mul_add(speed, squares[local]);
                next[local] = time_step.mul_add(velocities[local], here[local]);
            }
        }
        // One after the other they would wait for each other.
        let larger = |one: f64, other: f64| if one > other { one } else { other };
        let mut most = [0.0; NARROW_LANES];
        for squares in squares.as_chunks::<NARROW_LANES>().0 {
            most = std::array::from_fn(|lane| larger(squares[lane], most[lane]));
        }
        most.into_iter().fold(0.0, larger)
    }
}

/// How far in memory the neighbors of a row are along each link, and then along each opposite one.
pub(super) fn neighbor_offsets<const D: usize>(
    grid: &LatticeGrid<D>,
    links: &[Link<D>],
    row: usize,
) -> Vec<isize> {
    let (steps, here) = (grid.row_coordinates(row), grid.rows()[row]);
    let jump = |link: &Link<D>, sign| {
        let there = grid.rows()[grid.row_at(&offset_coordinates(&steps, &link.offset, sign))?];
        let shift = here.first_coordinate - there.first_coordinate + sign * link.offset[0];
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
            let ratio = SERIES_RANGE[0] + (SERIES_RANGE[1] - SERIES_RANGE[0]) * f64::from(k) / 1e5;
            let exact = 1.0 - 1.0 / ratio.sqrt();
            assert!(
                (one_minus_inverse_sqrt(ratio) - exact).abs() < 3e-16,
                "{ratio} {} {exact}",
                one_minus_inverse_sqrt(ratio)
            );
        }
    }
}
