use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = [
        "000/table1.csv",
        "000/table1_growth.csv",
        "000/thin_gas.csv",
        "000/mixtures.csv",
        "000/upkeep.csv",
        "000/time_2d_dense.svg",
        "000/events_2d_dilute.svg",
        "000/time_2d_dilute.svg",
        "000/time_3d_dense.svg",
        "000/events_3d_dilute.svg",
        "000/time_3d_dilute.svg",
        "000/figure1.svg",
        "000/report.md",
    ];
    let report = assert_quick_run(run, &expected, 12);
    assert!(report.summary.contains("AGREES: every structure finds every collision"));
    assert!(report.summary.contains("Dynamic DT (laguerre-delaunay)"));
    assert!(!report.summary.contains("NOT MEASURED"));
}
