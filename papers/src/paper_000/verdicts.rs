//! The numbers that table 1 and the guidelines of section 4 rest on.

use super::KineticStructureResults;
use super::bound::ComplexityBound;
use super::bound_table::BoundTableCell;
use super::measured::Measured;
use super::published::{self, ComplexityColumn, PRINTED};
use super::size_ratios::COMPARED;
use super::system::{DensityRegime, RadiusDistribution};
use super::table_1::StructurePanel;
use crate::report::ReportPage;
use crate::verdict::Expectation;
use carom::simulate::event_driven::NeighborStructure;

/// The time of a collision may change by this factor before it counts as dependent.
const INDEPENDENT: f64 = 2.0;

/// Holds every measured number against the bounds and the guidelines.
pub(super) fn judge(
    results: &KineticStructureResults,
    cells: &[BoundTableCell],
    page: &mut ReportPage,
) {
    same_collisions(results, page);
    bounds(cells, page);
    worst_cases(cells, page);
    growth_of_the_text(cells, page);
    for panel in &results.panels {
        events_and_memory(panel, page);
    }
    for (dense, dilute) in dense_and_dilute(results) {
        dense_systems(dense, dilute, page);
    }
    sizes_and_densities(results, page);
    known_in_advance(results, page);
}

/// The paper calls a structure correct if no collision is missed.
fn same_collisions(results: &KineticStructureResults, page: &mut ReportPage) {
    let panels = results.panels.iter().flat_map(|panel| {
        panel.counts().into_iter().map(|count| panel.at(count).map(|run| run.digest).collect())
    });
    let mixtures =
        results.mixtures.iter().map(|mixture| mixture.runs.iter().map(|run| run.digest).collect());
    // A system that one structure alone ran shows nothing.
    let compared = |digests: &Vec<u64>| digests.len() > 1;
    let systems: Vec<Vec<u64>> = panels.chain(mixtures).filter(compared).collect();
    if systems.is_empty() {
        return;
    }
    let alike = |digests: &&Vec<u64>| digests.iter().all(|&digest| digest == digests[0]);
    let count = systems.iter().filter(alike).count() as f64;
    let quantity = "systems in which all structures give the same collisions to the last bit";
    page.verdict("collisions", quantity, count, Expectation::AtLeast(systems.len() as f64));
}

/// Whether the cells of the structures the paper has keep their bounds.
fn bounds(cells: &[BoundTableCell], page: &mut ReportPage) {
    for cell in cells.iter().filter(|cell| published::is_printed(cell.structure)) {
        let Some(growth) = cell.fastest() else { continue };
        let (column, name, dimension) = (cell.column, cell.structure.name(), cell.dimension);
        let quantity = format!("power of N, {column} of {name} in {dimension}D, {}", cell.bound);
        let expectation = Expectation::AtMost(growth.allowed + column.tolerance());
        page.verdict("bounds", quantity, growth.measured, expectation);
    }
}

/// Column E: far below the bounds, which are for the worst case.
fn worst_cases(cells: &[BoundTableCell], page: &mut ReportPage) {
    let printed = |cell: &&BoundTableCell| {
        cell.column == ComplexityColumn::E && published::is_printed(cell.structure)
    };
    for cell in cells.iter().filter(printed) {
        let Some(growth) = cell.fastest() else { continue };
        let quantity = format!("power of N, E of {} in {}D", cell.structure.name(), cell.dimension);
        let bound = growth.allowed - cell.column.tolerance();
        page.verdict("worst cases", quantity, growth.measured, Expectation::Below(bound));
    }
}

