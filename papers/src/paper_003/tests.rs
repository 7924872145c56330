use super::approach::Approach;
use crate::quick_run::assert_quick_run;
use crate::records::{Records, record};

/// Cases on spheres or foams whose evaluations take the given time by method, triangles and points, and whose
/// preparation takes nothing.
pub fn sample(body: &str, seconds: impl Fn(&str, f64, f64) -> f64) -> Records {
    let mut cases = Records::default();
    for triangles in (0..8).map(|level| f64::from(8 << (2 * level))) {
        for method in Approach::ALL.map(|approach| approach.to_string()) {
            cases.extend([10, 20, 40, 80].map(|per_axis: i32| {
                let points = f64::from(per_axis.pow(3));
                let seconds = seconds(&method, triangles, points);
                record! {
                    "body": body, "method": method.clone(), "grid": format!("{per_axis}³"),
                    "points": points, "triangles": triangles, "setup seconds": 0.0,
                    "evaluation seconds": seconds, "total seconds": seconds,
                    "points asked for": points, "contrary to cells": 0, "bound": None::<f64>,
                    "largest error": None::<f64>,
                }
            }));
        }
    }
    cases
}

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
    let row = table.content.lines().find(|line| line.starts_with("20³,8192,")).unwrap();
    assert!(!row.ends_with(','), "measured: {row}");
}
