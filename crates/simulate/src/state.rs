//! The state of all bodies as arrays, and changes of it between steps.

use crate::{Error, Shape};
use carom_geometry::Vector;
use nalgebra::UnitQuaternion;

/// The state of all bodies at one moment, as arrays in the order of their numbers.
///
/// It is a copy; bodies are changed by [`Engine::apply`](crate::Engine::apply). Whoever needs only some of the arrays, or
/// needs them often, lets [`Engine::read_state`](crate::Engine::read_state) fill a state that he keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State<const D: usize> {
    /// Simulated time.
    pub time: f64,
    /// Ids, ascending: given in the order of insertion, kept when other bodies are inserted or removed.
    pub ids: Vec<u32>,
    /// Positions of the centers of mass.
    pub positions: Vec<Vector<D>>,
    /// Velocities of the centers of mass.
    pub velocities: Vec<Vector<D>>,
    /// Angular velocities about each axis, in radians per time; empty where bodies do not rotate.
    pub angular_velocities: Vec<Vector<3>>,
    /// Orientations; empty where all bodies are round.
    pub orientations: Vec<UnitQuaternion<f64>>,
    /// Radii; of bodies with a shape those of their bounding spheres.
    pub radii: Vec<f64>,
    /// Masses.
    pub masses: Vec<f64>,
    /// Indices of the materials.
    pub materials: Vec<u32>,
}

/// An array of a [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateArray {
    /// [`State::ids`].
    Ids,
    /// [`State::positions`].
    Positions,
    /// [`State::velocities`].
    Velocities,
    /// [`State::angular_velocities`].
    AngularVelocities,
    /// [`State::orientations`].
    Orientations,
    /// [`State::radii`].
    Radii,
    /// [`State::masses`].
    Masses,
    /// [`State::materials`].
    Materials,
}

impl StateArray {
    /// All arrays of a state, in the order of its fields.
    pub const ALL: [StateArray; 8] = [
        StateArray::Ids,
        StateArray::Positions,
        StateArray::Velocities,
        StateArray::AngularVelocities,
        StateArray::Orientations,
        StateArray::Radii,
        StateArray::Masses,
        StateArray::Materials,
    ];
}

/// Replaces the values of an array, in the memory that it has.
pub(crate) fn refill<T>(array: &mut Vec<T>, values: impl Iterator<Item = T>) {
    array.clear();
    array.extend(values);
}

impl<const D: usize> State<D> {
    /// Returns the number of the body with an id: its place in the arrays.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let bodies = [0.0, 2.0, 4.0].map(|x| Body::at_rest([x, 0.0], 0.5, 1.0));
    /// let mut simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
    /// simulation.remove(&[1])?;
    /// // Body 2 keeps its id and moves up in the arrays.
    /// let state = simulation.state();
    /// assert_eq!((state.number(1), state.number(2)), (None, Some(1)));
    /// assert_eq!(state.positions[1].x, 4.0);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn number(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Returns the momentum, Σ m v.
    ///
    /// ```
    /// # use carom_geometry::Vector;
    /// # use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// # let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let bodies = [
    ///     Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 3.0) },
    ///     Body { velocity: [-1.0, 2.0].into(), ..Body::at_rest([4.0, 0.0], 0.5, 1.0) },
    /// ];
    /// let state = Simulation::new(&bodies, settings)?.state();
    /// assert_eq!(state.momentum(), Vector::from([2.0, 2.0]));
    /// assert_eq!(state.center_of_mass(), Vector::from([1.0, 0.0]));
    /// assert_eq!(state.kinetic_energy(), 0.5 * 3.0 + 0.5 * 5.0);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn momentum(&self) -> Vector<D> {
        self.velocities.iter().zip(&self.masses).map(|(velocity, mass)| velocity * *mass).sum()
    }

    /// Returns the center of mass; positions in a periodic box count as they are.
    pub fn center_of_mass(&self) -> Vector<D> {
        let mass: f64 = self.masses.iter().sum();
        let moments = self.positions.iter().zip(&self.masses).map(|(place, mass)| place * *mass);
        moments.sum::<Vector<D>>() / mass.max(f64::MIN_POSITIVE)
    }

    /// Returns the kinetic energy of translation.
    pub fn kinetic_energy(&self) -> f64 {
        let energies = self.velocities.iter().zip(&self.masses);
        energies.map(|(velocity, mass)| 0.5 * mass * velocity.norm_squared()).sum()
    }
}

/// A body to be inserted: a disc or sphere or, in DEM, a body with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewBody<const D: usize> {
    /// Position of its center of mass.
    pub position: Vector<D>,
    /// Velocity of its center of mass.
    pub velocity: Vector<D>,
    /// Angular velocity about each axis, in radians per time; in 2D only about the third (engine dem).
    pub angular_velocity: Vector<3>,
    /// Radius; for a body with a shape that of its bounding sphere.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
    /// Index of its material.
    pub material: u32,
    /// Index of its shape; none for a disc or sphere (engine dem).
    pub shape: Option<u32>,
    /// Orientation of its shape; in 2D a rotation about the third axis (engine dem).
    pub orientation: UnitQuaternion<f64>,
}

