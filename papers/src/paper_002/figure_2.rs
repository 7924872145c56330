//! Figure 2: the time of a search over the number of particles, in 2D and 3D.
//!
//! The figure is printed without a table of its points, so that its curves are compared by what
//! the text says of them and by the growth that geometry lets expect. The Linked Cell Method runs
//! on the particles of test A: their largest diameter just allows cells of one particle
//! (equation 2 of the paper).

use super::particles::DiameterTest;
use super::search_measurement::{SearchMeasurement, search};
use super::theory::{self, OriginPlacement};
use crate::fit;
use crate::measure::Stopwatch;
use crate::{PaperProgress, Settings};
use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::geometry::Aabb;
use carom::{BroadPhaseMethod, Sphere};
use std::fmt;

/// A curve of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchCurveKind {
    /// The paper's algorithm.
    DistanceSort(DiameterTest),
    /// Linked cells with this many particles per cell on average, on the particles of test A.
    LinkedCells(u32),
    /// Carom's own choice.
    Auto(DiameterTest),
}

impl SearchCurveKind {
    /// The paper's six curves, and two of carom's own choice.
    pub const ALL: [SearchCurveKind; 8] = [
        SearchCurveKind::DistanceSort(DiameterTest::A),
        SearchCurveKind::DistanceSort(DiameterTest::B),
        SearchCurveKind::DistanceSort(DiameterTest::C),
        SearchCurveKind::LinkedCells(1),
        SearchCurveKind::LinkedCells(5),
        SearchCurveKind::LinkedCells(10),
        SearchCurveKind::Auto(DiameterTest::A),
        SearchCurveKind::Auto(DiameterTest::B),
    ];

    /// Which particles it is run on.
    pub fn test(self) -> DiameterTest {
        match self {
            SearchCurveKind::DistanceSort(test) | SearchCurveKind::Auto(test) => test,
            SearchCurveKind::LinkedCells(_) => DiameterTest::A,
        }
    }

    /// The power of the number of particles with which its work is expected to grow.
    pub fn expected_exponent(self, dimension: usize) -> f64 {
        match self {
            SearchCurveKind::DistanceSort(_) => theory::distance_sort_exponent(dimension),
            SearchCurveKind::LinkedCells(_) | SearchCurveKind::Auto(_) => 1.0,
        }
    }

    fn method<const D: usize>(self, spheres: &[Sphere<D>]) -> BroadPhaseMethod<D> {
        match self {
            SearchCurveKind::DistanceSort(_) => {
                BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Corner)
            }
            SearchCurveKind::LinkedCells(mean) => {
                BroadPhaseMethod::LinkedCells(cells(spheres, mean as f64))
            }
            SearchCurveKind::Auto(_) => BroadPhaseMethod::Auto,
        }
    }

    /// About how long one search takes, in seconds.
    fn rough_seconds(self, dimension: usize, count: usize) -> f64 {
        let sorting = count as f64 * 1e-7;
        match self {
            SearchCurveKind::DistanceSort(test) => {
                let tests =
                    theory::distance_sort_tests(test, dimension, count, OriginPlacement::Corner);
                sorting + tests * 2e-9
            }
            SearchCurveKind::LinkedCells(_) | SearchCurveKind::Auto(_) => sorting,
        }
    }
}

impl fmt::Display for SearchCurveKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchCurveKind::DistanceSort(test) => write!(formatter, "distance sort {test}"),
            SearchCurveKind::LinkedCells(mean) => write!(formatter, "LCM {mean}"),
            SearchCurveKind::Auto(test) => write!(formatter, "auto {test}"),
        }
    }
}

/// One of the two panels.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTimePanel {
    /// 2 or 3.
    pub dimension: usize,
    /// One curve for each of [`SearchCurveKind::ALL`], in that order.
    pub curves: Vec<SearchTimeCurve>,
}

/// A curve and its points, from few particles to many.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTimeCurve {
    /// What was measured.
    pub kind: SearchCurveKind,
    /// At each number of particles.
    pub points: Vec<SearchTimePoint>,
}

/// A search of this many particles.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTimePoint {
    /// How many particles.
    pub count: usize,
    /// What the search cost and found.
    pub measurement: SearchMeasurement,
}

impl SearchTimePanel {
    /// The curve of a line, if it was measured.
    pub fn curve(&self, line: SearchCurveKind) -> Option<&SearchTimeCurve> {
        self.curves.iter().find(|curve| curve.kind == line)
    }
}

impl SearchTimeCurve {
    /// The fitted power with which the time grows.
    pub fn time_exponent(&self) -> Option<f64> {
        fit::upper_exponent(&self.times())
    }

    /// The fitted power with which the number of pair tests grows.
    pub fn test_exponent(&self) -> Option<f64> {
        let tests = self
            .points
            .iter()
            .map(|point| (point.count as f64, point.measurement.pair_tests as f64));
        fit::upper_exponent(&tests.collect::<Vec<_>>())
    }

    /// Number of particles and milliseconds.
    pub fn times(&self) -> Vec<(f64, f64)> {
        self.points
            .iter()
            .map(|point| (point.count as f64, point.measurement.milliseconds))
            .collect()
    }

