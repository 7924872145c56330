//! Tests compiled for the widest registers that many processors have.

use super::Side;
use super::side::each_side;
use carom_geometry::Vector;
use carom_geometry::wide::{Job, run_widest};

/// A test whose answers are to be compiled for wide registers; `some_sides` is to be inlined always.
pub(super) trait WideTest: Sync {
    /// Fills in where some points are.
    fn some_sides(&self, points: &[Vector<3>], sides: &mut [Side]);
}

/// Where one point is.
pub(super) fn wide_side(test: &impl WideTest, point: &Vector<3>) -> Side {
    let mut side = [Side::Outside];
    run_widest(SomeSides { test, points: &[*point], sides: &mut side });
    side[0]
}

/// Where many points are, by all threads.
pub(super) fn wide_sides(test: &impl WideTest, points: &[Vector<3>]) -> Vec<Side> {
    each_side(points, |points, sides| run_widest(SomeSides { test, points, sides }))
}

struct SomeSides<'a, T> {
    test: &'a T,
    points: &'a [Vector<3>],
    sides: &'a mut [Side],
}

impl<T: WideTest> Job for SomeSides<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.test.some_sides(self.points, self.sides);
    }
}
