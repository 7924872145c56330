//! How walls move.

use carom_geometry::{Pose, Vector, math};
use nalgebra::UnitQuaternion;

/// A motion that does not care for bodies: steady, to and fro, turning, or all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// A steady velocity.
    pub velocity: Vector<3>,
    /// To and fro so far from the middle, where it is at time zero.
    pub amplitude: Vector<3>,
    /// To and fro so often, in radians per time.
    pub frequency: f64,
    /// Turning, in radians per time about each axis.
    pub angular_velocity: Vector<3>,
    /// A point on the axis of turning, which moves along.
    pub center: Vector<3>,
}

impl Drive {
    /// No motion.
    pub fn none() -> Self {
        let zero = Vector::zeros();
        Drive {
            velocity: zero,
            amplitude: zero,
            frequency: 0.0,
            angular_velocity: zero,
            center: zero,
        }
    }

    /// Whether it moves at all.
    pub fn moves(&self) -> bool {
        *self != Drive { center: self.center, ..Drive::none() }
    }

    /// How the wall of time zero is turned and moved at a time.
    pub fn pose(&self, time: f64) -> Pose {
        self.state_at(time).pose()
    }

    pub(super) fn state_at(&self, time: f64) -> DriveState {
        let (sin, cos) = math::sin_cos(self.frequency * time);
        DriveState {
            center: self.center,
            translation: self.velocity * time + self.amplitude * sin,
            rotation: math::rotation_from_scaled_axis(&(self.angular_velocity * time)),
            rotates: self.angular_velocity != Vector::<3>::zeros(),
            velocity: self.velocity + self.amplitude * (self.frequency * cos),
            angular_velocity: self.angular_velocity,
        }
    }
}

/// Where a driven wall is, and how fast.
#[derive(Clone, Copy, Debug)]
pub(super) struct DriveState {
    center: Vector<3>,
    translation: Vector<3>,
    rotation: UnitQuaternion<f64>,
    rotates: bool,
    velocity: Vector<3>,
    angular_velocity: Vector<3>,
}

impl DriveState {
    /// A point on the axis of turning.
    pub(super) fn axis_point(&self) -> Vector<3> {
        self.center + self.translation
    }

    /// A point as seen by the wall at time zero.
    #[inline(always)]
    pub(super) fn to_initial_frame(&self, point: &Vector<3>) -> Vector<3> {
        let moved = point - self.translation;
        if self.rotates {
            self.center + self.rotation.inverse() * (moved - self.center)
        } else {
            moved
        }
    }

    /// How the wall of time zero is turned and moved by now.
    pub(super) fn pose(&self) -> Pose {
        let rotation = *self.rotation.to_rotation_matrix().matrix();
        Pose { rotation, position: self.center + self.translation - rotation * self.center }
    }

    /// A direction at time zero as it is now.
    #[inline(always)]
    pub(super) fn rotate_direction(&self, direction: &Vector<3>) -> Vector<3> {
        if self.rotates { self.rotation * direction } else { *direction }
    }

    /// How fast a point moves with the wall.
    #[inline(always)]
    pub(super) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.velocity + self.angular_velocity.cross(&(point - self.center - self.translation))
    }
}
