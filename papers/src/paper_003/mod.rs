//! Paper 003: B. Muth, G. Of, P. Eberhard and O. Steinbach, "Collision Detection for Complicated
//! Polyhedra Using the Fast Multipole Method or Ray Crossing", TU Graz, Bericht 2006/3.
//!
//! The paper decides whether points lie inside a polyhedron by the double layer potential of its surface,
//! evaluated by the fast multipole method (FMM), and sets the time against that of ray crossing.
//!
//! | experiment | of the paper | function |
//! |---|---|---|
//! | spheres of 8 to 131,072 triangles, 10³ to 80³ points | figures 7 to 10, table 2 | [`comparison::measure`] |
//! | foams of 29,000 to 494,000 triangles | figures 12 to 15 | [`comparison::measure`] |
//! | from where on which method is faster | sections 3 and 4 | [`crossover::crossover_point`] |
//! | error over the degree of the expansions | equation 27 | [`accuracy::measure`] |
//!
//! Beside them, on the same axes: rays with a tree of boxes, and cells that carry their answer. Everything
//! runs on one thread. The page is `papers/pages/003.md`, the rules of its verdicts are in `papers/pages/003.csv`.

pub mod accuracy;
pub mod approach;
pub mod bodies;
pub mod comparison;
pub mod crossover;
mod quantities;
mod report;

use crate::measure::Stopwatch;
use crate::{PaperProgress, PaperReport, Settings};
use approach::APPROACHES;
use bodies::MeshSeries;
use comparison::MeasurementBudget;

/// Measures everything and reports it.
pub fn run(settings: &Settings, on_progress: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(settings.either(2, 40));
    let budget = settings.either(
        MeasurementBudget { tests: 5_000_000, error_tests: 1_000_000 },
        MeasurementBudget { tests: 100_000_000, error_tests: 20_000_000 },
    );
    let grids = bodies::grids(settings);
    let bodies = MeshSeries::ALL.map(|body| (body, body.meshes(settings)));
    let meshes: usize = bodies.iter().map(|(_, meshes)| meshes.len()).sum();
    let mut progress = PaperProgress::new(meshes * grids.len() * APPROACHES.len() + 1, on_progress);
    let cases = bodies.map(|(body, meshes)| {
        comparison::measure(body, &meshes, grids, budget, &stopwatch, &mut progress)
    });
    progress.step("errors over the degree");
    let accuracy = accuracy::measure(budget.error_tests);
    progress.finish();
    report::write(&cases, accuracy, settings)
}

#[cfg(test)]
pub(crate) mod tests;
