//! From moments of clusters to local expansions of places, coarse places first: equations 24 and 25.

use super::harmonics::count;
use super::matrix::{Matrix, padded};
use super::moments::{Moments, octant_of, step_to_son};
use super::places::{NONE, Pair, PlaceLevel, PlaceTree};
use super::translate::{conversion, mirrors, to_son};
use crate::inside::lanes::is_wide;
use rayon::prelude::*;
use std::array::from_fn;

/// So many places are handed to a thread at once.
const PLACES_AT_ONCE: usize = 128;
/// Everything that conversions need.
pub struct Converter<'a> {
    degree: usize,
    /// So many numbers for each place.
    pub stride: usize,
    moments: &'a Moments,
    /// By the sizes of the components of a step.
    matrices: Vec<Option<Matrix>>,
    /// The components are less than this.
    side: usize,
    mirrors: [Vec<f64>; 8],
    sons: [Matrix; 8],
    wide: bool,
}

impl<'a> Converter<'a> {
    pub fn new(places: &PlaceTree, moments: &'a Moments, degree: usize) -> Self {
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
    pub fn level(&self, level: usize, places: &PlaceLevel, above: &[f64]) -> Vec<f64> {
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
