//! The surface of a clump of spheres.

use carom_geometry::mesh::{PolygonMesh, octahedron_sphere};
use carom_geometry::{Sphere, Vector, math};
use std::f64::consts::TAU;

/// Largest number of spheres of a clump; the mass properties of more would take long.
pub const MOST_SPHERES: usize = 1000;

/// Returns each sphere as a polyhedron, or each disc as a polygon.
pub(super) fn surface<const D: usize>(spheres: &[Sphere<3>]) -> PolygonMesh {
    let round = if D == 2 { unit_circle() } else { unit_sphere() };
    let mut all = PolygonMesh::default();
    for sphere in spheres {
        let first = all.vertices.len() as u32;
        let corner = |at: &Vector<3>| sphere.center + at * sphere.radius;
        all.vertices.extend(round.vertices.iter().map(corner));
        let numbered = |face: &Vec<u32>| face.iter().map(|&corner| first + corner).collect();
        all.faces.extend(round.faces.iter().map(numbered));
    }
    all
}

fn unit_sphere() -> PolygonMesh {
    octahedron_sphere(2).to_polygons()
}

fn unit_circle() -> PolygonMesh {
    const CORNERS: u32 = 32;
    let corner = |k: u32| {
        let (sine, cosine) = math::sin_cos(TAU * f64::from(k) / f64::from(CORNERS));
        Vector::from([cosine, sine, 0.0])
    };
    PolygonMesh {
        vertices: (0..CORNERS).map(corner).collect(),
        faces: vec![(0..CORNERS).collect()],
    }
}
