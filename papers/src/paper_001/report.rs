//! The tables and figures of the paper's page.

use super::PolyhedronDistanceResults;
use super::crowd::{CrowdCurve, CrowdPoint, StepCost};
use super::pair_table::{GAP, PairTable};
use super::published::TABLE;
use super::{crowd, rotation, verdicts};
use crate::chart::{Chart, ChartSeries, GuideSide, PowerLawGuide};
use crate::digits::significant;
use crate::report::{PaperReport, ReportPage, Settings};
use crate::table::{TextTable, row, table};
use carom::detect::broad::BucketDivision;

const PAGE: &str = include_str!("../../pages/001.md");

/// All files and the text to print.
pub(super) fn write(results: &PolyhedronDistanceResults, settings: &Settings) -> PaperReport {
    let mut page = ReportPage::new("001", PAGE, settings);
    verdicts::judge(results, &mut page);
    page.data("table", tables(results));
    page.table("half degree", table(&results.half_degree));
    page.table("implied", table(&results.implied));
    page.figure("figure6", figure_6(results).svg());
    page.data("crowd", crowd_points(&results.crowds));
    page.data("crowd_growth", crowd_growth(&results.crowds));
    page.figure("crowd", crowd(&results.crowds).svg());
    page.value("half degree", results.half_degree.degrees);
    page.value("implied", results.implied.degrees);
    page.value("gap", GAP);
    page.value("share", format!("{:.0}", 100.0 * rotation::SHARE));
    page.value("sphere fraction", crowd::SPHERE_FRACTION);
    page.value("displacement", crowd::DISPLACEMENT_PER_STEP);
    page.value("rotation", crowd::ROTATION_PER_STEP);
    page.finish()
}

/// One measured table beside the printed one.
fn table(measured: &PairTable) -> TextTable {
    let columns = "faces | features | 1 it. | 2 it. | 3 it. | 4- it. | µs | printed: 1 it. | 2 it. | 3 it. | \
                   4- it. | µs";
    let rows = measured.rows.iter().zip(&TABLE).map(|(row, printed)| {
        let mut cells = row![row.faces, row.features];
        cells.extend(row.iterations.map(|count| count.to_string()));
        cells.push(significant(row.microseconds, 3));
        cells.extend(printed.iterations.map(|count| count.to_string()));
        cells.push(printed.microseconds.to_string());
        cells
    });
    TextTable::new(columns, rows)
}

/// Both measured tables and the printed one, a row for each.
fn tables(results: &PolyhedronDistanceResults) -> TextTable {
    let measured = [&results.half_degree, &results.implied].into_iter().flat_map(|table| {
        table.rows.iter().map(|row| {
            let mut cells = row!["measured", table.degrees, row.faces, row.features];
            cells.extend(row.iterations.map(|count| count.to_string()));
            cells.push(significant(row.microseconds, 4));
            cells
        })
    });
    let printed = TABLE.iter().map(|row| {
        let mut cells = row!["printed", "", row.faces, row.features];
        cells.extend(row.iterations.map(|count| count.to_string()));
        cells.push(row.microseconds.to_string());
        cells
    });
    let columns =
        "source | degrees | faces | features | one iteration | two | three | more | microseconds";
    TextTable::new(columns, measured.chain(printed))
}

/// How the ends of boxes are divided, in words.
pub(super) fn lists(division: BucketDivision) -> &'static str {
    match division {
        BucketDivision::One => "one list per axis",
        BucketDivision::ByDensity => "lists for parts",
    }
}

/// Every point of every crowd.
fn crowd_points(crowds: &[CrowdCurve]) -> TextTable {
    let points = crowds.iter().flat_map(|curve| curve.points.iter().map(move |one| (curve, one)));
    table!((curve, CrowdPoint { count, cost }) in points;
        "lists": lists(curve.division), "faces": curve.faces, "bodies": count,
        "broad ms": significant(cost.broad_phase_seconds * 1e3, 4),
        "narrow ms": significant(cost.narrow_phase_seconds * 1e3, 4),
        "total ms": significant(cost.seconds() * 1e3, 4), "pairs": significant(cost.pairs, 5),
        "iterations per pair": significant(cost.iterations / cost.pairs.max(1.0), 4),
        "exchanges": significant(cost.exchanges, 4), "pair changes": significant(cost.pair_changes, 4),
        "smallest distance": significant(cost.nearest, 3))
}

/// A step of the most bodies, and how it grows.
fn crowd_growth(crowds: &[CrowdCurve]) -> TextTable {
    let power = |curve: &CrowdCurve, figure: fn(&StepCost) -> f64| {
        curve.exponent(figure).map_or(String::new(), |exponent| format!("{exponent:.2}"))
    };
    let last = crowds.iter().filter_map(|curve| Some((curve, curve.points.last()?)));
    table!((curve, CrowdPoint { count, cost }) in last;
        "lists": lists(curve.division), "faces": curve.faces, "bodies": count,
        "broad ms": significant(cost.broad_phase_seconds * 1e3, 3),
        "narrow ms": significant(cost.narrow_phase_seconds * 1e3, 3),
        "total ms": significant(cost.seconds() * 1e3, 3),
        "broad N^": power(curve, |cost| cost.broad_phase_seconds),
        "narrow N^": power(curve, |cost| cost.narrow_phase_seconds),
        "total N^": power(curve, StepCost::seconds),
        "exchanges N^": power(curve, |cost| cost.exchanges))
}

/// The printed times are scaled to the mean of the measured ones: their machine is thirty years older.
fn figure_6(results: &PolyhedronDistanceResults) -> Chart {
    let printed = TABLE.iter().map(|row| f64::from(row.microseconds));
    let scale = results.implied.mean_microseconds() / (printed.sum::<f64>() / TABLE.len() as f64);
    let measured = |table: &PairTable| ChartSeries {
        label: format!("{}° per step", table.degrees),
        points: table.rows.iter().map(|row| (row.features as f64, row.microseconds)).collect(),
    };
    let scaled = TABLE
        .iter()
        .map(|row| (row.features as f64, scale * f64::from(row.microseconds)))
        .collect();
    Chart {
        title: "Figure 6: time of a query over the number of features".into(),
        subtitle: format!(
            "Two tumbling bodies, features tracked. Printed times (IBM Power 2) times {scale:.1e}."
        ),
        x_label: "faces, edges and corners of a body",
        y_label: "time (µs)",
        legend_note: "one thread, best of several",
        series: vec![
            measured(&results.half_degree),
            measured(&results.implied),
            ChartSeries { label: "printed, scaled".into(), points: scaled },
        ],
        ..Chart::default()
    }
}

fn crowd(crowds: &[CrowdCurve]) -> Chart {
    let series = |curve: &CrowdCurve| ChartSeries {
        label: format!("{}, {}", curve.faces, lists(curve.division)),
        points: curve.points_of(|cost| 1e3 * cost.seconds()),
    };
    Chart {
        title: "Many tumbling polyhedra: time of a step".into(),
        subtitle: "One thread. The paper has one list per axis. Dashed: growth claimed.".into(),
        x_label: "number of bodies N",
        x_symbol: Some('N'),
        y_label: "time (ms)",
        legend_note: "fitted over the upper two decades",
        series: crowds.iter().map(series).collect(),
        guides: vec![PowerLawGuide { power: "", exponent: 1.0, side: GuideSide::Below }],
    }
}
