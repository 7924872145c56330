//! Topological events and time per collision over the number of bodies.

use crate::chart::{Chart, ChartSeries, GuideLabelSide, Marker, PowerLawGuide};
use crate::fit;
use crate::paper_000::bound::FITTED_DECADES;
use crate::paper_000::measured::Measured;
use crate::paper_000::system::DensityRegime;
use crate::paper_000::table_1::{StructureCurve, StructurePanel};
use carom::simulate::event_driven::NeighborStructure;

/// A chart and the name of its file.
pub(super) struct NamedChart {
    pub name: String,
    pub caption: String,
    pub chart: Chart,
}

/// Events of dilute and time of dense spheres and discs of one size.
pub(super) fn all(panels: &[StructurePanel]) -> Vec<NamedChart> {
    let mut charts = Vec::new();
    for panel in panels {
        if panel.system.radii != crate::paper_000::system::RadiusDistribution::Equal {
            continue;
        }
        if panel.system.density == DensityRegime::Dilute {
            charts.push(events(panel));
        }
        charts.push(time(panel));
    }
    charts
}

fn events(panel: &StructurePanel) -> NamedChart {
    let name = format!("events_{}d_{}", panel.dimension, panel.system.density);
    let caption =
        format!("Topological events per collision, {}D {}", panel.dimension, panel.system);
    let mut chart = chart(panel, &caption, "events per collision", |run| run.events_per_collision);
    let segments = chart.series.iter().find(|series| series.label == "segment-trees");
    chart.guides = segments.and_then(|series| guide(panel.dimension, series)).into_iter().collect();
    NamedChart { name, caption, chart }
}

fn time(panel: &StructurePanel) -> NamedChart {
    let name = format!("time_{}d_{}", panel.dimension, panel.system.density);
    let caption = format!("Time per collision, {}D {}", panel.dimension, panel.system);
    let chart =
        chart(panel, &caption, "time per collision (µs)", |run| run.microseconds_per_collision);
    NamedChart { name, caption, chart }
}

fn chart(panel: &StructurePanel, title: &str, label: &str, value: fn(&Measured) -> f64) -> Chart {
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

fn series(curve: &StructureCurve, value: fn(&Measured) -> f64) -> ChartSeries {
    let points: Vec<_> = curve.points.iter().map(|run| (run.count as f64, value(run))).collect();
    let (color, marker) = match curve.structure {
        NeighborStructure::AllPairs => ("#666666", Marker::Cross),
        NeighborStructure::CellGrid => ("#2b7bba", Marker::Circle),
        NeighborStructure::CellTree => ("#6baed6", Marker::Triangle),
        NeighborStructure::Laguerre => ("#7b3294", Marker::Dot),
        NeighborStructure::SegmentTrees => ("#b2182b", Marker::Square),
        _ => ("#1b7837", Marker::Diamond),
    };
    ChartSeries {
        label: curve.structure.name().into(),
        growth: fit::upper_exponent(&points, FITTED_DECADES),
        points,
        color,
        marker,
    }
}

/// The growth expected of segment trees, above their curve.
fn guide(dimension: usize, segments: &ChartSeries) -> Option<PowerLawGuide> {
    let (power, exponent) = if dimension == 2 { ("1/2", 0.5) } else { ("2/3", 2.0 / 3.0) };
    let (end, value) = *segments.points.last()?;
    let start_x = end / 10.0;
    Some(PowerLawGuide {
        power: power.into(),
        exponent,
        end: (end, 2.0 * value),
        start_x,
        label_side: GuideLabelSide::Above,
    })
}
