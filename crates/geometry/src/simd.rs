//! Plain Rust loops compiled a second time for wide SIMD registers, chosen at run time.
//!
//! The compiler vectorizes but never contracts `a * b + c` to a fused multiply-add, so results are the same
//! to the bit on all processors. Take [`run_with_widest_simd`] for short kernels and
//! [`run_loops_with_widest_simd`] for long loops over arrays.

/// A kernel to be compiled for several instruction sets.
///
/// `run` and everything it calls must be `#[inline(always)]`: a function that is not inlined is compiled
/// for the baseline instruction set.
pub trait SimdKernel {
    /// The result of the kernel.
    type Output;
    /// Computes the result.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with AVX2 where the processor has it, otherwise with the baseline instruction set.
#[inline]
pub fn run_with_widest_simd<J: SimdKernel>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has what the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { run_with_avx2(job) };
    }
    job.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_with_avx2<J: SimdKernel>(job: J) -> J::Output {
    job.run()
}

/// Runs a kernel with AVX-512 where the processor has it, otherwise as [`run_with_widest_simd`]: for long
/// loops over arrays, which profit from registers twice as wide.
#[inline]
pub fn run_loops_with_widest_simd<J: SimdKernel>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: the processor has what the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { run_with_avx512(job) };
    }
    run_with_widest_simd(job)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
fn run_with_avx512<J: SimdKernel>(job: J) -> J::Output {
    job.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Polynomial<'a>(&'a [f64]);

    impl SimdKernel for Polynomial<'_> {
        type Output = f64;

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
        }
    }
}
