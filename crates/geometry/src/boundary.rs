//! Periodic and open axes: minimum images, wrapping, and what boundaries are refused.

use crate::Vector;
use thiserror::Error;

/// The boundary condition of each axis: open or periodic.
///
/// A periodic axis of length `L` spans `[0, L)`; coordinates outside denote images and are accepted
/// everywhere.
///
/// ```
/// use carom_geometry::{Boundary, Vector};
/// let boundary = Boundary::periodic([Some(10.0), None])?;
/// let step = boundary.minimum_image(Vector::from([9.5, 0.0]), Vector::from([0.5, 7.0]));
/// assert_eq!(step, Vector::from([1.0, 7.0]));
/// # Ok::<(), carom_geometry::BoundaryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary<const D: usize> {
    /// Period of each axis; zero on an open axis.
    period: Vector<D>,
    inverse_period: Vector<D>,
}

/// Why a boundary was refused.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("the period of axis {} is {length:?}; it must be between 1e-100 and 1e100", ["x", "y", "z"].get(*axis).copied().unwrap_or("?"))]
pub struct BoundaryError {
    /// The axis, counted from zero.
    pub axis: usize,
    /// The length that was given.
    pub length: f64,
}

impl<const D: usize> Boundary<D> {
    /// Returns the boundary that is open on every axis.
    pub fn open() -> Self {
        Boundary { period: Vector::zeros(), inverse_period: Vector::zeros() }
    }

    /// Returns the boundary that is periodic with the given length on each axis that has one. Fails if a
    /// length is not between 1e-100 and 1e100.
    pub fn periodic(lengths: [Option<f64>; D]) -> Result<Self, BoundaryError> {
        let mut boundary = Boundary::open();
        for (axis, length) in lengths.into_iter().enumerate() {
            let Some(length) = length else { continue };
            if !(1e-100..=1e100).contains(&length) {
                return Err(BoundaryError { axis, length });
            }
            boundary.period[axis] = length;
            boundary.inverse_period[axis] = 1.0 / length;
        }
        Ok(boundary)
    }

    /// Returns the period of an axis, if it has one.
    pub fn period(&self, axis: usize) -> Option<f64> {
        (self.period[axis] > 0.0).then_some(self.period[axis])
    }

    /// Returns the same boundary in space; further axes are open.
    pub fn embedded(&self) -> Boundary<3> {
        let mut lengths = [None; 3];
        (0..D).for_each(|axis| lengths[axis] = self.period(axis));
        Boundary::periodic(lengths).expect("the lengths were checked")
    }

    /// Returns whether any axis is periodic.
    pub fn is_periodic(&self) -> bool {
        self.period.iter().any(|&length| length > 0.0)
    }

    /// Returns the shortest displacement from `from` to any image of `to` (minimum image convention).
    ///
    /// Exactly antisymmetric, so that a distance does not depend on the order of two bodies.
    #[inline(always)]
    pub fn minimum_image(&self, from: Vector<D>, to: Vector<D>) -> Vector<D> {
        let step = to - from;
        step + self.image_shift(step)
    }

    /// Returns the whole periods to add to a displacement to make it the shortest; exactly odd in it.
    #[inline(always)]
    pub fn image_shift(&self, displacement: Vector<D>) -> Vector<D> {
        displacement.zip_zip_map(&self.period, &self.inverse_period, |step, period, inverse| {
            if period == 0.0 { 0.0 } else { -period * (step * inverse).round() }
        })
    }

    /// Returns the image of `point` inside the box, both sides included and up to rounding; coordinates on
    /// open axes are unchanged.
    #[inline(always)]
    pub fn wrap(&self, point: Vector<D>) -> Vector<D> {
        point - self.period.component_mul(&self.passages(point))
    }

    /// Returns the whole periods from the image of `point` inside the box, as [`wrap`](Self::wrap) finds it, to `point`
    /// itself: how often a body that has moved there has passed through the sides of every axis; zero on open axes.
    ///
    /// ```
    /// # use carom_geometry::{Boundary, Vector};
    /// let boundary = Boundary::periodic([Some(10.0), None])?;
    /// assert_eq!(boundary.passages([25.0, 99.0].into()), Vector::from([2.0, 0.0]));
    /// assert_eq!(boundary.passages([-0.5, 99.0].into()), Vector::from([-1.0, 0.0]));
    /// # Ok::<(), carom_geometry::BoundaryError>(())
    /// ```
    #[inline(always)]
    pub fn passages(&self, point: Vector<D>) -> Vector<D> {
        point.component_mul(&self.inverse_period).map(f64::floor)
    }

    /// Returns the displacement by this many periods along every axis.
    #[inline(always)]
    pub fn displacement_of(&self, passages: Vector<D>) -> Vector<D> {
        self.period.component_mul(&passages)
    }

    /// Iterates over the shifts to all neighboring images: `3^p - 1` of them for `p` periodic axes, opposite
    /// ones next to each other.
    pub fn image_shifts(&self) -> impl Iterator<Item = Vector<D>> + '_ {
        let half = 3usize.pow(D as u32) / 2;
        (1..=half).flat_map(move |distance| [half + distance, half - distance]).filter_map(
            move |code| {
                let digits: Vector<D> =
                    Vector::from_fn(|axis, _| (code / 3usize.pow(axis as u32) % 3) as f64 - 1.0);
                let possible = (0..D).all(|axis| digits[axis] == 0.0 || self.period[axis] > 0.0);
                possible.then(|| digits.component_mul(&self.period))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_images_are_neighbors_in_the_list() {
        let boundary = Boundary::periodic([Some(2.0), None, Some(5.0)]).unwrap();
        let shifts: Vec<_> = boundary.image_shifts().collect();
        assert_eq!(shifts.len(), 8);
        for pair in shifts.chunks(2) {
            assert_eq!(pair[0], -pair[1]);
        }
    }

    #[test]
    fn the_shortest_step_is_antisymmetric() {
        let boundary = Boundary::periodic([Some(1.0), Some(3.0)]).unwrap();
        let (a, b) = ([0.25, 17.5].into(), [0.75, -2.0].into());
        assert_eq!(boundary.minimum_image(a, b), -boundary.minimum_image(b, a));
    }

    #[test]
    fn a_period_must_be_a_sensible_length() {
        for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e200] {
            assert!(Boundary::periodic([Some(length), None]).is_err());
        }
    }
}
