use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
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
    let report = assert_quick_run(run, &expected, 3);
    assert!(report.summary.contains("0.48"));
}
