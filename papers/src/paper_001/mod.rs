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
//! Everything runs on one thread. The page is `papers/pages/001.md`, the rules of its verdicts are in
//! `papers/pages/001.csv`.

pub mod crowd;
pub mod pair_table;
mod quantities;
pub mod rotation;

use crate::measure::Stopwatch;
use crate::records::{Record, Records, record};
use crate::report::ReportPage;
use crate::{PaperProgress, PaperReport, Settings};
use carom::detect::broad::BucketDivision;

/// The rotation per step at which other codes are compared, in degrees.
const HALF_A_DEGREE: f64 = 0.5;
/// Numbers of faces of the bodies in crowds.
const CROWD_FACES: [usize; 4] = [4, 20, 100, 920];
/// The paper's lists, one per axis, and lists for parts of the box.
const DIVISIONS: [BucketDivision; 2] = [BucketDivision::One, BucketDivision::ByDensity];

/// Measures everything and reports it.
pub fn run(settings: &Settings, on_progress: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(settings.either(1, 400));
    let queries = settings.either(3_000, 100_000);
    // Numbers of bodies: a hundred to a hundred thousand, or to a thousand in a quick run.
    let counts = settings.counts(1_000, 100_000);
    let crowd_runs = DIVISIONS.len() * CROWD_FACES.len() * counts.len();
    let steps = 2 * pair_table::printed().len() + 1 + crowd_runs;
    let mut progress = PaperProgress::new(steps, on_progress);
    let half_degree = pair_table::measure(HALF_A_DEGREE, queries, &stopwatch, &mut progress);
    progress.step("the rotation per step");
    let degrees = rotation::largest(queries);
    let implied = pair_table::measure(degrees, queries, &stopwatch, &mut progress);
    let crowds = crowds(&counts, &mut progress);
    progress.finish();
    let mut page = ReportPage::new("001", settings);
    page.value("half degree", half_degree.text("degrees"));
    page.value("implied", implied.text("degrees"));
    page.value("gap", pair_table::GAP);
    page.value("share", format!("{:.0}", 100.0 * rotation::SHARE));
    page.value("sphere fraction", crowd::SPHERE_FRACTION);
    page.value("displacement", crowd::DISPLACEMENT_PER_STEP);
    page.value("rotation", crowd::ROTATION_PER_STEP);
    page.data("table", half_degree.iter().chain(implied.iter()).cloned().collect());
    page.table("figure6", figure_6(&half_degree, &implied));
    page.table("half degree", half_degree);
    page.table("implied", implied);
    page.data("crowd_growth", crowd::growth(&crowds));
    page.data("crowd", crowds);
    page.judge(&quantities::quantities(&page));
    page.finish()
}

/// The lines of figure 6. The printed times are scaled to the mean of the measured ones: their machine is thirty years
/// older.
fn figure_6(half_degree: &Records, implied: &Records) -> Records {
    let sum = |name: &str| implied.numbers(name).sum::<f64>();
    let scale = sum("microseconds") / sum("printed microseconds");
    let measured = |row: &Record| {
        let line = row.filled("{degrees}° per step");
        record! { "line": line, "features": row.number("features"), "µs": row.number("microseconds") }
    };
    let printed = |row: &Record| {
        let line = format!("printed (IBM Power 2) times {scale:.1e}");
        let scaled = scale * row.number("printed microseconds");
        record! { "line": line, "features": row.number("printed features"), "µs": scaled }
    };
    let measured = half_degree.iter().chain(implied.iter()).map(measured);
    measured.chain(implied.iter().map(printed)).collect()
}

fn crowds(counts: &[usize], progress: &mut PaperProgress<'_>) -> Records {
    let mut crowds = Records::default();
    for division in DIVISIONS {
        for faces in CROWD_FACES {
            crowds.extend(counts.iter().map(|&count| {
                progress.step(&format!("{count} bodies of {faces} faces"));
                crowd::measure(faces, count, division)
            }));
        }
    }
    crowds
}
