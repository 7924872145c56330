//! Plots of measured values over a parameter, with error bars.

mod axis;

use crate::page::SvgPage;
use axis::PlotAxis;

/// A plot of lines through points with error bars. Each axis is linear, or logarithmic where its values are positive and
/// spread over decades.
///
/// ```
/// use carom_render::{Plot, PlotPoint, PlotSeries};
/// let point = |x: f64, y: f64| PlotPoint { x, y, error: Some(0.1) };
/// let plot = Plot {
///     title: "kinetic_energy".into(),
///     x_label: "restitution".into(),
///     y_label: "kinetic_energy (energy)".into(),
///     series: vec![PlotSeries { points: vec![point(0.5, 2.0), point(0.9, 3.0)], ..PlotSeries::default() }],
///     ..Plot::default()
/// };
/// assert!(plot.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Title, which says what is shown.
    pub title: String,
    /// Line below the title, which says under which conditions it was measured.
    pub subtitle: String,
    /// Quantity and unit of the horizontal axis.
    pub x_label: String,
    /// Quantity and unit of the vertical axis.
    pub y_label: String,
    /// Whether both axes are logarithmic whatever the values, so that power laws are straight lines; points with a
    /// coordinate that is not positive are then left out.
    pub is_logarithmic: bool,
    /// The lines of the plot, each with its points and its name in the legend.
    pub series: Vec<PlotSeries>,
}

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotSeries {
    /// Name in the legend; there is no legend if all are empty.
    pub label: String,
    /// Points from left to right; those that are not finite are left out.
    pub points: Vec<PlotPoint>,
    /// Whether it is thin, dashed and without markers: a law that measured lines are compared with.
    pub is_guide: bool,
}

/// A point of a plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotPoint {
    /// Value of the parameter on the horizontal axis.
    pub x: f64,
    /// Measured value on the vertical axis.
    pub y: f64,
    /// Standard error of the value, if it is known.
    pub error: Option<f64>,
}

const INK: &str = "#1d2433";
const PALE_INK: &str = "#5c6678";
const COLORS: [&str; 10] = [
    "#2b7bba", "#b2182b", "#1b7837", "#d9a400", "#7a0177", "#e06c1f", "#6baed6", "#5aae61",
    "#08306b", "#666666",
];
/// Corners of markers around their centers, from the right by turns; a circle has none.
const MARKERS: [&[[f64; 2]]; 4] = [
    &[],
    &[[4.2, 4.2], [-4.2, 4.2], [-4.2, -4.2], [4.2, -4.2]],
    &[[0.0, -5.6], [5.2, 4.0], [-5.2, 4.0]],
    &[[0.0, -5.8], [5.8, 0.0], [0.0, 5.8], [-5.8, 0.0]],
];

/// Sides of the area of the data, without the labels of the axes.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 400.0;
const TOP: f64 = 78.0;
const BELOW: f64 = 72.0;
/// Half the width of the end of an error bar.
const CAP: f64 = 4.0;
/// Width of a letter in parts of the size of its font, about.
const LETTER: f64 = 0.6;

