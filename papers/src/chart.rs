//! Line charts with two logarithmic axes, written as SVG.
//!
//! The legend stands outside the data, in the order of the right ends of the lines, so that it can be read without
//! following them. Colors and markers follow the order of the lines. Power laws to compare with are thin dashed lines.

mod logarithmic_axis;
mod marker;

use crate::fit;
use crate::svg::{Anchor, Drawing, INK, PALE_INK};
use logarithmic_axis::LogarithmicAxis;
use marker::Marker;

/// A chart over two logarithmic axes.
///
/// ```
/// use carom_papers::chart::{Chart, ChartSeries};
/// let chart = Chart {
///     title: "Time".into(),
///     x_label: "particles N",
///     y_label: "ms",
///     series: vec![ChartSeries { label: "linear".into(), points: vec![(1e2, 1.0), (1e4, 100.0)] }],
///     ..Chart::default()
/// };
/// assert!(chart.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// Quantity and unit of the horizontal axis.
    pub x_label: &'static str,
    /// Quantity and unit of the vertical axis.
    pub y_label: &'static str,
    /// The letter of the horizontal axis in power laws; with one, the legend shows how each line grows.
    pub x_symbol: Option<char>,
    /// A remark below the legend, in place of that on how growth is fitted.
    pub legend_note: &'static str,
    /// The lines; points with a coordinate that is not greater than zero are left out.
    pub series: Vec<ChartSeries>,
    /// Power laws to compare with.
    pub guides: Vec<PowerLawGuide>,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartSeries {
    /// Its name in the legend.
    pub label: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A power law as a thin straight line that keeps clear of all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLawGuide {
    /// The exponent as the label shows it, such as `3/2`; empty for one.
    pub power: &'static str,
    /// On which side of all lines it is drawn.
    pub side: GuideSide,
}

/// A side of all lines of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideSide {
    /// Towards larger values.
    Above,
    /// Towards smaller values.
    Below,
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 620.0;
/// Left, right, upper and lower side of the data.
const LEFT: f64 = 92.0;
const RIGHT: f64 = 720.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 548.0;
/// Guides end with the data and begin at this part of their largest x at the least.
const GUIDE_LENGTH: f64 = 1.0 / 60.0;
const COLORS: [&str; 10] = [
    "#b2182b", "#e06c1f", "#d9a400", "#6baed6", "#2b7bba", "#08306b", "#1b7837", "#5aae61",
    "#7a0177", "#666666",
];

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> String {
        let guides: Vec<_> =
            self.guides.iter().filter_map(|guide| Some((guide, self.guide_ends(guide)?))).collect();
        let points = || self.series.iter().flat_map(ChartSeries::drawable);
        let heights = points().map(|point| point.1).chain(guides.iter().map(|guide| guide.1[1].1));
        let x = LogarithmicAxis::around(points().map(|point| point.0), LEFT, RIGHT);
        let y = LogarithmicAxis::around(heights, BOTTOM, TOP);
        let mut drawing = Drawing::new(WIDTH, HEIGHT, &self.title);
        self.draw_titles(&mut drawing);
        draw_grid(&mut drawing, &x, &y);
        for (guide, ends) in guides {
            self.draw_guide(
                &mut drawing,
                guide,
                ends.map(|end| [x.position(end.0), y.position(end.1)]),
            );
        }
        for (number, series) in self.series.iter().enumerate() {
            let places: Vec<_> =
                series.drawable().map(|point| [x.position(point.0), y.position(point.1)]).collect();
            draw_series(&mut drawing, number, &places);
        }
        self.draw_legend(&mut drawing);
        drawing.finish()
    }

    fn draw_titles(&self, drawing: &mut Drawing) {
        let title = r#"<g font-weight="bold">"#;
        drawing.element(title);
        drawing.text([LEFT, 34.0], 20, INK, Anchor::Start, &self.title);
        drawing.element("</g>");
        drawing.text([LEFT, 58.0], 13, PALE_INK, Anchor::Start, &self.subtitle);
        drawing.text([(LEFT + RIGHT) / 2.0, 598.0], 15, INK, Anchor::Middle, self.x_label);
        let middle = (TOP + BOTTOM) / 2.0;
        drawing.element(&format!(r#"<g transform="translate(26 {middle}) rotate(-90)">"#));
        drawing.text([0.0, 0.0], 15, INK, Anchor::Middle, self.y_label);
        drawing.element("</g>");
    }

    /// Both ends of a guide: at half the lowest, or twice the highest, of the lines beside it.
    fn guide_ends(&self, guide: &PowerLawGuide) -> Option<[(f64, f64); 2]> {
        let points = || self.series.iter().flat_map(ChartSeries::drawable);
        let end = points().map(|point| point.0).reduce(f64::max)?;
        let start = points().map(|point| point.0).reduce(f64::min)?.max(GUIDE_LENGTH * end);
        let beside = points().filter(|point| point.0 >= start);
        let exponent = guide.exponent();
        let factors = beside.map(|(x, y)| y / x.powf(exponent));
        let factor = match guide.side {
            GuideSide::Above => 2.0 * factors.reduce(f64::max)?,
            GuideSide::Below => 0.5 * factors.reduce(f64::min)?,
        };
        (start < end).then(|| [start, end].map(|x| (x, factor * x.powf(exponent))))
    }

    fn draw_guide(
        &self,
        drawing: &mut Drawing,
        guide: &PowerLawGuide,
        [start, end]: [[f64; 2]; 2],
    ) {
        // What would begin below the frame begins at its lower side.
        let outside = ((start[1] - BOTTOM) / (start[1] - end[1])).max(0.0);
        let start = [0, 1].map(|axis| start[axis] + outside * (end[axis] - start[axis]));
        drawing.line(start, end, r##"stroke="#888888" stroke-width="1.1" stroke-dasharray="6 4""##);
        // Near the left end, away from the lines it is compared with.
        let label = match guide.side {
            GuideSide::Above => [(start[0] - 30.0).max(LEFT + 4.0), start[1] - 4.0],
            GuideSide::Below => [start[0] + 16.0, start[1] + 14.0],
        };
        drawing.power(label, self.x_symbol.unwrap_or('x'), guide.power);
    }

    fn draw_legend(&self, drawing: &mut Drawing) {
        let mut order: Vec<_> = self.series.iter().enumerate().collect();
        order.sort_by(|a, b| b.1.last_value().total_cmp(&a.1.last_value()));
        let left = RIGHT + 26.0;
        for (row, (number, series)) in order.into_iter().enumerate() {
            let y = TOP + 14.0 + 30.0 * row as f64;
            let color = COLORS[number % COLORS.len()];
            let stroke = format!(r#"stroke="{color}" stroke-width="2.2""#);
            drawing.line([left, y], [left + 36.0, y], &stroke);
            Marker::of(number).draw(drawing, [left + 18.0, y], color);
            drawing.text([left + 48.0, y + 5.0], 14, INK, Anchor::Start, &series.label);
            if let Some((symbol, growth)) = self.x_symbol.zip(series.growth()) {
                drawing.power([WIDTH - 62.0, y + 5.0], symbol, &format!("{growth:.2}"));
            }
        }
        let below = [left, TOP + 14.0 + 30.0 * self.series.len() as f64];
        let note = match self.x_symbol {
            Some(_) if self.legend_note.is_empty() => "fitted over the upper two decades",
            _ => self.legend_note,
        };
        drawing.text(below, 12, PALE_INK, Anchor::Start, note);
    }
}

impl PowerLawGuide {
    /// The slope of the line.
    fn exponent(&self) -> f64 {
        let number = |text: &str| text.parse().unwrap_or(1.0);
        let (over, under) = self.power.split_once('/').unwrap_or((self.power, ""));
        number(over) / number(under)
    }
}

impl ChartSeries {
    fn drawable(&self) -> impl Iterator<Item = (f64, f64)> {
        let drawable = |value: f64| value > 0.0 && value.is_finite();
        self.points.iter().copied().filter(move |point| drawable(point.0) && drawable(point.1))
    }

    fn last_value(&self) -> f64 {
        self.drawable().last().map_or(0.0, |point| point.1)
    }

    fn growth(&self) -> Option<f64> {
        fit::upper_exponent(&self.points)
    }
}

fn draw_series(drawing: &mut Drawing, number: usize, places: &[[f64; 2]]) {
    let color = COLORS[number % COLORS.len()];
    let path: Vec<_> = places.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    drawing.element(&format!(
        r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2.2" stroke-linejoin="round"/>"#,
        path.join(" ")
    ));
    for &place in places {
        Marker::of(number).draw(drawing, place, color);
    }
}

fn draw_grid(drawing: &mut Drawing, x: &LogarithmicAxis, y: &LogarithmicAxis) {
    let (pale, gray) = (r##"stroke="#e4e4e4""##, r##"stroke="#999999""##);
    for (place, label) in x.decades() {
        drawing.line([place, TOP], [place, BOTTOM], pale);
        drawing.text([place, BOTTOM + 24.0], 14, INK, Anchor::Middle, &label);
    }
    for (place, label) in y.decades() {
        drawing.line([LEFT, place], [RIGHT, place], pale);
        drawing.text([LEFT - 10.0, place + 5.0], 14, INK, Anchor::End, &label);
    }
    for place in x.between_decades() {
        drawing.line([place, BOTTOM], [place, BOTTOM - 5.0], gray);
    }
    for place in y.between_decades() {
        drawing.line([LEFT, place], [LEFT + 5.0, place], gray);
    }
    let corners = [[LEFT, TOP], [RIGHT, TOP], [RIGHT, BOTTOM], [LEFT, BOTTOM]];
    for (number, &corner) in corners.iter().enumerate() {
        drawing.line(corner, corners[(number + 1) % 4], gray);
    }
}

#[cfg(test)]
pub(crate) mod tests;
