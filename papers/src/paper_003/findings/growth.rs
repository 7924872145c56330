//! How times grow with triangles and points.

use super::{largest_grid, seconds, smallest_grid, verdict_of};
use crate::finding::Finding;
use crate::paper_003::approach::Approach;
use crate::paper_003::bodies::MeshSeries;
use crate::paper_003::comparison::{ApproachCase, Comparison};
use crate::paper_003::published::TABLE_2;

/// Over the upper two decades of triangles N log² N itself grows as N^1.2.
const ALMOST_LINEAR: f64 = 1.25;
/// How far the exponent of a linear time may be from one.
const LINEAR: f64 = 0.1;
/// A time that grows or falls with a smaller power is almost independent.
const ALMOST_INDEPENDENT: f64 = 0.25;

pub(super) fn findings(comparisons: &[Comparison; 2]) -> Vec<Finding> {
    vec![
        almost_linear(comparisons),
        less_than_linear(comparisons),
        linear_in_points(comparisons),
        independent_of_triangles(comparisons),
        rays(comparisons),
    ]
}

fn evaluation(case: &ApproachCase) -> f64 {
    case.evaluation
}

fn setup(case: &ApproachCase) -> f64 {
    case.setup
}

fn almost_linear(comparisons: &[Comparison; 2]) -> Finding {
    let mut holds = Vec::new();
    let mut report = Vec::new();
    for comparison in comparisons {
        let grid = comparison.largest_grid();
        let setup = comparison.growth_with_triangles(Approach::PreChosen, grid, setup);
        let asking = comparison.growth_with_points(Approach::PreChosen, evaluation);
        if let (Some(setup), Some(asking)) = (setup, asking) {
            holds.extend([setup, asking].map(|exponent| exponent <= ALMOST_LINEAR));
            report.push(format!(
                "{}: preparing with pre-chosen depth grows as N^{setup:.2}, evaluation as M^{asking:.2}.",
                comparison.body
            ));
        }
        if let Some((exponent, ratio)) = both_growing(comparison) {
            holds.push(exponent <= ALMOST_LINEAR);
            report.push(format!(
                "With 64 times the triangles and 64 times the points the well-chosen total takes {ratio:.0} \
                 times as long, a power of {exponent:.2}."
            ));
        }
    }
    Finding {
        verdict: verdict_of(&holds),
        claim: "the effort of the fast multipole method is O(N log² N) + O(M log² N), almost linear in \
                triangles N and in points M"
            .into(),
        evidence: format!("{} (N log² N is about N^1.2 there.)", report.join(" ")),
    }
}

/// How the well-chosen total grows if both numbers grow by 64, and the ratio of times.
fn both_growing(comparison: &Comparison) -> Option<(f64, f64)> {
    let (&finest, grid) = (comparison.triangles.last()?, comparison.largest_grid());
    let large = comparison.case(Approach::WellChosen, finest, grid)?;
    let small = comparison.case(Approach::WellChosen, finest / 64, grid / 4)?;
    let ratio = large.total() / small.total();
    Some((ratio.ln() / 64f64.ln(), ratio))
}

fn less_than_linear(comparisons: &[Comparison; 2]) -> Finding {
    let mut holds = Vec::new();
    let mut report = Vec::new();
    for comparison in comparisons {
        let power = |grid| {
            comparison.growth_with_triangles(Approach::WellChosen, grid, ApproachCase::total)
        };
        let (Some(few), Some(many)) =
            (power(comparison.smallest_grid()), power(comparison.largest_grid()))
        else {
            continue;
        };
        holds.extend([many < 1.0, few > many]);
        report.push(format!(
            "{}: N^{many:.2} with {} points, N^{few:.2} with {}.",
            comparison.body,
            largest_grid(comparison),
            smallest_grid(comparison)
        ));
    }
    Finding {
        verdict: verdict_of(&holds),
        claim: "with a well-chosen depth and a fixed number of points the time grows less than linearly \
                with the triangles, the smallest grid coming closest to linear (figures 7 and 12)"
            .into(),
        evidence: report.join(" "),
    }
}

fn linear_in_points(comparisons: &[Comparison; 2]) -> Finding {
    let powers: Vec<(MeshSeries, f64)> = comparisons
        .iter()
        .filter_map(|comparison| {
            let power = comparison.growth_with_points(Approach::PreChosen, evaluation)?;
            Some((comparison.body, power))
        })
        .collect();
    let holds: Vec<bool> = powers.iter().map(|(_, power)| (power - 1.0).abs() <= LINEAR).collect();
    let report: Vec<String> =
        powers.iter().map(|(body, power)| format!("{body} M^{power:.2}")).collect();
    Finding {
        verdict: verdict_of(&holds),
        claim: "with a fixed depth the evaluation part is linear in the number of points (table 2)"
            .into(),
        evidence: format!("Finest mesh: {}.", report.join(", ")),
    }
}

fn independent_of_triangles(comparisons: &[Comparison; 2]) -> Finding {
    let mut holds = Vec::new();
    let mut report = Vec::new();
    for comparison in comparisons {
        let grid = comparison.largest_grid();
        for approach in [Approach::WellChosen, Approach::PreChosen] {
            let Some(power) = comparison.growth_with_triangles(approach, grid, evaluation) else {
                continue;
            };
            holds.push(power.abs() <= ALMOST_INDEPENDENT);
            report.push(format!("{} {approach} N^{power:.2}", comparison.body));
        }
    }
    let [sphere, _] = comparisons;
    let measured: Vec<String> = TABLE_2
        .iter()
        .filter(|printed| printed.per_axis == sphere.largest_grid())
        .filter_map(|printed| {
            let case = sphere.case(Approach::PreChosen, printed.triangles, printed.per_axis)?;
            Some(format!(
                "{} ({} triangles, printed {} s)",
                seconds(case.evaluation),
                printed.triangles,
                printed.text
            ))
        })
        .collect();
    let table = if measured.is_empty() {
        String::new()
    } else {
        format!(" Table 2, {} points, pre-chosen: {}.", largest_grid(sphere), measured.join(", "))
    };
    Finding {
        verdict: verdict_of(&holds),
        claim: "the evaluation part is almost independent of the number of triangles".into(),
        evidence: format!(
            "With {} points it grows as: {}.{table} The finer the tree, the fewer points have triangles near; \
             the others ask an expansion only.",
            largest_grid(sphere),
            report.join(", ")
        ),
    }
}

fn rays(comparisons: &[Comparison; 2]) -> Finding {
    let mut holds = Vec::new();
    let mut report = Vec::new();
    for comparison in comparisons {
        let grid = comparison.largest_grid();
        let with_triangles =
            comparison.growth_with_triangles(Approach::RayCrossing, grid, ApproachCase::total);
        let with_points = comparison.growth_with_points(Approach::RayCrossing, ApproachCase::total);
        let (Some(triangles), Some(points)) = (with_triangles, with_points) else { continue };
        holds.extend([triangles, points].map(|power| (power - 1.0).abs() <= LINEAR));
        report.push(format!("{} N^{triangles:.2} and M^{points:.2}", comparison.body));
    }
    Finding {
        verdict: verdict_of(&holds),
        claim: "ray crossing is linear in the number of triangles and in that of points (figures 9 and 14)"
            .into(),
        evidence: format!(
            "{}; where too many tests were due, some of the points were asked for and the time \
             extrapolated linearly.",
            report.join(", ")
        ),
    }
}
