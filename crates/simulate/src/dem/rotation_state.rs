//! Rotation of bodies with shapes: orientation, angular momentum, and free rotation.

use super::saved::SavedRotation;
use super::shape::ContactShape;
use crate::Error;
use carom_geometry::{Pose, Vector, math};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

/// In place of a shape's index: a sphere.
const SPHERE: u32 = u32::MAX;

/// Rotation state of a body. Its angular momentum is in the world frame, so that free flight does not
/// change it by a bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RotationState {
    /// Rotation from the principal axes to the world frame, as a unit quaternion and as a matrix.
    orientation: UnitQuaternion<f64>,
    pub rotation: Matrix3<f64>,
    /// Angular momentum in the world frame.
    pub angular_momentum: Vector<3>,
    /// Inverse principal moments of inertia.
    inverse_principal_inertia: Vector<3>,
    shape: u32,
}

impl RotationState {
    /// Returns the state of a sphere, whose orientation is meaningless.
    pub(super) fn sphere() -> Self {
        RotationState {
            orientation: UnitQuaternion::identity(),
            rotation: Matrix3::identity(),
            angular_momentum: Vector::zeros(),
            inverse_principal_inertia: Vector::zeros(),
            shape: SPHERE,
        }
    }

    /// Returns the state of a body with a shape, from the orientation of the axes in which the shape was given
    /// and its angular velocity.
    pub(super) fn new(
        number: u32,
        shape: &ContactShape,
        mass: f64,
        orientation: &UnitQuaternion<f64>,
        angular_velocity: &Vector<3>,
    ) -> Self {
        let mut state = RotationState {
            orientation: orientation * shape.principal_rotation(),
            inverse_principal_inertia: shape.principal_inertia().map(|part| 1.0 / (mass * part)),
            shape: number,
            ..RotationState::sphere()
        };
        state.rotation = *state.orientation.to_rotation_matrix().matrix();
        let own =
            state.rotation.tr_mul(angular_velocity).component_div(&state.inverse_principal_inertia);
        // The momentum is the state and not the velocity: free rotation conserves it, while the velocity precesses.
        state.angular_momentum = state.rotation * own;
        state
    }

    /// Returns the index of the shape; none for a sphere.
    #[inline(always)]
    pub(super) fn shape(&self) -> Option<usize> {
        (self.shape != SPHERE).then_some(self.shape as usize)
    }

    /// Returns the orientation of the axes in which the shape was given.
    pub(super) fn orientation(&self, shape: &ContactShape) -> UnitQuaternion<f64> {
        self.orientation * shape.principal_rotation().inverse()
    }

    pub(super) fn pose(&self, position: Vector<3>) -> Pose {
        Pose { rotation: self.rotation, position }
    }

    pub(super) fn saved_rotation(&self) -> SavedRotation {
        let [x, y, z, w] = self.orientation.coords.into();
        SavedRotation { orientation: [w, x, y, z], angular_momentum: self.angular_momentum }
    }

    /// Restores a saved orientation and angular momentum, to the bit; errors if they are unusable.
    pub(super) fn restore(&mut self, saved: &SavedRotation) -> Result<(), Error> {
        let [w, x, y, z] = saved.orientation;
        let quaternion = Quaternion::new(w, x, y, z);
        let is_unit = (quaternion.norm() - 1.0).abs() < 1e-9;
        if !(is_unit && saved.angular_momentum.iter().all(|number| number.is_finite())) {
            return Err(Error::Saved("the orientation of a body is not a unit quaternion, or its angular momentum is not finite".to_owned()));
        }
        // Not normalized again: that could change the last bit.
        self.orientation = UnitQuaternion::new_unchecked(quaternion);
        self.rotation = *self.orientation.to_rotation_matrix().matrix();
        self.angular_momentum = saved.angular_momentum;
        Ok(())
    }

    /// Returns the inverse inertia tensor times an angular momentum (or torque), in the world frame.
    #[inline(always)]
    pub(super) fn apply_inverse_inertia(&self, angular_momentum: &Vector<3>) -> Vector<3> {
        self.rotation
            * self.rotation.tr_mul(angular_momentum).component_mul(&self.inverse_principal_inertia)
    }

    /// Returns the angular velocity in the world frame.
    pub(super) fn angular_velocity(&self) -> Vector<3> {
        self.apply_inverse_inertia(&self.angular_momentum)
    }

    /// Rotates freely for a time, by a symmetric splitting into exact rotations about one principal axis after
    /// the other and back (A. Dullweber, B. Leimkuhler and R. McLachlan, 1997).
    ///
    /// The splitting is symplectic and time-reversible, so that energy does not drift, and it conserves
    /// angular momentum.
    pub(super) fn rotate_freely(&mut self, time: f64) {
        let mut body_momentum = self.rotation.tr_mul(&self.angular_momentum);
        let mut orientation = self.orientation.into_inner();
        for (axis, part) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = part * time * body_momentum[axis] * self.inverse_principal_inertia[axis];
            let (sine, cosine) = math::sin_cos(0.5 * angle);
            let mut about = [0.0; 3];
            about[axis] = sine;
            orientation *= Quaternion::new(cosine, about[0], about[1], about[2]);
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            // Double angle: one sine and cosine serve the quaternion (half angle) and the momentum.
            let (sine, cosine) = (2.0 * sine * cosine, 1.0 - 2.0 * sine * sine);
            (body_momentum[next], body_momentum[last]) = (
                cosine * body_momentum[next] + sine * body_momentum[last],
                cosine * body_momentum[last] - sine * body_momentum[next],
            );
        }
        // Products of quaternions drift off unit length by rounding.
        self.orientation = UnitQuaternion::new_normalize(orientation);
        self.rotation = *self.orientation.to_rotation_matrix().matrix();
    }
}
