//! The tables and figures of the paper's page.

use super::bound_table::{self, BoundTableCell};
use super::measured::{Measured, STRUCTURES};
use super::published::{self, TABLE_1};
use super::size_ratios::Mixture;
use super::system::{DensityRegime, RadiusDistribution};
use super::table_1::{StructureCurve, StructurePanel};
use super::thin_gas::ThinGasCurve;
use super::{KineticStructureResults, figure_1, unbounded_domain, verdicts};
use crate::chart::{Chart, ChartSeries, GuideSide, PowerLawGuide};
use crate::digits::significant;
use crate::report::{PaperReport, ReportPage, Settings};
use crate::table::{TextTable, row, table};
use carom::io::group_thousands;

const PAGE: &str = include_str!("../../pages/000.md");

/// All files and the text to print.
pub(super) fn write(results: &KineticStructureResults, settings: &Settings) -> PaperReport {
    let cells = bound_table::cells(results);
    let mut page = ReportPage::new("000", PAGE, settings);
    verdicts::judge(results, &cells, &mut page);
    page.data("table1", points(&results.panels));
    page.data("table1_growth", growth(&cells));
    page.data("thin_gas", thin_points(&results.thin));
    page.data("mixtures", mixtures(&results.mixtures));
    page.data("upkeep", upkeep(&results.panels));
    charts(&results.panels, &mut page);
    page.figure("figure1", figure_1::svg());
    page.table("printed", printed());
    page.table("growth 2D", bound_overview(&cells, 2));
    page.table("growth 3D", bound_overview(&cells, 3));
    for (number, panel) in results.panels.iter().enumerate() {
        page.table(format!("system {}", number + 1), panel_overview(panel));
    }
    page.table("thin gas", thin_overview(&results.thin));
    page.table("mixture overview", mixture_overview(&results.mixtures));
    page.table("unbounded", unbounded(&results.unbounded));
    page.value("particles", group_thousands(figure_1::COUNT as u64));
    page.value("unbounded bodies", unbounded_domain::COUNT);
    page.value("grown", unbounded_domain::GROWN);
    page.finish()
}

/// Names of columns with those of A to G behind the first.
fn columns(first: &str) -> String {
    format!("{first} | A | B | C | D | E | F | G")
}

/// The table as the paper prints it.
fn printed() -> TextTable {
    TextTable::new(&columns("as printed"), TABLE_1.map(|row| row.map(String::from).to_vec()))
}

/// The table as measured: per cell the range of exponents over the systems, and how it compares with the bound.
fn bound_overview(cells: &[BoundTableCell], dimension: usize) -> TextTable {
    let rows = STRUCTURES.map(|structure| {
        let own = cells
            .iter()
            .filter(|cell| cell.dimension == dimension && cell.structure == structure)
            .map(bound_text);
        std::iter::once(published::name(structure)).chain(own).collect()
    });
    TextTable::new(&columns("measured"), rows)
}

/// Such as `0.00..0.06 within`.
fn bound_text(cell: &BoundTableCell) -> String {
    let Some((range, worst)) = cell.range().zip(cell.worst_comparison()) else {
        return "–".into();
    };
    let (low, high) = (format!("{:.2}", range.0), format!("{:.2}", range.1));
    if low == high { format!("{low} {worst}") } else { format!("{low}..{high} {worst}") }
}

/// One line per cell and system.
fn growth(cells: &[BoundTableCell]) -> TextTable {
    let growths = cells.iter().flat_map(|cell| cell.growths.iter().map(move |one| (cell, one)));
    table!((cell, (system, growth)) in growths;
        "dimension": cell.dimension, "structure": cell.structure.name(), "column": cell.column,
        "system": system, "bound": cell.bound, "bound exponent": format!("{:.3}", growth.allowed),
        "fitted exponent": format!("{:.3}", growth.measured), "verdict": growth.comparison)
}

const FIGURES: &str = "A mean | A most | B | D pair tests | E | F ms | G bytes per body | \
                       pair tests per collision | us per collision";

fn figures(run: &Measured, digits: usize) -> Vec<String> {
    let text = |value: f64| significant(value, digits);
    row![
        text(run.mean_neighbors),
        run.most_neighbors,
        run.new_neighbors_per_event.map_or("–".into(), text),
        text(run.tests_per_prediction),
        text(run.events_per_collision),
        text(1e3 * run.start_seconds),
        text(run.bytes_per_body),
        text(run.tests_per_collision),
        text(run.microseconds_per_collision)
    ]
}

/// A run with its names before its figures, and its fingerprint of all collisions behind them.
fn run_row(mut names: Vec<String>, run: &Measured, digits: usize) -> Vec<String> {
    names.extend(row![run.structure.name(), run.count]);
    names.extend(figures(run, digits));
    names.push(format!("{:016x}", run.digest));
    names
}

/// Everything, one line per structure, system and number of bodies.
fn points(panels: &[StructurePanel]) -> TextTable {
    let rows = panels.iter().flat_map(|panel| {
        panel.runs().map(|run| run_row(row![panel.dimension, panel.system], run, 5))
    });
    let columns = format!("dimension | system | structure | bodies | {FIGURES} | collisions");
    TextTable::new(&columns, rows)
}

/// Mixtures, one line per structure.
fn mixtures(mixtures: &[Mixture]) -> TextTable {
    let rows = mixtures.iter().flat_map(|mixture| {
        let name = format!("{}D 1:{}", mixture.dimension, mixture.ratio);
        mixture.runs.iter().map(move |run| run_row(row![name], run, 4))
    });
    TextTable::new(&format!("mixture | structure | bodies | {FIGURES} | collisions"), rows)
}

