//! The tables and figures of the paper's page.

use super::contact_ratios::ContactRatio;
use super::figure_2::{SearchTimeCurve, SearchTimePanel};
use super::origins::OriginRun;
use super::tables::TableRun;
use super::theory::OriginPlacement;
use super::{ContactDetectionResults, verdicts};
use crate::chart::{Chart, ChartSeries, GuideSide, PowerLawGuide};
use crate::digits::significant;
use crate::report::{PaperReport, ReportPage, Settings};
use crate::table::{TextTable, row, table};
use carom::io::group_thousands;

const PAGE: &str = include_str!("../../pages/002.md");

/// All files and the text to print.
pub(super) fn write(results: &ContactDetectionResults, settings: &Settings) -> PaperReport {
    let mut page = ReportPage::new("002", PAGE, settings);
    verdicts::judge(results, &mut page);
    page.data("contact_ratios", contact_ratios(&results.contact_ratios));
    page.table("contacts", contact_overview(&results.contact_ratios));
    for panel in &results.figure_2 {
        let name = format!("figure2_{}d", panel.dimension);
        page.figure(&name, chart(panel).svg());
        page.data(name.clone(), panel_points(panel));
        page.table(name.clone() + "_times", panel_times(panel));
        page.table(name + "_growth", panel_growth(panel));
    }
    for table in &results.tables {
        page.data(format!("table{}", table.number), table_run(table));
    }
    page.data("origins", origins(&results.origins));
    speeds_then_and_now(&results.tables, &mut page);
    page.finish()
}

fn contact_ratios(ratios: &[ContactRatio]) -> TextTable {
    table!(one in ratios;
        "test": one.test, "dimension": one.dimension, "particles": one.count, "contacts": one.contacts,
        "measured percent": significant(one.measured_percent, 4),
        "expected percent": significant(one.expected_percent, 4),
        "printed percent": one.printed_percent)
}

/// One row per test, measured with few and with the most particles.
fn contact_overview(ratios: &[ContactRatio]) -> TextTable {
    let counts = || ratios.iter().map(|ratio| ratio.count);
    let [few, most] = [counts().min(), counts().max()].map(Option::unwrap_or_default);
    let [few_text, most_text] = [few, most].map(|count| group_thousands(count as u64));
    let columns = format!(
        "contacts per 100 particles | printed | expected | N = {few_text} | N = {most_text}"
    );
    let cells = |large: &ContactRatio| {
        let same = |ratio: &&ContactRatio| {
            ratio.count == few && ratio.test == large.test && ratio.dimension == large.dimension
        };
        let small = ratios.iter().find(same).unwrap_or(large);
        row![
            format!("test {} in {}D", large.test, large.dimension),
            large.printed_percent,
            significant(large.expected_percent, 3),
            significant(small.measured_percent, 3),
            significant(large.measured_percent, 3)
        ]
    };
    TextTable::new(&columns, ratios.iter().filter(|ratio| ratio.count == most).map(cells))
}

/// Every point of a panel.
fn panel_points(panel: &SearchTimePanel) -> TextTable {
    let points =
        panel.curves.iter().flat_map(|curve| curve.points.iter().map(move |one| (curve, one)));
    table!((curve, point) in points;
        "series": curve.kind, "dimension": panel.dimension, "particles": point.count,
        "milliseconds": significant(point.measurement.milliseconds, 5),
        "pair tests": point.measurement.pair_tests, "contacts": point.measurement.contacts,
        "structure": point.measurement.structure)
}

/// Milliseconds, a row per number of particles and a column per curve.
fn panel_times(panel: &SearchTimePanel) -> TextTable {
    let names: Vec<_> = panel.curves.iter().map(|curve| curve.kind.to_string()).collect();
    let counts = panel.curves.first().map_or(&[][..], |curve| &curve.points);
    let rows = counts.iter().enumerate().map(|(number, first)| {
        let mut cells = row![group_thousands(first.count as u64)];
        let times = panel.curves.iter().map(|curve| curve.points[number].measurement.milliseconds);
        cells.extend(times.map(|time| significant(time, 3)));
        cells
    });
    TextTable::new(&format!("N | {}", names.join(" | ")), rows)
}