impl<const D: usize> NewBody<D> {
    /// Makes a disc or sphere at rest, of the first material.
    pub fn at_rest(position: impl Into<Vector<D>>, radius: f64, mass: f64) -> Self {
        NewBody {
            position: position.into(),
            velocity: Vector::zeros(),
            angular_velocity: Vector::zeros(),
            radius,
            mass,
            material: 0,
            shape: None,
            orientation: UnitQuaternion::identity(),
        }
    }

    /// Makes a body at rest with a shape, whose index is `number`, of the first material.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// use carom_simulate::{Engine, NewBody, Shape};
    /// let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(Vector::from);
    /// let square = Shape::polygon(&corners, None)?;
    /// let first = Body::shaped([0.0, 0.0], 0, &square, 1.0);
    /// let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let settings = Settings { shapes: vec![square.clone()], ..settings };
    /// let mut engine: Box<dyn Engine<2>> = Box::new(Simulation::new(&[first], settings)?);
    /// let turning = NewBody {
    ///     angular_velocity: [0.0, 0.0, 2.0].into(),
    ///     ..NewBody::shaped([3.0, 0.0], 0, &square, 1.0)
    /// };
    /// engine.insert(&[turning])?;
    /// engine.advance_to(0.25)?;
    /// let angle = engine.state().orientations[1].angle();
    /// assert!((angle - 2.0 * engine.time()).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn shaped(position: impl Into<Vector<D>>, number: u32, shape: &Shape, mass: f64) -> Self {
        NewBody { shape: Some(number), ..NewBody::at_rest(position, shape.radius, mass) }
    }
}

/// A change of one body between two steps or events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyChange<const D: usize> {
    /// Id of the body.
    pub body: u32,
    /// What changes.
    pub to: BodyProperty<D>,
}

/// A property of a body, with its new value.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// use carom_simulate::{BodyChange, BodyProperty};
/// let bodies = [
///     Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) },
///     Body::at_rest([1.1, 0.0], 0.5, 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
/// simulation.apply(&[BodyChange { body: 1, to: BodyProperty::Fixed(true) }])?;
/// simulation.advance(700)?;
/// // The first is thrown back by the second, as by a wall.
/// let [first, second] = [0, 1].map(|number| simulation.body(number));
/// assert!((first.velocity.x + 1.0).abs() < 1e-2);
/// assert_eq!(second.position, bodies[1].position);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BodyProperty<const D: usize> {
    /// Position of the center of mass.
    Position(Vector<D>),
    /// Velocity of the center of mass.
    Velocity(Vector<D>),
    /// Angular velocity about each axis, in radians per time; in 2D only about the third (engine dem).
    AngularVelocity(Vector<3>),
    /// Force that acts from outside until it is changed again (engines dem and bonded).
    Force(Vector<D>),
    /// Torque that acts from outside until it is changed again; in 2D only about the third axis (engine dem).
    Torque(Vector<3>),
    /// Index of the material (engines event-driven and dem).
    Material(u32),
    /// Whether the body is held at its place, at rest, whatever pushes it (engines dem and bonded).
    Fixed(bool),
}

impl<const D: usize> BodyChange<D> {
    /// Refuses numbers that are not finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let all_finite = match &self.to {
            BodyProperty::Position(it) | BodyProperty::Velocity(it) | BodyProperty::Force(it) => {
                it.iter().all(|number| number.is_finite())
            }
            BodyProperty::AngularVelocity(it) | BodyProperty::Torque(it) => {
                let outside_plane = D == 2 && (it.x != 0.0 || it.y != 0.0);
                if outside_plane {
                    return Err(self.refuse("in 2D only its third component may differ from zero"));
                }
                it.iter().all(|number| number.is_finite())
            }
            BodyProperty::Material(_) | BodyProperty::Fixed(_) => true,
        };
        if all_finite { Ok(()) } else { Err(self.refuse("it must be finite")) }
    }

    /// Returns the error for this change.
    pub(crate) fn refuse(&self, rule: &'static str) -> Error {
        let numbers = |it: &[f64]| format!("{it:?}");
        let (what, value) = match &self.to {
            BodyProperty::Position(it) => ("the new position", numbers(it.as_slice())),
            BodyProperty::Velocity(it) => ("the new velocity", numbers(it.as_slice())),
            BodyProperty::AngularVelocity(it) => {
                ("the new angular velocity", numbers(it.as_slice()))
            }
            BodyProperty::Force(it) => ("the external force", numbers(it.as_slice())),
            BodyProperty::Torque(it) => ("the external torque", numbers(it.as_slice())),
            BodyProperty::Material(it) => ("the new material", it.to_string()),
            BodyProperty::Fixed(it) => ("the property \"fixed\"", it.to_string()),
        };
        Error::Body { body: self.body as usize, what, value, rule }
    }
}
