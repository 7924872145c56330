use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = [
        "003/figure7.csv",
        "003/figure7.svg",
        "003/figure8.csv",
        "003/figure8.svg",
        "003/figure9.csv",
        "003/figure9.svg",
        "003/figure10.csv",
        "003/figure10.svg",
        "003/figure12.csv",
        "003/figure12.svg",
        "003/figure13.csv",
        "003/figure13.svg",
        "003/figure14.csv",
        "003/figure14.svg",
        "003/figure15.csv",
        "003/figure15.svg",
        "003/table1.csv",
        "003/table2.csv",
        "003/table2.svg",
        "003/crossover.csv",
        "003/answers.csv",
        "003/errors.csv",
        "003/accuracy.csv",
        "003/report.md",
    ];
    let report = assert_quick_run(run, &expected, 2);
    assert!(report.summary.contains("both methods give correct results"), "{}", report.summary);
    let table = report.files.iter().find(|file| file.name == "003/table2.csv").unwrap();
    let row = table.content.lines().find(|line| line.starts_with("20,8000,8192,")).unwrap();
    assert!(!row.ends_with(','), "measured: {row}");
}

#[test]
fn a_quick_run_asks_for_few_points() {
    assert_eq!(bodies::grids(&Settings { quick: true }), [10, 20]);
    assert_eq!(bodies::grids(&Settings { quick: false }), [10, 20, 40, 80]);
}
