//! The tables and figures of the paper's page.

use super::quantities::quantities;
use super::{ContactDetectionResults, figure_2};
use crate::digits::significant;
use crate::records::Records;
use crate::report::{PaperReport, ReportPage, Settings};

/// All files and the text to print.
pub(super) fn write(results: &ContactDetectionResults, settings: &Settings) -> PaperReport {
    let mut page = ReportPage::new("002", include_str!("../../pages/002.md"), settings);
    page.judge(include_str!("../../pages/002.csv"), &quantities(results));
    page.data("contact_ratios", results.contact_ratios.clone());
    for panel in &results.figure_2 {
        let name = format!("figure2_{}d", panel.text("dimension"));
        page.data(name.clone(), panel.clone());
        page.table(name + "_growth", figure_2::growth(panel));
    }
    for table in results.tables.each("table") {
        page.data(format!("table{}", table.text("table")), table);
    }
    page.data("origins", results.origins.clone());
    speeds_then_and_now(&results.tables, &mut page);
    page.finish()
}

/// What a test cost then and now, and how often tables 2 and 3 must have been repeated.
fn speeds_then_and_now(tables: &Records, page: &mut ReportPage) {
    let figure = |table: usize, method: &str, name: &str| {
        tables.of("table", table).of("method", method).number(name)
    };
    let tests = figure(1, "LCM1111", "pair tests");
    let then = figure(1, "LCM1111", "printed s") / tests;
    let repeats = |table: usize, slowest: &str| {
        let own = figure(table, slowest, "pair tests");
        significant(figure(table, slowest, "printed s") / (own * then), 1)
    };
    let sort = |name: &str| figure(1, "distance sort", name);
    let faster = sort("printed s") * 1e3 / sort("milliseconds");
    page.value("listing", format!("{:.0}", 100.0 * sort("listing ms") / sort("milliseconds")));
    page.value("faster", significant(faster, 2));
    page.value("test then", significant(then * 1e9, 2));
    page.value("test now", significant(figure(1, "LCM1111", "milliseconds") * 1e6 / tests, 2));
    page.value("repeats 2", repeats(2, "LCM100"));
    page.value("repeats 3", repeats(3, "LCM101"));
}
