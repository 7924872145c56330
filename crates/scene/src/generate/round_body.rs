//! Convex bodies with corners on a sphere or an ellipsoid, of any number of triangles.

use super::{SplitMix64, setting};
use crate::Error;
use carom_geometry::{Vector, shape::ConvexPolyhedron};
use std::f64::consts::PI;

/// How the corners of a round body lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundKind {
    /// About equally far from each other on the unit sphere: the regular bodies with 4, 8 and 20 faces,
    /// else a Fibonacci spiral with a little noise.
    Even,
    /// Anywhere on the unit sphere.
    Random,
    /// As [`RoundKind::Even`] without regular bodies, then made narrower along `y` by three and along
    /// `z` by five.
    Ellipsoid,
}

/// Settings of a round body; [`RoundBody::make`] checks them.
///
/// ```
/// use carom_scene::generate::{RoundBody, RoundKind};
/// let body = RoundBody { kind: RoundKind::Even, faces: 100, seed: 1 }.make()?;
/// assert_eq!((body.face_count(), body.edge_count(), body.vertices().len()), (100, 150, 52));
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundBody {
    /// How its corners lie.
    pub kind: RoundKind,
    /// How many triangles it has: even, at least four.
    pub faces: usize,
    /// The same seed gives the same body.
    pub seed: u64,
}

/// Noise of the spiral in parts of the mean distance of its points: enough that no four lie in a plane.
const NOISE: f64 = 0.02;
const AXES: [f64; 3] = [1.0, 1.0 / 3.0, 1.0 / 5.0];

impl RoundBody {
    /// The hull of the corners. Every corner is a vertex of it and every face a triangle.
    pub fn make(&self) -> Result<ConvexPolyhedron, Error> {
        if self.faces < 4 || self.faces % 2 == 1 {
            return Err(setting("faces", self.faces, "it must be even and at least 4"));
        }
        let hull = ConvexPolyhedron::hull(&self.corners());
        Ok(hull.expect("corners around the origin span a body"))
    }

    fn corners(&self) -> Vec<Vector<3>> {
        // By Euler's formula, for triangles.
        let count = self.faces / 2 + 2;
        let random = &mut SplitMix64::keyed(self.seed, &[self.kind as u64, self.faces as u64]);
        match (self.kind, self.faces) {
            (RoundKind::Even, 4) => tetrahedron(),
            (RoundKind::Even, 8) => octahedron(),
            (RoundKind::Even, 20) => icosahedron(),
            (RoundKind::Even, _) => spiral(count, random),
            (RoundKind::Random, _) => (0..count).map(|_| direction(random)).collect(),
            (RoundKind::Ellipsoid, _) => {
                let narrow = Vector::from(AXES);
                spiral(count, random).iter().map(|corner| corner.component_mul(&narrow)).collect()
            }
        }
    }
}

fn direction(random: &mut SplitMix64) -> Vector<3> {
    Vector::<3>::from_fn(|_, _| random.normal()).normalize()
}

fn tetrahedron() -> Vec<Vector<3>> {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    corners.map(|corner| Vector::from(corner).normalize()).to_vec()
}

fn octahedron() -> Vec<Vector<3>> {
    let axis = |number: usize| Vector::from_fn(|row, _| if row == number / 2 { 1.0 } else { 0.0 });
    (0..6).map(|number| if number % 2 == 0 { axis(number) } else { -axis(number) }).collect()
}

fn icosahedron() -> Vec<Vector<3>> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let corner = |number: usize| {
        let (turn, one, other) = (number / 4, number & 1, number >> 1 & 1);
        let sign = |bit: usize| if bit == 0 { 1.0 } else { -1.0 };
        let mut corner = Vector::<3>::zeros();
        corner[turn] = sign(one);
        corner[(turn + 1) % 3] = golden * sign(other);
        corner.normalize()
    };
    (0..12).map(corner).collect()
}

fn spiral(count: usize, random: &mut SplitMix64) -> Vec<Vector<3>> {
    let noise = NOISE / (count as f64).sqrt();
    let corner = |number: usize| {
        let place = number as f64 + 0.5;
        let z: f64 = 1.0 - 2.0 * place / count as f64;
        let angle = PI * (1.0 + 5f64.sqrt()) * place;
        let wide = (1.0 - z * z).sqrt();
        let even = Vector::from([wide * angle.cos(), wide * angle.sin(), z]);
        (even + Vector::from_fn(|_, _| noise * random.normal())).normalize()
    };
    (0..count).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corner_is_a_vertex_and_every_face_a_triangle() {
        for kind in [RoundKind::Even, RoundKind::Random, RoundKind::Ellipsoid] {
            for faces in [4, 8, 20, 32, 100, 400] {
                let body = RoundBody { kind, faces, seed: 3 }.make().unwrap();
                let counts = (body.face_count(), body.edge_count(), body.vertices().len());
                assert_eq!(counts, (faces, 3 * faces / 2, faces / 2 + 2), "{kind:?}");
            }
        }
    }

    #[test]
    fn regular_bodies_have_faces_at_one_distance() {
        for (faces, distance) in [(4, 1.0 / 3.0), (8, 3f64.sqrt() / 3.0), (20, 0.794_654_472_3)] {
            let body = RoundBody { kind: RoundKind::Even, faces, seed: 1 }.make().unwrap();
            assert!(body.faces().all(|face| (face.offset - distance).abs() < 1e-9), "{faces}");
        }
    }

    #[test]
    fn an_odd_number_of_triangles_cannot_close() {
        let odd = RoundBody { kind: RoundKind::Even, faces: 21, seed: 1 };
        assert!(odd.make().unwrap_err().to_string().contains("even"), "{:?}", odd.make());
    }
}
