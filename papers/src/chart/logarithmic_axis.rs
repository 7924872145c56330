/// A logarithmic axis over whole decades.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogarithmicAxis {
    /// Powers of ten at both ends.
    low: i32,
    high: i32,
    /// Places of both ends in the picture.
    start: f64,
    end: f64,
}

impl LogarithmicAxis {
    /// The decades that hold all values, at least one.
    pub fn around(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let (smallest, largest) = values
            .fold((f64::INFINITY, 0f64), |(low, high), value| (low.min(value), high.max(value)));
        if largest <= 0.0 {
            return LogarithmicAxis { low: 0, high: 1, start, end };
        }
        // A value a hair off a power of ten does not open a new decade.
        let low = (smallest.log10() + 1e-9).floor() as i32;
        let high = ((largest.log10() - 1e-9).ceil() as i32).max(low + 1);
        LogarithmicAxis { low, high, start, end }
    }

    pub fn position(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low as f64) / (self.high - self.low) as f64;
        self.start + (self.end - self.start) * part
    }

    /// The place of every power of ten with its label.
    pub fn decades(&self) -> impl Iterator<Item = (f64, String)> {
        (self.low..=self.high).map(|power| (self.position(10f64.powi(power)), power_of_ten(power)))
    }

    /// The places of two to nine times each power of ten.
    pub fn between_decades(&self) -> impl Iterator<Item = f64> {
        (self.low..self.high).flat_map(move |power| {
            (2..10).map(move |digit| self.position(digit as f64 * 10f64.powi(power)))
        })
    }
}

/// `10` with a raised power.
fn power_of_ten(power: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise =
        |character: char| character.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    format!("10{}", power.to_string().chars().map(raise).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_decades_hold_the_values() {
        let scale = LogarithmicAxis::around([100.0, 1e6].into_iter(), 0.0, 400.0);
        assert!((scale.position(100.0)).abs() < 1e-9);
        assert!((scale.position(1e6) - 400.0).abs() < 1e-9);
        assert!((scale.position(1e3) - 100.0).abs() < 1e-9);
        assert_eq!(scale.between_decades().count(), 32);
    }

    #[test]
    fn powers_are_raised() {
        assert_eq!(power_of_ten(-3), "10⁻³");
        assert_eq!(power_of_ten(10), "10¹⁰");
    }

    #[test]
    fn no_value_and_one_value_still_make_an_axis() {
        assert_eq!(LogarithmicAxis::around(std::iter::empty(), 0.0, 1.0).decades().count(), 2);
        assert_eq!(LogarithmicAxis::around(std::iter::once(5.0), 0.0, 1.0).decades().count(), 2);
        assert_eq!(LogarithmicAxis::around(std::iter::once(10.0), 0.0, 1.0).decades().count(), 2);
    }
}
