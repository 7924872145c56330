//! Work compiled for the widest registers that many processors have.

/// Something to do; `run` is to be inlined always.
pub(super) trait Job {
    type Output;
    fn run(self) -> Self::Output;
}

/// Does it, with AVX2 and fused multiplication where the processor has them.
#[inline]
pub(super) fn run_widest<J: Job>(job: J) -> J::Output {
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
fn run_with_avx2<J: Job>(job: J) -> J::Output {
    job.run()
}
