//! Where to put the origin of the distance sort (step 1 of algorithm 1: all positions should have
//! the same sign as seen from it).

use super::particles::{Test, side};
use super::searched;
use super::theory::{self, View};
use carom::Method;
use carom::detect::broad::Origin;
use carom::geometry::Vector;

/// The tests needed from one origin, on the particles of test A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OriginRun {
    /// 2 or 3.
    pub dimension: usize,
    /// Where the origin is.
    pub view: View,
    /// How many particles.
    pub count: usize,
    /// Pair tests, counted.
    pub pair_tests: u64,
    /// Pair tests, expected.
    pub expected_tests: f64,
}

const VIEWS: [View; 4] = [View::Corner, View::Center, View::FarDiagonal, View::FarAxis];
/// How many sides of the box away an origin is far.
const FAR: f64 = 1000.0;

/// Counts the tests from every origin in both dimensions.
pub fn measure(count: usize) -> Vec<OriginRun> {
    let plane = VIEWS.map(|view| run::<2>(view, count));
    let space = VIEWS.map(|view| run::<3>(view, count));
    plane.into_iter().chain(space).collect()
}

fn run<const D: usize>(view: View, count: usize) -> OriginRun {
    let spheres = Test::A.particles::<D>(count);
    let method = Method::DistanceSort(origin(view, side(D, count)));
    OriginRun {
        dimension: D,
        view,
        count,
        pair_tests: searched::count(&spheres, method).pair_tests,
        expected_tests: theory::distance_sort_tests(Test::A, D, count, view),
    }
}

fn origin<const D: usize>(view: View, side: f64) -> Origin<D> {
    match view {
        View::Corner => Origin::Corner,
        View::Center => Origin::Center,
        View::FarDiagonal => Origin::Point(Vector::repeat(-FAR * side)),
        View::FarAxis => {
            let mut point = Vector::repeat(side / 2.0);
            point[0] = -FAR * side;
            Origin::Point(point)
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
