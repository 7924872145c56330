//! Quick runs of all papers.

use crate::{Paper, PaperReport, Settings};
use std::collections::BTreeSet;

/// Runs a paper quickly: it gives the files of these names, drawings are whole, tables have as many columns in every row
/// and at least this many rows, as many steps are reported as were announced, and the summary has these words.
fn assert_quick_run(number: &str, names: &str, fewest_rows: usize, words: &[&str]) -> PaperReport {
    let paper = Paper::numbered(number).expect("the paper is there");
    let mut parts = Vec::new();
    let report = (paper.run)(&Settings { quick: true }, &mut |_, part| parts.push(part));
    let given: BTreeSet<_> = report.files.iter().map(|file| file.name.clone()).collect();
    let names = names.split_whitespace().chain(["verdicts.csv", "report.md"]);
    assert_eq!(given, names.map(|name| format!("{number}/{name}")).collect());
    for file in &report.files {
        if file.name.ends_with(".svg") {
            let svg = &file.content;
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{}", file.name);
            assert_eq!(svg.matches('<').count(), svg.matches('>').count(), "{}", file.name);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", file.name);
        }
        if file.name.ends_with(".csv") {
            let mut lines = file.content.lines();
            let header = commas(lines.next().unwrap());
            assert!(lines.clone().count() >= fewest_rows, "{}", file.name);
            assert!(lines.all(|line| commas(line) == header), "{}", file.name);
        }
    }
    let steps = parts.len() - 1;
    assert!((0..=steps).map(|step| step as f64 / steps as f64).eq(parts));
    let summary = report.summary.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.iter().all(|words| summary.contains(words)), "{summary}");
    report
}

#[test]
fn paper_000_is_run_quickly() {
    let files = "table1.csv table1_growth.csv thin_gas.csv mixtures.csv upkeep.csv time_2d_dense.svg \
                 events_2d_dilute.svg time_2d_dilute.svg time_3d_dense.svg events_3d_dilute.svg \
                 time_3d_dilute.svg figure1.svg";
    let words = ["AGREES: every structure finds every collision", "Dynamic DT (laguerre-delaunay)"];
    let report = assert_quick_run("000", files, 12, &words);
    assert!(!report.summary.contains("NOT MEASURED"));
}

#[test]
fn paper_001_is_run_quickly() {
    let files = "table.csv figure6.svg crowd.csv crowd_growth.csv crowd.svg";
    assert_quick_run("001", files, 8, &["98290"]);
}

#[test]
fn paper_002_is_run_quickly() {
    let files = "contact_ratios.csv figure2_2d.svg figure2_2d.csv figure2_3d.svg figure2_3d.csv \
                 table1.csv table2.csv table3.csv origins.csv";
    let words = [
        "- AGREES: the printed numbers of contacts per hundred particles",
        "- DOES NOT AGREE: the printed 4 contacts per hundred particles of test C in 3D",
        "0.48",
    ];
    assert_quick_run("002", files, 3, &words);
}

#[test]
fn paper_003_is_run_quickly() {
    let figures = [7, 8, 9, 10, 12, 13, 14, 15];
    let figures = figures.map(|number| format!("figure{number}.csv figure{number}.svg "));
    let others =
        "table1.csv table2.csv table2.svg crossover.csv answers.csv errors.csv accuracy.csv";
    let files = figures.concat() + others;
    let report = assert_quick_run("003", &files, 2, &["both methods give correct results"]);
    let table = report.files.iter().find(|file| file.name == "003/table2.csv").unwrap();
    let row = table.content.lines().find(|line| line.starts_with("20³,8192,")).unwrap();
    assert!(!row.ends_with(','), "measured: {row}");
}

#[test]
fn paper_004_is_run_quickly() {
    let files = "figure2.svg figure2.csv figure3.svg figure3.csv encounters.csv cone.csv intervals.csv \
                 intervals.svg balls.csv hertz.csv boundary.csv";
    let words = ["16 of 56 with a grid of 20", "DOES NOT AGREE: in space, six neighbors"];
    assert_quick_run("004", files, 2, &words);
}

/// Commas outside quotes: descriptions of structures may hold some.
fn commas(line: &str) -> usize {
    line.split('"').step_by(2).map(|part| part.matches(',').count()).sum()
}
