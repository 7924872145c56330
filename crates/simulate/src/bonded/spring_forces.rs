//! Forces of springs and the leapfrog update of particles: the loop in which nearly all time is spent.
//!
//! Each particle sums over its own springs, so that no two threads write to the same place and sums have one order
//! whatever the number of threads. Rest length over length is found without a square root: springs are hardly ever
//! strained by more than a quarter, and there 1/√x is a polynomial and a series, exact to the last digits. Blocks with
//! springs that are strained farther, or that break, are computed again particle by particle.

use super::inelastic::Inelastic;
use super::lattice::Link;
use super::lattice_grid::LatticeGrid;
use super::particles::{HELD, HOLE, PAD, offset_coordinates};
use carom_geometry::simd::{SimdKernel, run_loops_with_widest_simd};
use std::ops::Range;

/// Coefficients of the springs along one link, for one time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpringCoefficients {
    /// One over the square of the rest length.
    pub inverse_square_length: f64,
    /// Velocity change per elongation in a step, k Δt / m, in tension and in compression.
    pub tension_kick: f64,
    pub compression_kick: f64,
    /// Rest length.
    pub rest_length: f64,
    /// Velocity change per relative velocity along the spring, c Δt / m.
    pub damping: f64,
    /// Weight of this spring in the dilatation of its ends' neighborhoods.
    pub dilatation_weight: f64,
}

impl SpringCoefficients {
    /// Velocity change per separation; `slack` is one minus the rest length over the current length.
    #[inline(always)]
    pub(super) fn velocity_kick(&self, slack: f64) -> f64 {
        // Both are loaded before the choice, so that it compiles to a select instead of a load per lane.
        let (tension_kick, compression_kick) = (self.tension_kick, self.compression_kick);
        slack * if slack > 0.0 { tension_kick } else { compression_kick }
    }
}

/// Coefficients of one time step, the same for all particles of a body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpringStepCoefficients<const D: usize> {
    /// One per link, then the same again for the opposite links.
    pub springs: Vec<SpringCoefficients>,
    /// Squared length at which a spring breaks, over its squared rest length.
    pub breaking_square_ratio: f64,
    /// Velocity change of all particles by gravity.
    pub gravity_kick: [f64; D],
    pub time_step: f64,
}

/// Range of squared length over squared rest length in which the polynomial is used.
pub(super) const SERIES_RANGE: [f64; 2] = [0.64, 1.5625];

/// Coefficients of a polynomial in `x - 1` for 1/√x, within that range to 2.6e-4.
const INVERSE_SQRT_POLYNOMIAL: [f64; 5] = [
    0.999_796_237_946_365_9,
    -0.498_181_423_409_220_45,
    0.386_169_538_689_229_3,
    -0.358_912_450_274_922_8,
    0.223_023_683_369_967_42,
];

/// One minus `1/√ratio`, for ratios within [`SERIES_RANGE`].
#[inline(always)]
pub(super) fn one_minus_inverse_sqrt(ratio: f64) -> f64 {
    let past = ratio - 1.0;
    let [a, b, c, d, e] = INVERSE_SQRT_POLYNOMIAL;
    let first = e.mul_add(past, d).mul_add(past, c).mul_add(past, b).mul_add(past, a);
    // With e = 1 - ratio·first², 1/√ratio = first/√(1 - e); four terms of the series of 1/√(1 - e) - 1 reach the last
    // digits, because the polynomial's error makes e small. There is no division and no root in the loop.
    let wrong = (-(ratio * first)).mul_add(first, 1.0);
    let series = (35.0 / 128.0_f64).mul_add(wrong, 5.0 / 16.0).mul_add(wrong, 3.0 / 8.0);
    let series = series.mul_add(wrong, 0.5) * wrong;
    (1.0 - first) - first * series
}

/// Particles per block: all links of a block are summed while its sums stay in the first-level cache.
pub(super) const BLOCK_SIZE: usize = 64;

/// Particles summed at once in registers; a block is a multiple of it.
const WIDE_LANES: usize = 16;

/// Particles summed at once at the end of a row.
const NARROW_LANES: usize = 8;

