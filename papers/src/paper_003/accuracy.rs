//! Equation 27: the error of the fast multipole method falls with the degree of the expansions.

use super::approach::expanded;
use super::bodies::points;
use super::expansion::ExpansionAccuracy;
use carom::detect::inside::{MultipoleAccuracy, OctreeDepth};
use carom::geometry::mesh::octahedron_sphere;

/// Degrees that are tried.
const DEGREES: [usize; 5] = [2, 4, 6, 8, 10];
/// The sphere is refined so often: 8,192 triangles.
const REFINEMENTS: u32 = 5;
/// Points along each axis from which some are taken.
const PER_AXIS: usize = 20;

/// The errors with expansions of several degrees on a sphere, its depth pre-chosen, at as many points
/// as this many tests of a point against a triangle allow.
pub fn measure(tests: usize) -> Vec<ExpansionAccuracy> {
    let mesh = octahedron_sphere(REFINEMENTS);
    let points = points(PER_AXIS);
    let row = |degree| {
        let multipole = expanded(&mesh, MultipoleAccuracy::Degree(degree), OctreeDepth::Triangles);
        ExpansionAccuracy::of(&multipole, &mesh, &points, tests)
    };
    DEGREES.map(row).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_degree_has_a_smaller_error_and_a_smaller_bound() {
        let rows = measure(2_000_000);
        assert!(rows.is_sorted_by(|a, b| a.largest_error > b.largest_error), "{rows:?}");
        assert!(rows.is_sorted_by(|a, b| a.bound > b.bound), "{rows:?}");
        assert!(rows.iter().all(|row| row.largest_error < row.bound), "{rows:?}");
    }
}
