//! The results as tables.

use crate::digits::significant;
use crate::paper_002::contact_ratios::ContactRatio;
use crate::paper_002::figure_2::SearchTimePanel;
use crate::paper_002::origins::OriginRun;
use crate::paper_002::tables::TableRun;
use crate::paper_002::theory::OriginPlacement;
use crate::table::TextTable;
use carom::scene::group_thousands;

pub(super) fn contact_ratios(ratios: &[ContactRatio]) -> TextTable {
    let mut table = TextTable::new([
        "test",
        "dimension",
        "particles",
        "contacts",
        "measured percent",
        "expected percent",
        "printed percent",
    ]);
    for ratio in ratios {
        table.push([
            ratio.test.to_string(),
            ratio.dimension.to_string(),
            ratio.count.to_string(),
            ratio.contacts.to_string(),
            significant(ratio.measured_percent, 4),
            significant(ratio.expected_percent, 4),
            ratio.printed_percent.to_string(),
        ]);
    }
    table
}

/// One row per test, measured with few and with the most particles.
pub(super) fn contact_overview(ratios: &[ContactRatio]) -> TextTable {
    let counts = || ratios.iter().map(|ratio| ratio.count);
    let (few, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let mut table = TextTable::new([
        "contacts per 100 particles".to_string(),
        "printed".into(),
        "expected".into(),
        format!("N = {}", group_thousands(few as u64)),
        format!("N = {}", group_thousands(most as u64)),
    ]);
    for large in ratios.iter().filter(|ratio| ratio.count == most) {
        let same = |ratio: &&ContactRatio| {
            ratio.count == few && ratio.test == large.test && ratio.dimension == large.dimension
        };
        let small = ratios.iter().find(same).unwrap_or(large);
        table.push([
            format!("test {} in {}D", large.test, large.dimension),
            large.printed_percent.to_string(),
            significant(large.expected_percent, 3),
            significant(small.measured_percent, 3),
            significant(large.measured_percent, 3),
        ]);
    }
    table
}

/// Every point of a panel.
pub(super) fn panel_points(panel: &SearchTimePanel) -> TextTable {
    let mut table = TextTable::new([
        "series",
        "dimension",
        "particles",
        "milliseconds",
        "pair tests",
        "contacts",
        "structure",
    ]);
    for curve in &panel.curves {
        for point in &curve.points {
            table.push([
                curve.kind.to_string(),
                panel.dimension.to_string(),
                point.count.to_string(),
                significant(point.measurement.milliseconds, 5),
                point.measurement.pair_tests.to_string(),
                point.measurement.contacts.to_string(),
                point.measurement.structure.clone(),
            ]);
        }
    }
    table
}

/// Milliseconds, a row per number of particles and a column per curve.
pub(super) fn panel_times(panel: &SearchTimePanel) -> TextTable {
    let names = panel.curves.iter().map(|curve| curve.kind.to_string());
    let mut table = TextTable::new(std::iter::once("N".to_string()).chain(names));
    let counts = panel.curves.first().map_or(&[][..], |curve| &curve.points);
    for (row, first) in counts.iter().enumerate() {
        let times = panel.curves.iter().map(|curve| {
            let point = curve.points.get(row);
            point.map_or(String::new(), |point| significant(point.measurement.milliseconds, 3))
        });
        table.push(std::iter::once(group_thousands(first.count as u64)).chain(times));
    }
    table
}

/// Growth and work at the most particles, a row per curve.
pub(super) fn panel_growth(panel: &SearchTimePanel) -> TextTable {
    let mut table = TextTable::new([
        format!("{}D", panel.dimension),
        "expected exponent".into(),
        "of pair tests".into(),
        "of time".into(),
        "tests per particle".into(),
        "ns per particle".into(),
    ]);
    let two_digits = |exponent: Option<f64>| exponent.map_or("-".into(), |e| format!("{e:.2}"));
    for curve in &panel.curves {
        let Some(last) = curve.last() else { continue };
        let count = last.count as f64;
        table.push([
            curve.kind.to_string(),
            format!("{:.2}", curve.kind.expected_exponent(panel.dimension)),
            two_digits(curve.test_exponent()),
            two_digits(curve.time_exponent()),
            significant(last.measurement.pair_tests as f64 / count, 3),
            significant(last.measurement.milliseconds * 1e6 / count, 3),
        ]);
    }
    table
}

pub(super) fn table_run(run: &TableRun) -> TextTable {
    let mut table = TextTable::new([
        "method",
        "printed s",
        "printed ratio",
        "measured ms",
        "measured ratio",
        "pair tests",
        "contacts",
    ]);
    let or_empty = |value: Option<f64>| value.map_or(String::new(), |value| significant(value, 3));
    for entry in &run.entries {
        table.push([
            entry.name.clone(),
            entry.published_seconds.map_or(String::new(), |seconds| seconds.to_string()),
            or_empty(run.published_ratio(entry)),
            significant(entry.measurement.milliseconds, 3),
            significant(run.measured_ratio(entry), 3),
            entry.measurement.pair_tests.to_string(),
            entry.measurement.contacts.to_string(),
        ]);
    }
    table
}

pub(super) fn origins(runs: &[OriginRun]) -> TextTable {
    let mut table = TextTable::new([
        "origin",
        "dimension",
        "particles",
        "pair tests",
        "expected",
        "ratio to corner",
        "expected ratio",
    ]);
    for run in runs {
        let is_corner = |other: &&OriginRun| {
            other.dimension == run.dimension && other.placement == OriginPlacement::Corner
        };
        let corner = runs.iter().find(is_corner).unwrap_or(run);
        table.push([
            placement_text(run.placement).to_string(),
            run.dimension.to_string(),
            run.count.to_string(),
            run.pair_tests.to_string(),
            format!("{:.0}", run.expected_tests),
            format!("{:.3}", run.pair_tests as f64 / corner.pair_tests as f64),
            format!("{:.3}", run.expected_tests / corner.expected_tests),
        ]);
    }
    table
}

fn placement_text(view: OriginPlacement) -> &'static str {
    match view {
        OriginPlacement::Corner => "corner (the paper's)",
        OriginPlacement::Center => "center",
        OriginPlacement::FarDiagonal => "far along the diagonal",
        OriginPlacement::FarAxis => "far along an axis",
    }
}
