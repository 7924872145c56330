//! Topological events and time per collision over the number of bodies.

use crate::chart::{Chart, Guide, Marker, Series, Side};
use crate::fit;
use crate::paper_000::bound::FITTED_DECADES;
use crate::paper_000::measured::Measured;
use crate::paper_000::system::Crowding;
use crate::paper_000::table_1::{Curve, Panel};
use carom::simulate::events::Structure;

/// A chart and the name of its file.
pub(super) struct Named {
    pub name: String,
    pub caption: String,
    pub chart: Chart,
}

/// Events of dilute and time of dense spheres and discs of one size.
pub(super) fn all(panels: &[Panel]) -> Vec<Named> {
    let mut charts = Vec::new();
    for panel in panels {
        if panel.system.radii != crate::paper_000::system::Radii::Equal {
            continue;
        }
        if panel.system.crowding == Crowding::Dilute {
            charts.push(events(panel));
        }
        charts.push(time(panel));
    }
    charts
}

fn events(panel: &Panel) -> Named {
    let name = format!("events_{}d_{}", panel.dimension, panel.system.crowding);
    let caption =
        format!("Topological events per collision, {}D {}", panel.dimension, panel.system);
    let mut chart = chart(panel, &caption, "events per collision", |run| run.changes_per_collision);
    let segments = chart.series.iter().find(|series| series.label == "segment-trees");
    chart.guides = segments.and_then(|series| guide(panel.dimension, series)).into_iter().collect();
    Named { name, caption, chart }
}

fn time(panel: &Panel) -> Named {
    let name = format!("time_{}d_{}", panel.dimension, panel.system.crowding);
    let caption = format!("Time per collision, {}D {}", panel.dimension, panel.system);
    let chart =
        chart(panel, &caption, "time per collision (µs)", |run| run.microseconds_per_collision);
    Named { name, caption, chart }
}

fn chart(panel: &Panel, title: &str, label: &str, value: fn(&Measured) -> f64) -> Chart {
    Chart {
        title: title.into(),
        subtitle: "Periodic box, one thread. All structures lead to the same collisions.".into(),
        x_label: "number of bodies N".into(),
        x_symbol: 'N',
        y_label: label.into(),
        legend_note: "fitted over the upper two decades".into(),
        series: panel.curves.iter().map(|curve| series(curve, value)).collect(),
        guides: Vec::new(),
    }
}

fn series(curve: &Curve, value: fn(&Measured) -> f64) -> Series {
    let points: Vec<_> = curve.points.iter().map(|run| (run.count as f64, value(run))).collect();
    let (color, marker) = match curve.structure {
        Structure::AllPairs => ("#666666", Marker::Cross),
        Structure::CellGrid => ("#2b7bba", Marker::Circle),
        Structure::CellTree => ("#6baed6", Marker::Triangle),
        Structure::Laguerre => ("#7b3294", Marker::Dot),
        Structure::SegmentTrees => ("#b2182b", Marker::Square),
        _ => ("#1b7837", Marker::Diamond),
    };
    Series {
        label: curve.structure.name().into(),
        growth: fit::upper_exponent(&points, FITTED_DECADES),
        points,
        color,
        marker,
    }
}

/// The growth expected of segment trees, above their curve.
fn guide(dimension: usize, segments: &Series) -> Option<Guide> {
    let (power, exponent) = if dimension == 2 { ("1/2", 0.5) } else { ("2/3", 2.0 / 3.0) };
    let (end, value) = *segments.points.last()?;
    let start_x = end / 10.0;
    Some(Guide {
        power: power.into(),
        exponent,
        end: (end, 2.0 * value),
        start_x,
        side: Side::Above,
    })
}
