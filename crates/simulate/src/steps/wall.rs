//! Plane walls.

use carom_geometry::Vector;

/// A plane; bodies are on the side to which its normal points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Of length one.
    pub normal: Vector<3>,
    /// The normal times any point of the plane.
    pub offset: f64,
    /// How fast it moves.
    pub velocity: Vector<3>,
    /// The number of its material.
    pub material: u32,
}

impl Wall {
    /// At rest, of the first material.
    pub fn at_rest(normal: impl Into<Vector<3>>, offset: f64) -> Self {
        Wall { normal: normal.into(), offset, velocity: Vector::zeros(), material: 0 }
    }

    /// How far a point is from the plane.
    #[inline(always)]
    pub(super) fn distance(&self, point: &Vector<3>) -> f64 {
        self.normal.dot(point) - self.offset
    }
}
