//! Power laws `y = factor * x^exponent` through measured points.

/// A fitted power law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The value at `x = 1`.
    pub factor: f64,
    /// The slope in a chart with two logarithmic axes.
    pub exponent: f64,
}

impl PowerLaw {
    /// The value of the law at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.factor * x.powf(self.exponent)
    }
}

/// The power law through points `(x, y)` by least squares on their logarithms.
///
/// `None` without two points of different `x`, or with a number that has no logarithm.
///
/// ```
/// let law = carom_papers::fit::power_law(&[(1.0, 3.0), (100.0, 3000.0)]).expect("two points");
/// assert!((law.exponent - 1.5).abs() < 1e-12);
/// ```
pub fn power_law(points: &[(f64, f64)]) -> Option<PowerLaw> {
    if points.iter().any(|&(x, y)| !(x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite())) {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0.ln()).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1.ln()).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|point| (point.0.ln() - mean_x).powi(2)).sum();
    let common: f64 =
        points.iter().map(|point| (point.0.ln() - mean_x) * (point.1.ln() - mean_y)).sum();
    if points.len() < 2 || spread <= 0.0 {
        return None;
    }
    let exponent = common / spread;
    Some(PowerLaw { factor: (mean_y - exponent * mean_x).exp(), exponent })
}

/// The exponent over the upper `decades` of `x`: from the largest `x` down to its tenth, its
/// hundredth and so on.
pub fn upper_exponent(points: &[(f64, f64)], decades: i32) -> Option<f64> {
    let largest = points.iter().map(|point| point.0).fold(0.0, f64::max);
    // A hair less, so that a point just one decade below is in.
    let least = largest * 10f64.powi(-decades) * (1.0 - 1e-9);
    let upper: Vec<_> = points.iter().copied().filter(|point| point.0 >= least).collect();
    power_law(&upper).map(|law| law.exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law_points(factor: f64, exponent: f64) -> Vec<(f64, f64)> {
        [1e2, 3e2, 1e3, 3e3, 1e4].iter().map(|&x: &f64| (x, factor * x.powf(exponent))).collect()
    }

    #[test]
    fn exact_power_laws_are_found() {
        for (factor, exponent) in [(2.0, 1.5), (1e-6, 5.0 / 3.0), (7.0, 1.0), (3.0, -0.25)] {
            let law = power_law(&law_points(factor, exponent)).unwrap();
            assert!((law.exponent - exponent).abs() < 1e-12, "{law:?}");
            assert!((law.factor / factor - 1.0).abs() < 1e-10, "{law:?}");
            assert!((law.at(50.0) / (factor * 50f64.powf(exponent)) - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn opposite_errors_cancel() {
        let law = power_law(&[(1.0, 2.0), (10.0, 10.0 / 2.0), (100.0, 200.0)]).unwrap();
        assert!((law.exponent - 1.0).abs() < 1e-12);
    }

    #[test]
    fn only_the_upper_decades_count() {
        let mut points = law_points(1.0, 1.5);
        points[0].1 = 1e9;
        points[1].1 = 1e9;
        assert!((upper_exponent(&points, 1).unwrap() - 1.5).abs() < 1e-12);
        assert!(upper_exponent(&points, 2).unwrap() < 0.0);
    }

    #[test]
    fn too_few_or_impossible_points_have_no_law() {
        for points in [
            &[][..],
            &[(1.0, 1.0)],
            &[(2.0, 1.0), (2.0, 3.0)],
            &[(1.0, 0.0), (2.0, 1.0)],
            &[(1.0, f64::NAN), (2.0, 1.0)],
        ] {
            assert_eq!(power_law(points), None, "{points:?}");
        }
    }
}
