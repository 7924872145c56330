use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = [
        "001/table.csv",
        "001/figure6.svg",
        "001/crowd.csv",
        "001/crowd_growth.csv",
        "001/crowd.svg",
        "001/report.md",
    ];
    let report = assert_quick_run(run, &expected, 8);
    assert!(report.summary.contains("98290"), "{}", report.summary);
}

#[test]
fn a_quick_run_stops_at_a_thousand() {
    assert_eq!(counts(&Settings { quick: true }), [100, 300, 1000]);
    assert_eq!(counts(&Settings { quick: false }).last(), Some(&100_000));
}
