//! What agrees with the paper and what does not, decided by the measured figures.

use super::PolyhedronDistanceResults;
use super::crowd::{CrowdCurve, CrowdPoint, StepCost};
use super::pair_table::{PairTable, PairTableRow};
use super::published::TABLE;
use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};
use carom::detect::broad::BucketDivision;
use carom::scene::group_thousands;

/// A run time that varies by no more counts as independent of the shape: the printed one varies by 1.43.
const ALIKE: f64 = 1.5;
/// A time that grows with a larger power of the number of bodies is not linear.
const LINEAR: f64 = 1.1;

/// Every finding, in the order of the paper.
pub fn all(results: &PolyhedronDistanceResults) -> Vec<Finding> {
    vec![
        few_iterations(results),
        any_number_of_faces(results),
        linear(results),
        exchanges(results),
        any_shape_in_a_crowd(results),
    ]
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn few_iterations(results: &PolyhedronDistanceResults) -> Finding {
    let (half, implied) = (&results.half_degree, &results.implied);
    let printed = TABLE.iter().map(|row| row.share_of_one()).fold(1.0, f64::min);
    Finding {
        verdict: ClaimVerdict::of_all(
            [half, implied].map(|table| table.least_share_up_to(2) >= 0.9),
        ),
        claim: "started from the last features, a query normally takes 1 or 2 iterations".into(),
        evidence: format!(
            "At {} degrees per step at least {} take one and {} at most two, whatever the number of \
             faces; at {} degrees {} and {}. The paper prints at least {} for one, but neither its \
             rotation per step nor its gap.",
            half.degrees,
            percent(half.least_share_up_to(1)),
            percent(half.least_share_up_to(2)),
            implied.degrees,
            percent(implied.least_share_up_to(1)),
            percent(implied.least_share_up_to(2)),
            percent(printed)
        ),
    }
}

/// How many times as long the slowest row takes as the fastest.
fn spread(table: &PairTable) -> Option<(f64, &PairTableRow, &PairTableRow)> {
    let (slowest, fastest) = table.extremes()?;
    Some((slowest.microseconds / fastest.microseconds, slowest, fastest))
}

fn any_number_of_faces(results: &PolyhedronDistanceResults) -> Finding {
    let spreads: Vec<_> = [&results.half_degree, &results.implied]
        .into_iter()
        .filter_map(|table| Some((table.degrees, spread(table)?)))
        .collect();
    let report: Vec<String> = spreads
        .iter()
        .map(|(degrees, (ratio, slowest, fastest))| {
            format!(
                "At {degrees} degrees per step the slowest ({} faces, {} µs) takes {ratio:.2} times as \
                 long as the fastest ({} faces, {} µs).",
                slowest.faces,
                significant(slowest.microseconds, 3),
                fastest.faces,
                significant(fastest.microseconds, 3)
            )
        })
        .collect();
    let times = || TABLE.iter().map(|row| f64::from(row.microseconds));
    let (most, least) = (times().fold(0.0, f64::max), times().fold(f64::INFINITY, f64::min));
    Finding {
        verdict: ClaimVerdict::of_all(spreads.iter().map(|(_, (ratio, ..))| *ratio <= ALIKE)),
        claim: "the run time of a query is independent of the number of faces".into(),
        evidence: format!(
            "{} The printed times differ by {:.2}, without a trend. More faces are smaller, so a \
             rotation changes the closest ones more often.",
            report.join(" "),
            most / least
        ),
    }
}

fn of_division(
    results: &PolyhedronDistanceResults,
    division: BucketDivision,
) -> impl Iterator<Item = &CrowdCurve> {
    results.crowds.iter().filter(move |curve| curve.division == division)
}

/// The smallest and the largest exponent of a figure over the numbers of faces.
fn range(
    results: &PolyhedronDistanceResults,
    division: BucketDivision,
    figure: fn(&StepCost) -> f64,
) -> Option<(f64, f64)> {
    let exponents = || of_division(results, division).filter_map(|curve| curve.exponent(figure));
    Some((exponents().reduce(f64::min)?, exponents().reduce(f64::max)?))
}

fn linear(results: &PolyhedronDistanceResults) -> Finding {
    let report = |division: BucketDivision, name: &str| {
        let (low, high) = range(results, division, StepCost::seconds)?;
        let (_, broad) = range(results, division, |cost| cost.broad_phase_seconds)?;
        let (_, narrow) = range(results, division, |cost| cost.narrow_phase_seconds)?;
        let text = format!(
            "With {name} the time of a step grows as N^{low:.2} to N^{high:.2} over the upper two \
             decades (boxes up to N^{broad:.2}, distances up to N^{narrow:.2})."
        );
        Some((high, text))
    };
    let one = report(BucketDivision::One, "one list per axis, as in the paper,");
    let many = report(BucketDivision::ByDensity, "lists for parts of the box");
    let parts: Vec<(f64, String)> = one.into_iter().chain(many).collect();
    Finding {
        verdict: ClaimVerdict::of_all(parts.iter().map(|(exponent, _)| *exponent <= LINEAR)),
        claim: "the expected run time is O(N) in the number of particles".into(),
        evidence: parts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "),
    }
}

fn largest(curve: &CrowdCurve) -> Option<&CrowdPoint> {
    curve.points.last()
}

/// The paper calls the exchanges that change no pair negligible.
fn exchanges(results: &PolyhedronDistanceResults) -> Finding {
    let extra = |division: BucketDivision| {
        let points = of_division(results, division).filter_map(largest);
        let ratios = points.map(|point| point.cost.exchanges / point.cost.pair_changes.max(1.0));
        ratios.reduce(f64::max)
    };
    let count = results.crowds.iter().filter_map(largest).map(|point| point.count).max();
    let (one, many) = (extra(BucketDivision::One), extra(BucketDivision::ByDensity));
    let growth = range(results, BucketDivision::One, |cost| cost.exchanges);
    let evidence = match (one, many, growth) {
        (Some(one), Some(many), Some((_, growth))) => format!(
            "Of {} bodies up to {} exchanges fall on one change of a pair of boxes with one list per \
             axis, and their number grows as N^{growth:.2}: most ends that pass each other belong to \
             boxes far apart along the other axes. With lists for parts of the box it is {}.",
            group_thousands(count.unwrap_or(0) as u64),
            significant(one, 2),
            significant(many, 2)
        ),
        _ => String::new(),
    };
    Finding {
        verdict: one.map_or(ClaimVerdict::NotMeasured, |one| ClaimVerdict::of(one <= 2.0)),
        claim: "the number of exchanges is close to that of changes in the overlap status".into(),
        evidence,
    }
}

fn any_shape_in_a_crowd(results: &PolyhedronDistanceResults) -> Finding {
    let per_body: Vec<(usize, f64, f64)> = of_division(results, BucketDivision::ByDensity)
        .filter_map(|curve| {
            let CrowdPoint { count, cost } = largest(curve)?;
            let per_body = cost.seconds() * 1e6 / *count as f64;
            Some((curve.faces, per_body, cost.narrow_phase_seconds * 1e6 / cost.pairs.max(1.0)))
        })
        .collect();
    let times = || per_body.iter().map(|(_, time, _)| *time);
    let ratio = times().fold(0.0, f64::max) / times().fold(f64::INFINITY, f64::min);
    let report: Vec<String> = per_body
        .iter()
        .map(|(faces, time, pair)| {
            let (time, pair) = (significant(*time, 3), significant(*pair, 3));
            format!("{time} µs per body and {pair} µs per pair for {faces} faces")
        })
        .collect();
    Finding {
        verdict: ClaimVerdict::of(ratio <= ALIKE),
        claim: "in a simulation the time does not depend on the shape of the particles".into(),
        evidence: format!(
            "A step takes {}; the slowest takes {ratio:.2} times as long as the fastest. \
             Circumscribed spheres are the same, so bodies of few faces have smaller boxes, and fewer \
             pairs of them.",
            report.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_001::{CROWD_FACES, DIVISIONS};

    fn table(slope: f64) -> PairTable {
        let row = |printed: &crate::paper_001::published::PublishedQueryRow| PairTableRow {
            faces: printed.faces,
            features: printed.features,
            iterations: printed.iterations,
            microseconds: 0.1 + slope * printed.faces as f64,
        };
        PairTable { degrees: 0.5, rows: TABLE.iter().map(row).collect() }
    }

    fn results(slope: f64, power: f64) -> PolyhedronDistanceResults {
        let point = |count: usize| {
            let seconds = 1e-6 * (count as f64).powf(power);
            let cost = StepCost {
                broad_phase_seconds: seconds,
                narrow_phase_seconds: seconds,
                pairs: count as f64,
                exchanges: 1.5 * count as f64,
                pair_changes: count as f64,
                ..StepCost::default()
            };
            CrowdPoint { count, cost }
        };
        let curve = |faces, division| CrowdCurve {
            faces,
            division,
            points: [100, 1000, 10_000].map(point).to_vec(),
        };
        let crowds = DIVISIONS
            .into_iter()
            .flat_map(|division| CROWD_FACES.map(|faces| curve(faces, division)));
        PolyhedronDistanceResults {
            half_degree: table(slope),
            implied: table(slope),
            crowds: crowds.collect(),
        }
    }

    fn verdicts(results: &PolyhedronDistanceResults) -> Vec<ClaimVerdict> {
        all(results).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn the_printed_figures_agree_with_the_printed_claims() {
        assert_eq!(verdicts(&results(0.0, 1.0)), [ClaimVerdict::Agrees; 5]);
    }

    #[test]
    fn growth_is_reported() {
        let verdicts = verdicts(&results(1e-3, 1.5));
        assert_eq!(verdicts[1..3], [ClaimVerdict::DoesNotAgree; 2]);
    }
}
