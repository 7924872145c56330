//! Figure 6, and the time of a step over the number of bodies.

use crate::chart::{Chart, ChartSeries, GuideLabelSide, Marker, PowerLawGuide};
use crate::paper_001::PolyhedronDistanceResults;
use crate::paper_001::crowd::{CrowdCurve, StepCost};
use crate::paper_001::pair_table::PairTable;
use crate::paper_001::published::TABLE;
use carom::detect::broad::BucketDivision;

/// The printed times are scaled to the mean of the measured ones: their machine is thirty years older.
pub(super) fn figure_6(results: &PolyhedronDistanceResults) -> Chart {
    let printed = TABLE.iter().map(|row| f64::from(row.microseconds));
    let scale = results.implied.mean_microseconds() / (printed.sum::<f64>() / TABLE.len() as f64);
    let points = TABLE.iter().map(|row| (row.features as f64, scale * f64::from(row.microseconds)));
    let measured = |table: &PairTable, color, marker| ChartSeries {
        label: format!("{}° per step", table.degrees),
        growth: None,
        points: table.rows.iter().map(|row| (row.features as f64, row.microseconds)).collect(),
        color,
        marker,
    };
    Chart {
        title: "Figure 6: time of a query over the number of features".into(),
        subtitle: format!(
            "Two tumbling bodies, features tracked. Printed times (IBM Power 2) times {scale:.1e}."
        ),
        x_label: "faces, edges and corners of a body".into(),
        x_symbol: 'n',
        y_label: "time (µs)".into(),
        legend_note: "one thread, best of several".into(),
        series: vec![
            measured(&results.half_degree, "#1b7837", Marker::Diamond),
            measured(&results.implied, "#2b7bba", Marker::Dot),
            ChartSeries {
                label: "printed, scaled".into(),
                growth: None,
                points: points.collect(),
                color: "#b2182b",
                marker: Marker::Circle,
            },
        ],
        guides: Vec::new(),
    }
}

/// Open markers for one list per axis.
pub(super) fn crowd(crowds: &[CrowdCurve]) -> Chart {
    Chart {
        title: "Many tumbling polyhedra: time of a step".into(),
        subtitle: "One thread. Open markers: one list per axis, as in the paper. Dashed: growth \
                   claimed."
            .into(),
        x_label: "number of bodies N".into(),
        x_symbol: 'N',
        y_label: "time (ms)".into(),
        legend_note: "fitted over the upper two decades".into(),
        series: crowds.iter().map(series).collect(),
        guides: guide(crowds).into_iter().collect(),
    }
}

fn series(curve: &CrowdCurve) -> ChartSeries {
    let (color, marker) = series_style(curve);
    let lists = match curve.division {
        BucketDivision::One => "one list",
        BucketDivision::ByDensity => "lists for parts",
    };
    ChartSeries {
        label: format!("{}, {lists}", curve.faces),
        growth: curve.exponent(StepCost::seconds),
        points: curve.points_of(|cost| 1e3 * cost.seconds()),
        color,
        marker,
    }
}

fn series_style(curve: &CrowdCurve) -> (&'static str, Marker) {
    match (curve.division, curve.faces) {
        (BucketDivision::One, 4) => ("#d9a400", Marker::Triangle),
        (BucketDivision::One, 20) => ("#e06c1f", Marker::Square),
        (BucketDivision::One, 100) => ("#b2182b", Marker::Circle),
        (BucketDivision::One, _) => ("#7a0177", Marker::Cross),
        (BucketDivision::ByDensity, 4) => ("#5aae61", Marker::Wedge),
        (BucketDivision::ByDensity, 20) => ("#1b7837", Marker::Block),
        (BucketDivision::ByDensity, 100) => ("#2b7bba", Marker::Dot),
        (BucketDivision::ByDensity, _) => ("#08306b", Marker::Diamond),
    }
}

/// N, below every curve.
fn guide(crowds: &[CrowdCurve]) -> Option<PowerLawGuide> {
    let points = || crowds.iter().flat_map(|curve| curve.points_of(|cost| 1e3 * cost.seconds()));
    let end = points().map(|point| point.0).reduce(f64::max)?;
    let start_x = end / 60.0;
    let factors = points().filter(|point| point.0 >= start_x).map(|point| point.1 / point.0);
    let factor = 0.5 * factors.reduce(f64::min)?;
    let end = (end, factor * end);
    Some(PowerLawGuide {
        power: String::new(),
        exponent: 1.0,
        end,
        start_x,
        label_side: GuideLabelSide::Below,
    })
}