/// Column D, where the table says other than the sections before it: measured against the sections.
fn growth_of_the_text(cells: &[BoundTableCell], page: &mut ReportPage) {
    let segments = (NeighborStructure::SegmentTrees, ComplexityBound::Logarithm);
    let delaunay = (NeighborStructure::Laguerre, ComplexityBound::Linearithmic);
    for (structure, bound) in [segments, delaunay] {
        let own = cells
            .iter()
            .filter(|cell| cell.structure == structure && cell.column == ComplexityColumn::D);
        for cell in own {
            // Over numbers of bodies as they are measured, log N itself grows as about N^0.1.
            let power = bound.exponent(&[1e3, 1e4, 1e5], cell.dimension);
            let (Some(growth), Some(power)) = (cell.fastest(), power) else { continue };
            let quantity = format!("power of N, D of {} in {}D", structure.name(), cell.dimension);
            let expectation = Expectation::AtMost(power + cell.column.tolerance());
            page.verdict("column D", format!("{quantity}, {bound}"), growth.measured, expectation);
        }
    }
}

fn name(panel: &StructurePanel) -> String {
    format!("{}D {}", panel.dimension, panel.system)
}

/// The most bodies that segment trees ran.
fn common_count(panel: &StructurePanel) -> Option<usize> {
    panel.curve(NeighborStructure::SegmentTrees)?.last().map(|run| run.count)
}

/// A figure of a structure at the number of bodies, or as near to it as there is a run.
fn figure_near(
    panel: &StructurePanel,
    structure: NeighborStructure,
    count: usize,
    figure: fn(&Measured) -> f64,
) -> Option<f64> {
    let points = &panel.curve(structure)?.points;
    points.iter().min_by_key(|run| run.count.abs_diff(count)).map(figure)
}

/// A figure of a structure at exactly this many bodies.
fn figure_at(
    panel: &StructurePanel,
    structure: NeighborStructure,
    count: usize,
    figure: fn(&Measured) -> f64,
) -> Option<f64> {
    panel.at(count).find(|run| run.structure == structure).map(figure)
}

/// Guidelines 1 and 2: flips against other events, and the space of the regular subdivision.
fn events_and_memory(panel: &StructurePanel, page: &mut ReportPage) {
    let Some(count) = common_count(panel) else { return };
    let events = |structure| figure_at(panel, structure, count, |run| run.events_per_collision);
    let others = PRINTED[1..].iter().filter_map(|&structure| events(structure)).reduce(f64::max);
    if let (Some(flips), Some(others)) = (events(NeighborStructure::Laguerre), others) {
        let quantity = format!("flips per collision against events of the others, {}", name(panel));
        page.verdict("guideline 1", quantity, flips, Expectation::Above(others));
    }
    let bytes = |structure| figure_near(panel, structure, count, |run| run.bytes_per_body);
    let others =
        [NeighborStructure::CellTree, NeighborStructure::SegmentTrees, NeighborStructure::Laguerre];
    let others = others.into_iter().filter_map(bytes).reduce(f64::max);
    if let (Some(grid), Some(others)) = (bytes(NeighborStructure::CellGrid), others) {
        let quantity =
            format!("bytes per body of the cell grid against the others, {}", name(panel));
        page.verdict("guideline 2", quantity, grid, Expectation::Above(others));
    }
}

/// Every dense system with the dilute one of the same bodies.
fn dense_and_dilute(
    results: &KineticStructureResults,
) -> impl Iterator<Item = (&StructurePanel, &StructurePanel)> {
    let of = |density: DensityRegime| {
        results.panels.iter().filter(move |panel| panel.system.density == density)
    };
    of(DensityRegime::Dense).filter_map(move |dense| {
        let alike = |panel: &&StructurePanel| {
            (panel.dimension, panel.system.radii) == (dense.dimension, dense.system.radii)
        };
        Some((dense, of(DensityRegime::Dilute).find(alike)?))
    })
}

fn time(run: &Measured) -> f64 {
    run.microseconds_per_collision
}

/// The time of a collision with the triangulation over that with the fastest other structure.
fn lag(panel: &StructurePanel) -> Option<f64> {
    let count = common_count(panel)?;
    let others = panel.at(count).filter(|run| run.structure != NeighborStructure::Laguerre);
    let fastest = others.map(time).reduce(f64::min)?;
    Some(figure_at(panel, NeighborStructure::Laguerre, count, time)? / fastest)
}

