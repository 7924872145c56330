//! The numbers that the paper's claims rest on.

use super::PointInclusionResults;
use super::approach::Approach;
use super::comparison::{ApproachCase, Comparison};
use super::crossover::{CrossoverPoint, crossover_point};
use super::published::CROSSOVERS;
use crate::report::ReportPage;
use crate::verdict::Expectation;

/// Over the upper two decades of triangles N log² N itself grows as N^1.2.
const ALMOST_LINEAR: Expectation = Expectation::AtMost(1.25);
const LINEAR: Expectation = Expectation::Near(1.0, 0.1);
/// A time that grows or falls with a smaller power is almost independent.
const ALMOST_INDEPENDENT: Expectation = Expectation::Near(0.0, 0.25);
/// Times that differ by less are equal.
const EQUAL: f64 = 1.1;

/// Holds every measured number against what the paper says.
pub(super) fn judge(results: &PointInclusionResults, page: &mut ReportPage) {
    let [sphere, foam] = &results.comparisons;
    for comparison in [sphere, foam] {
        growth_of_multipoles(comparison, page);
        growth_of_rays(comparison, page);
        cells(comparison, page);
    }
    well_chosen(&results.comparisons, page);
    refined(sphere, page);
    coarse_and_fine(sphere, page);
    overtaken(sphere, page);
    foams(foam, page);
    answers(results, page);
}

fn growth_of_multipoles(comparison: &Comparison, page: &mut ReportPage) {
    let (body, grid, few_grid) =
        (comparison.body, comparison.largest_grid(), comparison.smallest_grid());
    let evaluation = |case: &ApproachCase| case.evaluation;
    let setup = comparison.growth_with_triangles(Approach::PreChosen, grid, |case| case.setup);
    let quantity = format!("power of N, setting up FMM PC, {body}");
    page.verdict("almost linear", quantity, setup, ALMOST_LINEAR);
    let power = comparison.growth_with_points(Approach::PreChosen, evaluation);
    let quantity = format!("power of M, evaluation of FMM PC, {body}");
    page.verdict("almost linear", quantity.clone(), power, ALMOST_LINEAR);
    page.verdict("linear in points", quantity, power, LINEAR);
    let quantity = format!("power of N and M growing by 64, total of FMM WC, {body}");
    page.verdict("almost linear", quantity, both_growing(comparison), ALMOST_LINEAR);
    let total = |per_axis| {
        comparison.growth_with_triangles(Approach::WellChosen, per_axis, ApproachCase::total)
    };
    if let (Some(few), Some(many)) = (total(few_grid), total(grid)) {
        let quantity = format!("power of N, total of FMM WC, {grid}³ points, {body}");
        page.verdict("less than linear", quantity, many, Expectation::Below(1.0));
        let quantity = format!("the same with {few_grid}³ points, {body}");
        page.verdict("less than linear", quantity, few, Expectation::Above(many));
    }
    for approach in [Approach::WellChosen, Approach::PreChosen] {
        let power = comparison.growth_with_triangles(approach, grid, evaluation);
        let quantity = format!("power of N, evaluation of {approach}, {body}");
        page.verdict("independent of triangles", quantity, power, ALMOST_INDEPENDENT);
    }
}

/// How the well-chosen total grows if triangles and points both grow by 64.
fn both_growing(comparison: &Comparison) -> Option<f64> {
    let (&finest, grid) = (comparison.triangles.last()?, comparison.largest_grid());
    let large = comparison.case(Approach::WellChosen, finest, grid)?;
    let small = comparison.case(Approach::WellChosen, finest / 64, grid / 4)?;
    Some((large.total() / small.total()).ln() / 64f64.ln())
}

fn growth_of_rays(comparison: &Comparison, page: &mut ReportPage) {
    let (body, rays) = (comparison.body, Approach::RayCrossing);
    let grid = comparison.largest_grid();
    let with_triangles = comparison.growth_with_triangles(rays, grid, ApproachCase::total);
    let with_points = comparison.growth_with_points(rays, ApproachCase::total);
    for (symbol, power) in [('N', with_triangles), ('M', with_points)] {
        let quantity = format!("power of {symbol}, total of ray crossing, {body}");
        page.verdict("rays", quantity, power, LINEAR);
    }
}

