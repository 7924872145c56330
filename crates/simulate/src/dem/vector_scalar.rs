//! A vector in space beside a number that goes with it: half a line of cache.

use carom_geometry::Vector;

/// Three coordinates and a fourth number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct VectorScalar {
    pub vector: Vector<3>,
    pub scalar: f64,
}

impl VectorScalar {
    #[inline(always)]
    pub(super) fn new(vector: Vector<3>, scalar: f64) -> Self {
        VectorScalar { vector, scalar }
    }
}
