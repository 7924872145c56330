//! Charts of records: lines over two logarithmic axes, with power laws to compare with.

use crate::fit;
use crate::records::Records;
use carom::render::{Plot, PlotPoint, PlotSeries};

/// Guides end with the data and begin at this part of their largest x at the least.
const GUIDE_LENGTH: f64 = 1.0 / 60.0;

/// The chart of some records as the text of an SVG file, by the parts of a slot separated by ` | `:
///
/// | part | meaning |
/// |---|---|
/// | `x CELL as LABEL`, `y CELL as LABEL` | the numbers along an axis and what it says |
/// | `lines TEXT` | a line for each different text, in which `{CELL}` stands for the cell |
/// | `growth N` | the legend shows with which power of N each line grows over the upper two decades |
/// | `power 3/2 above`, `power 1 below` | a dashed power law that keeps clear of all lines on that side |
/// | anything else | under which conditions |
///
/// The legend is in the order of the right ends of the lines, so that it can be read without following them.
pub fn svg(records: &Records, title: &str, parts: &str) -> String {
    let mut plot = Plot { title: title.into(), is_logarithmic: true, ..Plot::default() };
    let (mut cells, mut lines, mut letter, mut guides) = (["", ""], "", None, Vec::new());
    for part in parts.split(" | ") {
        let axis = |text: &'_ str| text.split_once(" as ").map(|(_, label)| label.to_owned());
        let cell = |text| str::split(text, " as ").next().unwrap_or_default();
        match part.split_once(' ') {
            Some(("x", text)) => {
                (cells[0], plot.x_label) = (cell(text), axis(text).unwrap_or_default())
            }
            Some(("y", text)) => {
                (cells[1], plot.y_label) = (cell(text), axis(text).unwrap_or_default())
            }
            Some(("lines", text)) => lines = text,
            Some(("growth", text)) => letter = Some(text),
            Some(("power", law)) => guides.extend(law.split_once(' ')),
            _ => plot.subtitle = part.to_owned(),
        }
    }
    let series = |(label, points): (String, Vec<(f64, f64)>)| {
        let power = letter.zip(fit::upper_exponent(&points));
        let growth =
            power.map_or(String::new(), |(letter, power)| format!(", {letter}^{power:.2}"));
        series(label + &growth, points, false)
    };
    plot.series = records.lines(lines, cells[0], cells[1]).into_iter().map(series).collect();
    let end = |line: &PlotSeries| line.points.last().map_or(0.0, |point| point.y);
    plot.series.sort_by(|a, b| end(b).total_cmp(&end(a)));
    let measured: Vec<PlotPoint> =
        plot.series.iter().flat_map(|line| line.points.iter().copied()).collect();
    let letter = letter.unwrap_or("x");
    plot.series.extend(guides.into_iter().filter_map(|law| guide(law, letter, &measured)));
    plot.svg()
}

/// A line of the points that logarithmic axes have.
fn series(label: String, points: Vec<(f64, f64)>, is_guide: bool) -> PlotSeries {
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    let points = points.into_iter().filter(|&(x, y)| is_positive(x) && is_positive(y));
    let points = points.map(|(x, y)| PlotPoint { x, y, error: None }).collect();
    PlotSeries { label, points, is_guide }
}

/// A power law at twice the highest, or half the lowest, of the points beside it.
fn guide((power, side): (&str, &str), letter: &str, points: &[PlotPoint]) -> Option<PlotSeries> {
    let (over, under) = power.split_once('/').unwrap_or((power, "1"));
    let exponent = over.parse::<f64>().ok()? / under.parse::<f64>().ok()?;
    let end = points.iter().map(|point| point.x).reduce(f64::max)?;
    let start = points.iter().map(|point| point.x).reduce(f64::min)?.max(GUIDE_LENGTH * end);
    let beside = points.iter().filter(|point| point.x >= start);
    let factors = beside.map(|point| point.y / point.x.powf(exponent));
    let factor = match side {
        "above" => 2.0 * factors.reduce(f64::max)?,
        _ => 0.5 * factors.reduce(f64::min)?,
    };
    let label = if power == "1" { letter.to_owned() } else { format!("{letter}^{power}") };
    let ends = [start, end].map(|x| (x, factor * x.powf(exponent)));
    (start < end).then(|| series(label, ends.into(), true))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: &str = "method,bodies,ms\nlow,100,1\nlow,1000,10\nlow,10000,0\nhigh,100,3\n\
                         high,1000,30\nhigh,10000,300\n";

    #[test]
    fn the_legend_follows_the_right_ends_of_the_lines_and_shows_their_growth() {
        let parts = "x bodies as bodies N | y ms as time (ms) | lines {method} one | growth N | \
                     power 3/2 above | power 1 below | on one thread";
        let svg = svg(&Records::parse(TIMES), "A < B", parts);
        for part in ["A &lt; B", ">bodies N<", ">time (ms)<", ">on one thread<", ">N^3/2<", ">N<"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert!(svg.find(">high one, N^1.00<").unwrap() < svg.find(">low one").unwrap());
    }

    #[test]
    fn guides_keep_clear_of_the_lines() {
        let points = [(1e2, 1.0), (1e3, 30.0)].map(|(x, y)| PlotPoint { x, y, error: None });
        let above = guide(("3/2", "above"), "N", &points).unwrap();
        let below = guide(("3/2", "below"), "N", &points).unwrap();
        assert_eq!((above.points[0].x, above.points[1].x), (1e2, 1e3));
        assert!((above.points[0].y - 2.0).abs() < 1e-9 && above.points[1].y >= 60.0);
        assert!(below.points[0].y <= 0.5 && (below.points[1].y - 15.0).abs() < 1e-9);
        assert!(guide(("1", "above"), "N", &points[..1]).is_none());
    }
}
