//! Bodies as they are given and told, and as they lie in memory.

use super::rotation_state::RotationState;
use super::shape::Shape;
use super::vector_scalar::VectorScalar;
use carom_geometry::Vector;
use nalgebra::UnitQuaternion;

/// A sphere, or a disc in the plane, whose third coordinate is zero; or a body with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where its center of mass is.
    pub position: Vector<3>,
    /// How fast it moves.
    pub velocity: Vector<3>,
    /// How fast it turns, in radians per time about each axis.
    pub angular_velocity: Vector<3>,
    /// Its radius; of a body with a shape that of the sphere around it.
    pub radius: f64,
    /// Its mass.
    pub mass: f64,
    /// The number of its material.
    pub material: u32,
    /// The number of its shape; none of a sphere or disc.
    pub shape: Option<u32>,
    /// How its shape is turned.
    pub orientation: UnitQuaternion<f64>,
}

impl Body {
    /// At rest, of the first material.
    pub fn at_rest(position: impl Into<Vector<3>>, radius: f64, mass: f64) -> Self {
        let zero = Vector::zeros();
        let (position, velocity, angular_velocity) = (position.into(), zero, zero);
        let orientation = UnitQuaternion::identity();
        Body {
            position,
            velocity,
            angular_velocity,
            radius,
            mass,
            material: 0,
            shape: None,
            orientation,
        }
    }

    /// At rest, with the shape of a number, of the first material.
    pub fn shaped(position: impl Into<Vector<3>>, number: u32, shape: &Shape, mass: f64) -> Self {
        Body { shape: Some(number), ..Body::at_rest(position, shape.bounding_radius(), mass) }
    }
}

/// How a body moves: two lines of cache.
///
/// While forces are found, positions are those of now and velocities those of half a step ago, as
/// velocity Verlet has it. Damping and friction need velocities of now: those of half a step ago and
/// the change that all forces of the step before make in half a step (R. Groot and P. Warren, Journal
/// of Chemical Physics 107, 1997, with lambda = 1). For a body at rest under load these forces
/// balance, so that it is seen to be at rest; with the force of one contact alone, each of its
/// contacts would seem to approach and to slip.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct BodyMotion {
    /// The velocity, and one over the mass.
    pub velocity: VectorScalar,
    /// How fast it turns, and one over the moment of inertia.
    pub angular_velocity: VectorScalar,
    /// The change of velocity from half a step ago to now; zero while the velocity is that of now.
    pub velocity_change: VectorScalar,
    /// The same of how fast it turns.
    pub angular_velocity_change: VectorScalar,
}

impl BodyMotion {
    /// One over the mass.
    #[inline(always)]
    pub(super) fn inverse_mass(&self) -> f64 {
        self.velocity.scalar
    }

    /// One over the moment of inertia.
    #[inline(always)]
    pub(super) fn inverse_inertia(&self) -> f64 {
        self.angular_velocity.scalar
    }

    /// How fast it turns now.
    #[inline(always)]
    pub(super) fn current_angular_velocity(&self) -> Vector<3> {
        self.angular_velocity.vector + self.angular_velocity_change.vector
    }
}

/// What acts on a body.
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

/// All bodies in space order.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyArrays {
    /// Where they are: the center and the radius, all that is needed to tell that bodies do not touch.
    pub positions: Vec<VectorScalar>,
    pub motions: Vec<BodyMotion>,
    pub forces_torques: Vec<ForceTorque>,
    pub masses: Vec<f64>,
    pub materials: Vec<u32>,
    /// How each is turned; empty if all are spheres.
    pub rotation_states: Vec<RotationState>,
    /// The number by which each was given.
    pub ids: Vec<u32>,
}

impl BodyArrays {
    /// In the order given; `flat` ones are discs.
    pub(super) fn new(bodies: &[Body], flat: bool, shapes: &[Shape]) -> Self {
        let round = if flat { 0.5 } else { 0.4 };
        let inertia = |body: &Body| match body.shape {
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
                .map(|body| VectorScalar::new(body.position, body.radius))
                .collect(),
            motions: bodies
                .iter()
                .map(|body| BodyMotion {
                    velocity: VectorScalar::new(body.velocity, 1.0 / body.mass),
                    angular_velocity: VectorScalar::new(
                        body.angular_velocity,
                        1.0 / (inertia(body) * body.mass),
                    ),
                    velocity_change: VectorScalar::new(Vector::zeros(), 0.0),
                    angular_velocity_change: VectorScalar::new(Vector::zeros(), 0.0),
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
        }
    }

    /// The shape of a body; none of a sphere.
    #[inline(always)]
    pub(super) fn shape<'a>(&self, index: usize, shapes: &'a [Shape]) -> Option<&'a Shape> {
        Some(&shapes[self.rotation_states.get(index)?.shape()?])
    }

    /// Adds bodies behind the others, with the numbers that follow.
    pub(super) fn append(&mut self, bodies: &[Body], flat: bool, shapes: &[Shape]) {
        let first = self.len() as u32;
        let BodyArrays {
            positions,
            motions,
            forces_torques,
            masses,
            materials,
            rotation_states,
            ids,
        } = BodyArrays::new(bodies, flat, shapes);
        self.positions.extend(positions);
        self.motions.extend(motions);
        self.forces_torques.extend(forces_torques);
        self.masses.extend(masses);
        self.materials.extend(materials);
        self.rotation_states.extend(rotation_states);
        self.ids.extend(ids.iter().map(|id| first + id));
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The body at a place in memory.
    pub(super) fn body(&self, index: usize, shapes: &[Shape]) -> Body {
        let (position, motion) = (&self.positions[index], &self.motions[index]);
        let number = self.rotation_states.get(index).and_then(RotationState::shape);
        let turned = |number: usize| self.rotation_states[index].orientation(&shapes[number]);
        Body {
            position: position.vector,
            velocity: motion.velocity.vector,
            angular_velocity: motion.angular_velocity.vector,
            radius: position.scalar,
            mass: self.masses[index],
            material: self.materials[index],
            shape: number.map(|number| number as u32),
            orientation: number.map_or_else(UnitQuaternion::identity, turned),
        }
    }

    /// Puts them into another order: each entry is what was where before.
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
        if !self.rotation_states.is_empty() {
            permute(&mut self.rotation_states, order);
        }
    }
}
