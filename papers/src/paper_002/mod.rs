//! Paper 002: J. S. Leszczynski and M. Ciesielski, "Effective Algorithm for Detection of a
//! Collision between Spherical Particles", ICCS 2004, LNCS 3037, pp. 348-355.
//!
//! The paper sorts spheres by the distance of their nearest point from an origin and compares
//! each with those that begin before it ends ("novel algorithm", here: distance sort), and sets
//! the time against that of the Linked Cell Method (LCM).
//!
//! | experiment | of the paper | function |
//! |---|---|---|
//! | contacts per particle of tests A, B, C | section 3 | [`contact_ratios::measure`] |
//! | time over the number of particles, 2D and 3D | figure 2 | [`figure_2::measure`] |
//! | time with unequal sizes | tables 1, 2, 3 | [`tables::measure`] |
//! | where to put the origin | step 1 of algorithm 1 | [`origins::measure`] |
//! | unequal sizes and the distance sort | section 4 | [`tables::spread_of_sizes`] |
//!
//! Everything runs on one thread. What geometry lets expect is in [`theory`]; the page is `papers/pages/002.md`, the
//! rules of its verdicts are in `papers/pages/002.csv`.

pub mod contact_ratios;
pub mod figure_2;
pub mod origins;
pub mod particles;
mod quantities;
pub mod search_measurement;
pub mod tables;
pub mod theory;

use crate::measure::Stopwatch;
use crate::report::ReportPage;
use crate::{PaperProgress, PaperReport, Settings};

/// Measures everything and reports it.
pub fn run(settings: &Settings, on_progress: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(settings.either(50, 600));
    // A hundred to a million particles, or to ten thousand in a quick run.
    let counts = settings.counts(10_000, 1_000_000);
    let mut progress =
        PaperProgress::new(3 + 2 * figure_2::CURVES.len() * counts.len(), on_progress);
    let mut page = ReportPage::new("002", settings);
    progress.step("contact ratios");
    page.data("contact_ratios", contact_ratios::measure(contact_ratios::counts(settings)));
    let plane = figure_2::measure::<2>(&counts, &stopwatch, &mut progress);
    let space = figure_2::measure::<3>(&counts, &stopwatch, &mut progress);
    for (name, panel) in [("figure2_2d", plane), ("figure2_3d", space)] {
        page.table(format!("{name}_growth"), figure_2::growth(&panel));
        page.data(name, panel);
    }
    progress.step("tables 1 to 3");
    let tables = tables::measure(&stopwatch);
    tables::speeds_then_and_now(&tables, &mut page);
    for table in tables.each("table") {
        page.data(format!("table{}", table.text("table")), table);
    }
    progress.step("origins");
    page.data("origins", origins::measure(settings.either(10_000, 100_000)));
    page.judge(&quantities::quantities(&page, tables::spread_of_sizes()));
    progress.finish();
    page.finish()
}
