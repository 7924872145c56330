//! A vector with a scalar that is read along with it: half a cache line.

use carom_geometry::Vector;

/// A vector and a scalar in 32 bytes, such as position and radius, or velocity and inverse mass.
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
