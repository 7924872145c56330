//! Figures 7 to 10 and 12 to 15: every approach on every mesh and every grid of points.

use super::approach::{Approach, PreparedApproach};
use super::bodies::{MeshSeries, points, spread_indices};
use super::expansion::ExpansionAccuracy;
use crate::measure::Stopwatch;
use crate::{PaperProgress, fit};
use carom::detect::inside::Containment;
use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;

/// All measurements on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The body.
    pub body: MeshSeries,
    /// Of its meshes, ascending.
    pub triangles: Vec<usize>,
    /// Of its grids, along each axis, ascending.
    pub grids: Vec<usize>,
    /// One for each mesh, approach and grid.
    pub cases: Vec<ApproachCase>,
}

/// One approach on one mesh and one grid of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproachCase {
    /// The approach.
    pub approach: Approach,
    /// Triangles of the mesh.
    pub triangles: usize,
    /// Points along each axis.
    pub per_axis: usize,
    /// Seconds of the processor to prepare the mesh.
    pub setup: f64,
    /// Seconds of the processor for all points, extrapolated where fewer were asked for.
    pub evaluation: f64,
    /// What was reported about the points asked for.
    pub answers: ContainmentAnswers,
    /// How good the expansions are, where there are any; for a depth that does not know the points,
    /// with the largest grid only.
    pub expansion: Option<ExpansionAccuracy>,
}

/// The sides of some points of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainmentAnswers {
    /// Points asked for.
    pub queried: usize,
    /// Of these, inside.
    pub inside: usize,
    /// Of these, on the surface.
    pub surface: usize,
    /// Of these, inside here and outside by cells, or the other way round.
    pub contradicting: usize,
    /// Of these, on the surface by one of the two, and not by the other.
    pub doubtful: usize,
}

impl ApproachCase {
    /// Points of the grid.
    pub fn points(&self) -> usize {
        self.per_axis.pow(3)
    }

    /// Seconds in all.
    pub fn total(&self) -> f64 {
        self.setup + self.evaluation
    }

    /// Whether the evaluation was measured at some of the points only.
    pub fn is_extrapolated(&self) -> bool {
        self.answers.queried < self.points()
    }
}

impl Comparison {
    /// One case, if it was measured.
    pub fn case(
        &self,
        approach: Approach,
        triangles: usize,
        per_axis: usize,
    ) -> Option<&ApproachCase> {
        self.cases.iter().find(|case| {
            case.approach == approach && case.triangles == triangles && case.per_axis == per_axis
        })
    }

    /// The cases of an approach on one grid, from coarse meshes to fine ones.
    pub fn curve(&self, approach: Approach, per_axis: usize) -> Vec<&ApproachCase> {
        let triangles = self.triangles.iter();
        triangles.filter_map(|&triangles| self.case(approach, triangles, per_axis)).collect()
    }

    /// Points along each axis of the smallest grid.
    pub fn smallest_grid(&self) -> usize {
        self.grids.first().copied().unwrap_or_default()
    }

    /// Points along each axis of the largest grid.
    pub fn largest_grid(&self) -> usize {
        self.grids.last().copied().unwrap_or_default()
    }

    /// The power of the number of triangles with which a figure grows on one grid.
    pub fn growth_with_triangles(
        &self,
        approach: Approach,
        per_axis: usize,
        figure: impl Fn(&ApproachCase) -> f64,
    ) -> Option<f64> {
        let curve = self.curve(approach, per_axis);
        let points: Vec<_> =
            curve.into_iter().map(|case| (case.triangles as f64, figure(case))).collect();
        fit::upper_exponent(&points)
    }

    /// The power of the number of points with which a figure grows on the finest mesh.
    pub fn growth_with_points(
        &self,
        approach: Approach,
        figure: impl Fn(&ApproachCase) -> f64,
    ) -> Option<f64> {
        let &finest = self.triangles.last()?;
        let cases = self.grids.iter().filter_map(|&grid| self.case(approach, finest, grid));
        let points: Vec<_> = cases.map(|case| (case.points() as f64, figure(case))).collect();
        fit::upper_exponent(&points)
    }
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct MeasurementBudget {
    /// Tests of a point against a triangle in one measurement; beyond, fewer points are asked for.
    pub tests: usize,
    /// Such tests to find the error of values.
    pub error_tests: usize,
}

impl MeasurementBudget {
    /// Points out of this many that an approach is asked for.
    fn queried_points(self, approach: Approach, triangles: usize, points: usize) -> usize {
        if approach.tests_all() { points.min((self.tests / triangles).max(1)) } else { points }
    }

