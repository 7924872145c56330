//! The files and the summary of the paper.

mod charts;
mod documents;
mod panels;
mod sheets;

use super::disc_collision::DiscCollision;
use super::{DeformationResults, findings};
use crate::{PaperReport, ReportFile, Settings};

/// All files and the text to print.
pub(super) fn write(results: &DeformationResults, settings: &Settings) -> PaperReport {
    let findings = findings::all(results);
    let [head_on, oblique] = &results.collisions;
    let files = vec![
        ReportFile::new("004/figure2.svg", panels::svg(head_on, "Figure 2: head-on collision")),
        ReportFile::new("004/figure2.csv", sheets::course(head_on).csv()),
        ReportFile::new("004/figure3.svg", panels::svg(oblique, "Figure 3: collision at an angle")),
        ReportFile::new("004/figure3.csv", sheets::course(oblique).csv()),
        ReportFile::new("004/encounters.csv", sheets::encounters(&results.collisions).csv()),
        ReportFile::new("004/cone.csv", sheets::cone(head_on).csv()),
        ReportFile::new("004/intervals.csv", sheets::intervals(&results.intervals).csv()),
        ReportFile::new("004/intervals.svg", charts::intervals(&results.intervals).svg()),
        ReportFile::new("004/balls.csv", sheets::balls(&results.balls).csv()),
        ReportFile::new("004/hertz.csv", sheets::hertz(&results.hertz).csv()),
        ReportFile::new("004/boundary.csv", sheets::boundary(&results.faults).csv()),
        ReportFile::new("004/report.md", documents::markdown(results, &findings, settings)),
    ];
    PaperReport { files, summary: documents::summary(results, &findings, settings) }
}

/// The collision of a user's data file.
pub(super) fn write_data(encounter: &DiscCollision) -> PaperReport {
    let title = "First collision of the data file";
    let files = vec![
        ReportFile::new("004/data.svg", panels::svg(encounter, title)),
        ReportFile::new("004/data.csv", sheets::course(encounter).csv()),
    ];
    let table = sheets::encounters(std::slice::from_ref(encounter));
    PaperReport { files, summary: format!("{title}\n\n{}", table.text()) }
}
