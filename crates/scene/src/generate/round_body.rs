//! Convex bodies with corners on a sphere or an ellipsoid, of any even number of triangles.

use super::{Polyhedron, RegularSolid};
use crate::Error;
use carom_geometry::shape::ConvexPolyhedron;

/// The arrangement of the corners of a round body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundKind {
    /// About equally far from each other on the unit sphere: the regular solids with 4, 8 and 20 faces, otherwise a
    /// Fibonacci spiral with a little noise.
    Even,
    /// Uniformly distributed on the unit sphere.
    Random,
    /// As [`RoundKind::Even`] without regular solids, then shrunk by three along `y` and by five along `z`.
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
    /// Arrangement of the corners on the sphere.
    pub kind: RoundKind,
    /// Number of triangles: even, at least four.
    pub faces: usize,
    /// Seed; equal seeds give equal bodies.
    pub seed: u64,
}

const AXES: [f64; 3] = [1.0, 1.0 / 3.0, 1.0 / 5.0];

impl RoundBody {
    /// Returns the body. Every corner is a vertex of it and every face a triangle.
    pub fn make(&self) -> Result<ConvexPolyhedron, Error> {
        let RoundBody { kind, faces, seed } = *self;
        let regular = |solid| Polyhedron::Regular { solid, radius: 1.0 };
        let polyhedron = match (kind, faces) {
            (RoundKind::Even, 4) => regular(RegularSolid::Tetrahedron),
            (RoundKind::Even, 8) => regular(RegularSolid::Octahedron),
            (RoundKind::Even, 20) => regular(RegularSolid::Icosahedron),
            (RoundKind::Even, _) => Polyhedron::Sphere { faces, radius: 1.0, seed },
            (RoundKind::Random, _) => Polyhedron::Random { faces, radius: 1.0, seed },
            (RoundKind::Ellipsoid, _) => Polyhedron::Ellipsoid { faces, semi_axes: AXES, seed },
        };
        let body = ConvexPolyhedron::from_mesh(&polyhedron.make()?);
        Ok(body.expect("a generated mesh is closed and convex"))
    }
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