/// Cells against the fastest of the paper's methods: the claim holds as far as cells are not faster.
fn cells(comparison: &Comparison, page: &mut ReportPage) {
    let cases = comparison.cases.iter().filter(|case| case.approach == Approach::Cells);
    let ratios: Vec<f64> = cases
        .filter_map(|case| {
            let of = |one| comparison.case(one, case.triangles, case.per_axis);
            let paper = [Approach::WellChosen, Approach::PreChosen, Approach::RayCrossing];
            let fastest = paper.into_iter().filter_map(of).map(ApproachCase::total);
            Some(fastest.reduce(f64::min)? / case.total())
        })
        .collect();
    let least = ratios.iter().copied().reduce(f64::min);
    let most = ratios.iter().copied().reduce(f64::max);
    for (end, ratio) in [("least", least), ("most", most)] {
        let quantity =
            format!("{end} time of the paper's faster method over cells, {}", comparison.body);
        page.verdict("choice", quantity, ratio, Expectation::AtMost(1.0));
    }
}

/// Whether a well-chosen depth is the pre-chosen one: then bounds are the same to the bit.
fn is_pre_chosen(comparison: &Comparison, well: &ApproachCase) -> bool {
    let grid = comparison.largest_grid();
    let pre = comparison.case(Approach::PreChosen, well.triangles, grid);
    let bounds = [pre, Some(well)].map(|case| case?.expansion.map(|expansion| expansion.bound));
    bounds[0].is_some() && bounds[0] == bounds[1]
}

/// Not slower anywhere, and faster more often than not.
fn well_chosen(comparisons: &[Comparison; 2], page: &mut ReportPage) {
    let mut ratios = Vec::new();
    for comparison in comparisons {
        let cases = comparison.cases.iter().filter(|case| case.approach == Approach::WellChosen);
        for well in cases.filter(|well| !is_pre_chosen(comparison, well)) {
            let pre = comparison.case(Approach::PreChosen, well.triangles, well.per_axis);
            ratios.extend(pre.map(|pre| pre.total() / well.total()));
        }
    }
    if ratios.is_empty() {
        return;
    }
    let better = ratios.iter().filter(|&&ratio| ratio > EQUAL).count() as f64;
    let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let quantity = "least time of PC over WC where depths differ";
    page.verdict("well chosen", quantity, worst, Expectation::AtLeast(1.0 / EQUAL));
    let quantity = "part of these cases in which WC is faster by a tenth";
    let part = better / ratios.len() as f64;
    page.verdict("well chosen", quantity, part, Expectation::Above(0.5));
}

fn refined(sphere: &Comparison, page: &mut ReportPage) {
    let many = sphere.curve(Approach::PreChosen, sphere.largest_grid());
    let falls = many.windows(2).filter(|meshes| meshes[1].total() < meshes[0].total()).count();
    let few = sphere.curve(Approach::PreChosen, sphere.smallest_grid());
    let Some(finest) = few.last() else { return };
    let quantity = "refinements after which FMM PC takes less time, largest grid";
    page.verdict("refined", quantity, falls as f64, Expectation::AtLeast(1.0));
    let quantity = "part of setting up in the time of the finest sphere, smallest grid";
    let part = finest.setup / finest.total();
    page.verdict("refined", quantity, part, Expectation::Above(0.5));
}

/// The faster of the two multipole methods over ray crossing.
fn multipole_over_rays(comparison: &Comparison, triangles: usize, per_axis: usize) -> Option<f64> {
    let of = |approach| comparison.case(approach, triangles, per_axis).map(ApproachCase::total);
    let multipole = of(Approach::WellChosen)?.min(of(Approach::PreChosen)?);
    Some(multipole / of(Approach::RayCrossing)?)
}

fn coarse_and_fine(sphere: &Comparison, page: &mut ReportPage) {
    let [Some(&coarsest), Some(&finest)] = [sphere.triangles.first(), sphere.triangles.last()]
    else {
        return;
    };
    let (few, many) = (sphere.smallest_grid(), sphere.largest_grid());
    for (claim, triangles, per_axis, expectation) in [
        ("few points", coarsest, few, Expectation::Above(1.0)),
        ("few points", finest, few, Expectation::Below(1.0)),
        ("many points", finest, many, Expectation::Below(1.0)),
    ] {
        let ratio = multipole_over_rays(sphere, triangles, per_axis);
        let quantity = format!("FMM over ray crossing, {triangles} triangles, {per_axis}³ points");
        page.verdict(claim, quantity, ratio, expectation);
    }
}

