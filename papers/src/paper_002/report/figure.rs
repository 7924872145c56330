//! A panel of figure 2 as a chart.

use crate::chart::{Chart, ChartSeries, GuideLabelSide, Marker, PowerLawGuide};
use crate::paper_002::figure_2::{SearchCurveKind, SearchTimePanel};
use crate::paper_002::particles::DiameterTest;

pub(super) fn chart(panel: &SearchTimePanel) -> Chart {
    let dimension = panel.dimension;
    Chart {
        title: format!("Figure 2 in {dimension}D: time to find all contacts"),
        subtitle: "One thread, best of several searches. Open markers: the paper's algorithm. \
                   Dashed: growth expected."
            .into(),
        x_label: "number of particles N".into(),
        x_symbol: 'N',
        y_label: "time (ms)".into(),
        legend_note: "fitted over the upper two decades".into(),
        series: panel.curves.iter().map(|curve| series(curve.kind, panel)).collect(),
        guides: guides(panel),
    }
}

fn series(line: SearchCurveKind, panel: &SearchTimePanel) -> ChartSeries {
    let curve = panel.curve(line);
    let (color, marker) = series_style(line);
    ChartSeries {
        label: line.to_string(),
        growth: curve.and_then(|curve| curve.time_exponent()),
        points: curve.map_or(Vec::new(), |curve| curve.times()),
        color,
        marker,
    }
}

/// Warm for the distance sort, blue for linked cells, green for carom's own.
fn series_style(line: SearchCurveKind) -> (&'static str, Marker) {
    match line {
        SearchCurveKind::DistanceSort(DiameterTest::A) => ("#b2182b", Marker::Circle),
        SearchCurveKind::DistanceSort(DiameterTest::B) => ("#e06c1f", Marker::Square),
        SearchCurveKind::DistanceSort(DiameterTest::C) => ("#d9a400", Marker::Triangle),
        SearchCurveKind::LinkedCells(1) => ("#6baed6", Marker::Dot),
        SearchCurveKind::LinkedCells(5) => ("#2b7bba", Marker::Block),
        SearchCurveKind::LinkedCells(_) => ("#08306b", Marker::Wedge),
        SearchCurveKind::Auto(DiameterTest::A) => ("#1b7837", Marker::Diamond),
        SearchCurveKind::Auto(_) => ("#5aae61", Marker::Cross),
    }
}

/// Expected growth: the distance sort's above its highest curve, N below the lowest of all.
fn guides(panel: &SearchTimePanel) -> Vec<PowerLawGuide> {
    let sort = if panel.dimension == 2 { "3/2" } else { "5/3" };
    let above =
        guide(panel, SearchCurveKind::DistanceSort(DiameterTest::A), sort, GuideLabelSide::Above);
    let below = guide(panel, SearchCurveKind::Auto(DiameterTest::B), "", GuideLabelSide::Below);
    above.into_iter().chain(below).collect()
}

/// A power law that keeps clear of a curve on one side of it.
fn guide(
    panel: &SearchTimePanel,
    line: SearchCurveKind,
    power: &str,
    side: GuideLabelSide,
) -> Option<PowerLawGuide> {
    let times = panel.curve(line)?.times();
    let exponent = line.expected_exponent(panel.dimension);
    let end = times.last()?.0;
    let start_x = end / 60.0;
    let beside = times.iter().filter(|(count, _)| *count >= start_x);
    let factors = beside.map(|(count, time)| time / count.powf(exponent));
    let factor = match side {
        GuideLabelSide::Above => 2.0 * factors.fold(0.0, f64::max),
        GuideLabelSide::Below => 0.5 * factors.fold(f64::INFINITY, f64::min),
    };
    let end = (end, factor * end.powf(exponent));
    Some(PowerLawGuide { power: power.into(), exponent, end, start_x, label_side: side })
}
