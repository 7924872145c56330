//! Drag and a harmonic trap, which act on every body.

use carom_geometry::Vector;

/// Drag and a harmonic trap, integrated as pieces of parabolas.
///
/// The acceleration of a body, `-drag v - stiffness (x - center)`, is evaluated at the midpoint of each piece and
/// held for `period`.
#[derive(Clone, Debug, PartialEq)]
pub struct DragAndTrapField<const D: usize> {
    /// Time between two evaluations for one body.
    pub period: f64,
    /// Drag coefficient, in 1 / time: deceleration per velocity.
    pub drag: f64,
    /// Harmonic trap, if there is one.
    pub trap: Option<HarmonicTrap<D>>,
}

/// A harmonic trap: a spring toward a point.
#[derive(Clone, Debug, PartialEq)]
pub struct HarmonicTrap<const D: usize> {
    /// Acceleration per distance from the center, in 1 / time².
    pub stiffness: f64,
    /// Point at which the acceleration vanishes.
    pub center: Vector<D>,
}
