//! The files and the summary of the paper.

mod charts;
mod documents;
mod sheets;

use super::{PolyhedronDistanceResults, findings};
use crate::{PaperReport, ReportFile, Settings};

/// All files and the text to print.
pub(super) fn write(results: &PolyhedronDistanceResults, settings: &Settings) -> PaperReport {
    let findings = findings::all(results);
    let files = vec![
        ReportFile::new("001/table.csv", sheets::tables(results).csv()),
        ReportFile::new("001/figure6.svg", charts::figure_6(results).svg()),
        ReportFile::new("001/crowd.csv", sheets::crowd_points(&results.crowds).csv()),
        ReportFile::new("001/crowd_growth.csv", sheets::crowd_growth(&results.crowds).csv()),
        ReportFile::new("001/crowd.svg", charts::crowd(&results.crowds).svg()),
        ReportFile::new("001/report.md", documents::markdown(results, &findings, settings)),
    ];
    PaperReport { files, summary: documents::summary(results, &findings, settings) }
}
