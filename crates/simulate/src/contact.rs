//! Contacts of a running simulation, with their forces.

use carom_geometry::Vector;
use std::fmt;

/// A body or wall that a body is in contact with.
///
/// ```
/// use carom_simulate::ContactObstacle;
/// assert_eq!(ContactObstacle::Body(7).to_string(), "body 7");
/// assert_eq!(ContactObstacle::Wall(2).to_string(), "wall 2");
/// ```
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
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::ContactObstacle;
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation, Wall};
/// // A sphere, 0.0625 deep in the floor z = 0.
/// let floor = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
/// let settings = Settings { walls: floor, ..Settings::with_law(CompositeLaw::spring(1024.0)) };
/// let simulation = Simulation::new(&[Body::at_rest([0.0, 0.0, 0.4375], 0.5, 1.0)], settings)?;
/// let contact = simulation.contacts()[0];
/// assert_eq!((contact.obstacle, contact.overlap), (ContactObstacle::Wall(0), 0.0625));
/// assert_eq!(contact.normal, Vector::from([0.0, 0.0, -1.0]));
/// assert_eq!(contact.force(), Vector::from([0.0, 0.0, 64.0]));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
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

/// Load of contacts on a wall: the sum over its contacts or, in an event-driven run, the mean over a time of what
/// collisions give to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallLoad {
    /// Number of contacts; in an event-driven run of collisions in that time.
    pub contacts: u64,
    /// Force on the wall.
    pub force: Vector<3>,
    /// Torque of these forces about the center of the wall's motion, without that of rolling resistance.
    pub torque: Vector<3>,
    /// Work that the wall does on bodies per time; in an event-driven run the kinetic energy that they gain there, less
    /// than zero where collisions take some.
    pub power: f64,
}

impl WallLoad {
    /// Returns the mean over a time between two sums of what collisions have given to a wall; not a number where no time
    /// has passed.
    pub(crate) fn mean_between(before: &WallLoad, after: &WallLoad, time: f64) -> Self {
        WallLoad {
            contacts: after.contacts.saturating_sub(before.contacts),
            force: (after.force - before.force) / time,
            torque: (after.torque - before.torque) / time,
            power: (after.power - before.power) / time,
        }
    }

    pub(crate) fn add(&mut self, other: &WallLoad) {
        self.contacts += other.contacts;
        self.force += other.force;
        self.torque += other.torque;
        self.power += other.power;
    }
}

/// The virial of contacts that last: the sum over pairs of force times center distance, positive for repulsion, and over
/// contacts with walls of force times the arm from the center.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactVirial {
    /// The virial now.
    pub now: f64,
    /// Integral of the virial over the time simulated so far.
    pub integral: f64,
}

impl Default for WallLoad {
    fn default() -> Self {
        WallLoad { contacts: 0, force: Vector::zeros(), torque: Vector::zeros(), power: 0.0 }
    }
}
