//! How far the values of a multipole method are from the sum over all triangles, beside their bound.

use super::bodies::spread_indices;
use carom::detect::inside::{DoubleLayer, FillRule, Multipole};
use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;

/// The values of a multipole method against the sum over all triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpansionAccuracy {
    /// Degree of the expansions.
    pub degree: usize,
    /// What no error exceeds.
    pub bound: f64,
    /// The largest error found,
    pub largest_error: f64,
    /// at this many points.
    pub points: usize,
}

/// Enough points to find a largest error, if they cost little.
const MOST_ERROR_POINTS: usize = 2000;

impl ExpansionAccuracy {
    /// Compares values at some of the points with the sum over all triangles.
    pub(super) fn of(
        multipole: &Multipole,
        mesh: &TriangleMesh,
        points: &[Vector<3>],
        tests: usize,
    ) -> Self {
        let exact = DoubleLayer::new(mesh, FillRule::EvenOdd);
        let count = (tests / mesh.triangles().len()).clamp(1, MOST_ERROR_POINTS);
        let numbers = spread_indices(points.len(), count);
        let errors = numbers.iter().map(|&number| {
            let point = &points[number];
            (multipole.winding_number(point) - exact.winding_number(point)).abs()
        });
        ExpansionAccuracy {
            degree: multipole.degree(),
            bound: multipole.error_bound(),
            largest_error: errors.fold(0.0, f64::max),
            points: numbers.len(),
        }
    }
}