impl Plot {
    /// Returns the plot as the text of an SVG file.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| self.drawable(series));
        let ends = |point: PlotPoint| {
            let error = point.error.unwrap_or(0.0);
            [point.y - error, point.y + error]
        };
        let x = PlotAxis::around(points().map(|point| point.x), self.is_logarithmic);
        let y = PlotAxis::around(points().flat_map(ends), self.is_logarithmic);
        let longest = y.ticks().iter().map(|tick| tick.label.len()).max().unwrap_or(0);
        let left = 54.0 + 13.0 * LETTER * longest as f64;
        let area = PlotArea { left, x, y };
        let mut page = SvgPage::default();
        self.draw_labels(&mut page, left);
        area.draw_grid(&mut page);
        for (number, series) in self.series.iter().enumerate() {
            let points: Vec<PlotPoint> = self.drawable(series).collect();
            area.draw(&mut page, &points, series.is_guide, number);
        }
        let legend = self.draw_legend(&mut page, left + WIDTH + 24.0);
        page.finish(left + WIDTH + 36.0 + legend, TOP + HEIGHT + BELOW)
    }

    fn draw_labels(&self, page: &mut SvgPage, left: f64) {
        let text = |page: &mut SvgPage, y: f64, style: &str, words: &str| {
            page.line(format_args!(
                "<text x=\"{left:.1}\" y=\"{y:.1}\" {style}>{}</text>",
                escaped(words)
            ));
        };
        let title = format!("font-size=\"18\" font-weight=\"600\" fill=\"{INK}\"");
        text(page, 32.0, &title, &self.title);
        text(page, 56.0, &format!("font-size=\"13\" fill=\"{PALE_INK}\""), &self.subtitle);
        page.line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"14\" text-anchor=\"middle\" fill=\"{INK}\">{}</text>",
            left + 0.5 * WIDTH,
            TOP + HEIGHT + 52.0,
            escaped(&self.x_label)
        ));
        page.line(format_args!(
            "<text transform=\"translate(24 {:.1}) rotate(-90)\" font-size=\"14\" text-anchor=\"middle\" \
             fill=\"{INK}\">{}</text>",
            TOP + 0.5 * HEIGHT,
            escaped(&self.y_label)
        ));
    }

    /// Draws the names of the lines, and returns their width.
    fn draw_legend(&self, page: &mut SvgPage, left: f64) -> f64 {
        if self.series.iter().all(|series| series.label.is_empty()) {
            return 0.0;
        }
        for (number, series) in self.series.iter().enumerate() {
            let y = TOP + 12.0 + 24.0 * number as f64;
            let stroke = stroke(number, series.is_guide);
            page.line(format_args!(
                "<line x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" {stroke}/>",
                left + 30.0
            ));
            if !series.is_guide {
                draw_marker(page, [left + 15.0, y], number);
            }
            page.line(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"{INK}\">{}</text>",
                left + 40.0,
                y + 4.5,
                escaped(&series.label)
            ));
        }
        let longest = self.series.iter().map(|series| series.label.chars().count()).max();
        40.0 + 13.0 * LETTER * longest.unwrap_or(0) as f64
    }

    fn drawable(&self, series: &PlotSeries) -> impl Iterator<Item = PlotPoint> {
        let is_finite = |error: &f64| error.is_finite();
        let least = if self.is_logarithmic { 0.0 } else { f64::NEG_INFINITY };
        let is_drawable = move |value: f64| value.is_finite() && value > least;
        let points = series.points.iter();
        let points = points.filter(move |point| is_drawable(point.x) && is_drawable(point.y));
        points.map(move |point| PlotPoint { error: point.error.filter(is_finite), ..*point })
    }
}

/// The rectangle of the data with its axes.
struct PlotArea {
    left: f64,
    x: PlotAxis,
    y: PlotAxis,
}

impl PlotArea {
    fn column(&self, x: f64) -> f64 {
        self.left + WIDTH * self.x.part(x)
    }

    fn row(&self, y: f64) -> f64 {
        TOP + HEIGHT * (1.0 - self.y.part(y))
    }

    fn draw_grid(&self, page: &mut SvgPage) {
        let (left, right, bottom) = (self.left, self.left + WIDTH, TOP + HEIGHT);
        for tick in self.x.ticks() {
            let x = self.column(tick.value);
            page.line(format_args!(
                "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#e6e8ec\"/>"
            ));
            page.line(format_args!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"middle\" \
                 fill=\"{PALE_INK}\">{}</text>",
                bottom + 22.0,
                tick.label
            ));
        }
        for tick in self.y.ticks() {
            let y = self.row(tick.value);
            page.line(format_args!(
                "<line x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" \
                 stroke=\"#e6e8ec\"/>"
            ));
            page.line(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"end\" \
                 fill=\"{PALE_INK}\">{}</text>",
                left - 8.0,
                y + 4.5,
                tick.label
            ));
        }
        page.line(format_args!(
            "<rect x=\"{left:.1}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" \
             stroke=\"#9aa3b2\"/>"
        ));
    }

    /// Draws a line, and unless it is a guide its error bars and its markers.
    fn draw(&self, page: &mut SvgPage, points: &[PlotPoint], is_guide: bool, number: usize) {
        let color = COLORS[number % COLORS.len()];
        let place =
            |point: &PlotPoint| format!("{:.1},{:.1}", self.column(point.x), self.row(point.y));
        let places: Vec<String> = points.iter().map(place).collect();
        page.line(format_args!(
            "<polyline points=\"{}\" fill=\"none\" {} stroke-linejoin=\"round\"/>",
            places.join(" "),
            stroke(number, is_guide)
        ));
        for point in points.iter().filter(|_| !is_guide) {
            let x = self.column(point.x);
            if let Some(error) = point.error.filter(|error| *error > 0.0) {
                let [low, high] = [self.row(point.y - error), self.row(point.y + error)];
                page.line(format_args!(
                    "<path d=\"M{:.1} {low:.1}H{:.1}M{x:.1} {low:.1}V{high:.1}M{:.1} {high:.1}H{:.1}\" \
                     fill=\"none\" stroke=\"{color}\" stroke-width=\"1.4\"/>",
                    x - CAP,
                    x + CAP,
                    x - CAP,
                    x + CAP
                ));
            }
            draw_marker(page, [x, self.row(point.y)], number);
        }
    }
}

