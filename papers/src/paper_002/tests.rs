use super::*;
use crate::chart::tests::assert_well_formed;

#[test]
fn a_quick_run_gives_all_files() {
    let mut parts = Vec::new();
    let report = run(&Settings { quick: true }, &mut |_, part| parts.push(part));
    let names: Vec<_> = report.files.iter().map(|file| file.name.as_str()).collect();
    let expected = [
        "002/contact_ratios.csv",
        "002/figure2_2d.svg",
        "002/figure2_2d.csv",
        "002/figure2_3d.svg",
        "002/figure2_3d.csv",
        "002/table1.csv",
        "002/table2.csv",
        "002/table3.csv",
        "002/origins.csv",
        "002/report.md",
    ];
    assert_eq!(names, expected);
    for file in &report.files {
        if file.name.ends_with(".svg") {
            assert_well_formed(&file.content);
        }
        if file.name.ends_with(".csv") {
            let columns = |line: &str| line.matches(',').count();
            let mut lines = file.content.lines();
            let header = columns(lines.next().unwrap());
            assert!(lines.clone().count() >= 3, "{}", file.name);
            // Descriptions of structures may hold quoted commas.
            assert!(lines.all(|line| line.contains('"') || columns(line) == header));
        }
    }
    assert!(report.summary.contains("0.48"));
    assert!(parts.is_sorted());
    assert_eq!((parts.first(), parts.last()), (Some(&0.0), Some(&1.0)));
}
