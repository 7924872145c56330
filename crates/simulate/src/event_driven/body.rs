use carom_geometry::Vector;

/// What a prediction reads of a body: one cache line.
///
/// The body is at `position` with `velocity` at the time `clock`, that of its last own event
/// (collision, side, prediction); where it is later follows from its motion. Changes of a neighbor
/// structure never touch this record, so that every structure predicts the same collisions to the
/// bit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Body<const D: usize> {
    /// Where the center was at the time `clock`.
    pub position: Vector<D>,
    /// How it moved then.
    pub velocity: Vector<D>,
    /// Time of its last own event.
    pub clock: f64,
    /// At the scale one; growth multiplies it.
    pub radius: f64,
}

/// A body as a user gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyStart<const D: usize> {
    /// Where the center is.
    pub position: Vector<D>,
    /// How it moves.
    pub velocity: Vector<D>,
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
    /// Row and column of the table of restitutions.
    pub material: u16,
}

impl<const D: usize> BodyStart<D> {
    /// A body of mass one and the first material.
    pub fn new(
        position: impl Into<Vector<D>>,
        velocity: impl Into<Vector<D>>,
        radius: f64,
    ) -> Self {
        let (position, velocity) = (position.into(), velocity.into());
        BodyStart { position, velocity, radius, mass: 1.0, material: 0 }
    }
}
