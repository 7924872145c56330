//! Solid harmonics, equations 13 to 15.
//!
//! `1 / |x - y|` is the sum over the degrees `n` and orders `m` of `conj(S_n^m(y)) R_n^m(x)` for `|x| < |y|`. Orders
//! from zero on are stored; the others are `X_n^-m = (-1)^m conj(X_n^m)`. **Here the paper is wrong**: its equations
//! 14 and 15 have no sign `(-1)^m`, which does not matter to equation 13, but without it equations 23 to 25 do not
//! hold (already not for the degree 2: `R_2^0(a + b)` has `- (a1 b1 + a2 b2) / 2`, the sum of equation 23 would have
//! `+`).

use crate::inside::lanes::HarmonicScalar;

/// The highest degree that expansions may have.
pub const HIGHEST_DEGREE: usize = 16;

/// One over every integer that a recurrence divides by.
const INVERSES: [f64; HIGHEST_DEGREE * HIGHEST_DEGREE + 1] = {
    let mut inverses = [0.0; HIGHEST_DEGREE * HIGHEST_DEGREE + 1];
    let mut k = 1;
    while k < inverses.len() {
        inverses[k] = 1.0 / k as f64;
        k += 1;
    }
    inverses
};

/// Returns the number of real coefficients of an expansion to this degree.
pub const fn coefficient_count(degree: usize) -> usize {
    (degree + 1) * (degree + 1)
}

/// Returns the index of the real part of an order from zero on. The imaginary part follows, except for order zero,
/// which has none.
pub const fn coefficient_index(degree: usize, order: usize) -> usize {
    degree * degree + if order == 0 { 0 } else { 2 * order - 1 }
}

/// Computes `R_n^m` for all degrees up to `degree`, at most [`HIGHEST_DEGREE`].
#[inline(always)]
pub fn regular_harmonics<T: HarmonicScalar>(degree: usize, point: [T; 3], values: &mut [T]) {
    let [x, y, z] = point;
    let square = x.times_plus(x, y.times_plus(y, z.times(z)));
    let mut diagonal = [T::splat(1.0), T::splat(0.0)];
    for order in 0..=degree {
        if order > 0 {
            let [real, imaginary] = diagonal;
            let half = T::splat(INVERSES[2 * order]);
            diagonal = [
                real.times(x).minus(imaginary.times(y)).times(half),
                real.times_plus(y, imaginary.times(x)).times(half),
            ];
        }
        for part in 0..=order.min(1) {
            let [mut before, mut last] = [T::splat(0.0), diagonal[part]];
            values[coefficient_index(order, order) + part] = last;
            for n in order + 1..=degree {
                let inverse = INVERSES[n * n - order * order];
                let ahead = z.times(T::splat((2 * n - 1) as f64 * inverse));
                let back = square.times(T::splat(-inverse));
                (before, last) = (last, ahead.times_plus(last, back.times(before)));
                values[coefficient_index(n, order) + part] = last;
            }
        }
    }
}

/// Returns `S_n^m` for all degrees up to `degree`; the point is not the origin.
pub fn singular_harmonics(degree: usize, point: [f64; 3]) -> Vec<f64> {
    let [x, y, z] = point;
    let inverse = 1.0 / (x * x + y * y + z * z);
    let mut values = vec![0.0; coefficient_count(degree)];
    let mut diagonal = [inverse.sqrt(), 0.0];
    for order in 0..=degree {
        if order > 0 {
            let [real, imaginary] = diagonal;
            let factor = (2 * order - 1) as f64 * inverse;
            diagonal = [(real * x - imaginary * y) * factor, (real * y + imaginary * x) * factor];
        }
        for part in 0..=order.min(1) {
            let [mut before, mut last] = [0.0, diagonal[part]];
            values[coefficient_index(order, order) + part] = last;
            for n in order + 1..=degree {
                let back = ((n - 1) * (n - 1) - order * order) as f64;
                let next = ((2 * n - 1) as f64 * z * last - back * before) * inverse;
                (before, last) = (last, next);
                values[coefficient_index(n, order) + part] = last;
            }
        }
    }
    values
}

