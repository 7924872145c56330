//! SIMD comparison of one sphere with eight others at once.
//!
//! Plain loops make the whole search a third slower (`carom-bench contacts`, workload 3B with a million
//! spheres), because the compiler collects the eight results bit by bit instead of by one `movmskps`;
//! hence the AVX2 intrinsics here, and only here.

use super::layer::{GridSphereRecord, SphereGridLayerView};

/// Number of spheres per comparison: eight `f32` fill a 256-bit register.
pub(super) const LANES: usize = 8;

/// An implementation of the comparison.
pub(super) trait SphereComparison: Copy {
    /// Returns a bit mask of which of the eight spheres from `first` on may touch the given one, the first
    /// in the lowest bit.
    fn touching_mask<const D: usize>(
        self,
        record: &GridSphereRecord<D>,
        view: &SphereGridLayerView<'_, D>,
        first: usize,
    ) -> u32;
}

/// Work that is compiled once for every implementation, so that the comparison is inlined into its loops.
pub(super) trait SphereComparisonKernel {
    fn run(self, compare: impl SphereComparison);
}

/// Runs `job` with the widest implementation this processor supports.
pub(super) fn run_with_widest_simd(job: impl SphereComparisonKernel) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2::detect() {
        return avx2.run(job);
    }
    job.run(PortableComparison);
}

/// The comparison in plain loops, for processors without AVX2.
#[derive(Clone, Copy)]
pub(super) struct PortableComparison;

impl SphereComparison for PortableComparison {
    #[inline(always)]
    fn touching_mask<const D: usize>(
        self,
        record: &GridSphereRecord<D>,
        view: &SphereGridLayerView<'_, D>,
        first: usize,
    ) -> u32 {
        let mut distance_squared = [0.0; LANES];
        for axis in 0..D {
            let values = &view.position[axis][first..first + LANES];
            for lane in 0..LANES {
                let step = values[lane] - record.position[axis];
                distance_squared[lane] += step * step;
            }
        }
        let radii = &view.radius[first..first + LANES];
        let mut mask = 0;
        for lane in 0..LANES {
            let reach = radii[lane] + record.radius;
            mask |= u32::from(distance_squared[lane] <= reach * reach) << lane;
        }
        mask
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::{
        GridSphereRecord, LANES, SphereComparison, SphereComparisonKernel, SphereGridLayerView,
    };
    use std::arch::x86_64::*;

    /// Proof that the processor has AVX2, BMI1 and BMI2; made by [`Avx2::detect`] only.
    #[derive(Clone, Copy)]
    pub struct Avx2(());

    impl Avx2 {
        pub fn detect() -> Option<Self> {
            let complete = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            complete.then_some(Avx2(()))
        }

        pub fn run(self, job: impl SphereComparisonKernel) {
            // SAFETY: `self` exists, so the processor has AVX2, BMI1 and BMI2.
            unsafe { run_with_avx2(self, job) }
        }
    }

    // BMI for the loop over set bits: `tzcnt` and `blsr`.
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn run_with_avx2(avx2: Avx2, job: impl SphereComparisonKernel) {
        job.run(avx2);
    }

    impl SphereComparison for Avx2 {
        #[inline(always)]
        fn touching_mask<const D: usize>(
            self,
            record: &GridSphereRecord<D>,
            view: &SphereGridLayerView<'_, D>,
            first: usize,
        ) -> u32 {
            debug_assert!(is_x86_feature_detected!("avx2"));
            // SAFETY: `self` exists, so the processor has AVX2; each load is from a slice of as
            // many values as it reads.
            unsafe {
                let load = |values: &[f32]| {
                    let eight: &[f32] = &values[first..first + LANES];
                    _mm256_loadu_ps(eight.as_ptr())
                };
                let mut distance_squared = _mm256_setzero_ps();
                for axis in 0..D {
                    let own = _mm256_set1_ps(record.position[axis]);
                    let step = _mm256_sub_ps(load(view.position[axis]), own);
                    // No fused multiply-add: it rounds once instead of twice, and the candidates would
                    // differ from those of the portable loops.
                    distance_squared = _mm256_add_ps(distance_squared, _mm256_mul_ps(step, step));
                }
                let reach = _mm256_add_ps(load(view.radius), _mm256_set1_ps(record.radius));
                let within =
                    _mm256_cmp_ps::<_CMP_LE_OQ>(distance_squared, _mm256_mul_ps(reach, reach));
                _mm256_movemask_ps(within) as u32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Masks<'a, const D: usize>(
        &'a GridSphereRecord<D>,
        &'a SphereGridLayerView<'a, D>,
        &'a mut Vec<u32>,
    );

    impl<const D: usize> SphereComparisonKernel for Masks<'_, D> {
        fn run(self, compare: impl SphereComparison) {
            let Masks(record, view, masks) = self;
            let blocks = 0..view.radius.len() + 1 - LANES;
            masks.extend(blocks.map(|first| compare.touching_mask(record, view, first)));
        }
    }

    #[test]
    fn every_way_to_compare_gives_the_same_bits() {
        let value = |index: usize, salt: usize| ((index * 7919 + salt) % 101) as f32 / 101.0;
        let arrays: Vec<Vec<f32>> =
            (0..4).map(|salt| (0..200).map(|index| value(index, salt * 31)).collect()).collect();
        let view = SphereGridLayerView::<3> {
            position: [&arrays[0], &arrays[1], &arrays[2]],
            radius: &arrays[3],
            id: &[],
            starts: &[],
        };
        let record = GridSphereRecord { position: [0.4, 0.5, 0.6], radius: 0.1, id: 0 };
        let (mut plain, mut widest) = (Vec::new(), Vec::new());
        Masks(&record, &view, &mut plain).run(PortableComparison);
        run_with_widest_simd(Masks(&record, &view, &mut widest));
        assert_eq!(plain, widest);
        assert!(plain.iter().any(|&mask| mask != 0));
    }
}
