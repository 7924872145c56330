//! Whether the answers are right, and what is better today.

use super::verdict_of;
use crate::digits::significant;
use crate::finding::Finding;
use crate::paper_003::PointInclusionResults;
use crate::paper_003::approach::Approach;
use crate::paper_003::comparison::{ApproachCase, Comparison};
use crate::paper_003::expansion::ExpansionAccuracy;
use carom::scene::group_thousands;

pub(super) fn findings(results: &PointInclusionResults) -> Vec<Finding> {
    vec![reliable(&results.comparisons), bounded(results), cells(&results.comparisons)]
}

fn cases(comparisons: &[Comparison; 2]) -> impl Iterator<Item = &ApproachCase> {
    comparisons.iter().flat_map(|comparison| &comparison.cases)
}

fn reliable(comparisons: &[Comparison; 2]) -> Finding {
    let sum = |count: fn(&ApproachCase) -> usize| cases(comparisons).map(count).sum::<usize>();
    let asked = sum(|case| case.answers.queried);
    let contrary = sum(|case| case.answers.contradicting);
    let doubtful = sum(|case| case.answers.doubtful);
    Finding {
        verdict: if asked == 0 { verdict_of(&[]) } else { verdict_of(&[contrary == 0]) },
        claim: "both methods give correct results".into(),
        evidence: format!(
            "Of {} answers by six methods, {contrary} say inside where exact cells say outside or the other \
             way round; {doubtful} say on the surface where the other does not, which for methods with \
             rounding means within rounding of it.",
            group_thousands(asked as u64)
        ),
    }
}

fn bounded(results: &PointInclusionResults) -> Finding {
    let of_cases = cases(&results.comparisons).filter_map(|case| case.expansion);
    let found: Vec<ExpansionAccuracy> = of_cases.chain(results.accuracy.iter().copied()).collect();
    let holds: Vec<bool> = found.iter().map(|one| one.largest_error <= one.bound).collect();
    let largest = found.iter().map(|one| one.largest_error).fold(0.0, f64::max);
    let closest = found.iter().map(|one| one.largest_error / one.bound).fold(0.0, f64::max);
    let series: Vec<String> = results
        .accuracy
        .iter()
        .map(|one| format!("{:.0e} of degree {}", one.largest_error, one.degree))
        .collect();
    Finding {
        verdict: verdict_of(&holds),
        claim:
            "the error of the multipole method is bounded and falls with the degree (equation 27)"
                .into(),
        evidence: format!(
            "The largest error against the direct sum is {largest:.1e}, and none is more than {} of its bound. \
             Largest errors on a sphere of 8192 triangles: {}.",
            significant(closest, 2),
            series.join(", ")
        ),
    }
}

/// Cells against the fastest of the paper's methods, and against rays with a tree.
fn cells(comparisons: &[Comparison; 2]) -> Finding {
    let mut ratios = Vec::new();
    let mut against_tree = Vec::new();
    let mut extreme = None;
    for comparison in comparisons {
        for case in &comparison.cases {
            if case.approach != Approach::Cells {
                continue;
            }
            let of = |approach| {
                comparison.case(approach, case.triangles, case.per_axis).map(ApproachCase::total)
            };
            let paper = [Approach::WellChosen, Approach::PreChosen, Approach::RayCrossing];
            let fastest = paper.into_iter().filter_map(of).reduce(f64::min);
            ratios.extend(fastest.map(|fastest| fastest / case.total()));
            against_tree.extend(of(Approach::BvhRayCrossing).map(|tree| tree / case.total()));
            extreme = fastest.map(|fastest| (comparison.body, case, fastest)).or(extreme);
        }
    }
    let slower = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    let range = |values: &[f64]| {
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, 0.0f64), |(low, high), &value| (low.min(value), high.max(value)));
        format!("{} to {}", significant(low, 2), significant(high, 2))
    };
    let report = extreme.map_or(String::new(), |(body, case, fastest)| {
        format!(
            " Finest {body}, {}³ points: {} s by cells, {} s by the faster of the paper's methods.",
            case.per_axis,
            significant(case.total(), 2),
            significant(fastest, 2)
        )
    });
    Finding {
        // The claim holds as far as the paper's methods are the faster ones.
        verdict: verdict_of(&ratios.iter().map(|&ratio| ratio > 1.0).map(|cells| !cells).collect::<Vec<_>>()),
        claim: "the choice is between the multipole method for bodies of very many faces and ray crossing \
                for simpler ones (section 4)"
            .into(),
        evidence: format!(
            "Today neither: cells that carry their answer are exact and {} times as fast as the faster of \
             the two, slower in {slower} of {} cases, and {} times as fast as rays with a tree.{report}",
            range(&ratios),
            ratios.len(),
            range(&against_tree)
        ),
    }
}
