//! Inelastic behavior of springs: plastic strain, damping, and the pressure that resists dilatation.
//!
//! A plastic strain is stored once per spring, at the particle where its link begins. Dampers use the velocities before
//! the step, so that both ends of a spring find the same force. The dilatation of a particle's neighborhood is a
//! weighted mean of its springs' strains (S. A. Silling's state-based peridynamics) and is resisted by a pressure; with
//! it a solid has any Poisson's ratio, where springs alone have a fixed one.

use super::particles::PAD;
use super::spring_forces::{
    BLOCK_SIZE, RowStep, SERIES_RANGE, SpringCoefficients, one_minus_inverse_sqrt,
};
use super::spring_properties::SpringProperties;
use std::ops::Range;

/// Lower limit of plastic strain: springs do not yield below three quarters of their initial length, or a body squeezed
/// from all sides would collapse.
const MIN_PLASTIC_STRAIN: f64 = -0.25;

/// Divisor of the weighted mean of strains: the weight of the intact springs, but at least 0.6 of a complete
/// neighborhood's. With fewer springs the mean would be unreliable, and where the pressure is negative (small Poisson's
/// ratios) it could overcome the springs that are left.
pub(super) fn dilatation_normalization(holding: f64, all: f64) -> f64 {
    holding.max(0.6 * all)
}

/// Inelastic state of a body; arrays that its material does not need are empty.
#[derive(Clone, Debug)]
pub(super) struct Inelastic<const D: usize> {
    /// Plastic strains of springs, by link: changes of rest length over the initial rest length.
    pub plastic_strains: Vec<Vec<f64>>,
    /// Velocities before the step, for dampers.
    pub previous_velocities: [Vec<f64>; D],
    /// Pressure against dilatation around each particle, as a spring tension per dilatation weight and length.
    pub dilatation_pressures: Vec<f64>,
}

impl<const D: usize> Inelastic<D> {
    /// Creates the state that a material needs; none for an elastic one without a Poisson's ratio.
    pub(super) fn new(springs: &SpringProperties, links: usize, room: usize) -> Option<Self> {
        let room = room + 2 * PAD;
        let zeros = |is_needed: bool| vec![0.0; if is_needed { room } else { 0 }];
        let yields = springs.yield_strain.is_some();
        let damps = springs.damping_ratio > 0.0;
        let swells = springs.poissons_ratio.is_some();
        (yields || damps || swells).then(|| Inelastic {
            plastic_strains: if yields { vec![zeros(true); links] } else { Vec::new() },
            previous_velocities: std::array::from_fn(|_| zeros(damps)),
            dilatation_pressures: zeros(swells),
        })
    }

    /// The plastic strain of the spring at `bit` from one slot to another.
    #[inline(always)]
    pub(super) fn plastic_strain(&self, [at, there]: [usize; 2], bit: usize) -> f64 {
        match self.plastic_strains.len() {
            0 => 0.0,
            links if bit < links => self.plastic_strains[bit][at],
            links => self.plastic_strains[bit - links][there],
        }
    }

    /// The tension that the pressures around both ends give a spring, per rest length.
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

    /// Relative velocity times separation: the rate of half the squared distance of two particles.
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

    /// Memory held, in bytes.
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
    /// Sums the velocity changes of `count` particles by their springs, in all and by dampers; returns whether all
    /// springs are within the range of the series.
    #[inline(always)]
    pub(super) fn sum_inelastic_kicks(
        &self,
        more: &Inelastic<D>,
        at: usize,
        count: usize,
        kicks: &mut [[f64; BLOCK_SIZE]; D],
        damping_kicks: &mut [[f64; BLOCK_SIZE]; D],
    ) -> bool {
        let last = self.positions[0].len() - count;
        let spring_bits = &self.spring_bits[at - self.first_slot..][..count];
        let [low, high] =
            [SERIES_RANGE[0], SERIES_RANGE[1].min(self.coefficients.breaking_square_ratio)];
        let mut is_near = true;
        let (mut separation, mut rest, mut strength) =
            ([[0.0; BLOCK_SIZE]; D], [0.0; BLOCK_SIZE], [0.0; BLOCK_SIZE]);
        kicks.iter_mut().chain(damping_kicks.iter_mut()).for_each(|sum| sum[..count].fill(0.0));
        for (bit, (spring, &offset)) in
            self.coefficients.springs.iter().zip(self.neighbor_offsets).enumerate()
        {
            // Rows without a neighbor along this link have an arbitrary offset: the read is clamped to the array, and
            // the springs are masked out below.
            let there = at.saturating_add_signed(offset).min(last);
            for local in 0..count {
                let mut square = 0.0_f64;
                for axis in 0..D {
                    let positions = self.positions[axis];
                    separation[axis][local] = positions[there + local] - positions[at + local];
                    square = separation[axis][local].mul_add(separation[axis][local], square);
                }
                let holds = spring_bits[local] & (1 << bit) != 0;
                let ratio = if holds { square * spring.inverse_square_length } else { 1.0 };
                is_near &= ratio >= low && ratio <= high;
                rest[local] = 1.0 - one_minus_inverse_sqrt(ratio);
            }
            for local in 0..count {
                let plastic_strain = more.plastic_strain([at + local, there + local], bit);
                strength[local] =
                    spring.velocity_kick((-rest[local]).mul_add(plastic_strain, 1.0 - rest[local]));
                strength[local] +=
                    more.dilatation_tension([at + local, there + local], spring) * rest[local];
            }
            for local in 0..count {
                let holds = if spring_bits[local] & (1 << bit) != 0 { 1.0 } else { 0.0 };
                let each = std::array::from_fn(|axis| separation[axis][local]);
                let rate = more.separation_rate([at + local, there + local], &each);
                let damped = rate
                    * spring.damping
                    * rest[local]
                    * rest[local]
                    * spring.inverse_square_length;
                for axis in 0..D {
                    damping_kicks[axis][local] += holds * damped * each[axis];
                    kicks[axis][local] += holds * (strength[local] + damped) * each[axis];
                }
            }
        }
        is_near
    }
}