/// One row of particles to be stepped, with all that is read and written.
pub(super) struct RowStep<'a, const D: usize> {
    pub coefficients: &'a SpringStepCoefficients<D>,
    /// Index offsets to the neighbor along each link, then along each opposite link.
    pub neighbor_offsets: &'a [isize],
    pub positions: [&'a [f64]; D],
    /// Plastic strains, damping and dilatation, if the material has any of these.
    pub inelastic: Option<&'a Inelastic<D>>,
    /// Whether some particles are held.
    pub are_held: bool,
    /// Slots of the particles to step, and the slot at which the slices below begin.
    pub active: Range<usize>,
    pub first_slot: usize,
    pub next_positions: [&'a mut [f64]; D],
    pub velocities: [&'a mut [f64]; D],
    pub spring_bits: &'a mut [u32],
}

/// An end of a spring that broke. Ordered by particle, so that the ends at one particle stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BrokenEnd {
    /// Number of the particle at this end.
    pub particle: u32,
    /// Bit of the spring among the particle's springs.
    pub bit: u32,
}

/// Velocity changes of a particle in a step, by its springs.
pub(super) struct SpringKick<const D: usize> {
    /// Change by springs and dampers together.
    total: [f64; D],
    /// Change by dampers alone.
    damping: [f64; D],
}

/// Results of a step beside motion; energies are per particle mass.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowStepOutcome {
    /// Spring ends that broke; each spring is listed at both ends.
    pub broken_ends: Vec<BrokenEnd>,
    /// Sum of `tension_kick` times squared elongation over the broken spring ends.
    pub fracture_loss: f64,
    /// Energy taken by dampers.
    pub damping_loss: f64,
    /// Energy supplied by what holds particles.
    pub constraint_work: f64,
    /// Largest squared speed.
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
                    self.sum_inelastic_kicks(more, at, count, &mut kicks, &mut damping_kicks)
                }
            };
            if !is_near {
                for local in 0..count {
                    let changed = self.sum_spring_kicks_exactly(at + local, &mut outcome);
                    for axis in 0..D {
                        kicks[axis][local] = changed.total[axis];
                        damping_kicks[axis][local] = changed.damping[axis];
                    }
                }
            }
            if self.inelastic.is_some() || self.are_held {
                self.add_damping_and_constraint(at, count, &kicks, &damping_kicks, &mut outcome);
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
    /// Sums the velocity changes of `count` particles by their springs; returns whether all springs are intact and
    /// within [`SERIES_RANGE`], without which the sums do not hold.
    #[inline(always)]
    fn sum_spring_kicks(
        &self,
        at: usize,
        count: usize,
        kicks: &mut [[f64; BLOCK_SIZE]; D],
    ) -> bool {
        let (mut is_near, mut begin) = (true, 0);
        while begin < count {
            // A short rest of a row takes narrow lanes, which leaves fewer of them idle.
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

    /// Sums for `LANES` particles, of which the first `count` count; sums stay in registers and are stored to `begin`
    /// of the block.
    #[inline(always)]
    fn sum_spring_kicks_lanes<const LANES: usize>(
        &self,
        at: usize,
        count: usize,
        begin: usize,
        kicks: &mut [[f64; BLOCK_SIZE]; D],
    ) -> bool {
        // Reads beyond a row end in the next row or in the padding.
        let lanes = |from: usize| {
            self.positions.map(|all| *all[from..].first_chunk::<LANES>().expect("there is room"))
        };
        let last = self.positions[0].len() - LANES;
        let here = lanes(at);
        let spring_bits = self.lane_spring_bits::<LANES>(at, count);
        let [low, high] =
            [SERIES_RANGE[0], SERIES_RANGE[1].min(self.coefficients.breaking_square_ratio)];
        let (mut lane_kicks, mut least, mut most) = ([[0.0; LANES]; D], [1.0; LANES], [1.0; LANES]);
        for (bit, (spring, &offset)) in
            self.coefficients.springs.iter().zip(self.neighbor_offsets).enumerate()
        {
            // Rows without a neighbor along this link have an arbitrary offset: the read is clamped to the array, and
            // the lanes are masked out below.
            let there = lanes(at.saturating_add_signed(offset).min(last));
            let spring = *spring;
            for lane in 0..LANES {
                let separation: [f64; D] =
                    std::array::from_fn(|axis| there[axis][lane] - here[axis][lane]);
                let mut square = separation[0] * separation[0];
                (1..D).for_each(|axis| square = separation[axis].mul_add(separation[axis], square));
                let holds = spring_bits[lane] & (1 << bit) != 0;
                let ratio = square * spring.inverse_square_length;
                // Broken springs count as unstrained, so that their positions cannot fail the range check.
                let ratio = if holds { ratio } else { 1.0 };
                // Comparisons compile to one instruction each; `f64::min` would add its handling of NaN.
                least[lane] = if ratio < least[lane] { ratio } else { least[lane] };
                most[lane] = if ratio > most[lane] { ratio } else { most[lane] };
                let strength = spring.velocity_kick(one_minus_inverse_sqrt(ratio));
                // A selection and not a branch: broken springs take part in the sum with zero.
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

    /// Bits of the intact springs of `LANES` particles; zero beyond the first `count`.
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

    /// Sums the velocity changes of one particle for any strain, in all and by dampers; springs strained too far break.
    // Rare, and kept out of the hot loop, whose registers it would take.
    #[inline(never)]
    fn sum_spring_kicks_exactly(
        &mut self,
        at: usize,
        outcome: &mut RowStepOutcome,
    ) -> SpringKick<D> {
        let (mut kick, mut damping_kick) = ([0.0; D], [0.0; D]);
        let spring_bits = &mut self.spring_bits[at - self.first_slot];
        for (bit, (spring, &offset)) in
            self.coefficients.springs.iter().zip(self.neighbor_offsets).enumerate()
        {
            if *spring_bits & (1 << bit) == 0 {
                continue;
            }
            let there = at.strict_add_signed(offset);
            let separation: [f64; D] =
                std::array::from_fn(|axis| self.positions[axis][there] - self.positions[axis][at]);
            let mut square = separation[0] * separation[0];
            (1..D).for_each(|axis| square = separation[axis].mul_add(separation[axis], square));
            let ratio = square * spring.inverse_square_length;
            let plastic_strain =
                self.inelastic.map_or(0.0, |more| more.plastic_strain([at, there], bit));
            // Both ends compute the same squared length to the bit, so they agree without communication.
            if ratio > self.coefficients.breaking_square_ratio {
                *spring_bits &= !(1 << bit);
                let (particle, bit) = ((at - PAD) as u32, bit as u32);
                outcome.broken_ends.push(BrokenEnd { particle, bit });
                // It broke at the limit, somewhere between two steps: the excess strain does not count.
                let stretch = self.coefficients.breaking_square_ratio.sqrt() - 1.0 - plastic_strain;
                outcome.fracture_loss +=
                    spring.tension_kick * (spring.rest_length * stretch).powi(2);
                continue;
            }
            let is_near = (SERIES_RANGE[0]..=SERIES_RANGE[1]).contains(&ratio);
            let slack =
                if is_near { one_minus_inverse_sqrt(ratio) } else { 1.0 - 1.0 / ratio.sqrt() };
            let mut strength = spring.velocity_kick(slack - plastic_strain * (1.0 - slack));
            if let Some(more) = self.inelastic {
                strength += more.dilatation_tension([at, there], spring) * (1.0 - slack);
                let damped =
                    more.separation_rate([at, there], &separation) * spring.damping / square;
                strength += damped;
                (0..D).for_each(|axis| {
                    damping_kick[axis] = damped.mul_add(separation[axis], damping_kick[axis])
                });
            }
            (0..D).for_each(|axis| kick[axis] = strength.mul_add(separation[axis], kick[axis]));
        }
        SpringKick { total: kick, damping: damping_kick }
    }

    /// Adds the energy taken by dampers and supplied to held particles, at the mean of the velocities before and after.
    fn add_damping_and_constraint(
        &self,
        at: usize,
        count: usize,
        kicks: &[[f64; BLOCK_SIZE]; D],
        damping_kicks: &[[f64; BLOCK_SIZE]; D],
        outcome: &mut RowStepOutcome,
    ) {
        for local in 0..count {
            let number = at - self.first_slot + local;
            let is_held = self.spring_bits[number] & HELD != 0;
            for axis in 0..D {
                let (push, drag) = (kicks[axis][local], damping_kicks[axis][local]);
                let before = self.velocities[axis][number];
                let gravity_kick = self.coefficients.gravity_kick[axis];
                // The mean of the velocities before and after gives the work of a leapfrog step exactly.
                let middle = if is_held { before } else { before + 0.5 * (push + gravity_kick) };
                outcome.damping_loss -= drag * middle;
                outcome.constraint_work -=
                    if is_held { (push + gravity_kick) * before } else { 0.0 };
            }
        }
    }

    /// Adds velocity changes, moves particles by a time step, and returns the largest squared speed.
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
                // Leapfrog: velocities are half a step behind, so the new one carries the drift.
                next[local] = time_step.mul_add(velocities[local], here[local]);
            }
        }
        // Eight independent maxima vectorize; a single one would be a chain of dependent comparisons.
        let larger = |one: f64, other: f64| if one > other { one } else { other };
        let mut most = [0.0; NARROW_LANES];
        for squares in squares.as_chunks::<NARROW_LANES>().0 {
            most = std::array::from_fn(|lane| larger(squares[lane], most[lane]));
        }
        most.into_iter().fold(0.0, larger)
    }
}

/// Index offsets from a row's particles to their neighbors along each link, then along each opposite link; 0 if there
/// is no row.
pub(super) fn neighbor_offsets<const D: usize>(
    grid: &LatticeGrid<D>,
    links: &[Link<D>],
    row: usize,
) -> Vec<isize> {
    let (steps, here) = (grid.row_coordinates(row), grid.rows()[row]);
    let offset = |link: &Link<D>, sign| {
        let there = grid.rows()[grid.row_at(&offset_coordinates(&steps, &link.offset, sign))?];
        let shift = here.first_coordinate - there.first_coordinate + sign * link.offset[0];
        Some(there.start as isize - here.start as isize + shift as isize)
    };
    let offsets = [1, -1].into_iter().flat_map(|sign| links.iter().map(move |link| (link, sign)));
    offsets.map(|(link, sign)| offset(link, sign).unwrap_or(0)).collect()
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
