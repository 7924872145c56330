//! Bodies as the interface gives them, and the arrays in which they are stored.

use super::rotation_state::RotationState;
use super::shape::ContactShape;
use crate::Shape;
use carom_geometry::{Boundary, Vector, embed_in_3d};
use nalgebra::UnitQuaternion;
use std::ops::AddAssign;

/// A sphere, a disc (in 2D), or a body with a shape.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// let ball = Body {
///     velocity: [3.0, 0.0, 0.0].into(),
///     angular_velocity: [0.0, 0.0, 10.0].into(),
///     ..Body::at_rest([0.0, 0.0, 0.0], 0.5, 2.0)
/// };
/// let energy = Simulation::new(&[ball], Settings::with_law(CompositeLaw::spring(1e4)))?.energy();
/// // ½ m v², and ½ I ω² with the moment of inertia 2/5 m r² of a sphere.
/// assert!((energy.kinetic_energy - 9.0).abs() < 1e-12);
/// assert!((energy.rotational_energy - 0.5 * 0.4 * 2.0 * 0.25 * 100.0).abs() < 1e-12);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<const D: usize = 3> {
    /// Position of the center of mass.
    pub position: Vector<D>,
    /// Velocity of the center of mass.
    pub velocity: Vector<D>,
    /// Angular velocity about each axis, in radians per time; in 2D only about the third.
    pub angular_velocity: Vector<3>,
    /// Radius; for a body with a shape that of its bounding sphere.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
    /// Index of the material.
    pub material: u32,
    /// Index of the shape; none for a sphere or disc.
    pub shape: Option<u32>,
    /// Orientation of the shape.
    pub orientation: UnitQuaternion<f64>,
}

impl<const D: usize> Body<D> {
    /// Makes a sphere or disc at rest, of the first material.
    pub fn at_rest(position: impl Into<Vector<D>>, radius: f64, mass: f64) -> Self {
        Body {
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
    /// use carom_simulate::Shape;
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(Vector::from);
    /// let square = Shape::polygon(&corners, None)?;
    /// // Two unit squares side by side, 0.02 deep in each other.
    /// let bodies = [0.0, 0.98].map(|x| Body::shaped([x, 0.0], 0, &square, 1.0));
    /// let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let simulation = Simulation::new(&bodies, Settings { shapes: vec![square], ..settings })?;
    /// let contacts = simulation.contacts();
    /// assert!(!contacts.is_empty() && contacts.iter().all(|contact| contact.normal.x > 1.0 - 1e-9));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn shaped(position: impl Into<Vector<D>>, number: u32, shape: &Shape, mass: f64) -> Self {
        Body { shape: Some(number), ..Body::at_rest(position, shape.radius, mass) }
    }

    /// Returns the body as it is stored, in 2D with third components of zero.
    pub(super) fn embedded(&self) -> Body<3> {
        let Body { angular_velocity, radius, mass, material, shape, orientation, .. } = *self;
        let (position, velocity) = (embed_in_3d(&self.position), embed_in_3d(&self.velocity));
        Body { position, velocity, angular_velocity, radius, mass, material, shape, orientation }
    }
}

impl Body<3> {
    /// Returns a stored body in the dimension of the simulation.
    pub(super) fn projected<const D: usize>(&self) -> Body<D> {
        let Body { angular_velocity, radius, mass, material, shape, orientation, .. } = *self;
        let of = |vector: &Vector<3>| Vector::from_fn(|axis, _| vector[axis]);
        let (position, velocity) = (of(&self.position), of(&self.velocity));
        Body { position, velocity, angular_velocity, radius, mass, material, shape, orientation }
    }
}

/// Center and radius of a body: half a cache line, and all that the test for contact reads.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct PositionRadius {
    pub position: Vector<3>,
    pub radius: f64,
}

/// Velocities of a body: two cache lines.
///
/// While forces are computed, positions are at the present and velocities half a step behind, by velocity
/// Verlet. Damping and friction need present velocities: those of half a step ago plus the change that
/// all forces of the previous step make in half a step (R. Groot and P. Warren, Journal of Chemical
/// Physics 107, 1997, with lambda = 1). For a body at rest under load these forces balance, so that its
/// predicted velocity is zero; with the force of one contact alone, each of its contacts would seem to
/// approach and to slip.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct BodyMotion {
    pub velocity: Vector<3>,
    /// Inverse mass, as contacts see it; see [`HELD_MOBILITY`].
    pub inverse_mass: f64,
    pub angular_velocity: Vector<3>,
    /// Inverse moment of inertia, as contacts see it; of a body with a shape that of its mean principal moment.
    pub inverse_inertia: f64,
    /// Predicted change of velocity from half a step ago to now; zero while velocities are at the present.
    pub velocity_change: Vector<3>,
    /// 1 for a body that moves as forces push it, 0 for one that is held at its place.
    pub freedom: f64,
    /// The same for the angular velocity.
    pub angular_velocity_change: Vector<3>,
}

