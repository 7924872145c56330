//! The figures, and table 2 as a chart.

use super::{Figure, FigureContent};
use crate::chart::{Chart, ChartSeries, GuideLabelSide, Marker, PowerLawGuide};
use crate::paper_003::PointInclusionResults;
use crate::paper_003::approach::Approach;
use crate::paper_003::comparison::{ApproachCase, Comparison};
use crate::paper_003::published::TABLE_2;

pub(super) fn figure(figure: Figure, results: &PointInclusionResults) -> Chart {
    let comparison = figure.comparison(results);
    let lines = figure.lines(comparison);
    let series: Vec<ChartSeries> =
        lines.into_iter().map(|line| series(figure.content, comparison, line)).collect();
    let subtitle = match figure.content {
        FigureContent::One(Approach::RayCrossing) => {
            "Processor time, one thread; extrapolated from some of the points where tests are many."
        }
        FigureContent::One(_) => {
            "Processor time to prepare the body and ask for all points, one thread."
        }
        FigureContent::Comparison => {
            "Processor time in all, one thread. Open markers: the smallest grid of points. Cells and \
             tree are not of the paper."
        }
    };
    let is_fitted = series.iter().any(|series| series.growth.is_some());
    let legend_note = if is_fitted { "fitted over the upper two decades" } else { "" };
    Chart {
        title: figure.title(),
        subtitle: subtitle.into(),
        x_label: "number of triangles N".into(),
        x_symbol: 'N',
        y_label: "time (s)".into(),
        legend_note: legend_note.into(),
        guides: guide(&series).into_iter().collect(),
        series,
    }
}

fn series(
    shown: FigureContent,
    comparison: &Comparison,
    (approach, per_axis): (Approach, usize),
) -> ChartSeries {
    let is_smallest = per_axis == comparison.smallest_grid();
    let (label, (color, marker)) = match shown {
        FigureContent::One(_) => (format!("{per_axis}³ points"), grid_style(per_axis)),
        FigureContent::Comparison => {
            (format!("{approach}, {per_axis}³"), approach_style(approach, is_smallest))
        }
    };
    let curve = comparison.curve(approach, per_axis);
    ChartSeries {
        label,
        growth: comparison.growth_with_triangles(approach, per_axis, ApproachCase::total),
        points: curve.into_iter().map(|case| (case.triangles as f64, case.total())).collect(),
        color,
        marker,
    }
}

fn grid_style(per_axis: usize) -> (&'static str, Marker) {
    match per_axis {
        10 => ("#d9a400", Marker::Circle),
        20 => ("#e06c1f", Marker::Block),
        40 => ("#b2182b", Marker::Wedge),
        _ => ("#7a0177", Marker::Diamond),
    }
}

/// Warm for rays, blue for multipoles, green for cells; pale and open on the smallest grid.
fn approach_style(approach: Approach, is_smallest: bool) -> (&'static str, Marker) {
    match (approach, is_smallest) {
        (Approach::RayCrossing, true) => ("#e58a8a", Marker::Circle),
        (Approach::RayCrossing, false) => ("#b2182b", Marker::Dot),
        (Approach::BvhRayCrossing, true) => ("#e8c560", Marker::Square),
        (Approach::BvhRayCrossing, false) => ("#c98a00", Marker::Block),
        (Approach::WellChosen, true) => ("#8fc1e3", Marker::Triangle),
        (Approach::WellChosen, false) => ("#2b7bba", Marker::Wedge),
        (Approach::PreChosen, true) => ("#8c8fc9", Marker::Square),
        (Approach::PreChosen, false) => ("#08306b", Marker::Block),
        (_, true) => ("#8fcf93", Marker::Circle),
        (_, false) => ("#1b7837", Marker::Diamond),
    }
}

/// N, below every line; none if the lines are single points.
fn guide(series: &[ChartSeries]) -> Option<PowerLawGuide> {
    let points = || series.iter().flat_map(|series| series.points.iter().copied());
    let end = points().map(|point| point.0).reduce(f64::max)?;
    let start_x = points().map(|point| point.0).reduce(f64::min)?.max(end / 8.0);
    if start_x == end {
        return None;
    }
    let beside = points().filter(|point| point.0 >= start_x && point.1 > 0.0);
    let factor = 0.5 * beside.map(|point| point.1 / point.0).reduce(f64::min)?;
    let end = (end, factor * end);
    Some(PowerLawGuide {
        power: String::new(),
        exponent: 1.0,
        end,
        start_x,
        label_side: GuideLabelSide::Below,
    })
}

/// The evaluation part over the number of points; the printed times as they are.
pub(super) fn table_2(sphere: &Comparison) -> Chart {
    let looks = [
        ("#6baed6", "#f4a582", Marker::Wedge, Marker::Triangle),
        ("#2b7bba", "#e06c1f", Marker::Block, Marker::Square),
        ("#08306b", "#b2182b", Marker::Dot, Marker::Circle),
    ];
    let mut series = Vec::new();
    for (triangles, (color, printed_color, marker, printed_marker)) in
        [8192, 32768, 131_072].into_iter().zip(looks)
    {
        let rows = || TABLE_2.iter().filter(move |printed| printed.triangles == triangles);
        let points = |per_axis: usize| per_axis.pow(3) as f64;
        let measured = rows().filter_map(|printed| {
            let case = sphere.case(Approach::PreChosen, triangles, printed.per_axis)?;
            Some((points(printed.per_axis), case.evaluation))
        });
        let printed =
            rows().filter_map(|printed| Some((points(printed.per_axis), printed.seconds?)));
        let line = |label, points, color, marker| ChartSeries {
            label,
            growth: None,
            points,
            color,
            marker,
        };
        series.push(line(format!("N = {triangles}"), measured.collect(), color, marker));
        let label = format!("printed, N = {triangles}");
        series.push(line(label, printed.collect(), printed_color, printed_marker));
    }
    Chart {
        title: "Table 2: evaluation part of the fast multipole method".into(),
        subtitle: "Sphere, pre-chosen depth, one thread. Printed: a 2.8 GHz PC of 2006.".into(),
        x_label: "number of points M".into(),
        x_symbol: 'M',
        y_label: "time (s)".into(),
        legend_note: "N: number of triangles".into(),
        series,
        guides: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_stays_among_the_points() {
        let series = |points: &[(f64, f64)]| ChartSeries {
            label: String::new(),
            growth: None,
            points: points.to_vec(),
            color: "black",
            marker: Marker::Dot,
        };
        assert_eq!(guide(&[series(&[(8.0, 1.0)]), series(&[(8.0, 2.0)])]), None);
        let guide = guide(&[series(&[(4.0, 1.0), (8.0, 2.0)])]).unwrap();
        assert_eq!((guide.start_x, guide.end), (4.0, (8.0, 1.0)));
    }
}
