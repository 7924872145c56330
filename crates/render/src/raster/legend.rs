//! The legend of a PNG of a frame.

use super::canvas::{Canvas, Pen};
use super::text;
use super::value_scale::{ColormapKind, ValueScale};
use crate::color::LinearRgb;
use crate::page::PageViewport;
use carom_geometry::math;
use carom_io::Frame;

const BAR_WIDTH: f64 = 22.0;
const BAR_HEIGHT: f64 = 220.0;
/// Largest number of groups whose colors are shown, and the height of each.
const MOST_GROUPS: usize = 10;
const GROUP_HEIGHT: f64 = 20.0;

/// The figures and the meaning of the colors, at the right of the drawing.
pub(super) struct RasterLegend<'a> {
    bodies: usize,
    /// Singular and plural of a body.
    nouns: [&'static str; 2],
    time: f64,
    scale: &'a ValueScale,
}

impl<'a> RasterLegend<'a> {
    pub(super) fn of<const D: usize>(frame: &Frame<D>, scale: &'a ValueScale) -> Self {
        let nouns =
            if frame.springs.is_some() { ["particle", "particles"] } else { ["body", "bodies"] };
        RasterLegend { bodies: frame.len(), nouns, time: frame.time, scale }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, view: &PageViewport) {
        let [left, top] = view.legend_corner();
        let noun = self.nouns[usize::from(self.bodies != 1)];
        draw_figure(canvas, [left, top + 20.0], &with_thousands(self.bodies), noun);
        draw_figure(canvas, [left, top + 76.0], &short(self.time), "time");
        if let ColormapKind::Categorical(count) = self.scale.kind {
            let noun = format!("{}{}", self.scale.name, if count == 1 { "" } else { "s" });
            draw_figure(canvas, [left, top + 132.0], &with_thousands(count), &noun);
            self.draw_groups(canvas, [left, top + 170.0]);
        } else {
            text::write(canvas, [left, top + 134.0], &self.scale.name, 10.0, pale_ink());
            self.draw_bar(canvas, [left, top + 150.0]);
        }
    }

    /// Draws the colors of the first groups.
    fn draw_groups(&self, canvas: &mut Canvas, [left, top]: [f64; 2]) {
        let colors = self.scale.colors();
        for number in 0..self.scale.category_count().min(MOST_GROUPS) {
            let y = top.floor() + GROUP_HEIGHT * number as f64;
            let right = left + BAR_WIDTH;
            canvas.fill([left, y], [right, y + GROUP_HEIGHT - 4.0], colors[number]);
            let base = [right + 14.0, y + 0.5 * GROUP_HEIGHT + 3.0];
            text::write(canvas, base, &number.to_string(), 10.0, ink());
        }
    }

    fn draw_bar(&self, canvas: &mut Canvas, [left, top]: [f64; 2]) {
        let colors = self.scale.colors();
        // Whole rows of pixels, since the background would shine through between two halves.
        let top = top.floor();
        for row in 0..BAR_HEIGHT as usize {
            let share = 1.0 - (row as f64 + 0.5) / BAR_HEIGHT;
            let color = colors[(share * colors.len() as f64) as usize];
            let y = top + row as f64;
            canvas.fill([left, y], [left + BAR_WIDTH, y + 1.0], color);
        }
        let (low, high) = (self.scale.bottom(), self.scale.top);
        let tick = tick(high - low);
        let [first, last] = [low, high].map(|end| (end.abs() / tick + 1e-9).floor() as i32);
        for value in (-first..=last).map(|index| f64::from(index) * tick) {
            let y = top + BAR_HEIGHT * (high - value) / (high - low);
            let right = left + BAR_WIDTH;
            canvas.line(&[[right + 3.0, y], [right + 7.0, y]], pale_pen(1.0));
            let label = written_like(value, tick);
            text::write(canvas, [right + 14.0, y + 5.0], &label, 10.0, ink());
        }
        if self.scale.open_ended {
            let middle = left + 0.5 * BAR_WIDTH;
            draw_arrow(canvas, [middle, top - 7.0], 4.0);
            if low < 0.0 {
                draw_arrow(canvas, [middle, top + BAR_HEIGHT + 7.0], -4.0);
            }
        }
    }
}

/// Draws the tip of an arrow; its sides end `below` it.
fn draw_arrow(canvas: &mut Canvas, tip: [f64; 2], below: f64) {
    let sides = [[tip[0] - 4.0, tip[1] + below], tip, [tip[0] + 4.0, tip[1] + below]];
    canvas.line(&sides, pale_pen(1.2));
}

fn draw_figure(canvas: &mut Canvas, [left, base]: [f64; 2], figure: &str, noun: &str) {
    text::write(canvas, [left, base], figure, 18.0, ink());
    text::write(canvas, [left, base + 19.0], noun, 10.0, pale_ink());
}

fn ink() -> LinearRgb {
    LinearRgb::oklch(0.26, 0.03, 265.0)
}

fn pale_ink() -> LinearRgb {
    LinearRgb::oklch(0.5, 0.03, 260.0)
}

fn pale_pen(width: f64) -> Pen {
    Pen { color: pale_ink(), width, opacity: 1.0 }
}

/// Formats a number with a space between groups of three digits.
fn with_thousands(number: usize) -> String {
    carom_io::group_thousands(number as u64).replace(',', " ")
}

/// Formats a number with four digits at most, without trailing zeros.
fn short(number: f64) -> String {
    written_like(number, number)
}

/// As [`short`], with a power of ten where `model` would have one.
fn written_like(number: f64, model: f64) -> String {
    let plain = (1e-3..1e6).contains(&model.abs()) || number == 0.0;
    if !number.is_finite() || !plain {
        let text = format!("{number:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(digits));
    }
    let whole_digits = math::log10(number.abs()).floor().max(0.0) as usize;
    trimmed(&format!("{number:.*}", 5usize.saturating_sub(whole_digits).min(4))).to_owned()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// Returns a round step of which three to seven fit into the scale.
fn tick(top: f64) -> f64 {
    let power = math::powf(10f64, math::log10(top / 3.0).floor());
    let fits = |step: &f64| top / step >= 3.0;
    [5.0, 2.0, 1.0].map(|digit| digit * power).into_iter().find(fits).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_round() {
        for (number, text) in [
            (0.0, "0"),
            (12.5, "12.5"),
            (0.1 + 0.2, "0.3"),
            (-3.0, "-3"),
            (123_456.7, "123457"),
            (1e9, "1e9"),
            (1.5e-7, "1.5e-7"),
            (2.0 / 3.0, "0.6667"),
        ] {
            assert_eq!(short(number), text);
        }
        assert_eq!(
            (written_like(0.001, 5e-4), written_like(0.0, 5e-4)),
            ("1e-3".into(), "0".into())
        );
        assert_eq!(
            (with_thousands(7).as_str(), with_thousands(1234567).as_str()),
            ("7", "1 234 567")
        );
    }

    #[test]
    fn three_to_seven_round_steps_fit_into_any_scale() {
        for top in [1.0, 2.99, 3.0, 7.3, 14.9, 0.00123, 9.99e8, 6.0] {
            let steps = top / tick(top);
            assert!((3.0..7.6).contains(&steps), "{top} has {steps}");
        }
    }
}