    /// About how many seconds a case takes.
    pub(super) fn cost(self, approach: Approach, triangles: usize, points: usize) -> f64 {
        // Short work is repeated.
        0.1 + approach.rough_seconds(triangles, self.queried_points(approach, triangles, points))
    }
}

/// Measures a body.
pub fn measure(
    body: MeshSeries,
    meshes: &[TriangleMesh],
    grids: &[usize],
    patience: MeasurementBudget,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Comparison {
    let all_points: Vec<_> = grids.iter().map(|&per_axis| points(per_axis)).collect();
    let mut cases = Vec::new();
    for mesh in meshes {
        let triangles = mesh.triangles().len();
        let mut workbench = Workbench { mesh, budget: patience, stopwatch, by_cells: Vec::new() };
        for approach in Approach::ALL {
            let mut prepared = None;
            for (grid, points) in all_points.iter().enumerate() {
                let name =
                    format!("{body} of {triangles} triangles, {}³ points, {approach}", grids[grid]);
                progress.step(&name, patience.cost(approach, triangles, points.len()));
                // A depth that does not know the points is prepared once for all grids.
                let (test, setup) = match prepared.take() {
                    Some(earlier) if !approach.knows_points() => earlier,
                    _ => workbench.prepare(approach, points.len()),
                };
                let mut case = workbench.ask(approach, &test, grid, points);
                (case.per_axis, case.setup) = (grids[grid], setup);
                if approach.knows_points() || grid + 1 == grids.len() {
                    case.expansion = workbench.expansion(&test, points);
                }
                cases.push(case);
                prepared = Some((test, setup));
            }
        }
    }
    let triangles = meshes.iter().map(|mesh| mesh.triangles().len()).collect();
    Comparison { body, triangles, grids: grids.to_vec(), cases }
}

/// One mesh under measurement.
struct Workbench<'a> {
    mesh: &'a TriangleMesh,
    budget: MeasurementBudget,
    stopwatch: &'a Stopwatch,
    /// The sides of all points of each grid.
    by_cells: Vec<Vec<Containment>>,
}

impl Workbench<'_> {
    fn prepare(&self, approach: Approach, points: usize) -> (PreparedApproach, f64) {
        timed(self.stopwatch, || approach.prepare(self.mesh, points))
    }

    /// A case without its grid and its preparation.
    fn ask(
        &mut self,
        approach: Approach,
        prepared: &PreparedApproach,
        grid: usize,
        points: &[Vector<3>],
    ) -> ApproachCase {
        let triangles = self.mesh.triangles().len();
        let numbers = spread_indices(
            points.len(),
            self.budget.queried_points(approach, triangles, points.len()),
        );
        let asked: Vec<_> = if numbers.len() == points.len() {
            points.to_vec()
        } else {
            numbers.iter().map(|&number| points[number]).collect()
        };
        let test = prepared.test();
        let (sides, seconds) = timed(self.stopwatch, || test.classify_all(&asked));
        if approach == Approach::Cells {
            self.by_cells.push(sides.clone());
        }
        let by_cells = &self.by_cells[grid];
        let answers = if asked.len() == points.len() {
            ContainmentAnswers::of(sides.iter().copied().zip(by_cells.iter().copied()))
        } else {
            ContainmentAnswers::of(
                sides.iter().copied().zip(numbers.iter().map(|&number| by_cells[number])),
            )
        };
        ApproachCase {
            approach,
            triangles,
            per_axis: 0,
            setup: 0.0,
            evaluation: seconds * points.len() as f64 / asked.len() as f64,
            answers,
            expansion: None,
        }
    }

    fn expansion(
        &self,
        prepared: &PreparedApproach,
        points: &[Vector<3>],
    ) -> Option<ExpansionAccuracy> {
        let PreparedApproach::Expanded(multipole) = prepared else { return None };
        Some(ExpansionAccuracy::of(multipole, self.mesh, points, self.budget.error_tests))
    }
}

impl ContainmentAnswers {
    /// Of pairs of sides: here and by cells.
    fn of(sides: impl Iterator<Item = (Containment, Containment)>) -> Self {
        let mut answers = ContainmentAnswers::default();
        for (here, by_cells) in sides {
            answers.queried += 1;
            answers.inside += usize::from(here == Containment::Inside);
            answers.surface += usize::from(here == Containment::Surface);
            if here != by_cells {
                let doubtful = here == Containment::Surface || by_cells == Containment::Surface;
                answers.doubtful += usize::from(doubtful);
                answers.contradicting += usize::from(!doubtful);
            }
        }
        answers
    }
}

fn timed<T: Send>(stopwatch: &Stopwatch, mut work: impl FnMut() -> T + Send) -> (T, f64) {
    let mut result = None;
    let time = stopwatch.shortest(|| result = Some(work()));
    (result.expect("work is done at least once"), time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::geometry::mesh::octahedron_sphere;
    use std::time::Duration;

    fn small() -> Comparison {
        let patience = MeasurementBudget { tests: 100_000, error_tests: 100_000 };
        let meshes = [octahedron_sphere(1), octahedron_sphere(3)];
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let mut tell = |_: &str, _: f64| {};
        let mut progress = PaperProgress::new(1.0, &mut tell);
        measure(MeshSeries::Sphere, &meshes, &[5, 8], patience, &stopwatch, &mut progress)
    }

    #[test]
    fn all_approaches_tell_the_same_sides_of_a_sphere() {
        let comparison = small();
        assert_eq!(comparison.cases.len(), 24);
        for case in &comparison.cases {
            assert_eq!(case.answers.contradicting, 0, "{case:?}");
            let is_long = case.approach.tests_all() && case.triangles * case.points() > 100_000;
            assert_eq!(case.is_extrapolated(), is_long, "{case:?}");
            assert!(case.answers.inside > 0 && case.evaluation > 0.0, "{case:?}");
        }
    }

    #[test]
    fn errors_of_expansions_stay_below_their_bounds() {
        let comparison = small();
        let expansions: Vec<_> =
            comparison.cases.iter().filter_map(|case| case.expansion).collect();
        assert_eq!(expansions.len(), 6);
        assert!(expansions.iter().all(|found| found.largest_error <= found.bound));
    }

    #[test]
    fn disagreement_is_counted() {
        use Containment::{Inside, Outside, Surface};
        let pairs = [(Inside, Inside), (Inside, Outside), (Surface, Inside), (Surface, Surface)];
        let answers = ContainmentAnswers::of(pairs.into_iter());
        let expected =
            ContainmentAnswers { queried: 4, inside: 2, surface: 2, contradicting: 1, doubtful: 1 };
        assert_eq!(answers, expected);
    }
}
