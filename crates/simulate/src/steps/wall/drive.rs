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
    pub spin: Vector<3>,
    /// A point on the axis of turning, which moves along.
    pub center: Vector<3>,
}

impl Drive {
    /// No motion.
    pub fn none() -> Self {
        let zero = Vector::zeros();
        Drive { velocity: zero, amplitude: zero, frequency: 0.0, spin: zero, center: zero }
    }

    /// Whether it moves at all.
    pub fn moves(&self) -> bool {
        *self != Drive { center: self.center, ..Drive::none() }
    }

    /// How the wall of time zero is turned and moved at a time.
    pub fn pose(&self, time: f64) -> Pose {
        self.placed(time).pose()
    }

    pub(super) fn placed(&self, time: f64) -> Placed {
        let (sin, cos) = math::sin_cos(self.frequency * time);
        Placed {
            center: self.center,
            shift: self.velocity * time + self.amplitude * sin,
            turn: math::rotation(&(self.spin * time)),
            turns: self.spin != Vector::<3>::zeros(),
            velocity: self.velocity + self.amplitude * (self.frequency * cos),
            spin: self.spin,
        }
    }
}

/// Where a driven wall is, and how fast.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    center: Vector<3>,
    shift: Vector<3>,
    turn: UnitQuaternion<f64>,
    turns: bool,
    velocity: Vector<3>,
    spin: Vector<3>,
}

impl Placed {
    /// A point on the axis of turning.
    pub(super) fn axis(&self) -> Vector<3> {
        self.center + self.shift
    }

    /// A point as seen by the wall at time zero.
    #[inline(always)]
    pub(super) fn back(&self, point: &Vector<3>) -> Vector<3> {
        let moved = point - self.shift;
        if self.turns { self.center + self.turn.inverse() * (moved - self.center) } else { moved }
    }

    /// How the wall of time zero is turned and moved by now.
    pub(super) fn pose(&self) -> Pose {
        let rotation = *self.turn.to_rotation_matrix().matrix();
        Pose { rotation, position: self.center + self.shift - rotation * self.center }
    }

    /// A direction at time zero as it is now.
    #[inline(always)]
    pub(super) fn turned(&self, direction: &Vector<3>) -> Vector<3> {
        if self.turns { self.turn * direction } else { *direction }
    }

    /// How fast a point moves with the wall.
    #[inline(always)]
    pub(super) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.velocity + self.spin.cross(&(point - self.center - self.shift))
    }
}
