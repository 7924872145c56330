//! Containment tests compiled for the widest SIMD registers of the processor.

use super::Containment;
use super::containment::classify_in_parallel;
use carom_geometry::Vector;
use carom_geometry::simd::{SimdKernel, run_with_widest_simd};

/// A containment test to compile for wide registers; `classify_batch` must be `#[inline(always)]`.
pub(super) trait SimdInsideTest: Sync {
    /// Fills in the containment of some points.
    fn classify_batch(&self, points: &[Vector<3>], sides: &mut [Containment]);
}

/// Classifies one point.
pub(super) fn classify_simd(test: &impl SimdInsideTest, point: &Vector<3>) -> Containment {
    let mut side = [Containment::Outside];
    run_with_widest_simd(SimdInsideTestJob { test, points: &[*point], containments: &mut side });
    side[0]
}

/// Classifies many points by all threads.
pub(super) fn classify_all_simd(
    test: &impl SimdInsideTest,
    points: &[Vector<3>],
) -> Vec<Containment> {
    classify_in_parallel(points, |points, sides| {
        run_with_widest_simd(SimdInsideTestJob { test, points, containments: sides })
    })
}

struct SimdInsideTestJob<'a, T> {
    test: &'a T,
    points: &'a [Vector<3>],
    containments: &'a mut [Containment],
}

impl<T: SimdInsideTest> SimdKernel for SimdInsideTestJob<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.test.classify_batch(self.points, self.containments);
    }
}
