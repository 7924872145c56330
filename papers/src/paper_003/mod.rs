//! Paper 003: B. Muth, G. Of, P. Eberhard and O. Steinbach, "Collision Detection for Complicated
//! Polyhedra Using the Fast Multipole Method or Ray Crossing", TU Graz, Bericht 2006/3.
//!
//! The paper tells whether points lie inside a polyhedron by the double layer potential of its surface,
//! evaluated by the fast multipole method (FMM), and sets the time against that of ray crossing.
//!
//! | experiment | of the paper | function |
//! |---|---|---|
//! | spheres of 8 to 131,072 triangles, 10³ to 80³ points | figures 7 to 10, table 2 | [`comparison::measure`] |
//! | foams of 29,000 to 494,000 triangles | figures 12 to 15 | [`comparison::measure`] |
//! | growth with triangles and points | table 1 | [`comparison::Comparison::growth_with_triangles`], [`comparison::Comparison::growth_with_points`] |
//! | from where on which method is faster | sections 3 and 4 | [`crossover::crossover_point`] |
//! | error over the degree of the expansions | equation 27 | [`accuracy::measure`] |
//!
//! Beside them, on the same axes: rays with a tree of boxes, and cells that carry their answer. Everything
//! runs on one thread. What the paper prints is in [`published`]; the page is `papers/pages/003.md`.

pub mod accuracy;
pub mod approach;
pub mod bodies;
pub mod comparison;
pub mod crossover;
pub mod expansion;
pub mod published;
mod report;
#[cfg(test)]
mod samples;
mod verdicts;

use crate::measure::Stopwatch;
use crate::{PaperProgress, PaperReport, Settings};
use approach::Approach;
use bodies::MeshSeries;
use carom::geometry::mesh::TriangleMesh;
use comparison::{Comparison, MeasurementBudget};
use expansion::ExpansionAccuracy;
use std::time::Duration;

/// All that was measured.
#[derive(Clone, Debug)]
pub struct PointInclusionResults {
    /// Of the sphere and of the foam.
    pub comparisons: [Comparison; 2],
    /// Errors over the degree.
    pub accuracy: Vec<ExpansionAccuracy>,
}

/// Measures everything and reports it.
///
/// `tell` is given the name of each step and the part done, from 0 to 1.
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(time_budget(settings));
    let (patience, grids) = (measurement_budget(settings), bodies::grids(settings));
    let series = MeshSeries::ALL.map(|body| body.meshes(settings));
    let accuracy_cost = 1.0;
    let meshes = || series.iter().flatten();
    let total: f64 = meshes().map(|mesh| cost(mesh, grids, patience)).sum();
    let mut progress = PaperProgress::new(total + accuracy_cost, tell);
    let mut compare = |body: MeshSeries, meshes: &[TriangleMesh]| {
        comparison::measure(body, meshes, grids, patience, &stopwatch, &mut progress)
    };
    let [spheres, foams] = &series;
    let comparisons = [compare(MeshSeries::Sphere, spheres), compare(MeshSeries::Foam, foams)];
    progress.step("errors over the degree", accuracy_cost);
    let accuracy = accuracy::measure(patience.error_tests);
    progress.finish();
    report::write(&PointInclusionResults { comparisons, accuracy }, settings)
}

/// For how long short work is repeated.
fn time_budget(settings: &Settings) -> Duration {
    Duration::from_millis(if settings.quick { 2 } else { 40 })
}

fn measurement_budget(settings: &Settings) -> MeasurementBudget {
    if settings.quick {
        MeasurementBudget { tests: 5_000_000, error_tests: 1_000_000 }
    } else {
        MeasurementBudget { tests: 100_000_000, error_tests: 20_000_000 }
    }
}

/// About how many seconds a mesh takes.
fn cost(mesh: &TriangleMesh, grids: &[usize], patience: MeasurementBudget) -> f64 {
    let triangles = mesh.triangles().len();
    let of = |approach| {
        grids.iter().map(move |grid: &usize| patience.cost(approach, triangles, grid.pow(3)))
    };
    Approach::ALL.into_iter().flat_map(of).sum()
}

#[cfg(test)]
mod tests;
