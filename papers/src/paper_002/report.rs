//! The files and the summary of the paper.

mod documents;
mod figure;
mod sheets;

use super::{ContactDetectionResults, findings};
use crate::{PaperReport, ReportFile, Settings};

/// All files and the text to print.
pub(super) fn write(results: &ContactDetectionResults, settings: &Settings) -> PaperReport {
    let findings = findings::all(results);
    let mut files = vec![ReportFile::new(
        "002/contact_ratios.csv",
        sheets::contact_ratios(&results.contact_ratios).csv(),
    )];
    for panel in &results.figure_2 {
        let name = format!("002/figure2_{}d", panel.dimension);
        files.push(ReportFile::new(name.clone() + ".svg", figure::chart(panel).svg()));
        files.push(ReportFile::new(name + ".csv", sheets::panel_points(panel).csv()));
    }
    for table in &results.tables {
        let name = format!("002/table{}.csv", table.number);
        files.push(ReportFile::new(name, sheets::table_run(table).csv()));
    }
    files.push(ReportFile::new("002/origins.csv", sheets::origins(&results.origins).csv()));
    let document = documents::markdown(results, &findings, settings);
    files.push(ReportFile::new("002/report.md", document));
    PaperReport { files, summary: documents::summary(results, &findings, settings) }
}