/// Guideline 1 by time, and guideline 3.
fn dense_systems(dense: &StructurePanel, dilute: &StructurePanel, page: &mut ReportPage) {
    if let (Some(here), Some(there)) = (lag(dense), lag(dilute)) {
        let quantity =
            format!("time of the triangulation over the fastest, {} against dilute", name(dense));
        page.verdict("guideline 1", quantity, here, Expectation::Below(there));
    }
    let Some(count) = common_count(dense) else { return };
    let others = [
        NeighborStructure::SegmentTrees,
        NeighborStructure::Laguerre,
        NeighborStructure::NeighborLists,
    ];
    let others = others.into_iter().filter_map(|one| figure_at(dense, one, count, time));
    let Some(slowest) = others.reduce(f64::max) else { return };
    for structure in [NeighborStructure::CellGrid, NeighborStructure::CellTree] {
        let Some(own) = figure_at(dense, structure, count, time) else { continue };
        let quantity = format!("µs per collision of {}, {}", structure.name(), name(dense));
        page.verdict("guideline 3", quantity, own, Expectation::Above(slowest));
    }
}

/// Guideline 4: who depends on the sizes of the bodies and on their density.
fn sizes_and_densities(results: &KineticStructureResults, page: &mut ReportPage) {
    for dimension in [2, 3] {
        for structure in COMPARED {
            let mixtures = results.mixtures.iter().filter(|one| one.dimension == dimension);
            let times: Vec<f64> = mixtures.filter_map(|one| one.run(structure).map(time)).collect();
            dependence(&times, structure, &format!("sizes in {dimension}D"), page);
        }
        let equal = dense_and_dilute(results).find(|(dense, _)| {
            (dense.dimension, dense.system.radii) == (dimension, RadiusDistribution::Equal)
        });
        let Some((dense, dilute)) = equal else { continue };
        let Some(count) = dense.common_count().min(dilute.common_count()) else { continue };
        for structure in COMPARED {
            let times = [dense, dilute].map(|panel| figure_at(panel, structure, count, time));
            let times: Vec<f64> = times.into_iter().flatten().collect();
            dependence(&times, structure, &format!("densities in {dimension}D"), page);
        }
    }
}

fn dependence(times: &[f64], structure: NeighborStructure, over: &str, page: &mut ReportPage) {
    let extreme = |by: fn(f64, f64) -> f64| times.iter().copied().reduce(by);
    let (Some(least), Some(most)) = (extreme(f64::min), extreme(f64::max)) else { return };
    let expectation = match structure {
        NeighborStructure::Laguerre => Expectation::AtMost(INDEPENDENT),
        _ => Expectation::Above(INDEPENDENT),
    };
    let quantity = format!("most over least µs per collision of {} over {over}", structure.name());
    page.verdict("guideline 4", quantity, most / least, expectation);
}

/// Guideline 5: in a space without sides, among bodies that grow, whoever must know the largest body or the size of
/// the space has to be rebuilt.
fn known_in_advance(results: &KineticStructureResults, page: &mut ReportPage) {
    for run in results.unbounded.iter().filter(|run| published::is_printed(run.structure)) {
        let expectation = match run.structure {
            NeighborStructure::CellGrid => Expectation::Above(0.0),
            _ => Expectation::Near(0.0, 0.0),
        };
        let quantity = format!("rebuilds of {} in {}D", run.structure.name(), run.dimension);
        page.verdict("guideline 5", quantity, run.rebuilds as f64, expectation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Settings;
    use crate::verdict::Verdict;

    #[test]
    fn who_changes_by_more_than_a_factor_of_two_is_dependent() {
        let judged = |delaunay: &[f64], lists: &[f64]| {
            let mut page = ReportPage::new("000", "", &Settings::default());
            dependence(delaunay, NeighborStructure::Laguerre, "sizes", &mut page);
            dependence(lists, NeighborStructure::NeighborLists, "sizes", &mut page);
            page.verdicts_on(["guideline 4"])[0]
        };
        assert_eq!(judged(&[10.0, 12.0, 19.0], &[1.0, 5.0, 20.0]), Verdict::Agrees);
        assert_eq!(judged(&[20.0, 1.0], &[1.0, 1.5]), Verdict::DoesNotAgree);
    }
}
