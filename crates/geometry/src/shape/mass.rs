//! Volume, centre of mass and inertia of a body with flat faces.

use crate::Vector;
use nalgebra::Matrix3;

/// What a body of density one weighs and how it resists turning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The volume.
    pub volume: f64,
    /// The centre of mass.
    pub centre: Vector<3>,
    /// The inertia about the centre of mass, for density one.
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    /// Sums over tetrahedra from a vertex to the triangles of each face: exact but for rounding
    /// (Tonon, Journal of Mathematics and Statistics 1, 2005).
    pub fn of(vertices: &[Vector<3>], faces: &[Vec<u32>]) -> Self {
        let origin = vertices[0];
        let (mut volume, mut first, mut second) = (0.0, Vector::zeros(), Matrix3::zeros());
        for face in faces {
            let corner = |k: usize| vertices[face[k] as usize] - origin;
            for k in 1..face.len() - 1 {
                let (a, b, c) = (corner(0), corner(k), corner(k + 1));
                let six_volumes = a.dot(&b.cross(&c));
                let sum = a + b + c;
                volume += six_volumes / 6.0;
                first += sum * (six_volumes / 24.0);
                let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
                second += (squares + sum * sum.transpose()) * (six_volumes / 120.0);
            }
        }
        let offset = first / volume;
        let central = second - offset * offset.transpose() * volume;
        let inertia = Matrix3::identity() * central.trace() - central;
        MassProperties { volume, centre: origin + offset, inertia }
    }
}
