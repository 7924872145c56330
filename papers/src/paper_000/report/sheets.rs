//! The results as tables.

use crate::digits::significant;
use crate::paper_000::bound_table::BoundTableCell;
use crate::paper_000::measured::{Measured, STRUCTURES};
use crate::paper_000::published::{self, ComplexityColumn, TABLE_1};
use crate::paper_000::size_ratios::Mixture;
use crate::paper_000::table_1::StructurePanel;
use crate::paper_000::thin_gas::ThinGasCurve;
use crate::table::TextTable;
use carom::scene::group_thousands;

/// The table as the paper prints it.
pub(super) fn printed() -> TextTable {
    let columns = ComplexityColumn::ALL.map(|column| column.to_string());
    let mut table = TextTable::new(std::iter::once("as printed".to_string()).chain(columns));
    TABLE_1.iter().for_each(|row| table.push(*row));
    table
}

/// The table as measured: per cell the range of exponents over the systems, and the verdict.
pub(super) fn bound_table(cells: &[BoundTableCell], dimension: usize) -> TextTable {
    let columns = ComplexityColumn::ALL.map(|column| column.to_string());
    let mut table = TextTable::new(std::iter::once("measured".to_string()).chain(columns));
    for structure in STRUCTURES {
        let own = cells
            .iter()
            .filter(|cell| cell.dimension == dimension && cell.structure == structure)
            .map(cell_text);
        table.push(std::iter::once(published::name(structure)).chain(own));
    }
    table
}

/// Such as `0.00..0.06 within`.
fn cell_text(cell: &BoundTableCell) -> String {
    let Some((range, worst)) = cell.range().zip(cell.worst_comparison()) else {
        return "–".into();
    };
    let (low, high) = (format!("{:.2}", range.0), format!("{:.2}", range.1));
    if low == high { format!("{low} {worst}") } else { format!("{low}..{high} {worst}") }
}

/// One line per cell and system.
pub(super) fn growth(cells: &[BoundTableCell]) -> TextTable {
    let mut table = TextTable::new([
        "dimension",
        "structure",
        "column",
        "system",
        "bound",
        "bound exponent",
        "fitted exponent",
        "verdict",
    ]);
    for cell in cells {
        for (system, growth) in &cell.growths {
            table.push([
                cell.dimension.to_string(),
                cell.structure.name().into(),
                cell.column.to_string(),
                system.clone(),
                cell.bound.to_string(),
                format!("{:.3}", growth.allowed),
                format!("{:.3}", growth.measured),
                growth.comparison.to_string(),
            ]);
        }
    }
    table
}

const FIGURES: [&str; 10] = [
    "A mean",
    "A most",
    "B",
    "D pair tests",
    "E",
    "F ms",
    "G bytes per body",
    "pair tests per collision",
    "us per collision",
    "collisions",
];

fn figures(run: &Measured, digits: usize) -> [String; 10] {
    let text = |value: f64| significant(value, digits);
    [
        text(run.mean_neighbors),
        run.most_neighbors.to_string(),
        run.new_neighbors_per_event.map_or("–".into(), text),
        text(run.tests_per_prediction),
        text(run.events_per_collision),
        text(1e3 * run.start_seconds),
        text(run.bytes_per_body),
        text(run.tests_per_collision),
        text(run.microseconds_per_collision),
        format!("{:016x}", run.digest),
    ]
}

/// Everything, one line per structure, system and number of bodies.
pub(super) fn points(panels: &[StructurePanel]) -> TextTable {
    let names = ["dimension", "system", "structure", "bodies"];
    let mut table = TextTable::new(names.into_iter().chain(FIGURES));
    for panel in panels {
        for run in panel.curves.iter().flat_map(|curve| &curve.points) {
            let names = [
                panel.dimension.to_string(),
                panel.system.to_string(),
                run.structure.name().into(),
                run.count.to_string(),
            ];
            table.push(names.into_iter().chain(figures(run, 5)));
        }
    }
    table
}