fn overtaken(sphere: &Comparison, page: &mut ReportPage) {
    for (per_axis, [slower, faster]) in CROSSOVERS {
        let place =
            crossover_point(sphere, Approach::PreChosen, per_axis).map(|found| match found {
                CrossoverPoint::At(place) => place,
                CrossoverPoint::Below(_) => 0.0,
                CrossoverPoint::Beyond(_) => f64::INFINITY,
            });
        let quantity = format!("triangles from which on FMM PC is faster, {per_axis}³ points");
        let expectation = Expectation::Between(slower as f64, faster as f64);
        page.verdict("overtaken", quantity, place, expectation);
    }
}

fn foams(foam: &Comparison, page: &mut ReportPage) {
    let few = ("foams, few points", foam.smallest_grid(), Expectation::Above(1.0));
    let many = ("foams, many points", foam.largest_grid(), Expectation::Below(0.5));
    for (claim, per_axis, expectation) in [few, many] {
        let multipole = foam.curve(Approach::PreChosen, per_axis);
        for (pre, ray) in multipole.iter().zip(foam.curve(Approach::RayCrossing, per_axis)) {
            let triangles = pre.triangles;
            let quantity =
                format!("FMM PC over ray crossing, {triangles} triangles, {per_axis}³ points");
            page.verdict(claim, quantity, pre.total() / ray.total(), expectation);
        }
    }
}

fn answers(results: &PointInclusionResults, page: &mut ReportPage) {
    let cases = || results.comparisons.iter().flat_map(|comparison| &comparison.cases);
    let asked: usize = cases().map(|case| case.answers.queried).sum();
    if asked > 0 {
        let contrary: usize = cases().map(|case| case.answers.contradicting).sum();
        let quantity = format!("answers contrary to exact cells, of {asked}");
        page.verdict("correct", quantity, contrary as f64, Expectation::AtMost(0.0));
    }
    let parts = cases().filter_map(|case| case.expansion).map(|one| one.largest_error / one.bound);
    let quantity = "largest error over its bound, expansions that were timed";
    page.verdict("bounded", quantity, parts.reduce(f64::max), Expectation::AtMost(1.0));
    for one in &results.accuracy {
        let quantity = format!("largest error of degree {}, sphere of 8192 triangles", one.degree);
        page.verdict("bounded", quantity, one.largest_error, Expectation::AtMost(one.bound));
    }
    for pair in results.accuracy.windows(2) {
        let [before, one] = [&pair[0], &pair[1]];
        let quantity =
            format!("error of degree {} over that of degree {}", one.degree, before.degree);
        let ratio = one.largest_error / before.largest_error;
        page.verdict("bounded", quantity, ratio, Expectation::Below(1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_003::bodies::MeshSeries;
    use crate::paper_003::samples::comparison;
    use crate::report::Settings;
    use crate::verdict::Verdict;

    /// The page of both bodies with these times.
    fn page(seconds: impl Fn(&ApproachCase) -> f64) -> ReportPage {
        let sphere = comparison(&seconds);
        let mut foam = comparison(&seconds);
        foam.body = MeshSeries::Foam;
        // The paper's foams have many triangles.
        foam.triangles = foam.triangles.split_off(5);
        let mut page = ReportPage::new("003", "", &Settings::default());
        let results = PointInclusionResults { comparisons: [sphere, foam], accuracy: Vec::new() };
        judge(&results, &mut page);
        page
    }

    #[test]
    fn times_as_the_paper_gives_them_agree() {
        let page = page(|case| {
            let (triangles, points) = (case.triangles as f64, case.points() as f64);
            match case.approach {
                Approach::RayCrossing => 1e-8 * triangles * points,
                Approach::WellChosen => 2e-8 * triangles + 3e-6 * points,
                _ => 4e-8 * triangles + 4e-6 * points,
            }
        });
        let claims = [
            "many points",
            "few points",
            "well chosen",
            "foams, many points",
            "independent of triangles",
        ];
        assert_eq!(page.verdicts_on(claims), [Verdict::Agrees; 5]);
    }

    #[test]
    fn a_multipole_method_slower_than_rays_does_not_agree() {
        let page = page(|case| {
            let pairs = case.triangles as f64 * case.points() as f64;
            if case.approach == Approach::RayCrossing { 1e-9 * pairs } else { 1e-8 * pairs }
        });
        let claims = ["many points", "rays", "independent of triangles", "bounded"];
        let expected =
            [Verdict::DoesNotAgree, Verdict::Agrees, Verdict::DoesNotAgree, Verdict::NotMeasured];
        assert_eq!(page.verdicts_on(claims), expected);
    }
}
