//! What springs do beside pulling by their length: sets that remain, damping, and a pressure of what surrounds a particle.
//!
//! A set is kept once for each spring, at the particle where it begins. Dampers work with the velocities of before the
//! step, so that both ends of a spring find the same. What surrounds a particle swells by a mean of its springs'
//! stretches (S. A. Silling's dilatation), and resists with a pressure; with it a solid has any Poisson's ratio, which
//! springs alone have not.

use super::material::Material;
use super::particles::PAD;
use super::springs::{BLOCK, NEAR, Pull, RowStep, slack};
use std::ops::Range;

/// Springs do not yield to less than three quarters of their first length: what is squeezed from all sides would fall
/// into itself.
const SHORTEST: f64 = -0.25;

/// What a sum of stretches is divided by for a mean: what its springs weigh, but not much less than all that a particle
/// can have. A few springs left would tell too much of too little, and a pressure that helps them to stretch could beat
/// them.
pub(super) fn whole_of(holding: f64, all: f64) -> f64 {
    holding.max(0.6 * all)
}

/// What a body keeps for it; what its material does not need stays empty.
#[derive(Clone, Debug)]
pub(super) struct Inelastic<const D: usize> {
    /// By link, how much longer springs at rest have become, in parts of their first length.
    pub sets: Vec<Vec<f64>>,
    /// Velocities before the step.
    pub velocities: [Vec<f64>; D],
    /// The pressure around each particle, as a tension of its springs.
    pub swellings: Vec<f64>,
}

impl<const D: usize> Inelastic<D> {
    /// What a material needs, if anything.
    pub(super) fn new(material: &Material, links: usize, room: usize) -> Option<Self> {
        let room = room + 2 * PAD;
        let zeros = |is_needed: bool| vec![0.0; if is_needed { room } else { 0 }];
        let yields = material.yields_at.is_some();
        let damps = material.damping > 0.0;
        let swells = material.poisson.is_some();
        (yields || damps || swells).then(|| Inelastic {
            sets: if yields { vec![zeros(true); links] } else { Vec::new() },
            velocities: std::array::from_fn(|_| zeros(damps)),
            swellings: zeros(swells),
        })
    }

    /// The set of the spring along a bit from one particle to another.
    #[inline(always)]
    pub(super) fn set(&self, [at, there]: [usize; 2], bit: usize) -> f64 {
        match self.sets.len() {
            0 => 0.0,
            links if bit < links => self.sets[bit][at],
            links => self.sets[bit - links][there],
        }
    }

    /// The tension that pressures around both ends give a spring, for a length of one.
    #[inline(always)]
    pub(super) fn swelling(&self, [at, there]: [usize; 2], pull: &Pull) -> f64 {
        match self.swellings.is_empty() {
            true => 0.0,
            false => pull.swelling * (self.swellings[at] + self.swellings[there]),
        }
    }

