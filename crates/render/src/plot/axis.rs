//! The axes of plots.

use carom_geometry::math;
use carom_io::six_significant_digits;

/// An axis that holds some values, with a margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlotAxis {
    is_logarithmic: bool,
    /// Both ends; of a logarithmic axis their logarithms.
    low: f64,
    high: f64,
}

/// A place of an axis with its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// Margin at each end, in parts of the range of the values.
const MARGIN: f64 = 0.05;
/// Positive values over this many times the smallest one are drawn over a logarithmic axis, if most are small.
const DECADES: f64 = 50.0;
/// Number of ticks, about.
const TICKS: f64 = 6.0;
/// Values that differ by less than this fraction are equal but for rounding.
const ROUNDING: f64 = 1e-9;

impl PlotAxis {
    /// Returns an axis for finite values; any axis if there are none.
    pub fn around(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else {
            return PlotAxis { is_logarithmic: false, low: 0.0, high: 1.0 };
        };
        let median = values[values.len() / 2];
        let is_logarithmic = least > 0.0 && most >= DECADES * least && median <= most / 4.0;
        let (low, high) = match is_logarithmic {
            true => (math::log10(least), math::log10(most)),
            false => (least, most),
        };
        // Halves first, for the range of the largest numbers overflows.
        let range = 0.5 * high - 0.5 * low;
        let size = low.abs().max(high.abs());
        let margin = match () {
            () if range > ROUNDING * size => 2.0 * MARGIN * range,
            () if size > 0.0 => MARGIN * size,
            () => 1.0,
        };
        PlotAxis { is_logarithmic, low: low - margin, high: high + margin }
    }

    /// Returns where a value is, from 0 at the low end to 1 at the high end.
    pub fn part(&self, value: f64) -> f64 {
        let place = if self.is_logarithmic { math::log10(value) } else { value };
        (0.5 * place - 0.5 * self.low) / (0.5 * self.high - 0.5 * self.low)
    }

    /// Returns some ten values with their labels, in ascending order.
    pub fn ticks(&self) -> Vec<Tick> {
        if self.is_logarithmic { self.powers_of_ten() } else { self.multiples() }
    }

    /// One, two and five times powers of ten, or only powers of ten where these are many.
    fn powers_of_ten(&self) -> Vec<Tick> {
        let factors: &[f64] = if self.high - self.low > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let every = ((self.high - self.low) / 10.0).ceil().max(1.0) as usize;
        let powers = (self.low.floor() as i32..=self.high.ceil() as i32).step_by(every);
        let values = powers.flat_map(|power| {
            factors.iter().map(move |factor| format!("{factor}e{power}").parse().unwrap_or(0.0))
        });
        let is_within = |value: &f64| (0.0..=1.0).contains(&self.part(*value));
        let tick = |value| Tick { value, label: six_significant_digits(value) };
        values.filter(is_within).map(tick).collect()
    }

    /// Multiples of one, two or five times a power of ten.
    fn multiples(&self) -> Vec<Tick> {
        let rough = self.high / TICKS - self.low / TICKS;
        let power = exponent(rough);
        let unit = |factor: i32| format!("{factor}e{power}").parse().unwrap_or(rough);
        let step: f64 =
            [1, 2, 5, 10].map(unit).into_iter().find(|step| *step >= rough).unwrap_or(rough);
        let size = self.low.abs().max(self.high.abs());
        let label = |value: f64| match exponent(size) {
            -4..=6 => format!("{value:.*}", (-exponent(step)).max(0) as usize),
            size => format!("{value:.*e}", (size - exponent(step)).max(0) as usize),
        };
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        let tick = |number: i64| match number {
            0 => Tick { value: 0.0, label: "0".to_owned() },
            _ => Tick { value: number as f64 * step, label: label(number as f64 * step) },
        };
        (first..=last).map(tick).collect()
    }
}

/// Returns the exponent of the power of ten just below a positive number.
fn exponent(number: f64) -> i32 {
    let text = format!("{number:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let axis = PlotAxis::around(values.iter().copied());
        assert!(values.iter().all(|value| (0.0..=1.0).contains(&axis.part(*value))));
        axis.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_of_linear_axes_are_round() {
        assert_eq!(labels(&[0.1, 0.5, 0.9]), ["0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(&[-1.0, 10.0]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&[1e9, 1.5e9]), ["1.0e9", "1.1e9", "1.2e9", "1.3e9", "1.4e9", "1.5e9"]);
        assert_eq!(labels(&[5998.5, 5998.500_000_000_01]).len(), 6);
        assert_eq!(labels(&[0.0, 0.0]), ["-1.0", "-0.5", "0", "0.5", "1.0"]);
    }

    #[test]
    fn decades_make_a_logarithmic_axis() {
        assert_eq!(labels(&[1e-3, 1e-2, 1e-1, 1.0]), ["0.001", "0.01", "0.1", "1"]);
        assert_eq!(
            labels(&[500.0, 1000.0, 4e3, 4e4]),
            ["500", "1000", "2000", "5000", "10000", "20000"]
        );
        // Evenly spaced values are not, however small the first is.
        assert_eq!(labels(&[1.0, 51.0, 101.0]), ["0", "20", "40", "60", "80", "100"]);
        assert!(labels(&[1e-300, 1e-200, 1e-100, 1e300]).len() <= 12);
    }
}
