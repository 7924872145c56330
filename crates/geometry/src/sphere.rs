//! The sphere or disc that contact searches take.

use crate::Vector;
use bytemuck::AnyBitPattern;
use std::f64::consts::PI;

/// A sphere (`D = 3`) or a disc (`D = 2`).
///
/// Plain data without checks; functions that take spheres from outside check them once, as
/// `carom_detect::ContactSearch::find` does.
///
/// ```
/// use carom_geometry::Sphere;
/// let ball = Sphere::new([0.0, 0.0, 1.0], 0.5);
/// assert_eq!(ball.center.z, 1.0);
/// ```
#[repr(C)]
#[derive(AnyBitPattern, Clone, Copy, Debug, PartialEq)]
pub struct Sphere<const D: usize> {
    /// Center, in the length unit of the input.
    pub center: Vector<D>,
    /// Radius, in the same unit.
    pub radius: f64,
}

impl<const D: usize> Sphere<D> {
    /// Returns the sphere around `center` with `radius`.
    pub fn new(center: impl Into<Vector<D>>, radius: f64) -> Self {
        Sphere { center: center.into(), radius }
    }

    /// Returns rows of `D` coordinates and a radius, one row after the other, as spheres, without a copy;
    /// `None` if the last row is not whole.
    ///
    /// ```
    /// use carom_geometry::Sphere;
    /// let rows = [0.0, 0.0, 1.0, 0.5, 3.0, 4.0, 5.0, 0.25];
    /// let spheres = Sphere::<3>::slice_from_rows(&rows).expect("two rows");
    /// assert_eq!(spheres[1], Sphere::new([3.0, 4.0, 5.0], 0.25));
    /// assert_eq!(Sphere::<3>::slice_from_rows(&rows[1..]), None);
    /// ```
    pub fn slice_from_rows(rows: &[f64]) -> Option<&[Self]> {
        bytemuck::try_cast_slice(rows).ok()
    }
}

/// Returns the volume of the unit ball, in two dimensions the area of the unit disc.
///
/// ```
/// use carom_geometry::unit_ball_volume;
/// let radius: f64 = 2.0;
/// assert!((unit_ball_volume(2) * radius.powi(2) - 12.566).abs() < 1e-3);
/// assert!((unit_ball_volume(3) * radius.powi(3) - 33.510).abs() < 1e-3);
/// ```
pub const fn unit_ball_volume(dimension: usize) -> f64 {
    if dimension == 2 { PI } else { 4.0 / 3.0 * PI }
}