    /// How fast two particles move apart, times their distance.
    #[inline(always)]
    pub(super) fn rate(&self, [at, there]: [usize; 2], way: &[f64; D]) -> f64 {
        match self.velocities[0].is_empty() {
            true => 0.0,
            false => (0..D)
                .map(|axis| (self.velocities[axis][there] - self.velocities[axis][at]) * way[axis])
                .sum(),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let arrays = self.sets.iter().chain(&self.velocities).chain([&self.swellings]);
        arrays.map(|array| size_of_val(&**array)).sum()
    }
}

impl<const D: usize> RowStep<'_, D> {
    /// Sums the changes of velocity of some particles by their springs, and what dampers have in them; tells whether no
    /// spring must be looked at with more care.
    #[inline(always)]
    pub(super) fn pull_inelastic(
        &self,
        more: &Inelastic<D>,
        at: usize,
        count: usize,
        [push, drag]: [&mut [[f64; BLOCK]; D]; 2],
    ) -> bool {
        let last = self.positions[0].len() - count;
        let springs = &self.springs[at - self.from..][..count];
        let [low, high] = [NEAR[0], NEAR[1].min(self.law.limit)];
        let mut is_near = true;
        let (mut way, mut rest, mut strength) = ([[0.0; BLOCK]; D], [0.0; BLOCK], [0.0; BLOCK]);
        push.iter_mut().chain(drag.iter_mut()).for_each(|sum| sum[..count].fill(0.0));
        for (bit, (pull, &jump)) in self.law.pulls.iter().zip(self.jumps).enumerate() {
            // Where none of these springs leads to, anything may be read.
            let there = at.saturating_add_signed(jump).min(last);
            for local in 0..count {
                let mut square = 0.0_f64;
                for axis in 0..D {
                    let positions = self.positions[axis];
                    way[axis][local] = positions[there + local] - positions[at + local];
                    square = way[axis][local].mul_add(way[axis][local], square);
                }
                let holds = springs[local] & (1 << bit) != 0;
                let ratio = if holds { square * pull.per_square } else { 1.0 };
                is_near &= ratio >= low && ratio <= high;
                rest[local] = 1.0 - slack(ratio);
            }
            for local in 0..count {
                let set = more.set([at + local, there + local], bit);
                strength[local] = pull.strength((-rest[local]).mul_add(set, 1.0 - rest[local]));
                strength[local] += more.swelling([at + local, there + local], pull) * rest[local];
            }
            for local in 0..count {
                let holds = if springs[local] & (1 << bit) != 0 { 1.0 } else { 0.0 };
                let each = std::array::from_fn(|axis| way[axis][local]);
                let rate = more.rate([at + local, there + local], &each);
                let damped = rate * pull.damping * rest[local] * rest[local] * pull.per_square;
                for axis in 0..D {
                    drag[axis][local] += holds * damped * each[axis];
                    push[axis][local] += holds * (strength[local] + damped) * each[axis];
                }
            }
        }
        is_near
    }
}

/// How springs of a row yield, and what surrounds its particles swells: what must be known before it is stepped.
pub(super) struct RowState<'a, const D: usize> {
    pub pulls: &'a [Pull],
    pub jumps: &'a [isize],
    pub positions: [&'a [f64]; D],
    pub springs: &'a [u32],
    /// The particles to look at, as places in memory.
    pub active: Range<usize>,
}

impl<const D: usize> RowState<'_, D> {
    /// The length of a spring in parts of that at rest.
    #[inline(always)]
    fn ratio(&self, at: usize, bit: usize) -> f64 {
        let there = at.strict_add_signed(self.jumps[bit]);
        let way = |axis: usize| self.positions[axis][there] - self.positions[axis][at];
        let square: f64 = (0..D).map(|axis| way(axis) * way(axis)).sum();
        (square * self.pulls[bit].per_square).sqrt()
    }

    /// Moves the sets of springs that are stretched or pressed beyond a limit; `sets` begin at `from`. Twice the work of
    /// the force at the limit is told.
    pub(super) fn yield_beyond(&self, limit: f64, sets: &mut [&mut [f64]], from: usize) -> f64 {
        let mut lost = 0.0;
        for (bit, sets) in sets.iter_mut().enumerate() {
            let pull = &self.pulls[bit];
            for at in self.active.clone() {
                if self.springs[at] & (1 << bit) == 0 {
                    continue;
                }
                let set = &mut sets[at - from];
                let stretch = self.ratio(at, bit) - 1.0 - *set;
                if stretch.abs() > limit {
                    let moved = (*set + stretch - limit.copysign(stretch)).max(SHORTEST) - *set;
                    let stiffness = if stretch > 0.0 { pull.pulled } else { pull.pushed };
                    lost += stiffness * pull.length * pull.length * 2.0 * limit * moved.abs();
                    *set += moved;
                }
            }
        }
        lost
    }

    /// How much the surroundings of a particle have swollen, and the sum that made it a mean, if these springs hold.
    pub(super) fn swelling(&self, at: usize, springs: u32) -> [f64; 2] {
        let (mut sum, mut whole, mut all) = (0.0, 0.0, 0.0);
        for (bit, pull) in self.pulls.iter().enumerate() {
            let weight = pull.swelling * pull.length.powi(2);
            all += weight;
            if springs & (1 << bit) != 0 {
                sum += weight * (self.ratio(at, bit) - 1.0);
                whole += weight;
            }
        }
        let whole = whole_of(whole, all);
        [D as f64 * sum / whole, whole]
    }
}
