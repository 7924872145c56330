//! Figure 2: the time of a search over the number of particles, in 2D and 3D.
//!
//! The figure is printed without a table of its points, so that its curves are compared by what
//! the text says of them and by the growth that geometry lets expect. The Linked Cell Method runs
//! on the particles of test A: their largest diameter just allows cells of one particle
//! (equation 2 of the paper).

use super::particles::{DiameterTest, TESTS};
use super::search_measurement::search;
use super::theory;
use crate::PaperProgress;
use crate::measure::Stopwatch;
use crate::records::{Records, record};
use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::geometry::Aabb;
use carom::{BroadPhaseMethod, Sphere};

/// A curve of the figure: its name, and the particles on which it is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchCurve {
    name: &'static str,
    test: DiameterTest,
    method: SearchMethod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchMethod {
    /// The paper's algorithm.
    DistanceSort,
    /// Linked cells with this many particles per cell on average.
    LinkedCells(u32),
    /// Carom's own choice.
    Auto,
}

const fn curve(name: &'static str, test: usize, method: SearchMethod) -> SearchCurve {
    SearchCurve { name, test: TESTS[test], method }
}

/// The paper's six curves, and two of carom's own choice.
pub(super) const CURVES: [SearchCurve; 8] = [
    curve("distance sort A", 0, SearchMethod::DistanceSort),
    curve("distance sort B", 1, SearchMethod::DistanceSort),
    curve("distance sort C", 2, SearchMethod::DistanceSort),
    curve("LCM 1", 0, SearchMethod::LinkedCells(1)),
    curve("LCM 5", 0, SearchMethod::LinkedCells(5)),
    curve("LCM 10", 0, SearchMethod::LinkedCells(10)),
    curve("auto A", 0, SearchMethod::Auto),
    curve("auto B", 1, SearchMethod::Auto),
];

impl SearchCurve {
    fn method<const D: usize>(self, spheres: &[Sphere<D>]) -> BroadPhaseMethod<D> {
        match self.method {
            SearchMethod::DistanceSort => {
                BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Corner)
            }
            SearchMethod::LinkedCells(mean) => {
                BroadPhaseMethod::LinkedCells(cells(spheres, f64::from(mean)))
            }
            SearchMethod::Auto => BroadPhaseMethod::Auto,
        }
    }
}

/// Measures a panel, curve by curve.
pub fn measure<const D: usize>(
    counts: &[usize],
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let mut panel = Records::default();
    for curve in CURVES {
        panel.extend(counts.iter().map(|&count| {
            let name = format!("figure 2 in {D}D, {}, {count} particles", curve.name);
            progress.step(&name);
            let spheres = curve.test.particles::<D>(count);
            let names = record! { "series": curve.name, "dimension": D, "particles": count };
            names.and(search(&spheres, curve.method(&spheres), stopwatch))
        }));
    }
    panel
}

/// Growth of each curve and its work at the most particles.
pub fn growth(panel: &Records) -> Records {
    let of_curve = |curve: &Records| {
        let last = curve.last()?;
        let (count, dimension) = (last.number("particles"), last.number("dimension"));
        let sort = last.text("series").starts_with("distance sort");
        Some(record! {
            "series": last.text("series"), "dimension": dimension,
            "expected exponent": if sort { theory::distance_sort_exponent(dimension) } else { 1.0 },
            "of pair tests": curve.power("particles", "pair tests"),
            "of time": curve.power("particles", "milliseconds"),
            "tests per particle": last.number("pair tests") / count,
            "ns per particle": last.number("milliseconds") * 1e6 / count,
        })
    };
    panel.each("series").iter().filter_map(of_curve).collect()
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

    fn counted<const D: usize>(counts: &[usize]) -> Records {
        let mut on_progress = |_: &str, _: f64| {};
        growth(&measure::<D>(
            counts,
            &Stopwatch::new(0),
            &mut PaperProgress::new(1, &mut on_progress),
        ))
    }

    #[test]
    fn tests_of_the_distance_sort_grow_as_geometry_says() {
        let counts = [1000, 3000, 10_000, 30_000];
        for curve in counted::<2>(&counts)[..3].iter().chain(&counted::<3>(&counts)[..3]) {
            let apart = curve.number("of pair tests") - curve.number("expected exponent");
            assert!(apart.abs() < 0.02, "{curve:?}");
        }
    }

    #[test]
    fn linked_cells_test_as_many_pairs_as_the_paper_says() {
        let (plane, space) = (counted::<2>(&[100_000]), counted::<3>(&[100_000]));
        for (number, mean) in [(3, 1.0), (4, 5.0), (5, 10.0)] {
            let plane = plane[number].number("tests per particle") / (4.5 * mean);
            let space = space[number].number("tests per particle") / (13.5 * mean);
            assert!((0.93..1.07).contains(&plane), "{mean}: {plane}");
            // Fewer cells along a side: more of them are at the sides of the box.
            assert!((0.85..1.1).contains(&space), "{mean}: {space}");
        }
    }
}
