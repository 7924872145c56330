//! Walls of the box.

use carom_geometry::Vector;

/// A flat wall across an axis that nothing moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The axis it stands across.
    pub axis: usize,
    /// Where it is on the axis.
    pub coordinate: f64,
    /// Whether bodies are on the side of larger numbers.
    pub is_low: bool,
}

impl Wall {
    /// How far a place is before it.
    pub(super) fn distance<const D: usize>(&self, place: &Vector<D>) -> f64 {
        if self.is_low {
            place[self.axis] - self.coordinate
        } else {
            self.coordinate - place[self.axis]
        }
    }

    pub(super) fn normal<const D: usize>(&self) -> Vector<D> {
        let mut normal = Vector::zeros();
        normal[self.axis] = if self.is_low { 1.0 } else { -1.0 };
        normal
    }
}
