//! Line charts with two logarithmic axes, written as SVG.
//!
//! The legend stands outside the data, in the order of the right ends of the lines, so that it can
//! be read without following them. Power laws to compare with are thin dashed lines.

mod logarithmic_axis;
mod marker;

use carom_view::html::escaped;
use logarithmic_axis::LogarithmicAxis;
pub use marker::Marker;
use std::fmt::Write;

/// A chart over two logarithmic axes.
///
/// ```
/// use carom_papers::chart::{Chart, Marker, ChartSeries};
/// let series = ChartSeries {
///     label: "linear".into(),
///     growth: Some(1.0),
///     points: vec![(1e2, 1.0), (1e4, 100.0)],
///     color: "#0072b2",
///     marker: Marker::Circle,
/// };
/// let chart = Chart {
///     title: "Time".into(),
///     subtitle: String::new(),
///     x_label: "particles".into(),
///     x_symbol: 'N',
///     y_label: "ms".into(),
///     legend_note: String::new(),
///     series: vec![series],
///     guides: Vec::new(),
/// };
/// assert!(chart.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// Quantity and unit of the horizontal axis.
    pub x_label: String,
    /// The letter of that quantity in power laws.
    pub x_symbol: char,
    /// Quantity and unit of the vertical axis.
    pub y_label: String,
    /// Said below the legend, such as how growth was fitted.
    pub legend_note: String,
    /// The lines; points with a coordinate that is not greater than zero are left out.
    pub series: Vec<ChartSeries>,
    /// The power laws; one through a point with a coordinate that is not greater than zero is left out.
    pub guides: Vec<PowerLawGuide>,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartSeries {
    /// Its name in the legend.
    pub label: String,
    /// The fitted power of x with which it grows, shown in the legend.
    pub growth: Option<f64>,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Color of line and markers, as SVG takes it.
    pub color: &'static str,
    /// Shape of the points.
    pub marker: Marker,
}

/// A power law as a thin straight line.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerLawGuide {
    /// The exponent as the label shows it, such as `3/2`; empty for one.
    pub power: String,
    /// Slope of the line.
    pub exponent: f64,
    /// A point the line goes through: its right end.
    pub end: (f64, f64),
    /// Where the line begins.
    pub start_x: f64,
    /// Where its label stands.
    pub label_side: GuideLabelSide,
}

/// A side of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideLabelSide {
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
const INK: &str = "#222222";
const PALE_INK: &str = "#666666";
const STYLE: &str = "text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif}";

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> String {
        let (x, y) = self.scales();
        let mut svg = String::new();
        self.write(&mut svg, &x, &y).expect("writing to a string does not fail");
        svg
    }

    /// Those through a point that logarithmic axes have: a time too short for the clock is zero.
    fn drawable_guides(&self) -> impl Iterator<Item = &PowerLawGuide> {
        self.guides.iter().filter(|guide| guide.end.0 > 0.0 && guide.end.1 > 0.0)
    }

    fn scales(&self) -> (LogarithmicAxis, LogarithmicAxis) {
        let points = || self.series.iter().flat_map(|series| series.drawable());
        let guides = || self.drawable_guides().map(|guide| guide.end);
        let x = LogarithmicAxis::around(points().map(|point| point.0), LEFT, RIGHT);
        let y = LogarithmicAxis::around(points().chain(guides()).map(|point| point.1), BOTTOM, TOP);
        (x, y)
    }

    fn write(
        &self,
        svg: &mut String,
        x: &LogarithmicAxis,
        y: &LogarithmicAxis,
    ) -> std::fmt::Result {
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">"#
        )?;
        writeln!(svg, "<title>{}</title>", escaped(&self.title))?;
        writeln!(svg, "<style>{STYLE}</style>")?;
        writeln!(svg, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"##)?;
        self.write_titles(svg)?;
        write_grid(svg, x, y)?;
        for guide in self.drawable_guides() {
            guide.write(svg, x, y, self.x_symbol)?;
        }
        for series in &self.series {
            series.write(svg, x, y)?;
        }
        self.write_legend(svg)?;
        writeln!(svg, "</svg>")
    }

    fn write_titles(&self, svg: &mut String) -> std::fmt::Result {
        let (title, subtitle) = (escaped(&self.title), escaped(&self.subtitle));
        writeln!(
            svg,
            r#"<text x="{LEFT}" y="34" font-size="20" font-weight="bold" fill="{INK}">{title}</text>"#
        )?;
        writeln!(
            svg,
            r#"<text x="{LEFT}" y="58" font-size="13" fill="{PALE_INK}">{subtitle}</text>"#
        )?;
        let (middle_x, middle_y) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
        let (x_label, y_label) = (escaped(&self.x_label), escaped(&self.y_label));
        writeln!(
            svg,
            r#"<text x="{middle_x}" y="598" font-size="15" text-anchor="middle" fill="{INK}">{x_label}</text>"#
        )?;
        writeln!(
            svg,
            r#"<text transform="translate(26 {middle_y}) rotate(-90)" font-size="15" text-anchor="middle" fill="{INK}">{y_label}</text>"#
        )
    }

    fn write_legend(&self, svg: &mut String) -> std::fmt::Result {
        let mut sorted: Vec<&ChartSeries> = self.series.iter().collect();
        sorted.sort_by(|a, b| b.last_value().total_cmp(&a.last_value()));
        for (row, series) in sorted.into_iter().enumerate() {
            let y = TOP + 14.0 + 30.0 * row as f64;
            let (start, end, text) = (RIGHT + 26.0, RIGHT + 62.0, RIGHT + 74.0);
            let color = series.color;
            writeln!(
                svg,
                r#"<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="{color}" stroke-width="2.2"/>"#
            )?;
            series.marker.write(svg, (start + end) / 2.0, y, color)?;
            let (base, label) = (y + 5.0, escaped(&series.label));
            writeln!(
                svg,
                r#"<text x="{text}" y="{base}" font-size="14" fill="{INK}">{label}</text>"#
            )?;
            if let Some(growth) = series.growth {
                write_power(svg, WIDTH - 62.0, base, self.x_symbol, &format!("{growth:.2}"))?;
            }
        }
        let below = TOP + 14.0 + 30.0 * self.series.len() as f64;
        writeln!(
            svg,
            r#"<text x="{}" y="{below}" font-size="12" fill="{PALE_INK}">{}</text>"#,
            RIGHT + 26.0,
            escaped(&self.legend_note)
        )
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

    fn write(
        &self,
        svg: &mut String,
        x: &LogarithmicAxis,
        y: &LogarithmicAxis,
    ) -> std::fmt::Result {
        let places: Vec<_> =
            self.drawable().map(|point| (x.position(point.0), y.position(point.1))).collect();
        let path: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        writeln!(
            svg,
            r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="2.2" stroke-linejoin="round"/>"#,
            path.join(" "),
            self.color
        )?;
        for (x, y) in places {
            self.marker.write(svg, x, y, self.color)?;
        }
        Ok(())
    }
}

