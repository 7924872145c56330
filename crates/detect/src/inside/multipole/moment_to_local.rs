//! From the moments of clusters to local expansions of target boxes, coarse boxes first: equations 24 and 25.

use super::expansion_matrix::{ExpansionMatrix, padded};
use super::expansion_translation::{local_to_local_matrix, mirror_signs, moment_to_local_matrix};
use super::moments::{MultipoleMoments, child_offset, octant_of};
use super::solid_harmonics::coefficient_count;
use super::target_octree::{FarFieldPair, NONE, TargetLevel, TargetOctree};
use crate::inside::lanes::has_avx2_and_fma;
use rayon::prelude::*;
use std::array::from_fn;

/// The number of target boxes in one task of a thread.
const BOXES_PER_TASK: usize = 128;
/// The matrices and moments that conversions need.
pub struct MomentToLocalConverter<'a> {
    degree: usize,
    /// The number of coefficients of each box, padded for SIMD.
    pub stride: usize,
    moments: &'a MultipoleMoments,
    /// The matrices, by the absolute components of an offset; signs are handled by mirroring.
    matrices: Vec<Option<ExpansionMatrix>>,
    /// The number of absolute values of a component.
    matrices_per_axis: usize,
    mirror_signs: [Vec<f64>; 8],
    local_to_child: [ExpansionMatrix; 8],
    wide: bool,
}

impl<'a> MomentToLocalConverter<'a> {
    pub fn new(places: &TargetOctree, moments: &'a MultipoleMoments, degree: usize) -> Self {
        let steps = || places.levels.iter().flat_map(|level| &level.pairs).map(|pair| pair.offset);
        let matrices_per_axis =
            1 + steps().flatten().map(|step| step.unsigned_abs() as usize).max().unwrap_or(0);
        let mut used = vec![false; matrices_per_axis * matrices_per_axis * matrices_per_axis];
        steps().for_each(|step| used[matrix_index(matrices_per_axis, step)] = true);
        let matrix = |number: usize| {
            let sizes = [
                number % matrices_per_axis,
                number / matrices_per_axis % matrices_per_axis,
                number / matrices_per_axis / matrices_per_axis,
            ];
            used[number].then(|| moment_to_local_matrix(degree, sizes.map(|size| size as f64)))
        };
        MomentToLocalConverter {
            degree,
            stride: padded(coefficient_count(degree)),
            moments,
            matrices: (0..used.len()).into_par_iter().map(matrix).collect(),
            matrices_per_axis,
            mirror_signs: mirror_signs(degree),
            local_to_child: from_fn(|octant| local_to_local_matrix(degree, child_offset(octant))),
            wide: has_avx2_and_fma(),
        }
    }

    /// Returns the expansions of all boxes of a level, given those of their parents.
    pub fn convert_level(&self, level: usize, places: &TargetLevel, above: &[f64]) -> Vec<f64> {
        let mut here = vec![0.0; self.stride * places.boxes.len()];
        let chunks = here.par_chunks_mut(self.stride * BOXES_PER_TASK).enumerate();
        chunks.for_each(|(chunk, here)| {
            let first = chunk * BOXES_PER_TASK;
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
        places: &TargetLevel,
        first: usize,
        above: &[f64],
        here: &mut [f64],
    ) {
        for (number, local) in here.chunks_mut(self.stride).enumerate() {
            let place = &places.boxes[first + number];
            if place.parent != NONE {
                let parent = place.parent as usize * self.stride;
                let parent = &above[parent..parent + coefficient_count(self.degree)];
                self.local_to_child[octant_of(place.cell)].multiply_add::<FUSED>(parent, local);
            }
        }
        let mut from = vec![0.0; self.stride];
        let mut to = vec![0.0; self.stride];
        // By matrix, so that each stays in the cache for all the boxes of a task that need it.
        for MomentToLocalTask { matrix, place, pair } in
            self.tasks_by_matrix(places, first, here.len() / self.stride)
        {
            let signs = &self.mirror_signs[mirror_index(pair.offset)];
            let moments = self.moments.cluster_moments(level, pair.cluster as usize);
            for ((from, moment), sign) in from.iter_mut().zip(moments).zip(signs) {
                // Offsets that differ in signs share a matrix: mirroring an axis changes signs of coefficients
                // only.
                *from = moment * sign;
            }
            to.fill(0.0);
            if let Some(matrix) = &self.matrices[matrix as usize] {
                matrix.multiply_add::<FUSED>(&from[1..coefficient_count(self.degree)], &mut to);
            }
            let start = place as usize * self.stride;
            for ((local, to), sign) in
                here[start..start + self.stride].iter_mut().zip(&to).zip(signs)
            {
                *local += to * sign;
            }
        }
    }

    /// Lists the conversions of some boxes, sorted by matrix, so that each matrix stays in the cache while it is
    /// used.
    fn tasks_by_matrix(
        &self,
        places: &TargetLevel,
        first: usize,
        count: usize,
    ) -> Vec<MomentToLocalTask> {
        let places_here = &places.boxes[first..first + count];
        let all = || {
            (0..).zip(places_here).flat_map(|(place, each)| {
                let pairs = &places.pairs[each.pairs.start as usize..each.pairs.end as usize];
                pairs.iter().map(move |&pair| {
                    let matrix = matrix_index(self.matrices_per_axis, pair.offset) as u32;
                    MomentToLocalTask { matrix, place, pair }
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
struct MomentToLocalTask {
    matrix: u32,
    /// The box, counted within the task.
    place: u32,
    pair: FarFieldPair,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn convert_fused(
    converter: &MomentToLocalConverter<'_>,
    level: usize,
    places: &TargetLevel,
    first: usize,
    above: &[f64],
    here: &mut [f64],
) {
    converter.convert::<true>(level, places, first, above, here);
}

fn matrix_index(side: usize, step: [i8; 3]) -> usize {
    let [x, y, z] = step.map(|step| step.unsigned_abs() as usize);
    x + side * (y + side * z)
}

/// Returns the axes along which an offset is negative, as bits.
fn mirror_index(step: [i8; 3]) -> usize {
    (0..3).fold(0, |bits, axis| bits | usize::from(step[axis] < 0) << axis)
}
