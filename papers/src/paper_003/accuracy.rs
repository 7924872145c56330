//! Differences of a multipole method's values from the sum over all triangles; equation 27: the error falls with the
//! degree of the expansions.

use super::approach::expanded;
use super::bodies::{points, spread_indices};
use crate::records::{Record, Records, record};
use carom::detect::inside::{DoubleLayer, FillRule, Multipole, MultipoleAccuracy, OctreeDepth};
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};

/// Degrees that are tried.
const DEGREES: [usize; 5] = [2, 4, 6, 8, 10];
/// The sphere is refined so often: 8,192 triangles.
const REFINEMENTS: u32 = 5;
/// Points along each axis from which some are taken.
const PER_AXIS: usize = 20;
/// Enough points to find a largest error, if they cost little.
const MOST_POINTS: usize = 2000;

/// The errors with expansions of several degrees on a sphere, its depth pre-chosen, at as many points
/// as this many tests of a point against a triangle allow.
pub fn measure(tests: usize) -> Records {
    let mesh = octahedron_sphere(REFINEMENTS);
    let points = points(PER_AXIS);
    let row = |degree| {
        let multipole = expanded(&mesh, MultipoleAccuracy::Degree(degree), OctreeDepth::Triangles);
        largest_error(Some(&multipole), &mesh, &points, tests)
    };
    DEGREES.map(row).into_iter().collect()
}

/// The degree of expansions, what no error exceeds, and the largest error at some of the points; empty cells without
/// expansions.
pub(super) fn largest_error(
    multipole: Option<&Multipole>,
    mesh: &TriangleMesh,
    points: &[Vector<3>],
    tests: usize,
) -> Record {
    let error = multipole.map(|multipole| {
        let exact = DoubleLayer::new(mesh, FillRule::EvenOdd);
        let count = (tests / mesh.triangles().len()).clamp(1, MOST_POINTS);
        let numbers = spread_indices(points.len(), count);
        let error = |&number: &usize| {
            let point = &points[number];
            (multipole.winding_number(point) - exact.winding_number(point)).abs()
        };
        (numbers.iter().map(error).fold(0.0, f64::max), numbers.len())
    });
    record! {
        "degree": multipole.map(Multipole::degree), "bound": multipole.map(Multipole::error_bound),
        "largest error": error.map(|error| error.0), "measured at": error.map(|error| error.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_degree_has_a_smaller_error_and_a_smaller_bound() {
        let rows = measure(2_000_000);
        let falls = |name: &'static str| rows.numbers(name).is_sorted_by(|a, b| a > b);
        assert!(falls("largest error") && falls("bound"), "{rows:?}");
        assert!(rows.iter().all(|row| row.number("largest error") < row.number("bound")));
    }
}
