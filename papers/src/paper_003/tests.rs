use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = "figure7.csv figure7.svg figure8.csv figure8.svg figure9.csv figure9.svg \
                    figure10.csv figure10.svg figure12.csv figure12.svg figure13.csv \
                    figure13.svg figure14.csv figure14.svg figure15.csv figure15.svg table1.csv \
                    table2.csv table2.svg crossover.csv answers.csv errors.csv accuracy.csv \
                    verdicts.csv report.md";
    let report = assert_quick_run("003", expected, 2);
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