/// The figures of one system: at the largest number of bodies that all structures ran, and at the
/// largest of all.
pub(super) fn panel(panel: &StructurePanel) -> TextTable {
    let name = format!("{}D {}", panel.dimension, panel.system);
    let columns = [name, "bodies".into()].into_iter();
    let mut table = TextTable::new(columns.chain(FIGURES[..9].iter().map(|name| name.to_string())));
    let mut counts: Vec<usize> =
        panel.common_count().into_iter().chain(panel.counts().last().copied()).collect();
    counts.dedup();
    for count in counts {
        for run in panel.at(count) {
            let names = [run.structure.name().to_string(), group_thousands(count as u64)];
            let [shown @ .., _] = figures(run, 3);
            table.push(names.into_iter().chain(shown));
        }
    }
    table
}

/// What the triangulation did to stay true, one line per system and number of bodies.
pub(super) fn upkeep(panels: &[StructurePanel]) -> TextTable {
    let mut table = TextTable::new([
        "upkeep",
        "bodies",
        "flips per collision",
        "certificates bounded",
        "certificates solved",
        "bodies examined again",
        "rebuilds",
    ]);
    for panel in panels {
        for run in panel.curves.iter().flat_map(|curve| &curve.points) {
            let Some(upkeep) = run.upkeep else { continue };
            let text = |value: f64| significant(value, 3);
            table.push([
                format!("{}D {}", panel.dimension, panel.system),
                run.count.to_string(),
                text(run.events_per_collision),
                text(upkeep.bounded),
                text(upkeep.solved),
                text(upkeep.examined_again),
                upkeep.rebuilds.to_string(),
            ]);
        }
    }
    table
}

/// Column C, one line per number of bodies.
pub(super) fn thin_points(thin: &[ThinGasCurve]) -> TextTable {
    let mut table = TextTable::new(["dimension", "structure", "bodies", "C ns"]);
    for curve in thin {
        for point in &curve.points {
            table.push([
                curve.dimension.to_string(),
                curve.structure.name().into(),
                point.count.to_string(),
                significant(point.nanoseconds_per_event, 4),
            ]);
        }
    }
    table
}

/// Column C, one row per structure.
pub(super) fn thin_overview(thin: &[ThinGasCurve]) -> TextTable {
    let counts: Vec<usize> = thin
        .first()
        .map_or(Vec::new(), |curve| curve.points.iter().map(|point| point.count).collect());
    let names = counts.iter().map(|&count| format!("N = {}", group_thousands(count as u64)));
    let mut table = TextTable::new(std::iter::once("C in ns".to_string()).chain(names));
    for curve in thin {
        let name = format!("{}D {}", curve.dimension, curve.structure.name());
        let times = curve.points.iter().map(|point| significant(point.nanoseconds_per_event, 3));
        table.push(std::iter::once(name).chain(times));
    }
    table
}

/// Mixtures, one line per structure.
pub(super) fn mixtures(mixtures: &[Mixture]) -> TextTable {
    let names = ["mixture", "structure", "bodies"];
    let mut table = TextTable::new(names.into_iter().chain(FIGURES));
    for mixture in mixtures {
        for run in &mixture.runs {
            let names = [
                format!("{}D 1:{}", mixture.dimension, mixture.ratio),
                run.structure.name().into(),
                run.count.to_string(),
            ];
            table.push(names.into_iter().chain(figures(run, 4)));
        }
    }
    table
}

/// Mixtures for a reader: pair tests and time.
pub(super) fn mixture_overview(mixtures: &[Mixture]) -> TextTable {
    let mut table = TextTable::new([
        "mixture",
        "structure",
        "bodies",
        "neighbors",
        "pair tests per collision",
        "us per collision",
    ]);
    for mixture in mixtures {
        for run in &mixture.runs {
            table.push([
                format!("{}D 1:{}", mixture.dimension, mixture.ratio),
                run.structure.name().into(),
                group_thousands(run.count as u64),
                significant(run.mean_neighbors, 3),
                significant(run.tests_per_collision, 3),
                significant(run.microseconds_per_collision, 3),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_table_has_four_rows_and_eight_columns() {
        let csv = printed().csv();
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.starts_with("as_printed,A,B,C,D,E,F,G\nDynamic DT,O(n),1,"));
    }

    #[test]
    fn the_measured_table_has_a_row_for_every_structure() {
        let text = bound_table(&[], 3).csv();
        assert_eq!(text.lines().count(), 7);
        assert!(text.contains("Dynamic DT (laguerre-delaunay)"));
        assert!(text.contains("Spatial tree (cell-tree)"));
    }
}
