//! Tests compiled for the widest registers that many processors have.

use super::Containment;
use super::containment::classify_in_parallel;
use carom_geometry::Vector;
use carom_geometry::simd::{SimdKernel, run_with_widest_simd};

/// A test whose answers are to be compiled for wide registers; `some_sides` is to be inlined always.
pub(super) trait SimdInsideTest: Sync {
    /// Fills in where some points are.
    fn classify_batch(&self, points: &[Vector<3>], sides: &mut [Containment]);
}

/// Where one point is.
pub(super) fn classify_simd(test: &impl SimdInsideTest, point: &Vector<3>) -> Containment {
    let mut side = [Containment::Outside];
    run_with_widest_simd(SimdInsideTestJob { test, points: &[*point], containments: &mut side });
    side[0]
}

/// Where many points are, by all threads.
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
