//! Where a ray enters a box, never later than rounding allows.

use carom_geometry::{Aabb, Vector};

/// A ray prepared for tests of boxes, none of which reaches beyond the one it was prepared for.
///
/// Boxes count as larger by more than any rounding of positions along the ray: what lies in a box is never missed
/// (Ize, Robust BVH ray traversal, Journal of Computer Graphics Techniques 2, 2013, bounds the rounding likewise).
pub(crate) struct RayAndBox {
    origin: Vector<3>,
    inverse_direction: Vector<3>,
    margin: f64,
}

/// Largest rounding of a position in units of the largest coordinate.
const MARGIN: f64 = 1e-14;

impl RayAndBox {
    pub(crate) fn new(origin: &Vector<3>, direction: &Vector<3>, all: &Aabb<3>) -> Self {
        let farthest = origin.amax().max(all.low.amax()).max(all.high.amax());
        RayAndBox {
            origin: *origin,
            inverse_direction: direction.map(|part| 1.0 / part),
            margin: MARGIN * farthest,
        }
    }

    /// Returns the distance along the ray at which it enters a box, zero within it; infinity if it never does.
    #[inline]
    pub(crate) fn distance(&self, bounds: &Aabb<3>) -> f64 {
        let (mut enters, mut leaves) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let inverse = self.inverse_direction[axis];
            let to_low = bounds.low[axis] - self.margin - self.origin[axis];
            let to_high = bounds.high[axis] + self.margin - self.origin[axis];
            if inverse.is_infinite() {
                if to_low > 0.0 || to_high < 0.0 {
                    return f64::INFINITY;
                }
                continue;
            }
            let (one, other) = (to_low * inverse, to_high * inverse);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        if enters <= leaves { enters } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_along_a_side_enters() {
        let bounds = Aabb { low: Vector::repeat(0.0), high: Vector::repeat(1.0) };
        let enters = |origin: [f64; 3], direction: [f64; 3]| {
            let (origin, direction) = (Vector::from(origin), Vector::from(direction));
            RayAndBox::new(&origin, &direction, &bounds).distance(&bounds)
        };
        assert!((enters([-2.0, 1.0, 0.0], [1.0, 0.0, 0.0]) - 2.0).abs() < 1e-12);
        assert_eq!(enters([0.5, 0.5, 0.5], [0.0, -1.0, 0.0]), 0.0);
        assert_eq!(enters([-2.0, 1.1, 0.0], [1.0, 0.0, 0.0]), f64::INFINITY);
        assert_eq!(enters([2.0, 0.5, 0.5], [1.0, 0.0, 0.0]), f64::INFINITY);
    }
}
