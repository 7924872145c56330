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

/// Panics unless every tag is closed in order, attributes are quoted and text is escaped.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "stray > before {}", &rest[start..]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_matches('/').split_whitespace().next().unwrap_or("");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closing {tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    assert!(rest.trim().is_empty());
    for (index, _) in svg.match_indices('&') {
        assert!(
            ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
                .iter()
                .any(|e| svg[index..].starts_with(e))
        );
    }
}
