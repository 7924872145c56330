use carom_geometry::{Boundary, Sphere};

/// Returns the overlap of two spheres, `r_a + r_b - |x_a - x_b|`; it is negative while they are apart.
///
/// This one evaluation, in `f64` and to the minimum image, defines what a contact is: every broad phase reports
/// exactly the pairs for which it is not negative. Exchanging the two spheres gives the same bits. Distances
/// below about 1e-162, whose squares underflow, count as zero.
#[inline(always)]
pub fn overlap<const D: usize>(a: &Sphere<D>, b: &Sphere<D>, boundary: &Boundary<D>) -> f64 {
    (a.radius + b.radius) - boundary.minimum_image(a.center, b.center).norm_squared().sqrt()
}

/// Tests without a square root whether two spheres may touch: true for every pair with an overlap of zero or
/// more.
#[inline(always)]
pub fn may_touch<const D: usize>(a: &Sphere<D>, b: &Sphere<D>, boundary: &Boundary<D>) -> bool {
    let reach = a.radius + b.radius;
    let distance_squared = boundary.minimum_image(a.center, b.center).norm_squared();
    // The factor covers the rounding of both squares; the summand covers the range in which they underflow.
    distance_squared <= reach * reach * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
