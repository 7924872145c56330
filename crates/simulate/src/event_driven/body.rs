//! The record of a body that collision prediction reads.

use carom_geometry::Vector;

/// The state of a body that collision prediction reads, in one cache line.
///
/// Position and velocity are those at `clock`, the time of the body's own last event (collision, face
/// crossing, trajectory prediction); later ones follow from its free flight. Changes of a neighbor
/// structure never touch this record, so that every structure predicts the same collisions to the bit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Body<const D: usize> {
    /// Position of the center at the time `clock`.
    pub position: Vector<D>,
    /// Velocity at the time `clock`.
    pub velocity: Vector<D>,
    /// Time of the body's own last event.
    pub clock: f64,
    /// Radius at the start; the present one is this times the radius scale of growth.
    pub radius: f64,
}

/// A body at the start of a simulation.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
/// // A body of mass 1 meets one of mass 3 at rest: it is thrown back at half of its speed.
/// let bodies = [
///     BodyStart::new([2.0, 5.0], [1.0, 0.0], 1.0),
///     BodyStart { mass: 3.0, ..BodyStart::new([5.0, 5.0], [0.0, 0.0], 1.0) },
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
/// simulation.advance(2.0, u64::MAX);
/// assert_eq!([0, 1].map(|body| simulation.velocity(body).x), [-0.5, 0.5]);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyStart<const D: usize> {
    /// Position of the center.
    pub position: Vector<D>,
    /// Velocity.
    pub velocity: Vector<D>,
    /// Radius; finite and greater than zero.
    pub radius: f64,
    /// Mass; finite and greater than zero.
    pub mass: f64,
    /// Index of the material in [`Settings::restitutions`](super::Settings::restitutions).
    pub material: u16,
}

impl<const D: usize> BodyStart<D> {
    /// Makes a body of mass one and the first material.
    pub fn new(
        position: impl Into<Vector<D>>,
        velocity: impl Into<Vector<D>>,
        radius: f64,
    ) -> Self {
        let (position, velocity) = (position.into(), velocity.into());
        BodyStart { position, velocity, radius, mass: 1.0, material: 0 }
    }
}
