//! What is asked: a mesh and a grid of points, the same on every machine.

use crate::error::Error;
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom::scene::generate::{Foam, SplitMix64};

/// A mesh: a sphere refined from an octahedron, or a foam of about this many triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// A sphere of 512 triangles.
    Sphere512,
    /// A sphere of 2048 triangles.
    Sphere2048,
    /// A sphere of 8192 triangles.
    Sphere8192,
    /// A sphere of 131072 triangles.
    Sphere131072,
    /// About 4,000 triangles.
    Foam4,
    /// About 29,000 triangles.
    Foam29,
    /// About 121,000 triangles.
    Foam121,
    /// About 490,000 triangles.
    Foam490,
}

const SEED: u64 = 7;

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 8] = [
        Workload::Sphere512,
        Workload::Sphere2048,
        Workload::Sphere8192,
        Workload::Sphere131072,
        Workload::Foam4,
        Workload::Foam29,
        Workload::Foam121,
        Workload::Foam490,
    ];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Sphere512 => "sphere-512",
            Workload::Sphere2048 => "sphere-2048",
            Workload::Sphere8192 => "sphere-8192",
            Workload::Sphere131072 => "sphere-131072",
            Workload::Foam4 => "foam-4k",
            Workload::Foam29 => "foam-29k",
            Workload::Foam121 => "foam-121k",
            Workload::Foam490 => "foam-490k",
        }
    }

    /// The mesh, from -1 to 1 along each axis.
    pub fn mesh(self) -> Result<TriangleMesh, Error> {
        let foam = |triangles, cells| Foam { triangles, cells, seed: SEED };
        let foam = match self {
            Workload::Sphere512 => return Ok(octahedron_sphere(3)),
            Workload::Sphere2048 => return Ok(octahedron_sphere(4)),
            Workload::Sphere8192 => return Ok(octahedron_sphere(5)),
            Workload::Sphere131072 => return Ok(octahedron_sphere(7)),
            Workload::Foam4 => foam(4_000, 2),
            // A foam of four cells has at least 32,000.
            Workload::Foam29 => foam(29_000, 3),
            Workload::Foam121 => foam(121_000, 4),
            Workload::Foam490 => foam(490_000, 4),
        };
        Ok(foam.make()?)
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
    /// The mesh.
    pub workload: Workload,
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
        format!("{} {} {order}", self.workload.name(), self.side.pow(3))
    }

    /// This many values from -1 to 1 along each axis.
    pub fn points(&self) -> Vec<Vector<3>> {
        let value = |k: usize| 2.0 * k as f64 / (self.side - 1) as f64 - 1.0;
        let point = |number: usize| {
            let (x, rest) = (number / self.side.pow(2), number % self.side.pow(2));
            Vector::from([x, rest / self.side, rest % self.side].map(value))
        };
        let mut points: Vec<_> = (0..self.side.pow(3)).map(point).collect();
        if self.order == Order::Shuffled {
            shuffle(&mut points);
        }
        points
    }
}

fn shuffle(points: &mut [Vector<3>]) {
    let mut random = SplitMix64::new(SEED);
    for last in (1..points.len()).rev() {
        points.swap(last, (random.bits() % (last as u64 + 1)) as usize);
    }
}

/// The benchmark proper.
pub fn full() -> Vec<Case> {
    use Field::{Everyone, Expansions, Fast, Threads};
    use Order::{Grid, Shuffled};
    use Workload::{Foam29, Foam121, Foam490, Sphere2048, Sphere8192, Sphere131072};
    let case = |workload, side, order, field, rounds| Case { workload, side, order, field, rounds };
    vec![
        case(Sphere2048, 40, Grid, Everyone, 3),
        case(Sphere8192, 20, Grid, Everyone, 5),
        case(Sphere8192, 80, Grid, Fast, 5),
        case(Sphere131072, 10, Grid, Fast, 5),
        case(Sphere131072, 40, Grid, Expansions, 3),
        case(Sphere131072, 80, Grid, Fast, 5),
        case(Sphere131072, 80, Shuffled, Fast, 5),
        case(Sphere131072, 80, Grid, Threads, 15),
        case(Foam29, 10, Grid, Fast, 15),
        case(Foam29, 80, Grid, Fast, 5),
        case(Foam121, 80, Grid, Fast, 3),
        case(Foam490, 10, Grid, Fast, 5),
        case(Foam490, 20, Grid, Expansions, 3),
        case(Foam490, 80, Grid, Fast, 3),
        case(Foam490, 80, Shuffled, Fast, 3),
        case(Foam490, 80, Grid, Threads, 15),
    ]
}

/// One round of a thousand points, to show that everything works.
pub fn tiny() -> Vec<Case> {
    let case = |workload, order, field| Case { workload, side: 10, order, field, rounds: 1 };
    vec![
        case(Workload::Sphere512, Order::Grid, Field::Everyone),
        case(Workload::Foam4, Order::Grid, Field::Everyone),
        case(Workload::Foam4, Order::Shuffled, Field::Fast),
        case(Workload::Foam4, Order::Grid, Field::Threads),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(side: usize, order: Order) -> Vec<Vector<3>> {
        let case =
            Case { workload: Workload::Sphere512, side, order, field: Field::Fast, rounds: 1 };
        case.points()
    }

    #[test]
    fn a_grid_goes_from_corner_to_corner_with_the_third_coordinate_fastest() {
        let grid = points(3, Order::Grid);
        assert_eq!(grid.len(), 27);
        assert_eq!(grid[0], Vector::from([-1.0, -1.0, -1.0]));
        assert_eq!(grid[1], Vector::from([-1.0, -1.0, 0.0]));
        assert_eq!(grid[26], Vector::from([1.0, 1.0, 1.0]));
    }

    #[test]
    fn shuffled_points_are_those_of_the_grid_in_another_order() {
        let (grid, mut shuffled) = (points(5, Order::Grid), points(5, Order::Shuffled));
        assert_ne!(grid, shuffled);
        assert_eq!(shuffled, points(5, Order::Shuffled));
        shuffled.sort_by(|a, b| a.as_slice().partial_cmp(b.as_slice()).unwrap());
        assert_eq!(grid, shuffled);
    }

    #[test]
    fn meshes_have_about_as_many_triangles_as_their_names_say() {
        for (workload, count) in [(Workload::Sphere512, 512.0), (Workload::Foam4, 4_000.0)] {
            let made = workload.mesh().unwrap().triangles().len() as f64;
            assert!((made / count - 1.0).abs() < 0.1, "{workload:?}: {made}");
        }
    }
}
