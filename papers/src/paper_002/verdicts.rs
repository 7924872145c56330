//! The numbers that the paper's claims rest on.

use super::ContactDetectionResults;
use super::contact_ratios::ContactRatio;
use super::dispersion::Dispersion;
use super::figure_2::{SearchCurveKind, SearchTimePanel, SearchTimePoint};
use super::origins::OriginRun;
use super::particles::DiameterTest;
use super::published::{CELL_TESTS_2D, CELL_TESTS_3D};
use super::tables::TableRun;
use super::theory::OriginPlacement;
use crate::report::ReportPage;
use crate::verdict::Expectation;

/// The means of linked cells in figure 2.
const MEANS: [u32; 3] = [1, 5, 10];

/// Holds every measured number against what the paper, or theory, lets expect.
pub(super) fn judge(results: &ContactDetectionResults, page: &mut ReportPage) {
    contacts(&results.contact_ratios, page);
    for panel in &results.figure_2 {
        growth(panel, page);
        order(panel, page);
        against_cells(panel, page);
    }
    for table in &results.tables {
        unequal_sizes(table, page);
    }
    let Dispersion { unequal_tests, equal_tests } = results.dispersion;
    let ratio = unequal_tests as f64 / equal_tests as f64;
    let quantity = "tests on discs of table 1 over tests on equal discs";
    page.verdict("spread of sizes", quantity, ratio, Expectation::Near(1.0, 0.05));
    origin(&results.origins, page);
}

/// A printed ratio is that of the particles within one of the whole percents it is printed in, or within a twentieth,
/// which the sides of a small box can make.
fn contacts(ratios: &[ContactRatio], page: &mut ReportPage) {
    let most = ratios.iter().map(|ratio| ratio.count).max();
    for ratio in ratios.iter().filter(|ratio| Some(ratio.count) == most) {
        let is_misprint = ratio.test == DiameterTest::C && ratio.dimension == 3;
        let claim = if is_misprint { "contacts of C in 3D" } else { "contacts" };
        let quantity =
            format!("contacts per 100 particles, {} in {}D", ratio.test, ratio.dimension);
        let apart = f64::max(1.0, 0.05 * ratio.measured_percent);
        let expectation = Expectation::Near(ratio.printed_percent, apart);
        page.verdict(claim, quantity, ratio.measured_percent, expectation);
    }
}

/// Counted work is bent by the sides of the box only; times also by sorting, caches and memory.
fn growth(panel: &SearchTimePanel, page: &mut ReportPage) {
    let dimension = panel.dimension;
    let stencil = if dimension == 2 { CELL_TESTS_2D } else { CELL_TESTS_3D };
    for curve in &panel.curves {
        let (line, expected) = (curve.kind, curve.kind.expected_exponent(dimension));
        let quantity = format!("power of N, time of {line} in {dimension}D");
        let (time, near) = (curve.time_exponent(), Expectation::Near(expected, 0.1));
        match line {
            SearchCurveKind::DistanceSort(_) => {
                page.verdict("time of sort", quantity, time, near);
                let quantity = format!("power of N, tests of {line} in {dimension}D");
                let near = Expectation::Near(expected, 0.05);
                page.verdict("tests of sort", quantity, curve.test_exponent(), near);
            }
            SearchCurveKind::LinkedCells(mean) => {
                page.verdict("time of cells", quantity, time, near);
                let tests =
                    |last: &SearchTimePoint| last.measurement.pair_tests as f64 / last.count as f64;
                let quantity = format!("tests per particle, LCM {mean} in {dimension}D");
                let stated = Expectation::Within(stencil * f64::from(mean), 0.1);
                page.verdict("tests of cells", quantity, curve.last().map(tests), stated);
            }
            SearchCurveKind::Auto(_) => {}
        }
    }
}

fn last_time(panel: &SearchTimePanel, line: SearchCurveKind) -> Option<f64> {
    Some(panel.curve(line)?.last()?.measurement.milliseconds)
}

fn ratio(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(one? / other?)
}

