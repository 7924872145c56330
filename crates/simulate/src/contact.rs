//! Contacts of a running simulation, with their forces.

use carom_geometry::Vector;
use std::fmt;

/// A body or wall that a body is in contact with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactObstacle {
    /// Another body, by its id.
    Body(u32),
    /// A wall, by its number.
    Wall(u32),
}

impl fmt::Display for ContactObstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ContactObstacle::Body(number) => write!(formatter, "body {number}"),
            ContactObstacle::Wall(number) => write!(formatter, "wall {number}"),
        }
    }
}

/// A contact of a running simulation, with the force that it exerts on its first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineContact<const D: usize> {
    /// The first body, by its id.
    pub body: u32,
    /// The body or wall that it touches.
    pub obstacle: ContactObstacle,
    /// Triangle of a wall that is a mesh; zero for everything else.
    pub triangle: u32,
    /// Contact point, in the frame of the first body where the box is periodic.
    pub position: Vector<D>,
    /// Unit normal, from the first body to the obstacle.
    pub normal: Vector<D>,
    /// Overlap (penetration depth), a length; of a contact patch the mean one.
    pub overlap: f64,
    /// Normal force, positive where it pushes apart.
    pub normal_force: f64,
    /// Tangential force on the first body.
    pub tangential_force: Vector<D>,
}

impl<const D: usize> EngineContact<D> {
    /// Returns the whole force on the first body.
    pub fn force(&self) -> Vector<D> {
        self.tangential_force - self.normal * self.normal_force
    }
}

/// What contacts do to a wall: the sum over its contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallLoad {
    /// Number of contacts.
    pub contacts: u64,
    /// Force on the wall.
    pub force: Vector<3>,
    /// Torque of these forces about the center of the wall's motion, without that of rolling resistance.
    pub torque: Vector<3>,
    /// Work that the wall does on bodies per time.
    pub power: f64,
}

impl Default for WallLoad {
    fn default() -> Self {
        WallLoad { contacts: 0, force: Vector::zeros(), torque: Vector::zeros(), power: 0.0 }
    }
}
