//! Where a rigid body is and how it is turned.

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

    /// Returns the pose of a rotation matrix given by its columns, which is made orthogonal to the last bits where
    /// it is so to 1e-6 only; `None` if it is no rotation.
    ///
    /// ```
    /// use carom_geometry::{Pose, Vector};
    /// let [x, y, z] = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let quarter_turn = Pose::from_columns([y, -x, z], Vector::zeros()).expect("a rotation about z");
    /// assert_eq!(quarter_turn.transform_point(&x), y);
    /// assert_eq!(Pose::from_columns([y, x, z], Vector::zeros()), None);
    /// ```
    pub fn from_columns(columns: [Vector<3>; 3], position: Vector<3>) -> Option<Self> {
        let rotation = Matrix3::from_columns(&columns);
        let error = (rotation.tr_mul(&rotation) - Matrix3::identity()).amax();
        let is_finite = rotation.iter().all(|number| number.is_finite());
        if !is_finite || error > 1e-6 || rotation.determinant() < 0.0 {
            return None;
        }
        if error <= 1e-14 {
            return Some(Pose { rotation, position });
        }
        let [x, y, _] = columns;
        let x = x.normalize();
        let y = (y - x * x.dot(&y)).normalize();
        Some(Pose { rotation: Matrix3::from_columns(&[x, y, x.cross(&y)]), position })
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
