//! Where to put the origin of the distance sort (step 1 of algorithm 1: all positions should have
//! the same sign as seen from it).

use super::particles::{TESTS, side};
use super::search_measurement;
use super::theory::{self, OriginPlacement, PLACEMENTS};
use crate::records::{Record, Records, record};
use carom::BroadPhaseMethod;
use carom::detect::broad::DistanceSortOrigin;
use carom::geometry::Vector;

/// Distance of a far origin, in sides of the box.
const FAR: f64 = 1000.0;

/// The tests needed from every origin on the particles of test A, counted and expected, in both dimensions.
pub fn measure(count: usize) -> Records {
    let plane = PLACEMENTS.map(|view| run::<2>(view, count));
    let space = PLACEMENTS.map(|view| run::<3>(view, count));
    let with_ratios = |[corner, run]: [&Record; 2]| {
        let ratio = |name: &str| run.number(name) / corner.number(name);
        run.clone().and(record! {
            "ratio to corner": ratio("pair tests"), "expected ratio": ratio("expected"),
        })
    };
    let with_corner = |runs: &[Record; 4]| runs.each_ref().map(|run| with_ratios([&runs[0], run]));
    [plane, space].iter().flat_map(with_corner).collect()
}

fn run<const D: usize>(view: OriginPlacement, count: usize) -> Record {
    let spheres = TESTS[0].particles::<D>(count);
    let method = BroadPhaseMethod::DistanceSort(origin(view, side(D, count)));
    record! {
        "origin": view.words, "dimension": D, "particles": count,
        "pair tests": search_measurement::count(&spheres, method).number("pair tests"),
        "expected": theory::distance_sort_tests(TESTS[0], D, count, view).round(),
    }
}

fn origin<const D: usize>(view: OriginPlacement, side: f64) -> DistanceSortOrigin<D> {
    match view.words {
        "center" => DistanceSortOrigin::Center,
        "far along the diagonal" => DistanceSortOrigin::Point(Vector::repeat(-FAR * side)),
        "far along an axis" => {
            let mut point = Vector::repeat(side / 2.0);
            point[0] = -FAR * side;
            DistanceSortOrigin::Point(point)
        }
        _ => DistanceSortOrigin::Corner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_tests_are_the_expected_ones() {
        for run in measure(30_000).iter() {
            let ratio = run.number("pair tests") / run.number("expected");
            assert!((ratio - 1.0).abs() < 0.05, "{ratio}: {run:?}");
        }
    }
}