/// Which is faster at the largest number of particles.
fn order(panel: &SearchTimePanel, page: &mut ReportPage) {
    let dimension = panel.dimension;
    let time = |line| last_time(panel, line);
    let cells = MEANS.map(SearchCurveKind::LinkedCells);
    let sorts =
        [DiameterTest::C, DiameterTest::B, DiameterTest::A].map(SearchCurveKind::DistanceSort);
    for (claim, lines) in [("order of cells", cells), ("order of sorts", sorts)] {
        for pair in lines.windows(2) {
            let quantity = format!("time of {} over {} in {dimension}D", pair[1], pair[0]);
            let slower = ratio(time(pair[1]), time(pair[0]));
            page.verdict(claim, quantity, slower, Expectation::Above(1.0));
        }
    }
    let of_paper = cells.into_iter().chain([SearchCurveKind::DistanceSort(DiameterTest::A)]);
    let fastest = of_paper.filter_map(time).reduce(f64::min);
    let auto = time(SearchCurveKind::Auto(DiameterTest::A));
    let quantity = format!("fastest of the paper over auto, test A in {dimension}D");
    page.verdict("own choice", quantity, ratio(fastest, auto), Expectation::AtLeast(1.0));
}

/// The distance sort against the fastest linked cells at every number of particles.
fn against_cells(panel: &SearchTimePanel, page: &mut ReportPage) {
    let dense = ("dense particles", DiameterTest::A, Expectation::Above(1.0));
    let sparse = ("sparse particles", DiameterTest::C, Expectation::Below(1.0));
    for (claim, test, expectation) in [dense, sparse] {
        let Some(sort) = panel.curve(SearchCurveKind::DistanceSort(test)) else { continue };
        for (number, point) in sort.points.iter().enumerate() {
            let time = |line| Some(panel.curve(line)?.points.get(number)?.measurement.milliseconds);
            let cells = MEANS.map(SearchCurveKind::LinkedCells).into_iter().filter_map(time);
            let sort = Some(point.measurement.milliseconds);
            let (dimension, count) = (panel.dimension, point.count);
            let quantity = format!("sort {test} over fastest LCM, N = {count} in {dimension}D");
            page.verdict(claim, quantity, ratio(sort, cells.reduce(f64::min)), expectation);
        }
    }
}

fn unequal_sizes(table: &TableRun, page: &mut ReportPage) {
    let claim = ["table 1", "table 2", "table 3"][table.number - 1];
    for entry in table.linked_cells() {
        let Some(published) = table.published_ratio(entry) else { continue };
        let quantity = format!("time of {} over distance sort", entry.name);
        let expectation = Expectation::SameSideOfOne(published);
        page.verdict(claim, quantity, table.measured_ratio(entry), expectation);
    }
    let others = table.entries[..table.entries.len() - 1].iter();
    let fastest = others.map(|entry| entry.measurement.milliseconds).fold(f64::INFINITY, f64::min);
    let ratio = fastest / table.auto().measurement.milliseconds;
    let quantity = format!("fastest of the paper over auto, table {}", table.number);
    page.verdict("own choice", quantity, ratio, Expectation::AtLeast(1.0));
}

fn origin(runs: &[OriginRun], page: &mut ReportPage) {
    for dimension in [2, 3] {
        let tests = |placement| {
            let mut own = runs.iter().filter(|run| run.dimension == dimension);
            own.find(|run| run.placement == placement).map(|run| run.pair_tests as f64)
        };
        let center = ratio(tests(OriginPlacement::Center), tests(OriginPlacement::Corner));
        let quantity = format!("tests from the center over tests from a corner in {dimension}D");
        page.verdict("origin", quantity, center, Expectation::Above(1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Settings;
    use crate::verdict::Verdict;

    #[test]
    fn only_test_c_in_space_contradicts_the_paper_and_a_false_print_would_be_noticed() {
        let mut ratios = crate::paper_002::contact_ratios::measure(&[10_000]);
        let judged = |ratios: &[ContactRatio]| {
            let mut page = ReportPage::new("002", "", &Settings::default());
            contacts(ratios, &mut page);
            page.verdicts_on(["contacts", "contacts of C in 3D"])
        };
        assert_eq!(judged(&ratios), [Verdict::Agrees, Verdict::DoesNotAgree]);
        ratios[0].printed_percent = 70.0;
        assert_eq!(judged(&ratios)[0], Verdict::InPart);
    }
}
