//! The results as tables.

use crate::digits::significant;
use crate::paper_001::PolyhedronDistanceResults;
use crate::paper_001::crowd::{CrowdCurve, CrowdPoint, StepCost};
use crate::paper_001::pair_table::PairTable;
use crate::paper_001::published::TABLE;
use crate::table::TextTable;
use carom::detect::broad::BucketDivision;

/// One measured table beside the printed one.
pub(super) fn table(measured: &PairTable) -> TextTable {
    let mut table = TextTable::new([
        "faces",
        "features",
        "1 it.",
        "2 it.",
        "3 it.",
        "4- it.",
        "µs",
        "printed: 1 it.",
        "2 it.",
        "3 it.",
        "4- it.",
        "µs",
    ]);
    for (row, printed) in measured.rows.iter().zip(&TABLE) {
        let mut cells = vec![row.faces.to_string(), row.features.to_string()];
        cells.extend(row.iterations.map(|count| count.to_string()));
        cells.push(significant(row.microseconds, 3));
        cells.extend(printed.iterations.map(|count| count.to_string()));
        cells.push(printed.microseconds.to_string());
        table.push(cells);
    }
    table
}

/// Both measured tables and the printed one, a row for each.
pub(super) fn tables(results: &PolyhedronDistanceResults) -> TextTable {
    let mut table = TextTable::new([
        "source",
        "degrees",
        "faces",
        "features",
        "one iteration",
        "two",
        "three",
        "more",
        "microseconds",
    ]);
    let numbers = |counts: [usize; 4]| counts.map(|count| count.to_string());
    for measured in [&results.half_degree, &results.implied] {
        for row in &measured.rows {
            let mut cells = vec!["measured".to_string(), measured.degrees.to_string()];
            cells.extend([row.faces.to_string(), row.features.to_string()]);
            cells.extend(numbers(row.iterations));
            cells.push(significant(row.microseconds, 4));
            table.push(cells);
        }
    }
    for row in &TABLE {
        let mut cells = vec!["printed".to_string(), String::new()];
        cells.extend([row.faces.to_string(), row.features.to_string()]);
        cells.extend(numbers(row.iterations));
        cells.push(row.microseconds.to_string());
        table.push(cells);
    }
    table
}

pub(super) fn division(division: BucketDivision) -> &'static str {
    match division {
        BucketDivision::One => "one list per axis",
        BucketDivision::ByDensity => "lists for parts",
    }
}

/// Every point of every crowd.
pub(super) fn crowd_points(crowds: &[CrowdCurve]) -> TextTable {
    let mut table = TextTable::new([
        "lists",
        "faces",
        "bodies",
        "broad ms",
        "narrow ms",
        "total ms",
        "pairs",
        "iterations per pair",
        "exchanges",
        "pair changes",
        "smallest distance",
    ]);
    for curve in crowds {
        for CrowdPoint { count, cost } in &curve.points {
            table.push([
                division(curve.division).to_string(),
                curve.faces.to_string(),
                count.to_string(),
                significant(cost.broad_phase_seconds * 1e3, 4),
                significant(cost.narrow_phase_seconds * 1e3, 4),
                significant(cost.seconds() * 1e3, 4),
                significant(cost.pairs, 5),
                significant(cost.iterations / cost.pairs.max(1.0), 4),
                significant(cost.exchanges, 4),
                significant(cost.pair_changes, 4),
                significant(cost.nearest, 3),
            ]);
        }
    }
    table
}

/// A step of the most bodies, and how it grows.
pub(super) fn crowd_growth(crowds: &[CrowdCurve]) -> TextTable {
    let mut table = TextTable::new([
        "lists",
        "faces",
        "bodies",
        "broad ms",
        "narrow ms",
        "total ms",
        "broad N^",
        "narrow N^",
        "total N^",
        "exchanges N^",
    ]);
    for curve in crowds {
        let Some(CrowdPoint { count, cost }) = curve.points.last() else { continue };
        let power = |figure: fn(&StepCost) -> f64| {
            curve.exponent(figure).map_or(String::new(), |exponent| format!("{exponent:.2}"))
        };
        table.push([
            division(curve.division).to_string(),
            curve.faces.to_string(),
            count.to_string(),
            significant(cost.broad_phase_seconds * 1e3, 3),
            significant(cost.narrow_phase_seconds * 1e3, 3),
            significant(cost.seconds() * 1e3, 3),
            power(|cost| cost.broad_phase_seconds),
            power(|cost| cost.narrow_phase_seconds),
            power(StepCost::seconds),
            power(|cost| cost.exchanges),
        ]);
    }
    table
}
