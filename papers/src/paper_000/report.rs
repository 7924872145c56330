//! The tables and figures of the paper's page.

use super::quantities::quantities;
use super::{KineticStructureResults, RULES, common_count, figure_1, growth, unbounded_domain};
use crate::records::Records;
use crate::report::{PaperReport, ReportPage, Settings};
use carom::io::group_thousands;

/// All files and the text to print.
pub(super) fn write(results: &KineticStructureResults, settings: &Settings) -> PaperReport {
    let growth = growth::measure(&results.runs, &results.thin);
    let mut page = ReportPage::new("000", include_str!("../../pages/000.md"), settings);
    page.judge(RULES, &quantities(results, &growth));
    page.data("table1", results.runs.clone());
    page.data("thin_gas", results.thin.clone());
    page.data("mixtures", results.mixtures.clone());
    page.data("upkeep", results.runs.of("structure", "laguerre-delaunay"));
    page.table("growth 2D", growth::overview(&growth, 2));
    page.table("growth 3D", growth::overview(&growth, 3));
    page.data("table1_growth", growth);
    for system in results.runs.each("dimension | system") {
        page.table(system[0].filled("{dimension}D {system}"), system);
    }
    page.figure("figure1", figure_1::svg());
    page.table("printed", growth::printed());
    page.table("systems", overview(&results.runs));
    page.table("unbounded", results.unbounded.clone());
    page.value("particles", group_thousands(figure_1::COUNT as u64));
    page.value("unbounded bodies", unbounded_domain::COUNT);
    page.value("grown", unbounded_domain::GROWN);
    page.finish()
}

/// Every system at the most bodies that all structures ran, and at the most of all.
fn overview(runs: &Records) -> Records {
    let of_system = |system: Records| {
        let mut counts = vec![common_count(&system), system.most("bodies")];
        counts.dedup();
        counts.into_iter().flat_map(move |count| system.of("bodies", count))
    };
    runs.each("dimension | system").into_iter().flat_map(of_system).collect()
}