/// Inverse mass and inertia of a held body over those of the same body when it is free: what touches it moves alone, as
/// against a wall. Not zero, because contact laws divide by the sum of two.
const HELD_MOBILITY: f64 = 1e-20;

impl BodyMotion {
    /// Whether the body is held at its place.
    #[inline(always)]
    pub(super) fn is_held(&self) -> bool {
        self.freedom == 0.0
    }

    /// Returns the mobility of the body in its contacts, over that of the same body when it is free.
    #[inline(always)]
    pub(super) fn mobility(&self) -> f64 {
        if self.is_held() { HELD_MOBILITY } else { 1.0 }
    }

    /// Returns the predicted present angular velocity.
    #[inline(always)]
    pub(super) fn current_angular_velocity(&self) -> Vector<3> {
        self.angular_velocity + self.angular_velocity_change
    }
}

/// Force and torque on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub(super) struct ForceTorque {
    pub force: Vector<3>,
    pub torque: Vector<3>,
}

impl ForceTorque {
    pub(super) fn zero() -> Self {
        ForceTorque { force: Vector::zeros(), torque: Vector::zeros() }
    }
}

impl AddAssign for ForceTorque {
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// All bodies, as a structure of arrays in storage order.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyArrays {
    /// Center and radius of each: all that the test for contact reads.
    pub positions: Vec<PositionRadius>,
    pub motions: Vec<BodyMotion>,
    pub forces_torques: Vec<ForceTorque>,
    pub masses: Vec<f64>,
    pub materials: Vec<u32>,
    /// Rotation state of each; empty if all are spheres.
    pub rotation_states: Vec<RotationState>,
    /// The user's number of each.
    pub ids: Vec<u32>,
    /// Force and torque from outside on each; empty if there are none.
    pub external: Vec<ForceTorque>,
    /// Number of passages of each body through the periodic sides of each axis, upwards minus downwards; empty in an open box.
    pub passages: Vec<[i32; 3]>,
}

impl BodyArrays {
    /// Stores bodies in the order given; they are discs if `flat`.
    pub(super) fn new(bodies: &[Body], flat: bool, shapes: &[ContactShape]) -> Self {
        // Moment of inertia over m r²: 1/2 for a disc, 2/5 for a sphere.
        let round = if flat { 0.5 } else { 0.4 };
        let inertia = |body: &Body| match body.shape {
            // Contact laws take one inertia per body; the tensor itself is in the rotation state.
            Some(number) => shapes[number as usize].principal_inertia().mean(),
            None => round * body.radius * body.radius,
        };
        let rotation_state = |body: &Body| match body.shape {
            Some(number) => {
                let shape = &shapes[number as usize];
                RotationState::new(
                    number,
                    shape,
                    body.mass,
                    &body.orientation,
                    &body.angular_velocity,
                )
            }
            None => RotationState::sphere(),
        };
        BodyArrays {
            positions: bodies
                .iter()
                .map(|body| PositionRadius { position: body.position, radius: body.radius })
                .collect(),
            motions: bodies
                .iter()
                .map(|body| BodyMotion {
                    velocity: body.velocity,
                    inverse_mass: 1.0 / body.mass,
                    angular_velocity: body.angular_velocity,
                    inverse_inertia: 1.0 / (inertia(body) * body.mass),
                    velocity_change: Vector::zeros(),
                    freedom: 1.0,
                    angular_velocity_change: Vector::zeros(),
                })
                .collect(),
            forces_torques: vec![ForceTorque::zero(); bodies.len()],
            masses: bodies.iter().map(|body| body.mass).collect(),
            materials: bodies.iter().map(|body| body.material).collect(),
            rotation_states: if shapes.is_empty() {
                Vec::new()
            } else {
                bodies.iter().map(rotation_state).collect()
            },
            ids: (0..bodies.len() as u32).collect(),
            external: Vec::new(),
            passages: Vec::new(),
        }
    }

