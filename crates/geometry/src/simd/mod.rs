//! SIMD: numbers in lanes, and code compiled a second time for wide registers and chosen at run time.
//!
//! | for | take |
//! |---|---|
//! | plain loops that the compiler vectorizes | [`run_with_widest_simd`], [`run_loops_with_widest_simd`] |
//! | four `f64` at once, with one rounding per product and sum where the processor can | [`F64x4`], [`Avx2Fma`] |
//! | eight `f32` at once with a bit mask of comparisons | [`F32x8Kernel`], [`run_with_f32x8`] |
//!
//! The compiler never contracts `a * b + c` to a fused multiply-add by itself, so results are the same to the bit
//! on all processors unless a kernel asks for [`F64x4<true>`](F64x4).

mod f32x8;
mod f64x4;
mod kernel;

pub use f32x8::{F32_LANES, F32x8Instructions, F32x8Kernel, PortableF32x8, run_with_f32x8};
pub use f64x4::{F64_LANES, F64x4, LaneNumber};
pub use kernel::{Avx2Fma, SimdKernel, run_loops_with_widest_simd, run_with_widest_simd};
