//! Workloads: a mesh and a grid of points, the same on every machine.

use crate::cases::Case;
use crate::error::Error;
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom::scene::generate::{Foam, SplitMix64};

const SEED: u64 = 7;

/// A mesh from -1 to 1 along each axis: a sphere refined from an octahedron as many times, or a foam of
/// about this many triangles and this many cells along each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Sphere { refined: u32 },
    Foam { triangles: usize, cells: usize },
}

/// All meshes by name. A foam of four cells has at least 32,000 triangles.
const MESHES: [(&str, Shape); 8] = [
    ("sphere-512", Shape::Sphere { refined: 3 }),
    ("sphere-2048", Shape::Sphere { refined: 4 }),
    ("sphere-8192", Shape::Sphere { refined: 5 }),
    ("sphere-131072", Shape::Sphere { refined: 7 }),
    ("foam-4k", Shape::Foam { triangles: 4_000, cells: 2 }),
    ("foam-29k", Shape::Foam { triangles: 29_000, cells: 3 }),
    ("foam-121k", Shape::Foam { triangles: 121_000, cells: 4 }),
    ("foam-490k", Shape::Foam { triangles: 490_000, cells: 4 }),
];

/// Makes the mesh of a name.
pub fn mesh(name: &str) -> Result<TriangleMesh, Error> {
    let (_, shape) = MESHES.iter().find(|mesh| mesh.0 == name).expect("a case names a mesh");
    match *shape {
        Shape::Sphere { refined } => Ok(octahedron_sphere(refined)),
        Shape::Foam { triangles, cells } => Ok(Foam { triangles, cells, seed: SEED }.make()?),
    }
}

/// Returns the name of a case in the results.
pub fn name(case: &Case) -> String {
    format!("{} {} {}", case.workload, case.size.pow(3), case.variant)
}

/// Returns points of this many values from -1 to 1 along each axis: row by row, the third coordinate fastest, or shuffled.
pub fn points(case: &Case) -> Vec<Vector<3>> {
    let mut points = carom_papers::paper_003::bodies::points(case.size);
    if case.variant == "shuffled" {
        let mut random = SplitMix64::new(SEED);
        for last in (1..points.len()).rev() {
            points.swap(last, (random.bits() % (last as u64 + 1)) as usize);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn a_grid_goes_from_corner_to_corner_and_shuffled_points_are_the_same() {
        let mut case = cases::tiny("sphere-512");
        case.size = 3;
        let grid = points(&case);
        assert_eq!((grid.len(), grid[0]), (27, Vector::from([-1.0, -1.0, -1.0])));
        assert_eq!(grid[1], Vector::from([-1.0, -1.0, 0.0]));
        assert_eq!(grid[26], Vector::from([1.0, 1.0, 1.0]));
        case.variant = "shuffled".into();
        let mut shuffled = points(&case);
        assert_ne!(grid, shuffled);
        shuffled.sort_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap());
        assert_eq!(grid, shuffled);
    }

    #[test]
    fn meshes_have_about_as_many_triangles_as_their_names_say() {
        for (name, count) in [("sphere-512", 512.0), ("foam-4k", 4_000.0)] {
            let made = mesh(name).unwrap().triangles().len() as f64;
            assert!((made / count - 1.0).abs() < 0.1, "{name}: {made}");
        }
    }
}
