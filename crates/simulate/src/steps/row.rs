//! A vector in space beside a number that goes with it: half a line of cache.

use carom_geometry::Vector;

/// Three coordinates and a fourth number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Row {
    pub vector: Vector<3>,
    pub fourth: f64,
}

impl Row {
    #[inline(always)]
    pub(super) fn new(vector: Vector<3>, fourth: f64) -> Self {
        Row { vector, fourth }
    }
}
