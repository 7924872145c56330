use super::*;
use crate::quick_run::assert_quick_run;

#[test]
fn a_quick_run_gives_all_files() {
    let expected = "table.csv figure6.svg crowd.csv crowd_growth.csv crowd.svg verdicts.csv \
                    report.md";
    let report = assert_quick_run("001", expected, 8);
    assert!(report.summary.contains("98290"), "{}", report.summary);
}

#[test]
fn a_quick_run_stops_at_a_thousand() {
    assert_eq!(counts(&Settings { quick: true }), [100, 300, 1000]);
    assert_eq!(counts(&Settings { quick: false }).last(), Some(&100_000));
}