/// Returns the real and imaginary part for an order of either sign; zero if the degree has no such order.
pub fn complex_coefficient(values: &[f64], degree: isize, order: isize) -> [f64; 2] {
    let size = order.unsigned_abs();
    if degree < 0 || size > degree as usize {
        return [0.0, 0.0];
    }
    let at = coefficient_index(degree as usize, size);
    match (order.signum(), size % 2) {
        (0, _) => [values[at], 0.0],
        (1, _) => [values[at], values[at + 1]],
        (_, 0) => [values[at], -values[at + 1]],
        _ => [-values[at], values[at + 1]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equations 14 and 15 by Rodrigues' formula, for orders from zero on.
    fn by_definition(degree: usize, order: usize, point: [f64; 3]) -> [[f64; 2]; 2] {
        // The powers of (w^2 - 1)^n, differentiated n + m times.
        let mut powers = vec![0.0; 2 * degree + 1];
        let mut binomial = 1.0;
        for k in 0..=degree {
            powers[2 * k] = if (degree - k).is_multiple_of(2) { binomial } else { -binomial };
            binomial *= (degree - k) as f64 / (k + 1) as f64;
        }
        for _ in 0..degree + order {
            powers = (1..powers.len()).map(|k| powers[k] * k as f64).collect();
        }
        let radius = point.iter().map(|x| x * x).sum::<f64>().sqrt();
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let at = point[2] / radius;
        let legendre = powers.iter().rev().fold(0.0, |sum, power| sum * at + power)
            / (2f64.powi(degree as i32) * factorial(degree));
        let mut turned = [legendre, 0.0];
        for _ in 0..order {
            let [real, imaginary] = turned;
            let [x, y] = [point[0] / radius, point[1] / radius];
            turned = [real * x - imaginary * y, real * y + imaginary * x];
        }
        let regular = radius.powi(degree as i32) / factorial(degree + order);
        let singular = factorial(degree - order) / radius.powi(degree as i32 + 1);
        [turned.map(|part| part * regular), turned.map(|part| part * singular)]
    }

    #[test]
    fn recurrences_give_what_the_definition_gives() {
        for point in [[0.3, -0.4, 0.7], [-1.2, 0.1, -0.3], [0.5, 0.0, 0.0]] {
            let mut regular_values = vec![0.0; coefficient_count(8)];
            regular_harmonics(8, point, &mut regular_values);
            let singular_values = singular_harmonics(8, point);
            for degree in 0..=8 {
                for order in 0..=degree {
                    let expected = by_definition(degree, order, point);
                    let found = [&regular_values, &singular_values]
                        .map(|values| complex_coefficient(values, degree as isize, order as isize));
                    for (found, expected) in found.iter().zip(expected) {
                        for part in 0..2 {
                            let scale = expected[0].hypot(expected[1]).max(1e-12);
                            let error = (found[part] - expected[part]).abs() / scale;
                            assert!(error < 1e-10, "{degree} {order} {point:?}: {error}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn their_products_sum_to_one_over_the_distance() {
        let (near, far) = ([0.1, -0.2, 0.15], [1.0, 0.8, -0.9]);
        let mut inner = vec![0.0; coefficient_count(16)];
        regular_harmonics(16, near, &mut inner);
        let outer = singular_harmonics(16, far);
        let terms = (0..=16isize).flat_map(|n| (-n..=n).map(move |m| (n, m)));
        let sum: f64 = terms
            .map(|(n, m)| {
                let ([a, b], [c, d]) =
                    (complex_coefficient(&inner, n, m), complex_coefficient(&outer, n, m));
                a * c + b * d
            })
            .sum();
        let steps = [0, 1, 2].map(|axis| near[axis] - far[axis]);
        let distance = steps.iter().map(|step| step * step).sum::<f64>().sqrt();
        assert!((sum * distance - 1.0).abs() < 1e-12, "{sum}");
    }
}
