//! Bounding boxes within a boundary: validity, wrapping and overlap.

use crate::Error;
use crate::error::{AXES, LARGEST_NUMBER};
use carom_geometry::{Aabb, Boundary};

/// Largest width of a box as a fraction of a period, so that no box reaches a bucket from both sides.
pub(super) const MAX_PART_OF_PERIOD: f64 = 0.6;

/// Fails if the box is not finite, has its corners exchanged, or is too wide for the boundary.
pub(super) fn check<const D: usize>(
    index: usize,
    bounds: &Aabb<D>,
    boundary: &Boundary<D>,
) -> Result<(), Error> {
    for axis in 0..D {
        let (low, high) = (bounds.low[axis], bounds.high[axis]);
        let usable = low <= high && low >= -LARGEST_NUMBER && high <= LARGEST_NUMBER;
        if !usable {
            return Err(Error::BoxNotUsable { index, axis: AXES[axis], low, high });
        }
        if let Some(period) = too_wide(axis, bounds, boundary) {
            let width = high - low;
            return Err(Error::BoxTooWide { index, width, axis: AXES[axis], period });
        }
    }
    Ok(())
}

/// Returns the period of an axis if the box is too wide for it.
fn too_wide<const D: usize>(axis: usize, bounds: &Aabb<D>, boundary: &Boundary<D>) -> Option<f64> {
    let width = bounds.high[axis] - bounds.low[axis];
    boundary.period(axis).filter(|period| width > MAX_PART_OF_PERIOD * period)
}

/// Returns whether the box is narrow enough for every period.
pub(super) fn fits<const D: usize>(bounds: &Aabb<D>, boundary: &Boundary<D>) -> bool {
    (0..D).all(|axis| too_wide(axis, bounds, boundary).is_none())
}

/// Returns the image of a box whose low corner lies in the period; its high corner may lie beyond.
#[inline(always)]
pub(super) fn wrapped<const D: usize>(mut bounds: Aabb<D>, boundary: &Boundary<D>) -> Aabb<D> {
    for axis in 0..D {
        let Some(period) = boundary.period(axis) else { continue };
        let mut shift = period * (bounds.low[axis] / period).floor();
        // A rounded quotient may fall just below a whole number.
        if bounds.low[axis] - shift >= period {
            shift += period;
        }
        bounds.low[axis] = (bounds.low[axis] - shift).max(0.0);
        bounds.high[axis] = (bounds.high[axis] - shift).max(bounds.low[axis]);
    }
    bounds
}

/// Returns whether two closed boxes, or images of them, have a point in common. Both must be [`wrapped`].
#[inline(always)]
pub(super) fn overlap<const D: usize>(a: &Aabb<D>, b: &Aabb<D>, boundary: &Boundary<D>) -> bool {
    (0..D).all(|axis| {
        let (a_low, a_high) = (a.low[axis], a.high[axis]);
        let (b_low, b_high) = (b.low[axis], b.high[axis]);
        let here = a_low <= b_high && b_low <= a_high;
        here || boundary.period(axis).is_some_and(|period| {
            let through_seam = |high: f64, low: f64| high >= period && low <= high - period;
            through_seam(a_high, b_low) || through_seam(b_high, a_low)
        })
    })
}
