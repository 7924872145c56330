//! Fixed plane walls of the box.

use carom_geometry::Vector;

/// A fixed plane wall, perpendicular to an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Axis that it is perpendicular to.
    pub axis: usize,
    /// Coordinate of the wall on that axis.
    pub coordinate: f64,
    /// Whether bodies are on the side of larger coordinates.
    pub is_low: bool,
}

impl Wall {
    /// Distance of a point from the wall, positive on the side of the bodies.
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
