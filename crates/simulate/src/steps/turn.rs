//! How bodies with shapes are turned and go on turning.

use super::saved::SavedTurn;
use super::shape::Shape;
use crate::Error;
use carom_geometry::{Pose, Vector, math};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

/// The number of no shape: a sphere.
const SPHERE: u32 = u32::MAX;

/// How a body is turned. Its angular momentum is kept in the world, so that free flight does not change
/// it by a bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// From the principal axes to the world's, and the same as a matrix.
    orientation: UnitQuaternion<f64>,
    pub rotation: Matrix3<f64>,
    /// The angular momentum.
    pub momentum: Vector<3>,
    /// One over the principal moments of inertia.
    ease: Vector<3>,
    shape: u32,
}

impl Turn {
    /// Of a sphere, for which how it is turned means nothing.
    pub(super) fn sphere() -> Self {
        Turn {
            orientation: UnitQuaternion::identity(),
            rotation: Matrix3::identity(),
            momentum: Vector::zeros(),
            ease: Vector::zeros(),
            shape: SPHERE,
        }
    }

    /// Of a body whose own axes are turned as given and that turns so fast.
    pub(super) fn new(
        number: u32,
        shape: &Shape,
        mass: f64,
        orientation: &UnitQuaternion<f64>,
        spin: &Vector<3>,
    ) -> Self {
        let mut turn = Turn {
            orientation: orientation * shape.principal(),
            ease: shape.inertia().map(|part| 1.0 / (mass * part)),
            shape: number,
            ..Turn::sphere()
        };
        turn.rotation = *turn.orientation.to_rotation_matrix().matrix();
        let own = turn.rotation.tr_mul(spin).component_div(&turn.ease);
        turn.momentum = turn.rotation * own;
        turn
    }

    /// The number of the shape, if it is no sphere.
    #[inline(always)]
    pub(super) fn shape(&self) -> Option<usize> {
        (self.shape != SPHERE).then_some(self.shape as usize)
    }

    /// How the body's own axes are turned.
    pub(super) fn orientation(&self, shape: &Shape) -> UnitQuaternion<f64> {
        self.orientation * shape.principal().inverse()
    }

    pub(super) fn pose(&self, position: Vector<3>) -> Pose {
        Pose { rotation: self.rotation, position }
    }

    pub(super) fn saved(&self) -> SavedTurn {
        let [x, y, z, w] = self.orientation.coords.into();
        SavedTurn { orientation: [w, x, y, z], momentum: self.momentum }
    }

    /// Turned as it was, to the bit.
    pub(super) fn put_back(&mut self, saved: &SavedTurn) -> Result<(), Error> {
        let [w, x, y, z] = saved.orientation;
        let quaternion = Quaternion::new(w, x, y, z);
        let is_unit = (quaternion.norm() - 1.0).abs() < 1e-9;
        if !(is_unit && saved.momentum.iter().all(|number| number.is_finite())) {
            return Err(Error::Saved("a body is turned in no way that there is".to_owned()));
        }
        self.orientation = UnitQuaternion::new_unchecked(quaternion);
        self.rotation = *self.orientation.to_rotation_matrix().matrix();
        self.momentum = saved.momentum;
        Ok(())
    }

    /// How fast an angular momentum, or what a torque gives of it, turns the body.
    #[inline(always)]
    pub(super) fn eased(&self, momentum: &Vector<3>) -> Vector<3> {
        self.rotation * self.rotation.tr_mul(momentum).component_mul(&self.ease)
    }

    /// How fast it turns.
    pub(super) fn spin(&self) -> Vector<3> {
        self.eased(&self.momentum)
    }

    /// Turns on freely for some time: about one principal axis after the other and back, each of which is
    /// exact (A. Dullweber, B. Leimkuhler and R. McLachlan, 1997). So energy does not drift, a step back
    /// undoes a step, and momentum is kept.
    pub(super) fn go_on(&mut self, time: f64) {
        let mut own = self.rotation.tr_mul(&self.momentum);
        let mut turned = self.orientation.into_inner();
        for (axis, part) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = part * time * own[axis] * self.ease[axis];
            let (sine, cosine) = math::sin_cos(0.5 * angle);
            let mut about = [0.0; 3];
            about[axis] = sine;
            turned *= Quaternion::new(cosine, about[0], about[1], about[2]);
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            // The sine and cosine of the whole angle.
            let (sine, cosine) = (2.0 * sine * cosine, 1.0 - 2.0 * sine * sine);
            (own[next], own[last]) =
                (cosine * own[next] + sine * own[last], cosine * own[last] - sine * own[next]);
        }
        self.orientation = UnitQuaternion::new_normalize(turned);
        self.rotation = *self.orientation.to_rotation_matrix().matrix();
    }
}
