use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = "contact_ratios.csv figure2_2d.svg figure2_2d.csv figure2_3d.svg \
                    figure2_3d.csv table1.csv table2.csv table3.csv origins.csv verdicts.csv \
                    report.md";
    let report = assert_quick_run("002", expected, 3);
    assert!(report.summary.contains("0.48"));
}