/// Dilatation of a particle's neighborhood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dilatation {
    /// Relative change of volume: D times the weighted mean of the strains.
    pub value: f64,
    /// Divisor of that mean; see [`dilatation_normalization`].
    pub normalization: f64,
}

/// A row before its step: computes yielding and dilatation, which all neighbors must know before forces are summed.
pub(super) struct RowState<'a, const D: usize> {
    pub springs: &'a [SpringCoefficients],
    pub neighbor_offsets: &'a [isize],
    pub positions: [&'a [f64]; D],
    pub spring_bits: &'a [u32],
    /// Slots of the particles to update.
    pub active: Range<usize>,
}

impl<const D: usize> RowState<'_, D> {
    /// Length over initial rest length of a spring.
    #[inline(always)]
    fn stretch_ratio(&self, at: usize, bit: usize) -> f64 {
        let there = at.strict_add_signed(self.neighbor_offsets[bit]);
        let separation = |axis: usize| self.positions[axis][there] - self.positions[axis][at];
        let square: f64 = (0..D).map(|axis| separation(axis) * separation(axis)).sum();
        (square * self.springs[bit].inverse_square_length).sqrt()
    }

    /// Moves the plastic strains of springs beyond the yield strain `limit` back to it; `plastic_strains` begin at slot
    /// `from`. Returns twice the plastic work, in units of `tension_kick` times squared length.
    pub(super) fn yield_springs(
        &self,
        limit: f64,
        plastic_strains: &mut [&mut [f64]],
        from: usize,
    ) -> f64 {
        let mut plastic_loss = 0.0;
        for (bit, sets) in plastic_strains.iter_mut().enumerate() {
            let spring = &self.springs[bit];
            for at in self.active.clone() {
                if self.spring_bits[at] & (1 << bit) == 0 {
                    continue;
                }
                let plastic_strain = &mut sets[at - from];
                let stretch = self.stretch_ratio(at, bit) - 1.0 - *plastic_strain;
                if stretch.abs() > limit {
                    // Perfect plasticity: the elastic strain stays at the limit, what is beyond becomes plastic.
                    let moved = (*plastic_strain + stretch - limit.copysign(stretch))
                        .max(MIN_PLASTIC_STRAIN)
                        - *plastic_strain;
                    let stiffness =
                        if stretch > 0.0 { spring.tension_kick } else { spring.compression_kick };
                    plastic_loss += stiffness
                        * spring.rest_length
                        * spring.rest_length
                        * 2.0
                        * limit
                        * moved.abs();
                    *plastic_strain += moved;
                }
            }
        }
        plastic_loss
    }

    /// Dilatation of a particle's neighborhood with these springs intact.
    pub(super) fn dilatation(&self, at: usize, spring_bits: u32) -> Dilatation {
        let (mut sum, mut whole, mut all) = (0.0, 0.0, 0.0);
        for (bit, spring) in self.springs.iter().enumerate() {
            let weight = spring.dilatation_weight * spring.rest_length.powi(2);
            // Springs of the complete neighborhood count here, whether they exist, hold or are broken.
            all += weight;
            if spring_bits & (1 << bit) != 0 {
                sum += weight * (self.stretch_ratio(at, bit) - 1.0);
                whole += weight;
            }
        }
        let whole = dilatation_normalization(whole, all);
        Dilatation { value: D as f64 * sum / whole, normalization: whole }
    }
}
