//! The tables and figures of the paper's page.

use super::crowd::{self, DISPLACEMENT_PER_STEP, ROTATION_PER_STEP, SPHERE_FRACTION};
use super::pair_table::GAP;
use super::quantities::quantities;
use super::{PolyhedronDistanceResults, rotation};
use crate::records::{Record, Records, record};
use crate::report::{PaperReport, ReportPage, Settings};

/// All files and the text to print.
pub(super) fn write(results: &PolyhedronDistanceResults, settings: &Settings) -> PaperReport {
    let PolyhedronDistanceResults { half_degree, implied, crowds } = results;
    let mut page = ReportPage::new("001", include_str!("../../pages/001.md"), settings);
    page.judge(include_str!("../../pages/001.csv"), &quantities(results));
    page.data("table", half_degree.iter().chain(implied.iter()).cloned().collect());
    page.table("half degree", half_degree.clone());
    page.table("implied", implied.clone());
    page.table("figure6", figure_6(half_degree, implied));
    page.data("crowd", crowds.clone());
    page.data("crowd_growth", crowd::growth(crowds));
    page.value("half degree", half_degree.text("degrees"));
    page.value("implied", implied.text("degrees"));
    page.value("gap", GAP);
    page.value("share", format!("{:.0}", 100.0 * rotation::SHARE));
    page.value("sphere fraction", SPHERE_FRACTION);
    page.value("displacement", DISPLACEMENT_PER_STEP);
    page.value("rotation", ROTATION_PER_STEP);
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
