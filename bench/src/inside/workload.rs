//! What is asked: a mesh and a grid of points, the same on every machine.

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

/// Returns the names of all meshes.
pub fn names() -> [&'static str; 8] {
    MESHES.map(|(name, _)| name)
}

/// Makes the mesh of a name.
pub fn mesh(name: &str) -> Result<TriangleMesh, Error> {
    let (_, shape) = MESHES.iter().find(|mesh| mesh.0 == name).expect("a case names a mesh");
    match *shape {
        Shape::Sphere { refined } => Ok(octahedron_sphere(refined)),
        Shape::Foam { triangles, cells } => Ok(Foam { triangles, cells, seed: SEED }.make()?),
    }
}

/// In which order points are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Row by row, the third coordinate fastest.
    Grid,
    /// At random.
    Shuffled,
}

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// carom's cells alone, on one thread and on several, by the wall clock.
    Threads,
    /// Whoever takes some microseconds a point.
    Fast,
    /// Those with expansions too.
    Expansions,
    /// The sum over all triangles too.
    Everyone,
}

/// A mesh, points and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name of the mesh.
    pub mesh: &'static str,
    /// Points along each axis.
    pub side: usize,
    /// Their order.
    pub order: Order,
    /// Who takes part.
    pub field: Field,
    /// Rounds in which everyone has a turn.
    pub rounds: usize,
}

impl Case {
    /// Returns the name in the results.
    pub fn name(&self) -> String {
        let order = if self.order == Order::Grid { "grid" } else { "shuffled" };
        format!("{} {} {order}", self.mesh, self.side.pow(3))
    }

    /// Returns points of this many values from -1 to 1 along each axis.
    pub fn points(&self) -> Vec<Vector<3>> {
        let mut points = carom_papers::paper_003::bodies::points(self.side);
        if self.order == Order::Shuffled {
            let mut random = SplitMix64::new(SEED);
            for last in (1..points.len()).rev() {
                points.swap(last, (random.bits() % (last as u64 + 1)) as usize);
            }
        }
        points
    }
}

/// The benchmark proper.
pub fn full() -> Vec<Case> {
    use Field::{Everyone, Expansions, Fast, Threads};
    use Order::{Grid, Shuffled};
    let case = |mesh, side, order, field, rounds| Case { mesh, side, order, field, rounds };
    vec![
        case("sphere-2048", 40, Grid, Everyone, 3),
        case("sphere-8192", 20, Grid, Everyone, 5),
        case("sphere-8192", 80, Grid, Fast, 5),
        case("sphere-131072", 10, Grid, Fast, 5),
        case("sphere-131072", 40, Grid, Expansions, 3),
        case("sphere-131072", 80, Grid, Fast, 5),
        case("sphere-131072", 80, Shuffled, Fast, 5),
        case("sphere-131072", 80, Grid, Threads, 15),
        case("foam-29k", 10, Grid, Fast, 15),
        case("foam-29k", 80, Grid, Fast, 5),
        case("foam-121k", 80, Grid, Fast, 3),
        case("foam-490k", 10, Grid, Fast, 5),
        case("foam-490k", 20, Grid, Expansions, 3),
        case("foam-490k", 80, Grid, Fast, 3),
        case("foam-490k", 80, Shuffled, Fast, 3),
        case("foam-490k", 80, Grid, Threads, 15),
    ]
}

/// One round of a thousand points, to show that everything works.
pub fn tiny() -> Vec<Case> {
    let case = |mesh, order, field| Case { mesh, side: 10, order, field, rounds: 1 };
    vec![
        case("sphere-512", Order::Grid, Field::Everyone),
        case("foam-4k", Order::Grid, Field::Everyone),
        case("foam-4k", Order::Shuffled, Field::Fast),
        case("foam-4k", Order::Grid, Field::Threads),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_goes_from_corner_to_corner_and_shuffled_points_are_the_same() {
        let case = Case { side: 3, ..tiny()[0] };
        let grid = case.points();
        assert_eq!((grid.len(), grid[0]), (27, Vector::from([-1.0, -1.0, -1.0])));
        assert_eq!(grid[1], Vector::from([-1.0, -1.0, 0.0]));
        assert_eq!(grid[26], Vector::from([1.0, 1.0, 1.0]));
        let mut shuffled = Case { order: Order::Shuffled, ..case }.points();
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
