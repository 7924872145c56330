use crate::Vector;

/// A sphere (`D = 3`) or a disc (`D = 2`).
///
/// Plain data: who takes spheres from outside checks them once, see
/// `carom_detect::ContactSearch::find`.
///
/// ```
/// use carom_geometry::Sphere;
/// let ball = Sphere::new([0.0, 0.0, 1.0], 0.5);
/// assert_eq!(ball.center.z, 1.0);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<const D: usize> {
    /// Centre, in the units of the user.
    pub center: Vector<D>,
    /// Radius, in the same units.
    pub radius: f64,
}

impl<const D: usize> Sphere<D> {
    /// The sphere around `center` with `radius`.
    pub fn new(center: impl Into<Vector<D>>, radius: f64) -> Self {
        Sphere { center: center.into(), radius }
    }
}