/// Growth and work at the most particles, a row per curve.
fn panel_growth(panel: &SearchTimePanel) -> TextTable {
    let columns = format!(
        "{}D | expected exponent | of pair tests | of time | tests per particle | ns per particle",
        panel.dimension
    );
    let exponent = |fitted: Option<f64>| fitted.map_or("-".into(), |fitted| format!("{fitted:.2}"));
    let rows = panel.curves.iter().filter_map(|curve| {
        let last = curve.last()?;
        let count = last.count as f64;
        Some(row![
            curve.kind,
            format!("{:.2}", curve.kind.expected_exponent(panel.dimension)),
            exponent(curve.test_exponent()),
            exponent(curve.time_exponent()),
            significant(last.measurement.pair_tests as f64 / count, 3),
            significant(last.measurement.milliseconds * 1e6 / count, 3)
        ])
    });
    TextTable::new(&columns, rows)
}

fn table_run(run: &TableRun) -> TextTable {
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    table!(entry in &run.entries;
        "method": entry.name,
        "printed s": or_empty(entry.published_seconds.map(|seconds| seconds.to_string())),
        "printed ratio": or_empty(run.published_ratio(entry).map(|ratio| significant(ratio, 3))),
        "measured ms": significant(entry.measurement.milliseconds, 3),
        "measured ratio": significant(run.measured_ratio(entry), 3),
        "pair tests": entry.measurement.pair_tests, "contacts": entry.measurement.contacts)
}

fn origins(runs: &[OriginRun]) -> TextTable {
    let corner = |dimension: usize| {
        let is_corner = |run: &&OriginRun| {
            run.dimension == dimension && run.placement == OriginPlacement::Corner
        };
        runs.iter().find(is_corner).expect("the tests from a corner are counted")
    };
    let measured =
        |run: &OriginRun| run.pair_tests as f64 / corner(run.dimension).pair_tests as f64;
    let expected = |run: &OriginRun| run.expected_tests / corner(run.dimension).expected_tests;
    table!(run in runs;
        "origin": run.placement.words(), "dimension": run.dimension, "particles": run.count,
        "pair tests": run.pair_tests, "expected": format!("{:.0}", run.expected_tests),
        "ratio to corner": format!("{:.3}", measured(run)),
        "expected ratio": format!("{:.3}", expected(run)))
}

/// What a test cost then and now, and how often tables 2 and 3 must have been repeated.
fn speeds_then_and_now([first, second, third]: &[TableRun; 3], page: &mut ReportPage) {
    let slowest = |table: &TableRun| {
        let entry = table.linked_cells().last().expect("every table has linked cells");
        let seconds = entry.published_seconds.expect("the paper prints times of linked cells");
        (seconds, entry.measurement.pair_tests as f64, entry.measurement.milliseconds)
    };
    let (then, tests, now) = slowest(first);
    let repeats = |table: &TableRun| {
        let (seconds, own_tests, _) = slowest(table);
        significant(seconds / (own_tests * then / tests), 1)
    };
    let sort = first.distance_sort();
    let faster = sort.published_seconds.unwrap_or_default() * 1e3 / sort.measurement.milliseconds;
    let listing = 100.0 * first.listing_milliseconds / sort.measurement.milliseconds;
    page.value("listing", format!("{listing:.0}"));
    page.value("faster", significant(faster, 2));
    page.value("test then", significant(then / tests * 1e9, 2));
    page.value("test now", significant(now * 1e6 / tests, 2));
    page.value("repeats 2", repeats(second));
    page.value("repeats 3", repeats(third));
}

fn chart(panel: &SearchTimePanel) -> Chart {
    let dimension = panel.dimension;
    let (power, exponent) = if dimension == 2 { ("3/2", 1.5) } else { ("5/3", 5.0 / 3.0) };
    let series = |curve: &SearchTimeCurve| ChartSeries {
        label: curve.kind.to_string(),
        points: curve.times(),
    };
    Chart {
        title: format!("Figure 2 in {dimension}D: time to find all contacts"),
        subtitle: "One thread, best of several searches. Dashed: growth expected.".into(),
        x_label: "number of particles N",
        x_symbol: Some('N'),
        y_label: "time (ms)",
        legend_note: "fitted over the upper two decades",
        series: panel.curves.iter().map(series).collect(),
        guides: vec![
            PowerLawGuide { power, exponent, side: GuideSide::Above },
            PowerLawGuide { power: "", exponent: 1.0, side: GuideSide::Below },
        ],
    }
}
