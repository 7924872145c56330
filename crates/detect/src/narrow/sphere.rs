//! The one formula that decides whether two spheres touch.

use carom_geometry::{Boundary, Sphere};

/// Returns the overlap of two spheres, `r_a + r_b - |x_a - x_b|`; it is negative while they are apart.
///
/// This one evaluation, in `f64` and to the minimum image, defines what a contact is: every broad phase reports
/// exactly the pairs for which it is not negative. Exchanging the two spheres gives the same bits. Distances
/// below about 1e-162, whose squares underflow, count as zero.
///
/// ```
/// use carom_detect::narrow::overlap;
/// use carom_geometry::{Boundary, Sphere};
/// let (left, right) = (Sphere::new([0.5, 0.0], 1.0), Sphere::new([9.5, 0.0], 1.0));
/// assert_eq!(overlap(&left, &right, &Boundary::open()), -7.0);
/// // Through the side of a periodic box they are 1 apart.
/// assert_eq!(overlap(&left, &right, &Boundary::periodic([Some(10.0), None])?), 1.0);
/// # Ok::<(), carom_geometry::BoundaryError>(())
/// ```
#[inline(always)]
pub fn overlap<const D: usize>(a: &Sphere<D>, b: &Sphere<D>, boundary: &Boundary<D>) -> f64 {
    (a.radius + b.radius) - boundary.minimum_image(a.center, b.center).norm_squared().sqrt()
}

/// Tests without a square root whether two spheres may touch: true for every pair with an overlap of zero or
/// more.
///
/// ```
/// use carom_detect::narrow::may_touch;
/// use carom_geometry::{Boundary, Sphere};
/// let disc = |x: f64| Sphere::new([x, 0.0], 1.0);
/// assert!(may_touch(&disc(0.0), &disc(2.0), &Boundary::open()));
/// assert!(!may_touch(&disc(0.0), &disc(2.001), &Boundary::open()));
/// ```
#[inline(always)]
pub fn may_touch<const D: usize>(a: &Sphere<D>, b: &Sphere<D>, boundary: &Boundary<D>) -> bool {
    let reach = a.radius + b.radius;
    let distance_squared = boundary.minimum_image(a.center, b.center).norm_squared();
    // The factor covers the rounding of both squares; the summand covers the range in which they underflow.
    distance_squared <= reach * reach * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
