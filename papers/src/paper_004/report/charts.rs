//! The energy gained over the number of intervals.

use crate::chart::{Chart, ChartSeries, Marker};
use crate::paper_004::intervals::{IntervalTrial, grids};

/// Gains above this are drawn at it: unstable runs gain without bound.
const HIGHEST: f64 = 1e3;
const STYLES: [(&str, Marker); 4] = [
    ("#2b7bba", Marker::Dot),
    ("#1b7837", Marker::Diamond),
    ("#b2182b", Marker::Block),
    ("#7a0177", Marker::Wedge),
];

pub(super) fn intervals(trials: &[IntervalTrial]) -> Chart {
    let series = |(&grid, (color, marker)): (&u32, (&'static str, Marker))| ChartSeries {
        label: format!("grid {grid}"),
        growth: None,
        points: trials
            .iter()
            .filter(|trial| trial.grid == grid)
            .map(|trial| (trial.ratio(), trial.gained.abs().min(HIGHEST)))
            .collect(),
        color,
        marker,
    };
    Chart {
        title: "Energy gained in an impact over the number of intervals".into(),
        subtitle: "Figure 2 in the way of the thesis; in parts of the work of the prescribed force, larger ones at 10³."
            .into(),
        x_label: "intervals of the impact / grid".into(),
        x_symbol: 'n',
        y_label: "energy from nowhere".into(),
        legend_note: "the thesis advises 10 or more".into(),
        series: grids(trials).iter().zip(STYLES).map(series).collect(),
        guides: Vec::new(),
    }
}
