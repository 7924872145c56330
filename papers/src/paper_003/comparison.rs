//! Figures 7 to 10 and 12 to 15: every approach on every mesh and every grid of points.

use super::accuracy::largest_error;
use super::approach::{APPROACHES, Approach, PreparedApproach};
use super::bodies::{MeshSeries, points, spread_indices};
use crate::PaperProgress;
use crate::measure::Stopwatch;
use crate::records::{Record, Records, record};
use carom::detect::inside::Containment;
use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;

/// Extent of the measurements.
#[derive(Clone, Copy, Debug)]
pub struct MeasurementBudget {
    /// Tests of a point against a triangle in one measurement; beyond, fewer points are asked for.
    pub tests: usize,
    /// Such tests to find the error of values.
    pub error_tests: usize,
}

impl MeasurementBudget {
    /// Points out of this many that an approach is asked for.
    fn queried_points(self, approach: &Approach, triangles: usize, points: usize) -> usize {
        if approach.tests_all { points.min((self.tests / triangles).max(1)) } else { points }
    }
}

/// Measures a body: a record for each mesh, approach and grid.
///
/// Times are seconds of the processor to prepare the mesh and for all points, extrapolated where fewer were asked for.
/// How good expansions are is looked at for each grid, or with the largest alone for a depth that does not know the
/// points.
pub fn measure(
    body: MeshSeries,
    meshes: &[TriangleMesh],
    grids: &[usize],
    budget: MeasurementBudget,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let all_points: Vec<_> = grids.iter().map(|&per_axis| points(per_axis)).collect();
    let mut cases = Records::default();
    for mesh in meshes {
        let triangles = mesh.triangles().len();
        let mut workbench = Workbench { mesh, budget, stopwatch, by_cells: Vec::new() };
        for approach in &APPROACHES {
            let mut prepared = None;
            for (grid, points) in all_points.iter().enumerate() {
                let name = format!("{}³", grids[grid]);
                let step =
                    format!("{body} of {triangles} triangles, {name} points, {}", approach.name);
                progress.step(&step);
                // A depth that does not know the points is prepared once for all grids.
                let (test, setup) = match prepared.take() {
                    Some(earlier) if !approach.knows_points => earlier,
                    _ => stopwatch.timed(|| (approach.prepare)(mesh, points.len())),
                };
                let names = record! {
                    "body": body.to_string(), "method": approach.name, "grid": name,
                };
                let is_examined = approach.knows_points || grid + 1 == grids.len();
                let expansions = test.expansions().filter(|_| is_examined);
                let case = workbench.ask(approach, (&test, setup), grid, points);
                let accuracy = largest_error(expansions, mesh, points, budget.error_tests);
                cases.extend([names.and(case).and(accuracy)]);
                prepared = Some((test, setup));
            }
        }
    }
    cases
}

/// One mesh under measurement.
struct Workbench<'a> {
    mesh: &'a TriangleMesh,
    budget: MeasurementBudget,
    stopwatch: &'a Stopwatch,
    /// The sides of all points of each grid by cells, which are asked first.
    by_cells: Vec<Vec<Containment>>,
}

impl Workbench<'_> {
    /// Times and answers of an approach, prepared in these seconds, on the points of a grid.
    fn ask(
        &mut self,
        approach: &Approach,
        (prepared, setup): (&PreparedApproach, f64),
        grid: usize,
        points: &[Vector<3>],
    ) -> Record {
        let triangles = self.mesh.triangles().len();
        let count = self.budget.queried_points(approach, triangles, points.len());
        let numbers = spread_indices(points.len(), count);
        let asked: Vec<_> = numbers.iter().map(|&number| points[number]).collect();
        let test = prepared.test();
        let (sides, seconds) = self.stopwatch.timed(|| test.classify_all(&asked));
        // Cells are asked first.
        if self.by_cells.len() == grid {
            self.by_cells.push(sides.clone());
        }
        let by_cells = numbers.iter().map(|&number| self.by_cells[grid][number]);
        let evaluation = seconds * points.len() as f64 / asked.len() as f64;
        let times = record! {
            "points": points.len(), "triangles": triangles, "setup seconds": setup,
            "evaluation seconds": evaluation, "total seconds": setup + evaluation,
            "extrapolated": if asked.len() < points.len() { "yes" } else { "no" },
        };
        times.and(answers(sides.into_iter().zip(by_cells)))
    }
}

/// Counts answers: pairs of the side by an approach and that by cells. A contrary one is inside here and outside by
/// cells or the other way round.
fn answers(sides: impl Iterator<Item = (Containment, Containment)>) -> Record {
    let [mut asked, mut inside, mut surface, mut contrary, mut doubtful] = [0usize; 5];
    for (here, by_cells) in sides {
        asked += 1;
        inside += usize::from(here == Containment::Inside);
        surface += usize::from(here == Containment::Surface);
        if here != by_cells {
            let is_doubtful = here == Containment::Surface || by_cells == Containment::Surface;
            doubtful += usize::from(is_doubtful);
            contrary += usize::from(!is_doubtful);
        }
    }
    record! {
        "points asked for": asked, "inside": inside, "on the surface": surface,
        "contrary to cells": contrary, "on the surface by one only": doubtful,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::geometry::mesh::octahedron_sphere;

    #[test]
    fn all_approaches_find_the_same_sides_of_a_sphere_within_their_bounds() {
        let budget = MeasurementBudget { tests: 100_000, error_tests: 100_000 };
        let meshes = [octahedron_sphere(1), octahedron_sphere(3)];
        let mut on_progress = |_: &str, _: f64| {};
        let mut progress = PaperProgress::new(1, &mut on_progress);
        let sphere = MeshSeries::Sphere;
        let cases = measure(sphere, &meshes, &[5, 8], budget, &Stopwatch::new(0), &mut progress);
        assert_eq!(cases.len(), 24);
        for case in cases.iter() {
            assert_eq!(case.number("contrary to cells"), 0.0, "{case:?}");
            let tests_all = ["ray crossing", "direct sum"].contains(&case.text("method").as_str());
            let is_long = tests_all && case.number("triangles") * case.number("points") > 1e5;
            assert_eq!(case.text("extrapolated") == "yes", is_long, "{case:?}");
            assert!(case.number("inside") > 0.0 && case.number("evaluation seconds") > 0.0);
        }
        let expanded = cases.iter().filter(|case| !case.number("degree").is_nan());
        let errors = expanded.map(|case| case.number("largest error") / case.number("bound"));
        let errors: Vec<f64> = errors.collect();
        assert!(errors.len() == 6 && errors.iter().all(|&part| part <= 1.0), "{errors:?}");
    }

    #[test]
    fn disagreement_is_counted() {
        use Containment::{Inside, Outside, Surface};
        let pairs = [(Inside, Inside), (Inside, Outside), (Surface, Inside), (Surface, Surface)];
        let counted = answers(pairs.into_iter());
        let counts = counted.names().iter().map(|name| counted.number(name)).collect::<Vec<_>>();
        assert_eq!(counts, [4.0, 2.0, 2.0, 1.0, 1.0]);
    }
}