impl PowerLawGuide {
    fn write(
        &self,
        svg: &mut String,
        x: &LogarithmicAxis,
        y: &LogarithmicAxis,
        symbol: char,
    ) -> std::fmt::Result {
        let start_y = self.end.1 * (self.start_x / self.end.0).powf(self.exponent);
        let (x1, y1) = (x.position(self.start_x), y.position(start_y));
        let (x2, y2) = (x.position(self.end.0), y.position(self.end.1));
        // Few points make a narrow frame; what would begin outside of it begins at its side.
        let outside = ((LEFT - x1) / (x2 - x1)).max((y1 - BOTTOM) / (y1 - y2)).max(0.0);
        if outside >= 1.0 {
            return Ok(());
        }
        let (x1, y1) = (x1 + outside * (x2 - x1), y1 + outside * (y2 - y1));
        writeln!(
            svg,
            r##"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="#888888" stroke-width="1.1" stroke-dasharray="6 4"/>"##
        )?;
        // Near the left end, away from the lines it is compared with.
        let (label_x, label_y) = match self.label_side {
            GuideLabelSide::Above => ((x1 - 30.0).max(LEFT + 4.0), y1 - 4.0),
            GuideLabelSide::Below => (x1 + 16.0, y1 + 14.0),
        };
        write_power(svg, label_x, label_y, symbol, &self.power)
    }
}

/// A symbol with a raised exponent.
fn write_power(svg: &mut String, x: f64, y: f64, symbol: char, power: &str) -> std::fmt::Result {
    let (symbol, power) = (escaped(&symbol.to_string()), escaped(power));
    writeln!(
        svg,
        r#"<text x="{x:.1}" y="{y:.1}" font-size="14" fill="{PALE_INK}">{symbol}<tspan dy="-5" font-size="11">{power}</tspan></text>"#
    )
}

fn write_grid(svg: &mut String, x: &LogarithmicAxis, y: &LogarithmicAxis) -> std::fmt::Result {
    for (value, label) in x.decades() {
        let place = x.position(value);
        writeln!(
            svg,
            r##"<line x1="{place:.1}" y1="{TOP}" x2="{place:.1}" y2="{BOTTOM}" stroke="#e4e4e4"/>"##
        )?;
        writeln!(
            svg,
            r#"<text x="{place:.1}" y="{}" font-size="14" text-anchor="middle" fill="{INK}">{label}</text>"#,
            BOTTOM + 24.0
        )?;
    }
    for (value, label) in y.decades() {
        let place = y.position(value);
        writeln!(
            svg,
            r##"<line x1="{LEFT}" y1="{place:.1}" x2="{RIGHT}" y2="{place:.1}" stroke="#e4e4e4"/>"##
        )?;
        writeln!(
            svg,
            r#"<text x="{}" y="{:.1}" font-size="14" text-anchor="end" fill="{INK}">{label}</text>"#,
            LEFT - 10.0,
            place + 5.0
        )?;
    }
    write_ticks(svg, x, y)?;
    let (width, height) = (RIGHT - LEFT, BOTTOM - TOP);
    writeln!(
        svg,
        r##"<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#999999"/>"##
    )
}

/// Short strokes at two to nine times each power of ten.
fn write_ticks(svg: &mut String, x: &LogarithmicAxis, y: &LogarithmicAxis) -> std::fmt::Result {
    for place in x.between_decades() {
        let end = BOTTOM - 5.0;
        writeln!(
            svg,
            r##"<line x1="{place:.1}" y1="{BOTTOM}" x2="{place:.1}" y2="{end}" stroke="#999999"/>"##
        )?;
    }
    for place in y.between_decades() {
        let end = LEFT + 5.0;
        writeln!(
            svg,
            r##"<line x1="{LEFT}" y1="{place:.1}" x2="{end}" y2="{place:.1}" stroke="#999999"/>"##
        )?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
