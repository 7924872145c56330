use crate::chart::tests::assert_well_formed;
use crate::{Paper, PaperReport, Settings};
use std::collections::BTreeSet;

/// Runs a paper quickly: it gives the files of these names, drawings are well formed, tables have as many columns
/// in every row and at least this many rows, and the part done rises from zero to one.
pub fn assert_quick_run(paper: &str, names: &str, fewest_rows: usize) -> PaperReport {
    let paper = Paper::numbered(paper).expect("the paper is there");
    let mut parts = Vec::new();
    let report = (paper.run)(&Settings { quick: true }, &mut |_, part| parts.push(part));
    let given: BTreeSet<_> = report.files.iter().map(|file| file.name.clone()).collect();
    let names = names.split_whitespace().map(|name| format!("{}/{name}", paper.number));
    assert_eq!(given, names.collect());
    for file in &report.files {
        if file.name.ends_with(".svg") {
            assert_well_formed(&file.content);
        }
        if file.name.ends_with(".csv") {
            let mut lines = file.content.lines();
            let header = commas(lines.next().unwrap());
            assert!(lines.clone().count() >= fewest_rows, "{}", file.name);
            assert!(lines.all(|line| commas(line) == header), "{}", file.name);
        }
    }
    assert!(parts.is_sorted());
    assert_eq!((parts.first(), parts.last()), (Some(&0.0), Some(&1.0)));
    report
}

/// Commas outside quotes: descriptions of structures may hold some.
fn commas(line: &str) -> usize {
    line.split('"').step_by(2).map(|part| part.matches(',').count()).sum()
}