    /// The point of the most particles, if there is any.
    pub fn last(&self) -> Option<&SearchTimePoint> {
        self.points.last()
    }
}

/// The numbers of particles: a hundred to a million, or to ten thousand in a quick run.
pub fn counts(settings: &Settings) -> Vec<usize> {
    let highest = if settings.quick { 10_000 } else { 1_000_000 };
    let decades = (2..=6).map(|power| 10usize.pow(power));
    decades.flat_map(|count| [count, 3 * count]).filter(|&count| count <= highest).collect()
}

/// About how many seconds both panels take.
pub(super) fn cost(counts: &[usize], stopwatch: &Stopwatch) -> f64 {
    let points = || {
        SearchCurveKind::ALL.iter().flat_map(|line| counts.iter().map(move |&count| (line, count)))
    };
    points().map(|(line, count)| point_cost(*line, 2, count, stopwatch)).sum::<f64>()
        + points().map(|(line, count)| point_cost(*line, 3, count, stopwatch)).sum::<f64>()
}

fn point_cost(line: SearchCurveKind, dimension: usize, count: usize, stopwatch: &Stopwatch) -> f64 {
    line.rough_seconds(dimension, count).max(stopwatch.time_budget().as_secs_f64())
}

/// Measures a panel.
pub fn measure<const D: usize>(
    counts: &[usize],
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> SearchTimePanel {
    let curve = |line: SearchCurveKind| {
        let points = counts.iter().map(|&count| {
            let name = format!("figure 2 in {D}D, {line}, {count} particles");
            progress.step(&name, point_cost(line, D, count, stopwatch));
            point::<D>(line, count, stopwatch)
        });
        SearchTimeCurve { kind: line, points: points.collect() }
    };
    SearchTimePanel { dimension: D, curves: SearchCurveKind::ALL.map(curve).into() }
}

fn point<const D: usize>(
    line: SearchCurveKind,
    count: usize,
    stopwatch: &Stopwatch,
) -> SearchTimePoint {
    let spheres = line.test().particles::<D>(count);
    let method = line.method(&spheres);
    SearchTimePoint { count, measurement: search(&spheres, method, stopwatch) }
}

/// Cells with about `mean` particles each, but none narrower than the largest particle
/// (equation 2 of the paper).
///
/// The cells are laid over the centers, which do not quite fill the box; without the bound a cell
/// meant to be just as wide as the largest particle would be a hair too narrow.
fn cells<const D: usize>(spheres: &[Sphere<D>], mean: f64) -> CellSize {
    let count = spheres.len() as f64;
    let region = spheres
        .iter()
        .fold(Aabb::empty(), |region: Aabb<D>, sphere| region.including(&sphere.center));
    let longest = region.size().max();
    let diameter = spheres.iter().map(|sphere| 2.0 * sphere.radius).fold(0.0, f64::max);
    let wanted = (count / mean).powf(1.0 / D as f64).round();
    let allowed = (longest / (diameter * (1.0 + 1e-5))).floor();
    CellSize::MeanNumber(count / wanted.min(allowed).max(1.0).powi(D as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_002::search_measurement::count;

    #[test]
    fn a_quick_run_stops_at_ten_thousand() {
        let quick = counts(&Settings { quick: true });
        assert_eq!(quick, [100, 300, 1000, 3000, 10_000]);
        assert_eq!(counts(&Settings { quick: false }).last(), Some(&1_000_000));
    }

    fn test_exponent<const D: usize>(line: SearchCurveKind) -> f64 {
        let points: Vec<_> = [1000, 3000, 10_000, 30_000]
            .into_iter()
            .map(|number| {
                let spheres = line.test().particles::<D>(number);
                let tests = count(&spheres, line.method(&spheres)).pair_tests;
                (number as f64, tests as f64)
            })
            .collect();
        fit::exponent(&points).unwrap()
    }

    #[test]
    fn tests_of_the_distance_sort_grow_as_geometry_says() {
        for test in DiameterTest::ALL {
            let line = SearchCurveKind::DistanceSort(test);
            let (plane, space) = (test_exponent::<2>(line), test_exponent::<3>(line));
            assert!((plane - 1.5).abs() < 0.02, "{test}: {plane}");
            assert!((space - 5.0 / 3.0).abs() < 0.02, "{test}: {space}");
        }
    }

    /// Pair tests per particle and mean number in a cell, in units of the paper's formula.
    fn cell_tests<const D: usize>(mean: u32, stencil: f64) -> f64 {
        let spheres = DiameterTest::A.particles::<D>(100_000);
        let method = SearchCurveKind::LinkedCells(mean).method(&spheres);
        count(&spheres, method).pair_tests as f64 / (1e5 * mean as f64 * stencil)
    }

    #[test]
    fn linked_cells_test_as_many_pairs_as_the_paper_says() {
        for mean in [1, 5, 10] {
            let plane = cell_tests::<2>(mean, 4.5);
            let space = cell_tests::<3>(mean, 13.5);
            assert!((0.93..1.07).contains(&plane), "{mean}: {plane}");
            // Fewer cells along a side: more of them are at the sides of the box.
            assert!((0.85..1.1).contains(&space), "{mean}: {space}");
        }
    }
}
