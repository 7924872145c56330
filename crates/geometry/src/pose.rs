use crate::Vector;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

/// Position and orientation of a body: a point `p` in body coordinates is at `rotation p + position`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation matrix from body to world coordinates.
    pub rotation: Matrix3<f64>,
    /// Position of the body's origin in world coordinates.
    pub position: Vector<3>,
}

impl Pose {
    /// Returns the pose without translation and rotation.
    pub fn identity() -> Self {
        Pose { rotation: Matrix3::identity(), position: Vector::zeros() }
    }

    /// Returns the pose at a position without rotation.
    pub fn at(position: Vector<3>) -> Self {
        Pose { position, ..Pose::identity() }
    }

    /// Returns the pose at a position with the orientation quaternion `w, x, y, z`, which is normalized;
    /// `None` if its norm differs from one by more than 1e-6.
    pub fn new(position: Vector<3>, quaternion: [f64; 4]) -> Option<Self> {
        let [w, x, y, z] = quaternion;
        let quaternion = Quaternion::new(w, x, y, z);
        let is_unit = (quaternion.norm() - 1.0).abs() <= 1e-6;
        is_unit.then(|| {
            let turn = UnitQuaternion::from_quaternion(quaternion);
            Pose { rotation: *turn.to_rotation_matrix().matrix(), position }
        })
    }

    /// Transforms a point from body to world coordinates.
    #[inline]
    pub fn transform_point(&self, point: &Vector<3>) -> Vector<3> {
        self.rotation * point + self.position
    }

    /// Transforms a point from world to body coordinates.
    #[inline]
    pub fn inverse_transform_point(&self, point: &Vector<3>) -> Vector<3> {
        self.rotation.tr_mul(&(point - self.position))
    }

    /// Returns the pose of another body in the coordinates of this one.
    #[inline]
    pub fn relative(&self, other: &Pose) -> Pose {
        Pose {
            rotation: self.rotation.tr_mul(&other.rotation),
            position: self.rotation.tr_mul(&(other.position - self.position)),
        }
    }
}
