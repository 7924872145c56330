//! Paper 001: A. Schinner on the collision detection of polyhedra: bounding boxes kept sorted, and closest
//! features tracked from step to step, after D. Baraff and M. C. Lin (1993).
//!
//! The paper claims a run time that grows with the number of particles and depends on neither their shape
//! nor how many faces they have.
//!
//! | experiment | of the paper | function |
//! |---|---|---|
//! | iterations and time of a query over the number of faces | table of "Real simulations", figure 6 | [`pair_table::measure`] |
//! | the rotation per step that the printed table lets expect | not stated | [`rotation::largest`] |
//! | many tumbling polyhedra, boxes and distances | run time of O(N) | [`crowd::measure`] |
//!
//! Everything runs on one thread. The printed table is in [`published`]; the page is `papers/pages/001.md`.

pub mod crowd;
pub mod pair_table;
pub mod published;
mod report;
pub mod rotation;
mod verdicts;

use crate::measure::Stopwatch;
use crate::{PaperProgress, PaperReport, Settings};
use carom::detect::broad::BucketDivision;
use crowd::CrowdCurve;
use pair_table::PairTable;
use std::time::Duration;

/// All that was measured.
#[derive(Clone, Debug)]
pub struct PolyhedronDistanceResults {
    /// At half a degree per step.
    pub half_degree: PairTable,
    /// At the rotation per step that the printed table lets expect.
    pub implied: PairTable,
    /// Many bodies.
    pub crowds: Vec<CrowdCurve>,
}

/// The rotation per step at which other codes are compared, in degrees.
const HALF_A_DEGREE: f64 = 0.5;
/// How many faces the bodies of crowds have.
const CROWD_FACES: [usize; 4] = [4, 20, 100, 920];
/// The paper's lists, one per axis, and lists for parts of the box.
const DIVISIONS: [BucketDivision; 2] = [BucketDivision::One, BucketDivision::ByDensity];

/// Measures everything and reports it.
///
/// `tell` is given the name of each step and the part done, from 0 to 1.
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(time_budget(settings));
    let (queries, counts) = (pair_table::queries(settings), counts(settings));
    let rows = published::TABLE.len() as f64;
    let search = 4.0 * rows;
    let total = 2.0 * rows + search + crowd_cost(&counts);
    let mut progress = PaperProgress::new(total, tell);
    let half_degree = pair_table::measure(HALF_A_DEGREE, queries, &stopwatch, &mut progress);
    progress.step("the rotation per step", search);
    let degrees = rotation::largest(queries);
    let implied = pair_table::measure(degrees, queries, &stopwatch, &mut progress);
    let crowds = crowds(&counts, &mut progress);
    progress.finish();
    report::write(&PolyhedronDistanceResults { half_degree, implied, crowds }, settings)
}

fn time_budget(settings: &Settings) -> Duration {
    Duration::from_millis(if settings.quick { 1 } else { 400 })
}

/// Numbers of bodies: a hundred to a hundred thousand, or to a thousand in a quick run.
pub fn counts(settings: &Settings) -> Vec<usize> {
    let highest = if settings.quick { 1_000 } else { 100_000 };
    let decades = (2..=5).map(|power| 10usize.pow(power));
    decades.flat_map(|count| [count, 3 * count]).filter(|&count| count <= highest).collect()
}

/// In units of a row of the table.
fn crowd_cost(counts: &[usize]) -> f64 {
    let curves = (CROWD_FACES.len() * DIVISIONS.len()) as f64;
    curves * counts.iter().map(|&count| point_cost(count)).sum::<f64>()
}

fn point_cost(count: usize) -> f64 {
    1.0 + count as f64 / 2e4
}

fn crowds(counts: &[usize], progress: &mut PaperProgress<'_>) -> Vec<CrowdCurve> {
    let mut curves = Vec::new();
    for division in DIVISIONS {
        for faces in CROWD_FACES {
            let point = |&count: &usize| {
                progress.step(&format!("{count} bodies of {faces} faces"), point_cost(count));
                crowd::measure(faces, count, division)
            };
            curves.push(CrowdCurve { faces, division, points: counts.iter().map(point).collect() });
        }
    }
    curves
}

#[cfg(test)]
mod tests;