fn stroke(number: usize, is_guide: bool) -> String {
    match is_guide {
        true => format!("stroke=\"{PALE_INK}\" stroke-width=\"1.1\" stroke-dasharray=\"6 4\""),
        false => format!("stroke=\"{}\" stroke-width=\"1.8\"", COLORS[number % COLORS.len()]),
    }
}

fn draw_marker(page: &mut SvgPage, [x, y]: [f64; 2], number: usize) {
    let color = COLORS[number % COLORS.len()];
    let paint = format!("fill=\"#ffffff\" stroke=\"{color}\" stroke-width=\"1.8\"");
    let corners = MARKERS[number % MARKERS.len()];
    if corners.is_empty() {
        return page.line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.4\" {paint}/>"));
    }
    let corner = |[right, down]: &[f64; 2]| format!("{:.1} {:.1}", x + right, y + down);
    let path: Vec<String> = corners.iter().map(corner).collect();
    page.line(format_args!("<path d=\"M{}Z\" {paint}/>", path.join("L")));
}

/// Escapes what has a meaning in XML.
fn escaped(text: &str) -> String {
    let pairs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")];
    pairs.iter().fold(text.to_owned(), |text, (letter, name)| text.replace(letter, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(f64, f64, Option<f64>)]) -> Plot {
        let point = |&(x, y, error): &(f64, f64, Option<f64>)| PlotPoint { x, y, error };
        let points = points.iter().map(point).collect();
        let series = vec![PlotSeries { label: "a < b & c".into(), points, is_guide: false }];
        Plot { title: "\"x\"".into(), series, ..Plot::default() }
    }

    #[test]
    fn points_have_markers_and_error_bars_and_texts_are_escaped() {
        let nan = f64::NAN;
        let svg = plot(&[
            (0.0, 1.0, Some(0.5)),
            (1.0, 2.0, Some(0.0)),
            (2.0, 3.0, None),
            (3.0, nan, None),
            (4.0, 1.0, Some(nan)),
        ])
        .svg();
        // Four points, and the one of the legend.
        assert_eq!(svg.matches("<circle").count(), 5);
        assert_eq!(svg.matches("stroke-width=\"1.4\"").count(), 1);
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("&quot;x&quot;"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn error_bars_stay_within_the_axes() {
        let plot = plot(&[(0.0, 1.0, Some(5.0)), (1.0, 2.0, None)]);
        let y = PlotAxis::around([-4.0, 6.0, 2.0, 2.0].into_iter(), false);
        assert!(y.part(-4.0) >= 0.0 && y.part(6.0) <= 1.0);
        assert!(plot.svg().contains(">-4</text>"), "{}", plot.svg());
    }

    #[test]
    fn a_guide_has_no_markers_and_logarithmic_axes_take_positive_numbers_only() {
        let points = [(1.0, 1.0, None), (10.0, 2.0, None), (20.0, 0.0, None)];
        let mut plot = Plot { is_logarithmic: true, ..plot(&points) };
        // Two points, and the one of the legend.
        assert_eq!(plot.svg().matches("<circle").count(), 3);
        plot.series[0].is_guide = true;
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 0);
        // The line, and that of the legend.
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
    }

    #[test]
    fn no_point_and_one_point_are_pictures_too() {
        for points in [&[][..], &[(7.0, 0.0, None)], &[(1e300, -1e300, Some(1e299))]] {
            let svg = plot(points).svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.ends_with("</svg>\n"));
        }
    }
}
