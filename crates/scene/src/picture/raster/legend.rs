use super::canvas::{Canvas, Pen};
use super::font;
use super::speed_scale::SpeedScale;
use crate::picture::colour::Colour;
use crate::picture::page::View;

const BAR_WIDTH: f64 = 22.0;
const BAR_HEIGHT: f64 = 220.0;

/// The figures and the meaning of the colours, at the right of the drawing.
pub(super) struct Legend<'a> {
    pub bodies: usize,
    pub time: f64,
    pub scale: &'a SpeedScale,
}

impl Legend<'_> {
    pub(super) fn draw(&self, canvas: &mut Canvas, view: &View) {
        let [left, top] = view.legend_corner();
        let noun = if self.bodies == 1 { "body" } else { "bodies" };
        draw_figure(canvas, [left, top + 20.0], &grouped(self.bodies), noun);
        draw_figure(canvas, [left, top + 76.0], &short(self.time), "time");
        font::write(canvas, [left, top + 134.0], "speed", 10.0, pale_pen(1.25));
        self.draw_bar(canvas, [left, top + 150.0]);
    }

    fn draw_bar(&self, canvas: &mut Canvas, [left, top]: [f64; 2]) {
        let colours = SpeedScale::colours();
        // Whole rows of pixels, since between two halves the ground would shine through.
        let top = top.floor();
        for row in 0..BAR_HEIGHT as usize {
            let share = 1.0 - (row as f64 + 0.5) / BAR_HEIGHT;
            let colour = colours[(share * colours.len() as f64) as usize];
            let y = top + row as f64;
            canvas.fill([left, y], [left + BAR_WIDTH, y + 1.0], colour);
        }
        let tick = tick(self.scale.top);
        let count = (self.scale.top / tick + 1e-9).floor() as usize;
        for value in (0..=count).map(|index| index as f64 * tick) {
            let y = top + BAR_HEIGHT * (1.0 - value / self.scale.top);
            let right = left + BAR_WIDTH;
            canvas.line(&[[right + 3.0, y], [right + 7.0, y]], pale_pen(1.0));
            font::write(
                canvas,
                [right + 14.0, y + 5.0],
                &written_like(value, tick),
                10.0,
                pen(1.25),
            );
        }
        if self.scale.open_ended {
            let above = [left + 0.5 * BAR_WIDTH, top - 7.0];
            let sides = [[above[0] - 4.0, top - 3.0], above, [above[0] + 4.0, top - 3.0]];
            canvas.line(&sides, pale_pen(1.2));
        }
    }
}

fn draw_figure(canvas: &mut Canvas, [left, base]: [f64; 2], figure: &str, noun: &str) {
    font::write(canvas, [left, base], figure, 18.0, pen(2.3));
    font::write(canvas, [left, base + 19.0], noun, 10.0, pale_pen(1.25));
}

fn pen(width: f64) -> Pen {
    Pen { colour: Colour::oklch(0.26, 0.03, 265.0), width, opacity: 1.0 }
}

fn pale_pen(width: f64) -> Pen {
    Pen { colour: Colour::oklch(0.5, 0.03, 260.0), width, opacity: 1.0 }
}

/// The number with a space between groups of three digits.
fn grouped(number: usize) -> String {
    crate::grouped(number as u64).replace(',', " ")
}

/// The number with four digits at most, without zeros at its end.
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
    let whole_digits = number.abs().log10().floor().max(0.0) as usize;
    trimmed(&format!("{number:.*}", 5usize.saturating_sub(whole_digits).min(4))).to_owned()
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// A round step of which three to seven fit into the scale.
fn tick(top: f64) -> f64 {
    let power = 10f64.powf((top / 3.0).log10().floor());
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
        assert_eq!((grouped(7).as_str(), grouped(1234567).as_str()), ("7", "1 234 567"));
    }

    #[test]
    fn three_to_seven_round_steps_fit_into_any_scale() {
        for top in [1.0, 2.99, 3.0, 7.3, 14.9, 0.00123, 9.99e8, 6.0] {
            let steps = top / tick(top);
            assert!((3.0..7.6).contains(&steps), "{top} has {steps}");
        }
    }
}
