//! Eight `f32` at once, with a bit mask of comparisons.
//!
//! Intrinsics, unlike the lanes of [`F64x4`](super::F64x4): from plain loops the compiler collects the eight results
//! of a comparison bit by bit instead of by one `movmskps`, which made the search for contacts on a hierarchical grid
//! a third slower (`carom-bench contacts`, workload 3B with a million spheres).

/// The number of values at once: eight `f32` fill a 256-bit register.
pub const F32_LANES: usize = 8;

/// The instructions of a processor for eight `f32`; a value of an implementing type is proof that it has them.
///
/// There is no fused multiply-add, so that all implementations give the same bits.
pub trait F32x8Instructions: Copy {
    /// Eight numbers in a register.
    type Lanes: Copy;
    /// Returns a value in all lanes.
    fn splat(self, value: f32) -> Self::Lanes;
    /// Returns eight values in lanes.
    fn load(self, values: &[f32; F32_LANES]) -> Self::Lanes;
    /// Returns the sums.
    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// Returns the differences.
    fn subtract(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// Returns the products.
    fn multiply(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// Returns a bit mask of the lanes in which `a` is at most `b`, the first lane in the lowest bit.
    fn at_most_mask(self, a: Self::Lanes, b: Self::Lanes) -> u32;
}

/// A kernel that is compiled once for every implementation of [`F32x8Instructions`].
///
/// `run` and everything it calls must be `#[inline(always)]`, as for [`SimdKernel`](super::SimdKernel).
pub trait F32x8Kernel {
    /// The result of the kernel.
    type Output;
    /// Computes the result.
    fn run(self, simd: impl F32x8Instructions) -> Self::Output;
}

/// Runs a kernel with AVX2 where the processor has it (and BMI, for loops over the bits of masks), otherwise in plain
/// loops.
pub fn run_with_f32x8<K: F32x8Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2Bmi::detect() {
        return avx2.run(kernel);
    }
    kernel.run(PortableF32x8)
}

/// Plain loops, for processors without AVX2.
#[derive(Clone, Copy, Debug)]
pub struct PortableF32x8;

impl F32x8Instructions for PortableF32x8 {
    type Lanes = [f32; F32_LANES];

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Lanes {
        [value; F32_LANES]
    }

    #[inline(always)]
    fn load(self, values: &[f32; F32_LANES]) -> Self::Lanes {
        *values
    }

    #[inline(always)]
    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn subtract(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| a[lane] - b[lane])
    }

    #[inline(always)]
    fn multiply(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn at_most_mask(self, a: Self::Lanes, b: Self::Lanes) -> u32 {
        (0..F32_LANES).fold(0, |mask, lane| mask | u32::from(a[lane] <= b[lane]) << lane)
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::{F32_LANES, F32x8Instructions, F32x8Kernel};
    use std::arch::x86_64::*;

    /// Proof that the processor has AVX2, BMI1 and BMI2; [`Avx2Bmi::detect`] alone makes one.
    #[derive(Clone, Copy)]
    pub struct Avx2Bmi(());

    impl Avx2Bmi {
        pub fn detect() -> Option<Self> {
            let complete = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            complete.then_some(Avx2Bmi(()))
        }

        pub fn run<K: F32x8Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: `self` exists, so the processor has AVX2, BMI1 and BMI2.
            unsafe { run_with_avx2(self, kernel) }
        }
    }

    // BMI for loops over set bits: `tzcnt` and `blsr`.
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn run_with_avx2<K: F32x8Kernel>(avx2: Avx2Bmi, kernel: K) -> K::Output {
        kernel.run(avx2)
    }

    impl F32x8Instructions for Avx2Bmi {
        type Lanes = __m256;

        #[inline(always)]
        fn splat(self, value: f32) -> __m256 {
            // SAFETY: `self` exists, so the processor has AVX2.
            unsafe { _mm256_set1_ps(value) }
        }

        #[inline(always)]
        fn load(self, values: &[f32; F32_LANES]) -> __m256 {
            // SAFETY: `self` exists, so the processor has AVX2; the array holds as many values as are read.
            unsafe { _mm256_loadu_ps(values.as_ptr()) }
        }

        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            // SAFETY: `self` exists, so the processor has AVX2.
            unsafe { _mm256_add_ps(a, b) }
        }

        #[inline(always)]
        fn subtract(self, a: __m256, b: __m256) -> __m256 {
            // SAFETY: `self` exists, so the processor has AVX2.
            unsafe { _mm256_sub_ps(a, b) }
        }

        #[inline(always)]
        fn multiply(self, a: __m256, b: __m256) -> __m256 {
            // SAFETY: `self` exists, so the processor has AVX2.
            unsafe { _mm256_mul_ps(a, b) }
        }

        #[inline(always)]
        fn at_most_mask(self, a: __m256, b: __m256) -> u32 {
            // SAFETY: `self` exists, so the processor has AVX2.
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b)) as u32 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Masks<'a>(&'a [[f32; F32_LANES]]);

    impl F32x8Kernel for Masks<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run(self, simd: impl F32x8Instructions) -> Vec<u32> {
            let mask = |two: &[[f32; F32_LANES]]| {
                let [a, b] = [simd.load(&two[0]), simd.load(&two[1])];
                let product = simd.multiply(simd.add(a, b), simd.subtract(a, b));
                simd.at_most_mask(product, simd.splat(0.1))
            };
            self.0.windows(2).map(mask).collect()
        }
    }

    #[test]
    fn all_instruction_sets_give_the_same_masks() {
        let value = |index: usize| if index == 77 { f32::NAN } else { (index * 7919 % 101) as f32 };
        let values: Vec<[f32; F32_LANES]> =
            (0..200).map(|k| std::array::from_fn(|lane| value(8 * k + lane) / 101.0)).collect();
        let plain = Masks(&values).run(PortableF32x8);
        assert_eq!(run_with_f32x8(Masks(&values)), plain);
        assert!(plain.iter().any(|&mask| mask != 0 && mask != 255));
    }
}