/// The figures of one system: at the largest number of bodies that all structures ran, and at the largest of all.
fn panel_overview(panel: &StructurePanel) -> TextTable {
    let mut counts: Vec<usize> =
        panel.common_count().into_iter().chain(panel.counts().last().copied()).collect();
    counts.dedup();
    let rows = counts.into_iter().flat_map(|count| {
        panel.at(count).map(move |run| {
            let mut cells = row![run.structure.name(), group_thousands(count as u64)];
            cells.extend(figures(run, 3));
            cells
        })
    });
    TextTable::new(&format!("{}D {} | bodies | {FIGURES}", panel.dimension, panel.system), rows)
}

/// What the triangulation did to stay true, one line per system and number of bodies.
fn upkeep(panels: &[StructurePanel]) -> TextTable {
    let runs = panels
        .iter()
        .flat_map(|panel| panel.runs().filter_map(move |run| Some((panel, run, run.upkeep?))));
    table!((panel, run, upkeep) in runs;
        "upkeep": format!("{}D {}", panel.dimension, panel.system), "bodies": run.count,
        "flips per collision": significant(run.events_per_collision, 3),
        "certificates bounded": significant(upkeep.bounded, 3),
        "certificates solved": significant(upkeep.solved, 3),
        "bodies examined again": significant(upkeep.examined_again, 3), "rebuilds": upkeep.rebuilds)
}

/// Column C, one line per number of bodies.
fn thin_points(thin: &[ThinGasCurve]) -> TextTable {
    let points = thin.iter().flat_map(|curve| curve.points.iter().map(move |one| (curve, one)));
    table!((curve, point) in points;
        "dimension": curve.dimension, "structure": curve.structure.name(), "bodies": point.count,
        "C ns": significant(point.nanoseconds_per_event, 4))
}

/// Column C, one row per structure.
fn thin_overview(thin: &[ThinGasCurve]) -> TextTable {
    let counts = thin.first().map_or(&[][..], |curve| &curve.points).iter();
    let names = counts.map(|point| format!(" | N = {}", group_thousands(point.count as u64)));
    let rows = thin.iter().map(|curve| {
        let mut cells = row![format!("{}D {}", curve.dimension, curve.structure.name())];
        cells.extend(curve.points.iter().map(|point| significant(point.nanoseconds_per_event, 3)));
        cells
    });
    TextTable::new(&format!("C in ns{}", names.collect::<String>()), rows)
}

/// Mixtures for a reader: pair tests and time.
fn mixture_overview(mixtures: &[Mixture]) -> TextTable {
    let runs =
        mixtures.iter().flat_map(|mixture| mixture.runs.iter().map(move |run| (mixture, run)));
    table!((mixture, run) in runs;
        "mixture": format!("{}D 1:{}", mixture.dimension, mixture.ratio),
        "structure": run.structure.name(), "bodies": group_thousands(run.count as u64),
        "neighbors": significant(run.mean_neighbors, 3),
        "pair tests per collision": significant(run.tests_per_collision, 3),
        "us per collision": significant(run.microseconds_per_collision, 3))
}

/// Bodies that grow in a space without sides.
fn unbounded(runs: &[unbounded_domain::UnboundedRun]) -> TextTable {
    table!(run in runs;
        "dimension": run.dimension, "structure": run.structure.name(), "rebuilds": run.rebuilds,
        "collisions": run.collisions, "their fingerprint": format!("{:016x}", run.digest))
}

/// Events of dilute and time of all systems of one size.
fn charts(panels: &[StructurePanel], page: &mut ReportPage) {
    for panel in panels.iter().filter(|panel| panel.system.radii == RadiusDistribution::Equal) {
        let name = format!("{}d_{}", panel.dimension, panel.system.density);
        if panel.system.density == DensityRegime::Dilute {
            let mut events = chart(panel, "Topological events", |run| run.events_per_collision);
            events.y_label = "events per collision";
            let (power, exponent) = [("1/2", 0.5), ("2/3", 2.0 / 3.0)][panel.dimension - 2];
            events.guides = vec![PowerLawGuide { power, exponent, side: GuideSide::Above }];
            page.figure(&format!("events_{name}"), events.svg());
        }
        let time = chart(panel, "Time", |run| run.microseconds_per_collision);
        page.figure(&format!("time_{name}"), time.svg());
    }
}

fn chart(panel: &StructurePanel, what: &str, value: fn(&Measured) -> f64) -> Chart {
    let series = |curve: &StructureCurve| ChartSeries {
        label: curve.structure.name().into(),
        points: curve.points.iter().map(|run| (run.count as f64, value(run))).collect(),
    };
    Chart {
        title: format!("{what} per collision, {}D {}", panel.dimension, panel.system),
        subtitle: "Periodic box, one thread. All structures lead to the same collisions.".into(),
        x_label: "number of bodies N",
        x_symbol: Some('N'),
        y_label: "time per collision (µs)",
        legend_note: "fitted over the upper two decades",
        series: panel.curves.iter().map(series).collect(),
        guides: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_000::published::ComplexityColumn;

    #[test]
    fn columns_of_table_1_are_those_of_the_enumeration() {
        let names = ComplexityColumn::ALL.map(|column| column.to_string());
        assert_eq!(columns("measured"), format!("measured | {}", names.join(" | ")));
    }
}
