//! Where to put the origin of the distance sort (step 1 of algorithm 1: all positions should have
//! the same sign as seen from it).

use super::particles::{DiameterTest, side};
use super::search_measurement;
use super::theory::{self, OriginPlacement};
use carom::BroadPhaseMethod;
use carom::detect::broad::DistanceSortOrigin;
use carom::geometry::Vector;

/// The tests needed from one origin, on the particles of test A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OriginRun {
    /// 2 or 3.
    pub dimension: usize,
    /// Where the origin is.
    pub placement: OriginPlacement,
    /// How many particles.
    pub count: usize,
    /// Pair tests, counted.
    pub pair_tests: u64,
    /// Pair tests, expected.
    pub expected_tests: f64,
}

const PLACEMENTS: [OriginPlacement; 4] = [
    OriginPlacement::Corner,
    OriginPlacement::Center,
    OriginPlacement::FarDiagonal,
    OriginPlacement::FarAxis,
];
/// How many sides of the box away an origin is far.
const FAR: f64 = 1000.0;

/// Counts the tests from every origin in both dimensions.
pub fn measure(count: usize) -> Vec<OriginRun> {
    let plane = PLACEMENTS.map(|view| run::<2>(view, count));
    let space = PLACEMENTS.map(|view| run::<3>(view, count));
    plane.into_iter().chain(space).collect()
}

fn run<const D: usize>(view: OriginPlacement, count: usize) -> OriginRun {
    let spheres = DiameterTest::A.particles::<D>(count);
    let method = BroadPhaseMethod::DistanceSort(origin(view, side(D, count)));
    OriginRun {
        dimension: D,
        placement: view,
        count,
        pair_tests: search_measurement::count(&spheres, method).pair_tests,
        expected_tests: theory::distance_sort_tests(DiameterTest::A, D, count, view),
    }
}

fn origin<const D: usize>(view: OriginPlacement, side: f64) -> DistanceSortOrigin<D> {
    match view {
        OriginPlacement::Corner => DistanceSortOrigin::Corner,
        OriginPlacement::Center => DistanceSortOrigin::Center,
        OriginPlacement::FarDiagonal => DistanceSortOrigin::Point(Vector::repeat(-FAR * side)),
        OriginPlacement::FarAxis => {
            let mut point = Vector::repeat(side / 2.0);
            point[0] = -FAR * side;
            DistanceSortOrigin::Point(point)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_tests_are_the_expected_ones() {
        for run in measure(30_000) {
            let ratio = run.pair_tests as f64 / run.expected_tests;
            assert!((ratio - 1.0).abs() < 0.05, "{ratio}: {run:?}");
        }
    }
}
