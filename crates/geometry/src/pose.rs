use crate::Vector;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion};

/// Where a body is and how it is turned: a point `p` of the body is at `rotation p + position`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Turns the body's axes into the world's.
    pub rotation: Matrix3<f64>,
    /// Where the body's origin is.
    pub position: Vector<3>,
}

impl Pose {
    /// Neither moved nor turned.
    pub fn identity() -> Self {
        Pose { rotation: Matrix3::identity(), position: Vector::zeros() }
    }

    /// Moved, not turned.
    pub fn at(position: Vector<3>) -> Self {
        Pose { position, ..Pose::identity() }
    }

    /// Moved and turned by a quaternion `w, x, y, z`; none if that is not of length one to within
    /// 1e-6. What little it lacks is mended.
    pub fn new(position: Vector<3>, quaternion: [f64; 4]) -> Option<Self> {
        let [w, x, y, z] = quaternion;
        let quaternion = Quaternion::new(w, x, y, z);
        let is_unit = (quaternion.norm() - 1.0).abs() <= 1e-6;
        is_unit.then(|| {
            let turn = UnitQuaternion::from_quaternion(quaternion);
            Pose { rotation: *turn.to_rotation_matrix().matrix(), position }
        })
    }

    /// A point of the body in the world.
    #[inline]
    pub fn transform_point(&self, point: &Vector<3>) -> Vector<3> {
        self.rotation * point + self.position
    }

    /// A point of the world in the body.
    #[inline]
    pub fn inverse_transform_point(&self, point: &Vector<3>) -> Vector<3> {
        self.rotation.tr_mul(&(point - self.position))
    }

    /// The pose of another body seen from this one.
    #[inline]
    pub fn relative(&self, other: &Pose) -> Pose {
        Pose {
            rotation: self.rotation.tr_mul(&other.rotation),
            position: self.rotation.tr_mul(&(other.position - self.position)),
        }
    }
}
