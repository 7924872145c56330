//! The local expansions of all leaves, and their values at points: equation 20.

use super::convert::Converter;
use super::harmonics::{HIGHEST_DEGREE, place};
use super::moments::Moments;
use super::places::{NONE, PlaceTree};
use crate::inside::lanes::{LANES, is_wide};
use std::array::from_fn;

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
