//! The files and the summary of the paper.

mod charts;
mod documents;
mod sheets;

use super::{KineticStructureResults, bound_table, figure_1, findings};
use crate::{PaperReport, ReportFile, Settings};

/// All files and the text to print.
pub(super) fn write(results: &KineticStructureResults, settings: &Settings) -> PaperReport {
    let findings = findings::all(results);
    let cells = bound_table::cells(results);
    let mut files = vec![
        ReportFile::new("000/table1.csv", sheets::points(&results.panels).csv()),
        ReportFile::new("000/table1_growth.csv", sheets::growth(&cells).csv()),
        ReportFile::new("000/thin_gas.csv", sheets::thin_points(&results.thin).csv()),
        ReportFile::new("000/mixtures.csv", sheets::mixtures(&results.mixtures).csv()),
        ReportFile::new("000/upkeep.csv", sheets::upkeep(&results.panels).csv()),
    ];
    for chart in charts::all(&results.panels) {
        files.push(ReportFile::new(format!("000/{}.svg", chart.name), chart.chart.svg()));
    }
    files.push(ReportFile::new("000/figure1.svg", figure_1::svg()));
    let document = documents::markdown(results, &cells, &findings, settings);
    files.push(ReportFile::new("000/report.md", document));
    PaperReport { files, summary: documents::summary(results, &cells, &findings, settings) }
}
