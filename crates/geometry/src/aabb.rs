//! Axis-aligned bounding boxes (AABB).

use crate::Vector;

/// An axis-aligned box given by its lowest and highest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// The corner with the smallest coordinates.
    pub low: Vector<D>,
    /// The corner with the largest coordinates.
    pub high: Vector<D>,
}

impl<const D: usize> Aabb<D> {
    /// Returns whether a point is inside the box or on its surface.
    pub fn contains(&self, point: &Vector<D>) -> bool {
        (0..D).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }

    /// Returns the box that contains nothing: including a point gives that point.
    pub fn empty() -> Self {
        Aabb { low: Vector::repeat(f64::INFINITY), high: Vector::repeat(f64::NEG_INFINITY) }
    }

    /// Returns the smallest box that also contains `point`.
    pub fn including(self, point: &Vector<D>) -> Self {
        Aabb { low: self.low.inf(point), high: self.high.sup(point) }
    }

    /// Returns the smallest box that contains this one and another.
    ///
    /// ```
    /// use carom_geometry::{Aabb, Vector};
    /// let point = |x, y| Aabb::empty().including(&Vector::from([x, y]));
    /// assert_eq!(point(1.0, 5.0).union(&point(3.0, 2.0)).size(), Vector::from([2.0, 3.0]));
    /// assert_eq!(point(1.0, 5.0).union(&Aabb::empty()), point(1.0, 5.0));
    /// ```
    pub fn union(self, other: &Aabb<D>) -> Self {
        Aabb { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Returns the edge lengths; zero for the empty box.
    pub fn size(&self) -> Vector<D> {
        (self.high - self.low).map(|length| length.max(0.0))
    }

    /// Returns corner number `index`: bit `a` set takes the high side of axis `a`.
    pub fn corner(&self, index: usize) -> Vector<D> {
        Vector::from_fn(
            |axis, _| {
                if index >> axis & 1 == 1 { self.high[axis] } else { self.low[axis] }
            },
        )
    }
}
