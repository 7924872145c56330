//! The numbers that the paper's claims rest on.

use super::PolyhedronDistanceResults;
use super::crowd::{CrowdCurve, StepCost};
use super::report::lists;
use crate::report::ReportPage;
use crate::verdict::Expectation;
use carom::detect::broad::BucketDivision;

/// A run time that varies by no more counts as independent of the shape: the printed one varies by 1.43.
const ALIKE: Expectation = Expectation::AtMost(1.5);
/// A time that grows with a larger power of the number of bodies is not linear.
const LINEAR: Expectation = Expectation::AtMost(1.1);

/// Holds every measured number against what the paper claims.
pub(super) fn judge(results: &PolyhedronDistanceResults, page: &mut ReportPage) {
    for table in [&results.half_degree, &results.implied] {
        let degrees = table.degrees;
        let quantity = format!("least part of queries of 1 or 2 iterations, {degrees}° per step");
        page.verdict("iterations", quantity, table.least_share_up_to(2), Expectation::AtLeast(0.9));
        let times = table.rows.iter().map(|row| row.microseconds);
        let quantity = format!("slowest query over fastest, over faces, {degrees}° per step");
        page.verdict("faces", quantity, slowest_over_fastest(times), ALIKE);
    }
    for division in super::DIVISIONS {
        let exponents = of_division(results, division)
            .filter_map(|curve| curve.exponent(StepCost::seconds))
            .reduce(f64::max);
        let quantity = format!("highest power of N, time of a step, {}", lists(division));
        page.verdict("linear", quantity, exponents, LINEAR);
    }
    // The paper calls the exchanges that change no pair negligible.
    let last = of_division(results, BucketDivision::One).filter_map(|curve| curve.points.last());
    let ratios = last.map(|point| point.cost.exchanges / point.cost.pair_changes.max(1.0));
    let quantity = "exchanges per change of a pair, one list per axis";
    page.verdict("exchanges", quantity, ratios.reduce(f64::max), Expectation::AtMost(2.0));
    let last =
        of_division(results, BucketDivision::ByDensity).filter_map(|curve| curve.points.last());
    let times = last.map(|point| point.cost.seconds() / point.count as f64);
    let quantity = "time per body of the slowest shape over the fastest";
    page.verdict("shapes", quantity, slowest_over_fastest(times), ALIKE);
}

fn of_division(
    results: &PolyhedronDistanceResults,
    division: BucketDivision,
) -> impl Iterator<Item = &CrowdCurve> {
    results.crowds.iter().filter(move |curve| curve.division == division)
}

fn slowest_over_fastest(times: impl Iterator<Item = f64>) -> Option<f64> {
    let ends = times.map(|time| (time, time));
    let (fastest, slowest) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some(slowest / fastest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_001::crowd::CrowdPoint;
    use crate::paper_001::pair_table::{PairTable, PairTableRow};
    use crate::paper_001::published::{PublishedQueryRow, TABLE};
    use crate::paper_001::{CROWD_FACES, DIVISIONS};
    use crate::report::Settings;
    use crate::verdict::Verdict;

    fn table(slope: f64) -> PairTable {
        let row = |printed: &PublishedQueryRow| PairTableRow {
            faces: printed.faces,
            features: printed.features,
            iterations: printed.iterations,
            microseconds: 0.1 + slope * printed.faces as f64,
        };
        PairTable { degrees: 0.5, rows: TABLE.iter().map(row).collect() }
    }

    fn verdicts(slope: f64, power: f64) -> [Verdict; 5] {
        let point = |count: usize| {
            let (seconds, bodies) = (1e-6 * (count as f64).powf(power), count as f64);
            let cost = StepCost {
                broad_phase_seconds: seconds,
                narrow_phase_seconds: seconds,
                pairs: bodies,
                exchanges: 1.5 * bodies,
                pair_changes: bodies,
                ..StepCost::default()
            };
            CrowdPoint { count, cost }
        };
        let points = [100, 1000, 10_000].map(point).to_vec();
        let curve = |faces, division| CrowdCurve { faces, division, points: points.clone() };
        let crowds = DIVISIONS
            .into_iter()
            .flat_map(|division| CROWD_FACES.map(|faces| curve(faces, division)))
            .collect();
        let (half_degree, implied) = (table(slope), table(slope));
        let mut page = ReportPage::new("001", "", &Settings::default());
        judge(&PolyhedronDistanceResults { half_degree, implied, crowds }, &mut page);
        page.verdicts_on(["iterations", "faces", "linear", "exchanges", "shapes"])
    }

    #[test]
    fn the_printed_figures_agree_with_the_printed_claims_and_growth_is_reported() {
        assert_eq!(verdicts(0.0, 1.0), [Verdict::Agrees; 5]);
        assert_eq!(verdicts(1e-3, 1.5)[1..3], [Verdict::DoesNotAgree; 2]);
    }
}
