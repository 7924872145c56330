use carom_geometry::{Boundary, BoundaryError, Vector};

/// The room in which bodies move: `[0, size]` on each axis, and what its sides do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region<const D: usize> {
    /// Length per axis. On an open axis it only tells the neighbour structures where to expect
    /// bodies.
    pub size: Vector<D>,
    /// What happens at both ends of each axis.
    pub sides: [Side; D],
}

/// What happens at the two ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// Nothing: bodies leave and are followed for ever.
    Open,
    /// What leaves at one end enters at the other.
    Periodic,
    /// Bodies bounce.
    Wall {
        /// Ratio of the speeds after and before, from 0 to 1.
        restitution: f64,
    },
}

impl<const D: usize> Region<D> {
    /// Periodic on every axis.
    pub fn periodic(size: impl Into<Vector<D>>) -> Self {
        Region { size: size.into(), sides: [Side::Periodic; D] }
    }

    /// Elastic walls on every axis.
    pub fn walled(size: impl Into<Vector<D>>) -> Self {
        Region { size: size.into(), sides: [Side::Wall { restitution: 1.0 }; D] }
    }

    /// Volume, or area in the plane.
    pub fn volume(&self) -> f64 {
        self.size.product()
    }

    /// Open axes and walls are both open to it.
    pub fn boundary(&self) -> Result<Boundary<D>, BoundaryError> {
        let period = |axis: usize| self.sides[axis] == Side::Periodic;
        Boundary::periodic(std::array::from_fn(|axis| period(axis).then_some(self.size[axis])))
    }
}

/// An end of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub axis: usize,
    pub high: bool,
}
