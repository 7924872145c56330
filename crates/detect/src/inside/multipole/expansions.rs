//! The local expansions of all places, equations 20, 24 and 25.

use super::harmonics::{HIGHEST_DEGREE, count, place};
use super::matrix::{Matrix, padded};
use super::moments::{Moments, octant_of, step_to_son};
use super::places::{NONE, Pair, PlaceLevel, PlaceTree};
use super::translate::{conversion, mirrors, to_son};
use crate::inside::lanes::{LANES, is_wide};
use rayon::prelude::*;
use std::array::from_fn;

/// So many places are handed to a thread at once.
const PLACES_AT_ONCE: usize = 128;
/// So many fours of orders there are at most.
const FOURS: usize = HIGHEST_DEGREE / LANES + 1;

/// The expansions of all leaves, as they are evaluated.
#[derive(Clone, Debug)]
pub struct Expansions {
    degree: usize,
    /// So many numbers for each leaf.
    stride: usize,
    /// By leaf, degree and four orders: the real parts, then the imaginary parts.
    values: Vec<f64>,
    recurrence: Vec<Step>,
    wide: bool,
}

/// How the harmonics of one degree follow from the two before, for four orders.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Step {
    ahead: [f64; LANES],
    back: [f64; LANES],
    /// One for the order that is the degree.
    begin: [f64; LANES],
}

/// Everything that conversions need.
struct Converter<'a> {
    degree: usize,
    stride: usize,
    moments: &'a Moments,
    /// By the sizes of the components of a step.
    matrices: Vec<Option<Matrix>>,
    /// The components are less than this.
    side: usize,
    mirrors: [Vec<f64>; 8],
    sons: [Matrix; 8],
    wide: bool,
}

impl Expansions {
    /// Converts the moments of what is far, from coarse places to fine ones.
    pub fn new(places: &PlaceTree, moments: &Moments, degree: usize) -> Self {
        let converter = Converter::new(places, moments, degree);
        let leaves = places.leaves.count();
        let fours: usize = (0..=degree).map(|n| n / LANES + 1).sum();
        let stride = 2 * LANES * fours;
        let mut expansions = Expansions {
            degree,
            stride,
            values: vec![0.0; stride * leaves],
            recurrence: recurrence(degree),
            wide: is_wide(),
        };
        let mut above = Vec::new();
        for (level, places) in places.levels.iter().enumerate() {
            let here = converter.level(level, places, &above);
            for (place, local) in places.places.iter().zip(here.chunks(converter.stride)) {
                if place.leaf != NONE {
                    expansions.keep(place.leaf as usize, local);
                }
            }
            above = here;
        }
        expansions
    }

    fn keep(&mut self, leaf: usize, local: &[f64]) {
        let mut fours = self.values[leaf * self.stride..(leaf + 1) * self.stride].chunks_mut(LANES);
        for n in 0..=self.degree {
            for first in (0..=n).step_by(LANES) {
                // The terms of an order and of its negative are conjugate.
                let [Some(real), Some(imaginary)] = [fours.next(), fours.next()] else { return };
                for m in first..(first + LANES).min(n + 1) {
                    let factor = if m == 0 { 1.0 } else { 2.0 };
                    real[m - first] = factor * local[place(n, m)];
                    if m > 0 {
                        imaginary[m - first] = -factor * local[place(n, m) + 1];
                    }
                }
            }
        }
    }

    /// The value at a point of a leaf, given from the middle in edges of the leaf.
    #[inline]
    pub fn value(&self, leaf: u32, point: [f64; 3]) -> f64 {
        let values = &self.values[leaf as usize * self.stride..(leaf as usize + 1) * self.stride];
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { evaluate_fused(self.degree, &self.recurrence, values, point) };
        }
        evaluate::<false>(self.degree, &self.recurrence, values, point)
    }

    pub fn bytes(&self) -> usize {
        size_of::<f64>() * self.values.capacity() + size_of::<Step>() * self.recurrence.capacity()
    }
}

