//! The contact time of two bodies with different accelerations.

/// The polynomial of degree four whose first root is the contact time of two bodies with different
/// accelerations: squared distance minus squared contact distance.
///
/// Its first root within a horizon is bracketed between the roots of its derivatives, where it is
/// monotone, so that no root is missed and none is invented.
#[derive(Clone, Copy, Debug)]
pub struct Quartic {
    /// Coefficients, constant term first.
    pub coefficients: [f64; 5],
}

impl Quartic {
    /// Returns the first time in `[0, horizon]` at which the value is not positive and falling; infinite if
    /// there is none.
    pub fn closing_time(&self, horizon: f64) -> f64 {
        let mut stops = [0.0; 6];
        let count = self.turning_points(horizon, &mut stops);
        for piece in stops[..count].windows(2) {
            let (low, high) = (piece[0], piece[1]);
            let (at_low, at_high) = (self.value(low), self.value(high));
            // The piece is monotone: rising, or above zero up to its end, it has no closing root.
            if at_high >= at_low || at_high > 0.0 {
                continue;
            }
            // Bodies that overlap by rounding and close in collide at once.
            return if at_low <= 0.0 { low } else { bisect(low, high, |t| self.value(t)) };
        }
        f64::INFINITY
    }

    fn value(&self, time: f64) -> f64 {
        let [a, b, c, d, e] = self.coefficients;
        (((e * time + d) * time + c) * time + b) * time + a
    }

    fn derivative(&self, time: f64) -> f64 {
        let [_, b, c, d, e] = self.coefficients;
        ((4.0 * e * time + 3.0 * d) * time + 2.0 * c) * time + b
    }

    /// Fills `stops` with zero, the extrema in between, and the horizon, ascending; returns their number.
    fn turning_points(&self, horizon: f64, stops: &mut [f64; 6]) -> usize {
        let mut bends = [0.0; 4];
        let bend_count = self.inflection_points(horizon, &mut bends);
        let mut count = 1;
        for piece in bends[..bend_count].windows(2) {
            let (low, high) = (piece[0], piece[1]);
            if (self.derivative(low) > 0.0) != (self.derivative(high) > 0.0) {
                stops[count] = bisect(low, high, |t| self.derivative(t));
                count += 1;
            }
        }
        stops[count] = horizon;
        count + 1
    }

    /// Fills `bends` with zero, the inflection points in between, and the horizon, ascending; returns their
    /// number.
    fn inflection_points(&self, horizon: f64, bends: &mut [f64; 4]) -> usize {
        let [_, _, c, d, e] = self.coefficients;
        let (a, half_b) = (6.0 * e, 1.5 * d);
        let mut count = 1;
        let mut add = |time: f64| {
            // A vanishing leading coefficient gives an infinity or no number, and neither passes.
            if time > 0.0 && time < horizon {
                bends[count] = time;
                count += 1;
            }
        };
        // a t^2 + 2 half_b t + c = 0, without cancellation.
        let discriminant = half_b * half_b - a * c;
        if discriminant >= 0.0 {
            let sum = -(half_b + half_b.signum() * discriminant.sqrt());
            let (first, second) = (c / sum, sum / a);
            add(first.min(second));
            add(first.max(second));
        }
        bends[count] = horizon;
        count + 1
    }
}

/// Returns where a function changes its sign between `low` and `high`, by bisection to the last bit.
fn bisect(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let positive_at_low = value(low) > 0.0;
    loop {
        let middle = 0.5 * (low + high);
        // Neighboring numbers: the lower one is on the side where bodies are still apart.
        if middle <= low || middle >= high {
            return low;
        }
        if (value(middle) > 0.0) == positive_at_low {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_roots(roots: [f64; 4]) -> Quartic {
        let mut coefficients = [1.0, 0.0, 0.0, 0.0, 0.0];
        for root in roots {
            for power in (0..5).rev() {
                let lower = if power > 0 { coefficients[power - 1] } else { 0.0 };
                coefficients[power] = lower - root * coefficients[power];
            }
        }
        Quartic { coefficients }
    }

    #[test]
    fn the_first_falling_root_is_found() {
        for (roots, expected) in [
            ([1.0, 2.0, 3.0, 4.0], 1.0),
            ([-1.0, 0.5, 3.0, 4.0], 3.0),
            ([-4.0, -3.0, -2.0, -1.0], f64::INFINITY),
            ([1.0, 1.0 + 1e-6, 3.0, 4.0], 1.0),
            ([5.0, 6.0, 7.0, 8.0], f64::INFINITY),
        ] {
            let found = with_roots(roots).closing_time(4.5);
            assert!(found == expected || (found - expected).abs() < 1e-7, "{roots:?}: {found}");
        }
    }

    #[test]
    fn lower_degrees_are_quartics_too() {
        let line = Quartic { coefficients: [1.0, -2.0, 0.0, 0.0, 0.0] };
        assert!((line.closing_time(9.0) - 0.5).abs() < 1e-15);
        let parabola = Quartic { coefficients: [1.0, -2.5, 1.0, 0.0, 0.0] };
        assert!((parabola.closing_time(9.0) - 0.5).abs() < 1e-15);
        let constant = Quartic { coefficients: [1.0, 0.0, 0.0, 0.0, 0.0] };
        assert_eq!(constant.closing_time(9.0), f64::INFINITY);
    }

    #[test]
    fn a_closing_overlap_is_now_and_an_opening_one_when_it_turns() {
        let closing = Quartic { coefficients: [-1e-17, -1.0, 0.5, 0.0, 0.0] };
        assert_eq!(closing.closing_time(9.0), 0.0);
        let opening = Quartic { coefficients: [-1.0, 1.0, -0.5, 0.0, 0.0] };
        assert!((opening.closing_time(9.0) - 1.0).abs() < 1e-12);
    }
}
