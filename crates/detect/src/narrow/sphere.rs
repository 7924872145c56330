use carom_geometry::{Boundary, Sphere};

/// How deep two spheres overlap: `r_a + r_b - |x_a - x_b|`, negative while they are apart.
///
/// This one evaluation, in `f64` and to the shortest image, defines what a contact is: every
/// method reports exactly the pairs for which it is not negative. Exchanging the two gives the
/// same bits. Distances below about 1e-162, whose squares vanish, count as zero.
#[inline(always)]
pub fn overlap<const D: usize>(a: &Sphere<D>, b: &Sphere<D>, boundary: &Boundary<D>) -> f64 {
    (a.radius + b.radius) - boundary.minimum_image(a.center, b.center).norm_squared().sqrt()
}

/// A test without a square root that is true for every pair with an overlap of zero or more.
#[inline(always)]
pub fn may_touch<const D: usize>(a: &Sphere<D>, b: &Sphere<D>, boundary: &Boundary<D>) -> bool {
    let reach = a.radius + b.radius;
    let distance_squared = boundary.minimum_image(a.center, b.center).norm_squared();
    // The factor covers the roundings of both squares; the summand the range where they vanish.
    distance_squared <= reach * reach * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