/// A harmonic is `(x + i y)^m / (2^m m!)` times a real number, which obeys the recurrence in the degree
/// with one at the degree `m`.
fn recurrence(degree: usize) -> Vec<Step> {
    let steps = (0..=degree).flat_map(|n| (0..=n).step_by(LANES).map(move |first| (n, first)));
    steps
        .map(|(n, first)| {
            let inverse = |lane: usize| {
                let m = first + lane;
                if m < n { 1.0 / (n * n - m * m) as f64 } else { 0.0 }
            };
            Step {
                ahead: from_fn(|lane| (2 * n) as f64 * inverse(lane) - inverse(lane)),
                back: from_fn(|lane| -inverse(lane)),
                begin: from_fn(|lane| if first + lane == n { 1.0 } else { 0.0 }),
            }
        })
        .collect()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn evaluate_fused(degree: usize, steps: &[Step], values: &[f64], point: [f64; 3]) -> f64 {
    evaluate::<true>(degree, steps, values, point)
}

#[inline(always)]
fn evaluate<const FUSED: bool>(
    degree: usize,
    steps: &[Step],
    values: &[f64],
    [x, y, z]: [f64; 3],
) -> f64 {
    let sum = |a: f64, b: f64, c: f64| if FUSED { a.mul_add(b, c) } else { a * b + c };
    let square = x * x + y * y + z * z;
    let mut last = [[0.0; LANES]; FOURS];
    let mut before = [[0.0; LANES]; FOURS];
    let mut real = [[0.0; LANES]; FOURS];
    let mut imaginary = [[0.0; LANES]; FOURS];
    let (fours, _) = values.as_chunks::<LANES>();
    let mut rows = steps.iter().zip(fours.chunks_exact(2));
    for n in 0..=degree {
        for k in 0..=n / LANES {
            let Some((step, row)) = rows.next() else { break };
            for lane in 0..LANES {
                let back = sum(step.back[lane] * square, before[k][lane], step.begin[lane]);
                let next = sum(step.ahead[lane] * z, last[k][lane], back);
                before[k][lane] = last[k][lane];
                last[k][lane] = next;
                real[k][lane] = sum(row[0][lane], next, real[k][lane]);
                imaginary[k][lane] = sum(row[1][lane], next, imaginary[k][lane]);
            }
        }
    }
    let mut power = [1.0, 0.0];
    let mut value = real[0][0];
    for m in 1..=degree {
        let half = 0.5 / m as f64;
        power = [(power[0] * x - power[1] * y) * half, (power[0] * y + power[1] * x) * half];
        let (k, lane) = (m / LANES, m % LANES);
        value += power[0] * real[k][lane] + power[1] * imaginary[k][lane];
    }
    value
}

impl<'a> Converter<'a> {
    fn new(places: &PlaceTree, moments: &'a Moments, degree: usize) -> Self {
        let steps = || places.levels.iter().flat_map(|level| &level.pairs).map(|pair| pair.step);
        let side =
            1 + steps().flatten().map(|step| step.unsigned_abs() as usize).max().unwrap_or(0);
        let mut used = vec![false; side * side * side];
        steps().for_each(|step| used[matrix_number(side, step)] = true);
        let matrix = |number: usize| {
            let sizes = [number % side, number / side % side, number / side / side];
            used[number].then(|| conversion(degree, sizes.map(|size| size as f64)))
        };
        Converter {
            degree,
            stride: padded(count(degree)),
            moments,
            matrices: (0..used.len()).into_par_iter().map(matrix).collect(),
            side,
            mirrors: mirrors(degree),
            sons: from_fn(|octant| to_son(degree, step_to_son(octant))),
            wide: is_wide(),
        }
    }

    /// The expansions of all places of a level, from those of their fathers.
    fn level(&self, level: usize, places: &PlaceLevel, above: &[f64]) -> Vec<f64> {
        let mut here = vec![0.0; self.stride * places.places.len()];
        let chunks = here.par_chunks_mut(self.stride * PLACES_AT_ONCE).enumerate();
        chunks.for_each(|(chunk, here)| {
            let first = chunk * PLACES_AT_ONCE;
            #[cfg(target_arch = "x86_64")]
            if self.wide {
                #[allow(unsafe_code)]
                // SAFETY: `wide` is set only where the processor has these instructions.
                return unsafe { convert_fused(self, level, places, first, above, here) };
            }
            self.convert::<false>(level, places, first, above, here);
        });
        here
    }

    #[inline(always)]
    fn convert<const FUSED: bool>(
        &self,
        level: usize,
        places: &PlaceLevel,
        first: usize,
        above: &[f64],
        here: &mut [f64],
    ) {
        for (number, local) in here.chunks_mut(self.stride).enumerate() {
            let place = &places.places[first + number];
            if place.father != NONE {
                let father = place.father as usize * self.stride;
                let father = &above[father..father + count(self.degree)];
                self.sons[octant_of(place.cell)].multiply_add::<FUSED>(father, local);
            }
        }
        let mut from = vec![0.0; self.stride];
        let mut to = vec![0.0; self.stride];
        for Conversion { matrix, place, pair } in
            self.by_matrix(places, first, here.len() / self.stride)
        {
            let signs = &self.mirrors[mirror_number(pair.step)];
            let moments = self.moments.of(level, pair.cluster as usize);
            for ((from, moment), sign) in from.iter_mut().zip(moments).zip(signs) {
                *from = moment * sign;
            }
            to.fill(0.0);
            if let Some(matrix) = &self.matrices[matrix as usize] {
                matrix.multiply_add::<FUSED>(&from[1..count(self.degree)], &mut to);
            }
            let start = place as usize * self.stride;
            for ((local, to), sign) in
                here[start..start + self.stride].iter_mut().zip(&to).zip(signs)
            {
                *local += to * sign;
            }
        }
    }

    /// The conversions for some places, one matrix after the other, so that each is at hand while it is
    /// used.
    fn by_matrix(&self, places: &PlaceLevel, first: usize, count: usize) -> Vec<Conversion> {
        let places_here = &places.places[first..first + count];
        let all = || {
            (0..).zip(places_here).flat_map(|(place, each)| {
                let pairs = &places.pairs[each.pairs.start as usize..each.pairs.end as usize];
                pairs.iter().map(move |&pair| {
                    let matrix = matrix_number(self.side, pair.step) as u32;
                    Conversion { matrix, place, pair }
                })
            })
        };
        let mut starts = vec![0u32; self.matrices.len() + 1];
        all().for_each(|one| starts[one.matrix as usize + 1] += 1);
        for matrix in 1..starts.len() {
            starts[matrix] += starts[matrix - 1];
        }
        let Some(any) = all().next() else { return Vec::new() };
        let mut sorted = vec![any; starts[self.matrices.len()] as usize];
        for one in all() {
            let next = &mut starts[one.matrix as usize];
            sorted[*next as usize] = one;
            *next += 1;
        }
        sorted
    }
}

/// One conversion to do.
#[derive(Clone, Copy)]
struct Conversion {
    matrix: u32,
    /// Which of the places at hand.
    place: u32,
    pair: Pair,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn convert_fused(
    converter: &Converter<'_>,
    level: usize,
    places: &PlaceLevel,
    first: usize,
    above: &[f64],
    here: &mut [f64],
) {
    converter.convert::<true>(level, places, first, above, here);
}

fn matrix_number(side: usize, step: [i8; 3]) -> usize {
    let [x, y, z] = step.map(|step| step.unsigned_abs() as usize);
    x + side * (y + side * z)
}

/// The axes along which a step goes down, as bits.
fn mirror_number(step: [i8; 3]) -> usize {
    (0..3).fold(0, |bits, axis| bits | usize::from(step[axis] < 0) << axis)
}
