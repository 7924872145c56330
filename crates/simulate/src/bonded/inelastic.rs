//! What springs do beside pulling by their length: sets that remain, damping, and a pressure of what surrounds a particle.
//!
//! A set is kept once for each spring, at the particle where it begins. Dampers work with the velocities of before the
//! step, so that both ends of a spring find the same. What surrounds a particle swells by a mean of its springs'
//! stretches (S. A. Silling's dilatation), and resists with a pressure; with it a solid has any Poisson's ratio, which
//! springs alone have not.

use super::material::Material;
use super::particles::PAD;
use super::spring_forces::{
    BLOCK_SIZE, RowStep, SERIES_RANGE, SpringCoefficients, one_minus_inverse_sqrt,
};
use std::ops::Range;

/// Springs do not yield to less than three quarters of their first length: what is squeezed from all sides would fall
/// into itself.
const MIN_PLASTIC_STRAIN: f64 = -0.25;

/// What a sum of stretches is divided by for a mean: what its springs weigh, but not much less than all that a particle
/// can have. A few springs left would tell too much of too little, and a pressure that helps them to stretch could beat
/// them.
pub(super) fn dilatation_normalization(holding: f64, all: f64) -> f64 {
    holding.max(0.6 * all)
}

/// What a body keeps for it; what its material does not need stays empty.
#[derive(Clone, Debug)]
pub(super) struct Inelastic<const D: usize> {
    /// By link, how much longer springs at rest have become, in parts of their first length.
    pub plastic_strains: Vec<Vec<f64>>,
    /// Velocities before the step.
    pub previous_velocities: [Vec<f64>; D],
    /// The pressure around each particle, as a tension of its springs.
    pub dilatation_pressures: Vec<f64>,
}

impl<const D: usize> Inelastic<D> {
    /// What a material needs, if anything.
    pub(super) fn new(material: &Material, links: usize, room: usize) -> Option<Self> {
        let room = room + 2 * PAD;
        let zeros = |is_needed: bool| vec![0.0; if is_needed { room } else { 0 }];
        let yields = material.yield_strain.is_some();
        let damps = material.damping_ratio > 0.0;
        let swells = material.poisson_ratio.is_some();
        (yields || damps || swells).then(|| Inelastic {
            plastic_strains: if yields { vec![zeros(true); links] } else { Vec::new() },
            previous_velocities: std::array::from_fn(|_| zeros(damps)),
            dilatation_pressures: zeros(swells),
        })
    }

    /// The set of the spring along a bit from one particle to another.
    #[inline(always)]
    pub(super) fn plastic_strain(&self, [at, there]: [usize; 2], bit: usize) -> f64 {
        match self.plastic_strains.len() {
            0 => 0.0,
            links if bit < links => self.plastic_strains[bit][at],
            links => self.plastic_strains[bit - links][there],
        }
    }

    /// The tension that pressures around both ends give a spring, for a length of one.
    #[inline(always)]
    pub(super) fn dilatation_tension(
        &self,
        [at, there]: [usize; 2],
        spring: &SpringCoefficients,
    ) -> f64 {
        match self.dilatation_pressures.is_empty() {
            true => 0.0,
            false => {
                spring.dilatation_weight
                    * (self.dilatation_pressures[at] + self.dilatation_pressures[there])
            }
        }
    }

