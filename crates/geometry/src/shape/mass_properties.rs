//! Volume, center of mass and inertia tensor of a polyhedron.

use crate::{Vector, math};
use nalgebra::Matrix3;

/// Mass properties of a body of unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume, V, in length³.
    pub volume: f64,
    /// Center of mass, (1/V) ∫ x dV, in length.
    pub center_of_mass: Vector<3>,
    /// Inertia tensor about the center of mass for unit density, ∫ (|x|² 1 - x xᵀ) dV, in length⁵.
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    /// Sums over the tetrahedra from a vertex to the triangles of each face of a closed mesh: exact except
    /// for rounding (Tonon, Journal of Mathematics and Statistics 1, 2005). Volume and inertia of very small
    /// or large bodies may underflow or overflow; the center of mass is right for sizes from 1e-300 to 1e300.
    pub fn of(vertices: &[Vector<3>], faces: &[Vec<u32>]) -> Self {
        let origin = vertices[0];
        let scale = normalizing_scale(vertices);
        let (mut volume, mut first, mut second) = (0.0, Vector::zeros(), Matrix3::zeros());
        for face in faces {
            let corner = |k: usize| (vertices[face[k] as usize] - origin) * scale;
            for k in 1..face.len() - 1 {
                let (a, b, c) = (corner(0), corner(k), corner(k + 1));
                // Signed tetrahedra from the first vertex: what lies outside of the body cancels.
                let six_volumes = a.dot(&b.cross(&c));
                let sum = a + b + c;
                volume += six_volumes / 6.0;
                first += sum * (six_volumes / 24.0);
                let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
                second += (squares + sum * sum.transpose()) * (six_volumes / 120.0);
            }
        }
        // About the center of mass by Steiner's theorem.
        let offset = first / volume;
        let central = second - offset * offset.transpose() * volume;
        let inertia = Matrix3::identity() * central.trace() - central;
        // One division after the other, as the power of the scale may overflow.
        MassProperties {
            volume: volume / scale / scale / scale,
            center_of_mass: origin + offset / scale,
            inertia: inertia / scale / scale / scale / scale / scale,
        }
    }
}

/// Returns a power of two that scales a body to a size whose fifth power is in the range of `f64`; one if
/// it is already.
fn normalizing_scale(vertices: &[Vector<3>]) -> f64 {
    let extent = vertices.iter().map(|vertex| (vertex - vertices[0]).amax()).fold(0.0, f64::max);
    if extent == 0.0 || (1e-40..=1e40).contains(&extent) {
        1.0
    } else {
        math::exp2((-math::log2(extent)).round().clamp(-1000.0, 1000.0))
    }
}
