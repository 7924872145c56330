//! Kernels compiled for several instruction sets, and the choice among them at run time.

/// A kernel to be compiled for several instruction sets; closures are kernels too.
///
/// `run` and everything it calls must be `#[inline(always)]`: a function that is not inlined is compiled
/// for the baseline instruction set.
pub trait SimdKernel {
    /// The result of the kernel.
    type Output;
    /// Computes the result.
    fn run(self) -> Self::Output;
}

impl<R, F: FnOnce() -> R> SimdKernel for F {
    type Output = R;

    #[inline(always)]
    fn run(self) -> R {
        self()
    }
}

/// Proof that the processor has AVX2 and fused multiply-add; [`Avx2Fma::detect`] alone makes one.
///
/// Kept beside the data of a kernel that is called often, it spares asking the processor at every call.
///
/// ```
/// use carom_geometry::simd::{Avx2Fma, F64x4, LaneNumber};
/// fn squares<const FUSED: bool>(x: [f64; 4]) -> [f64; 4] {
///     F64x4::<FUSED>(x).times_plus(F64x4(x), F64x4::splat(1.0)).0
/// }
/// let x = [1.0, 2.0, 3.0, 4.0];
/// let sums = match Avx2Fma::detect() {
///     Some(avx2) => avx2.run(|| squares::<true>(x)),
///     None => squares::<false>(x),
/// };
/// assert_eq!(sums, [2.0, 5.0, 10.0, 17.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Avx2Fma(());

impl Avx2Fma {
    /// Asks the processor.
    #[inline]
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
            .then_some(Avx2Fma(()));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Runs a kernel compiled for AVX2 and fused multiply-add.
    #[inline(always)]
    pub fn run<K: SimdKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `self` exists, so the processor has what the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { run_with_avx2(kernel) };
        #[cfg(not(target_arch = "x86_64"))]
        kernel.run()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_with_avx2<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Runs a kernel with AVX2 where the processor has it, otherwise with the baseline instruction set: for short
/// kernels.
#[inline]
pub fn run_with_widest_simd<K: SimdKernel>(kernel: K) -> K::Output {
    match Avx2Fma::detect() {
        Some(avx2) => avx2.run(kernel),
        None => kernel.run(),
    }
}

/// Runs a kernel with AVX-512 where the processor has it, otherwise as [`run_with_widest_simd`]: for long
/// loops over arrays, which profit from registers twice as wide.
#[inline]
pub fn run_loops_with_widest_simd<K: SimdKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if Avx2Fma::detect().is_some()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
    {
        // SAFETY: the processor has all four features that the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { run_with_avx512(kernel) };
    }
    run_with_widest_simd(kernel)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
fn run_with_avx512<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Polynomial<'a>(&'a [f64]);

    impl SimdKernel for Polynomial<'_> {
        type Output = f64;

        #[inline(always)]
        fn run(self) -> f64 {
            self.0.iter().fold(0.1, |sum, value| sum * 0.7 + value * value)
        }
    }

    #[test]
    fn wide_registers_give_the_same_bits_for_every_length() {
        for length in 0..70 {
            let values: Vec<f64> = (0..length).map(|k| (k as f64 * 0.37).sin()).collect();
            let plain = Polynomial(&values).run();
            assert_eq!(run_with_widest_simd(Polynomial(&values)), plain, "{length}");
            assert_eq!(run_loops_with_widest_simd(Polynomial(&values)), plain, "{length}");
            assert_eq!(run_with_widest_simd(|| Polynomial(&values).run()), plain, "{length}");
        }
    }
}