    /// Returns the shape of a body; none for a sphere.
    #[inline(always)]
    pub(super) fn shape<'a>(
        &self,
        index: usize,
        shapes: &'a [ContactShape],
    ) -> Option<&'a ContactShape> {
        Some(&shapes[self.rotation_states.get(index)?.shape()?])
    }

    /// Appends bodies, with the numbers that follow.
    pub(super) fn append(&mut self, bodies: &[Body], flat: bool, shapes: &[ContactShape]) {
        let first = self.len() as u32;
        let BodyArrays {
            positions,
            motions,
            forces_torques,
            masses,
            materials,
            rotation_states,
            ids,
            external: _,
            passages: _,
        } = BodyArrays::new(bodies, flat, shapes);
        self.positions.extend(positions);
        self.motions.extend(motions);
        self.forces_torques.extend(forces_torques);
        self.masses.extend(masses);
        self.materials.extend(materials);
        self.rotation_states.extend(rotation_states);
        self.ids.extend(ids.iter().map(|id| first + id));
        if !self.external.is_empty() {
            self.external.resize(self.positions.len(), ForceTorque::zero());
        }
    }

    /// Puts all bodies back into a periodic box and counts their passages; those of bodies that were appended start at
    /// zero.
    pub(super) fn wrap_all(&mut self, boundary: &Boundary<3>) {
        if boundary.is_periodic() {
            self.passages.resize(self.len(), [0; 3]);
            (0..self.len()).for_each(|index| self.wrap(index, boundary));
        }
    }

    /// Puts the body at a storage index back into a periodic box and counts its passages.
    pub(super) fn wrap(&mut self, index: usize, boundary: &Boundary<3>) {
        let position = &mut self.positions[index].position;
        let periods = boundary.passages(*position);
        *position = boundary.wrap(*position);
        if let Some(passages) = self.passages.get_mut(index) {
            for (passages, periods) in passages.iter_mut().zip(&periods) {
                // A body that is lost, at a place beyond all numbers of periods, is found by the search.
                *passages = passages.saturating_add(*periods as i32);
            }
        }
    }

    /// Returns the position of the body at a storage index as if it had never been put back into a periodic box.
    pub(super) fn unwrapped_position(&self, index: usize, boundary: &Boundary<3>) -> Vector<3> {
        let position = self.positions[index].position;
        match self.passages.get(index) {
            Some(passages) => position + boundary.displacement_of(passages.map(f64::from).into()),
            None => position,
        }
    }

    /// Holds the body at a storage index where it is, or lets it go; does nothing if that is so already.
    pub(super) fn hold(&mut self, index: usize, is_held: bool) {
        let motion = &mut self.motions[index];
        if motion.is_held() == is_held {
            return;
        }
        let factor = if is_held { HELD_MOBILITY } else { 1.0 / HELD_MOBILITY };
        motion.freedom = if is_held { 0.0 } else { 1.0 };
        motion.inverse_mass = motion.mobility() / self.masses[index];
        motion.inverse_inertia *= factor;
        // Whether held or released, it starts at rest.
        motion.velocity = Vector::zeros();
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the body at a storage index.
    pub(super) fn body(&self, index: usize, shapes: &[ContactShape]) -> Body {
        let (position, motion) = (&self.positions[index], &self.motions[index]);
        let number = self.rotation_states.get(index).and_then(RotationState::shape);
        let turned = |number: usize| self.rotation_states[index].orientation(&shapes[number]);
        Body {
            position: position.position,
            velocity: motion.velocity,
            angular_velocity: motion.angular_velocity,
            radius: position.radius,
            mass: self.masses[index],
            material: self.materials[index],
            shape: number.map(|number| number as u32),
            orientation: number.map_or_else(UnitQuaternion::identity, turned),
        }
    }

    /// Permutes all arrays: entry `k` becomes the old entry `order[k]`.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        fn permute<T: Copy>(all: &mut Vec<T>, order: &[u32]) {
            *all = order.iter().map(|&index| all[index as usize]).collect();
        }
        permute(&mut self.positions, order);
        permute(&mut self.motions, order);
        permute(&mut self.forces_torques, order);
        permute(&mut self.masses, order);
        permute(&mut self.materials, order);
        permute(&mut self.ids, order);
        if !self.external.is_empty() {
            permute(&mut self.external, order);
        }
        if !self.passages.is_empty() {
            permute(&mut self.passages, order);
        }
        if !self.rotation_states.is_empty() {
            permute(&mut self.rotation_states, order);
        }
    }
}
