//! Prescribed motion of walls.

use carom_geometry::{Pose, Vector, math};
use nalgebra::UnitQuaternion;
use std::f64::consts::TAU;

/// The prescribed motion of a wall: steady translation, oscillation and rotation, or all of these.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::WallMotion;
/// // A shaken plate: at its highest point after a quarter of a period.
/// let (amplitude, frequency) = ([0.0, 0.0, 0.2].into(), 50.0);
/// let shaken = WallMotion { amplitude, frequency, ..WallMotion::none() };
/// let quarter = 0.25 / frequency;
/// assert!((shaken.pose(quarter).position - Vector::from([0.0, 0.0, 0.2])).norm() < 1e-12);
/// // A drum: a quarter of a turn takes what is right of the center above it.
/// let angular_velocity = [0.0, 0.0, std::f64::consts::FRAC_PI_2].into();
/// let drum = WallMotion { angular_velocity, ..WallMotion::none() };
/// let there = drum.pose(1.0).transform_point(&[3.0, 0.0, 0.0].into());
/// assert!((there - Vector::from([0.0, 3.0, 0.0])).norm() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub struct WallMotion {
    /// Steady velocity.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
    pub velocity: Vector<3>,
    /// Amplitude of the oscillation, `amplitude sin(2 π frequency t)`; at time zero the wall is in the middle.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
    pub amplitude: Vector<3>,
    /// Frequency of the oscillation, in cycles per time.
    pub frequency: f64,
    /// Angular velocity, in radians per time about each axis.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
    pub angular_velocity: Vector<3>,
    /// A point on the axis of rotation at time zero, which moves along.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
    pub center: Vector<3>,
    /// Time at which the motion begins.
    pub since: f64,
    /// Pose of the wall then, relative to time zero.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::pose"))]
    pub initial: Pose,
}

impl WallMotion {
    /// Returns no motion.
    pub fn none() -> Self {
        let zero = Vector::zeros();
        WallMotion {
            velocity: zero,
            amplitude: zero,
            frequency: 0.0,
            angular_velocity: zero,
            center: zero,
            since: 0.0,
            initial: Pose::identity(),
        }
    }

    /// Returns this motion as it continues an earlier one from a time on: the wall starts from where it is then.
    ///
    /// ```
    /// use carom_simulate::WallMotion;
    /// let up = WallMotion { velocity: [0.0, 0.0, 1.0].into(), ..WallMotion::none() };
    /// let aside = WallMotion { velocity: [2.0, 0.0, 0.0].into(), ..WallMotion::none() };
    /// let aside = aside.continuing(&up, 3.0);
    /// let place = aside.pose(4.0).position;
    /// assert_eq!([place.x, place.y, place.z], [2.0, 0.0, 3.0]);
    /// ```
    pub fn continuing(&self, earlier: &WallMotion, time: f64) -> Self {
        let same = WallMotion { since: earlier.since, initial: earlier.initial, ..*self };
        match same == *earlier {
            true => same,
            false => WallMotion { since: time, initial: earlier.pose(time), ..*self },
        }
    }

    /// Returns whether the wall moves, or has moved away from where it was at time zero.
    pub fn moves(&self) -> bool {
        let zero = Vector::<3>::zeros();
        self.velocity != zero
            || self.angular_velocity != zero
            || self.amplitude != zero && self.frequency != 0.0
    }

    /// Returns the pose of the wall at a time, relative to time zero.
    pub fn pose(&self, time: f64) -> Pose {
        self.state_at(time).pose()
    }

    /// Returns the angular frequency of the oscillation, in radians per time.
    pub(crate) fn angular_frequency(&self) -> f64 {
        TAU * self.frequency
    }

    pub(crate) fn state_at(&self, time: f64) -> WallMotionState {
        let time = time - self.since;
        let (sin, cos) = math::sin_cos(self.angular_frequency() * time);
        let is_displaced = self.initial != Pose::identity();
        WallMotionState {
            center: if is_displaced {
                self.initial.transform_point(&self.center)
            } else {
                self.center
            },
            initial: self.initial,
            is_displaced,
            translation: self.velocity * time + self.amplitude * sin,
            rotation: math::rotation_from_scaled_axis(&(self.angular_velocity * time)),
            rotates: self.angular_velocity != Vector::<3>::zeros(),
            velocity: self.velocity + self.amplitude * (self.angular_frequency() * cos),
            angular_velocity: self.angular_velocity,
        }
    }
}

/// Pose and velocity of a wall at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallMotionState {
    center: Vector<3>,
    /// Pose at the start of the motion, and whether it differs from that at time zero.
    initial: Pose,
    is_displaced: bool,
    translation: Vector<3>,
    rotation: UnitQuaternion<f64>,
    rotates: bool,
    velocity: Vector<3>,
    angular_velocity: Vector<3>,
}

impl WallMotionState {
    /// Returns a point on the axis of rotation.
    pub(crate) fn axis_point(&self) -> Vector<3> {
        self.center + self.translation
    }

    /// Transforms a point into the frame of the wall at time zero.
    #[inline(always)]
    pub(crate) fn point_in_initial_frame(&self, point: &Vector<3>) -> Vector<3> {
        let moved = point - self.translation;
        let moved = if self.rotates {
            self.center + self.rotation.inverse() * (moved - self.center)
        } else {
            moved
        };
        if self.is_displaced { self.initial.inverse_transform_point(&moved) } else { moved }
    }

    /// Returns the pose of the wall relative to time zero.
    pub(crate) fn pose(&self) -> Pose {
        let rotation = *self.rotation.to_rotation_matrix().matrix();
        let position = self.center + self.translation - rotation * self.center;
        match self.is_displaced {
            true => Pose {
                rotation: rotation * self.initial.rotation,
                position: position + rotation * self.initial.position,
            },
            false => Pose { rotation, position },
        }
    }

    /// Rotates a direction from time zero to now.
    #[inline(always)]
    pub(crate) fn rotate_direction(&self, direction: &Vector<3>) -> Vector<3> {
        let direction =
            if self.is_displaced { self.initial.rotation * direction } else { *direction };
        if self.rotates { self.rotation * direction } else { direction }
    }

    /// Returns the velocity of a point that moves with the wall.
    #[inline(always)]
    pub(crate) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.velocity + self.angular_velocity.cross(&(point - self.center - self.translation))
    }
}
