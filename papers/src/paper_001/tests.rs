use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = "table.csv figure6.svg crowd.csv crowd_growth.csv crowd.svg verdicts.csv \
                    report.md";
    let report = assert_quick_run("001", expected, 8);
    assert!(report.summary.contains("98290"), "{}", report.summary);
}
