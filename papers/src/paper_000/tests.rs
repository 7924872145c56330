use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = "table1.csv table1_growth.csv thin_gas.csv mixtures.csv upkeep.csv \
                    time_2d_dense.svg events_2d_dilute.svg time_2d_dilute.svg time_3d_dense.svg \
                    events_3d_dilute.svg time_3d_dilute.svg figure1.svg verdicts.csv report.md";
    let report = assert_quick_run("000", expected, 12);
    assert!(report.summary.contains("AGREES: every structure finds every collision"));
    assert!(report.summary.contains("Dynamic DT (laguerre-delaunay)"));
    assert!(!report.summary.contains("NOT MEASURED"));
}