    /// How fast two particles move apart, times their distance.
    #[inline(always)]
    pub(super) fn separation_rate(&self, [at, there]: [usize; 2], separation: &[f64; D]) -> f64 {
        match self.previous_velocities[0].is_empty() {
            true => 0.0,
            false => (0..D)
                .map(|axis| {
                    (self.previous_velocities[axis][there] - self.previous_velocities[axis][at])
                        * separation[axis]
                })
                .sum(),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let arrays = self
            .plastic_strains
            .iter()
            .chain(&self.previous_velocities)
            .chain([&self.dilatation_pressures]);
        arrays.map(|array| size_of_val(&**array)).sum()
    }
}

impl<const D: usize> RowStep<'_, D> {
    /// Sums the changes of velocity of some particles by their springs, and what dampers have in them; tells whether no
    /// spring must be looked at with more care.
    #[inline(always)]
    pub(super) fn sum_inelastic_kicks(
        &self,
        more: &Inelastic<D>,
        at: usize,
        count: usize,
        [kicks, damping_kicks]: [&mut [[f64; BLOCK_SIZE]; D]; 2],
    ) -> bool {
        let last = self.positions[0].len() - count;
        let spring_bits = &self.spring_bits[at - self.first_slot..][..count];
        let [low, high] =
            [SERIES_RANGE[0], SERIES_RANGE[1].min(self.coefficients.breaking_square_ratio)];
        let mut is_near = true;
        let (mut separation, mut rest, mut strength) =
            ([[0.0; BLOCK_SIZE]; D], [0.0; BLOCK_SIZE], [0.0; BLOCK_SIZE]);
        kicks.iter_mut().chain(damping_kicks.iter_mut()).for_each(|sum| sum[..count].fill(0.0));
        for (bit, (pull, &jump)) in
            self.coefficients.springs.iter().zip(self.neighbor_offsets).enumerate()
        {
            // Where none of these springs leads to, anything may be read.
            let there = at.saturating_add_signed(jump).min(last);
            for local in 0..count {
                let mut square = 0.0_f64;
                for axis in 0..D {
                    let positions = self.positions[axis];
                    separation[axis][local] = positions[there + local] - positions[at + local];
                    square = separation[axis][local].mul_add(separation[axis][local], square);
                }
                let holds = spring_bits[local] & (1 << bit) != 0;
                let ratio = if holds { square * pull.inverse_square_length } else { 1.0 };
                is_near &= ratio >= low && ratio <= high;
                rest[local] = 1.0 - one_minus_inverse_sqrt(ratio);
            }
            for local in 0..count {
                let plastic_strain = more.plastic_strain([at + local, there + local], bit);
                strength[local] =
                    pull.velocity_kick((-rest[local]).mul_add(plastic_strain, 1.0 - rest[local]));
                strength[local] +=
                    more.dilatation_tension([at + local, there + local], pull) * rest[local];
            }
            for local in 0..count {
                let holds = if spring_bits[local] & (1 << bit) != 0 { 1.0 } else { 0.0 };
                let each = std::array::from_fn(|axis| separation[axis][local]);
                let rate = more.separation_rate([at + local, there + local], &each);
                let damped =
                    rate * pull.damping * rest[local] * rest[local] * pull.inverse_square_length;
                for axis in 0..D {
                    damping_kicks[axis][local] += holds * damped * each[axis];
                    kicks[axis][local] += holds * (strength[local] + damped) * each[axis];
                }
            }
        }
        is_near
    }
}

/// How springs of a row yield, and what surrounds its particles swells: what must be known before it is stepped.
pub(super) struct RowState<'a, const D: usize> {
    pub springs: &'a [SpringCoefficients],
    pub neighbor_offsets: &'a [isize],
    pub positions: [&'a [f64]; D],
    pub spring_bits: &'a [u32],
    /// The particles to look at, as places in memory.
    pub active: Range<usize>,
}

impl<const D: usize> RowState<'_, D> {
    /// The length of a spring in parts of that at rest.
    #[inline(always)]
    fn stretch_ratio(&self, at: usize, bit: usize) -> f64 {
        let there = at.strict_add_signed(self.neighbor_offsets[bit]);
        let separation = |axis: usize| self.positions[axis][there] - self.positions[axis][at];
        let square: f64 = (0..D).map(|axis| separation(axis) * separation(axis)).sum();
        (square * self.springs[bit].inverse_square_length).sqrt()
    }

    /// Moves the sets of springs that are stretched or pressed beyond a limit; `plastic_strains` begin at `from`. Twice the work of
    /// the force at the limit is told.
    pub(super) fn yield_springs(
        &self,
        limit: f64,
        plastic_strains: &mut [&mut [f64]],
        from: usize,
    ) -> f64 {
        let mut plastic_loss = 0.0;
        for (bit, sets) in plastic_strains.iter_mut().enumerate() {
            let pull = &self.springs[bit];
            for at in self.active.clone() {
                if self.spring_bits[at] & (1 << bit) == 0 {
                    continue;
                }
                let plastic_strain = &mut sets[at - from];
                let stretch = self.stretch_ratio(at, bit) - 1.0 - *plastic_strain;
                if stretch.abs() > limit {
                    let moved = (*plastic_strain + stretch - limit.copysign(stretch))
                        .max(MIN_PLASTIC_STRAIN)
                        - *plastic_strain;
                    let stiffness =
                        if stretch > 0.0 { pull.tension_kick } else { pull.compression_kick };
                    plastic_loss +=
                        stiffness * pull.rest_length * pull.rest_length * 2.0 * limit * moved.abs();
                    *plastic_strain += moved;
                }
            }
        }
        plastic_loss
    }

    /// How much the surroundings of a particle have swollen, and the sum that made it a mean, if these springs hold.
    pub(super) fn dilatation(&self, at: usize, spring_bits: u32) -> [f64; 2] {
        let (mut sum, mut whole, mut all) = (0.0, 0.0, 0.0);
        for (bit, pull) in self.springs.iter().enumerate() {
            let weight = pull.dilatation_weight * pull.rest_length.powi(2);
            all += weight;
            if spring_bits & (1 << bit) != 0 {
                sum += weight * (self.stretch_ratio(at, bit) - 1.0);
                whole += weight;
            }
        }
        let whole = dilatation_normalization(whole, all);
        [D as f64 * sum / whole, whole]
    }
}
