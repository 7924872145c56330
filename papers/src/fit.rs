//! Exponents of power laws `y = factor * x^exponent` through measured points.

/// The exponent of the power law through points `(x, y)` by least squares on their logarithms: the slope in a chart
/// with two logarithmic axes.
///
/// `None` without two points of different `x`, or with a number that has no logarithm.
///
/// ```
/// let exponent = carom_papers::fit::exponent(&[(1.0, 3.0), (100.0, 3000.0)]).expect("two points");
/// assert!((exponent - 1.5).abs() < 1e-12);
/// ```
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.iter().any(|&(x, y)| !(x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite())) {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0.ln()).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1.ln()).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|point| (point.0.ln() - mean_x).powi(2)).sum();
    let common: f64 =
        points.iter().map(|point| (point.0.ln() - mean_x) * (point.1.ln() - mean_y)).sum();
    (points.len() >= 2 && spread > 0.0).then(|| common / spread)
}

/// Exponents are fitted over this many of the upper decades.
const FITTED_DECADES: i32 = 2;

/// The exponent over the upper two decades of `x`: from the largest `x` down to its hundredth.
pub fn upper_exponent(points: &[(f64, f64)]) -> Option<f64> {
    let largest = points.iter().map(|point| point.0).fold(0.0, f64::max);
    // A hair less, so that a point just two decades below is in.
    let least = largest * 10f64.powi(-FITTED_DECADES) * (1.0 - 1e-9);
    let upper: Vec<_> = points.iter().copied().filter(|point| point.0 >= least).collect();
    exponent(&upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law_points(factor: f64, exponent: f64) -> Vec<(f64, f64)> {
        [1e2, 3e2, 1e3, 3e3, 1e4].iter().map(|&x: &f64| (x, factor * x.powf(exponent))).collect()
    }

    #[test]
    fn exact_power_laws_are_found_and_opposite_errors_cancel() {
        for (factor, power) in [(2.0, 1.5), (1e-6, 5.0 / 3.0), (7.0, 1.0), (3.0, -0.25)] {
            let found = exponent(&law_points(factor, power)).unwrap();
            assert!((found - power).abs() < 1e-12, "{found}");
        }
        let found = exponent(&[(1.0, 2.0), (10.0, 10.0 / 2.0), (100.0, 200.0)]).unwrap();
        assert!((found - 1.0).abs() < 1e-12);
    }

    #[test]
    fn only_the_upper_decades_count() {
        let mut points = law_points(1.0, 1.5);
        points.push((1e1, 1e9));
        assert!((upper_exponent(&points).unwrap() - 1.5).abs() < 1e-12);
        points[0].1 = 1e9;
        assert!(upper_exponent(&points).unwrap() < 0.0);
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
            assert_eq!(exponent(points), None, "{points:?}");
        }
    }
}
