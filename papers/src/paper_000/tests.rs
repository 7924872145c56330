use super::*;
use crate::chart::tests::assert_well_formed;

#[test]
fn a_quick_run_gives_all_files() {
    let mut parts = Vec::new();
    let report = run(&Settings { quick: true }, &mut |_, part| parts.push(part));
    let names: Vec<_> = report.files.iter().map(|file| file.name.as_str()).collect();
    let expected = [
        "000/table1.csv",
        "000/table1_growth.csv",
        "000/thin_gas.csv",
        "000/mixtures.csv",
        "000/time_2d_dense.svg",
        "000/events_2d_dilute.svg",
        "000/time_2d_dilute.svg",
        "000/time_3d_dense.svg",
        "000/events_3d_dilute.svg",
        "000/time_3d_dilute.svg",
        "000/report.md",
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
            assert!(lines.clone().count() >= 12, "{}", file.name);
            assert!(lines.all(|line| columns(line) == header), "{}", file.name);
        }
    }
    assert!(report.summary.contains("AGREES: every structure finds every collision"));
    assert!(report.summary.contains("not in this table yet"));
    assert!(parts.is_sorted());
    assert_eq!((parts.first(), parts.last()), (Some(&0.0), Some(&1.0)));
}
