//! Translations and conversions of expansions, equations 23 to 25, as real matrices.
//!
//! Lengths are in edges of the box of a cluster, so matrices do not depend on the level: moments of degree `n` are
//! divided by the power `n + 1` of the edge, local coefficients multiplied by the power `n`. The infinite sum of
//! equation 24 ends at the degree of the moments.

use super::expansion_matrix::ExpansionMatrix;
use super::solid_harmonics::{
    coefficient_count, coefficient_index, complex_coefficient, regular_harmonics,
    singular_harmonics,
};

/// Returns the matrix from moments about the center of a cluster to local coefficients about a center that is `step`
/// away (M2L, equation 24). The column of degree zero is left out: such moments of a double layer vanish.
pub fn moment_to_local_matrix(degree: usize, step: [f64; 3]) -> ExpansionMatrix {
    let values = singular_harmonics(2 * degree, step);
    real_matrix(degree, 1, |(n, m), (s, t)| {
        let [real, imaginary] = complex_coefficient(&values, n + s, m + t);
        if n % 2 == 0 { [real, -imaginary] } else { [-real, imaginary] }
    })
}

/// Returns the matrix from moments about the center of a child to moments about the center of its parent, from which
/// the child's is `step` away, a quarter of the parent's edge along each axis (M2M, equation 23). Without the degree
/// zero of the child.
pub fn moment_to_moment_matrix(degree: usize, step: [f64; 3]) -> ExpansionMatrix {
    let values = regular_values(degree, step);
    real_matrix(degree, 1, |(n, m), (s, t)| {
        let half = 0.5f64.powi(s as i32 + 1);
        complex_coefficient(&values, n - s, m - t).map(|part| part * half)
    })
}

/// Returns the matrix from local coefficients about the center of a parent to those about the center of a child,
/// `step` away in edges of the parent (L2L, equation 25).
pub fn local_to_local_matrix(degree: usize, step: [f64; 3]) -> ExpansionMatrix {
    let values = regular_values(degree, step);
    real_matrix(degree, 0, |(n, m), (s, t)| {
        // Coefficients are in units of the box's edge, which halves from level to level.
        let half = 0.5f64.powi(n as i32);
        complex_coefficient(&values, s - n, t - m).map(|part| part * half)
    })
}

fn regular_values(degree: usize, point: [f64; 3]) -> Vec<f64> {
    let mut values = vec![0.0; coefficient_count(degree)];
    regular_harmonics(degree, point, &mut values);
    values
}

/// Returns the real matrix of `out_n^m = sum of coefficient((n, m), (s, t)) in_s^t` for expansions of real
/// functions, whose negative orders follow from the others.
fn real_matrix(
    degree: usize,
    first: usize,
    coefficient: impl Fn((isize, isize), (isize, isize)) -> [f64; 2],
) -> ExpansionMatrix {
    let mut matrix =
        ExpansionMatrix::zero(coefficient_count(degree), coefficient_count(degree) - first * first);
    let orders = |from: usize| (from..=degree).flat_map(|n| (0..=n).map(move |m| (n, m)));
    for (s, t) in orders(first) {
        let column = coefficient_index(s, t) - first * first;
        for (n, m) in orders(0) {
            let row = coefficient_index(n, m);
            let at = |t: isize| coefficient((n as isize, m as isize), (s as isize, t));
            let upper = at(t as isize);
            let lower = if t == 0 { [0.0; 2] } else { at(-(t as isize)) };
            let lower = if t % 2 == 0 { lower } else { lower.map(|part| -part) };
            matrix.set(row, column, upper[0] + lower[0]);
            if m > 0 {
                matrix.set(row + 1, column, upper[1] + lower[1]);
            }
            if t > 0 {
                matrix.set(row, column + 1, lower[1] - upper[1]);
            }
            if t > 0 && m > 0 {
                matrix.set(row + 1, column + 1, upper[0] - lower[0]);
            }
        }
    }
    matrix
}

/// Returns the signs that mirror an expansion: entry `k` mirrors along the axes whose bits are set in it.
///
/// The kernel is invariant if everything is mirrored, so conversions by a step and by its mirror image differ only
/// by these signs: one matrix serves up to eight steps.
pub fn mirror_signs(degree: usize) -> [Vec<f64>; 8] {
    std::array::from_fn(|axes| {
        let mut signs = vec![0.0; super::expansion_matrix::padded(coefficient_count(degree))];
        for (n, m) in (0..=degree).flat_map(|n| (0..=n).map(move |m| (n, m))) {
            let odd = |number: usize| if number.is_multiple_of(2) { 1.0 } else { -1.0 };
            let (x, y, z) = (axes & 1, axes >> 1 & 1, axes >> 2 & 1);
            let real = odd(x * m + z * (n + m));
            signs[coefficient_index(n, m)] = real;
            if m > 0 {
                signs[coefficient_index(n, m) + 1] = real * odd(x + y);
            }
        }
        signs
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::multipole::expansion_matrix::padded;

    const DEGREE: usize = 14;
    const SOURCES: [([f64; 3], f64); 3] =
        [([0.1, -0.2, 0.3], 1.0), ([-0.4, 0.1, 0.2], -2.5), ([0.3, 0.4, -0.1], 1.5)];

    /// Moments about `center` of charges that sum to zero, in units of `edge`.
    fn moments(center: [f64; 3], edge: f64) -> Vec<f64> {
        let mut sum = vec![0.0; coefficient_count(DEGREE)];
        for (source, charge) in SOURCES {
            let at = [0, 1, 2].map(|axis| (source[axis] - center[axis]) / edge);
            let values = regular_values(DEGREE, at);
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum += charge * value / edge;
            }
        }
        sum
    }

    fn field(at: [f64; 3]) -> f64 {
        let distance = |source: [f64; 3]| {
            let steps = [0, 1, 2].map(|axis| source[axis] - at[axis]);
            steps.iter().map(|step| step * step).sum::<f64>().sqrt()
        };
        SOURCES.iter().map(|&(source, charge)| charge / distance(source)).sum()
    }

    /// The value of a local expansion.
    fn local(coefficients: &[f64], at: [f64; 3]) -> f64 {
        let values = regular_values(DEGREE, at);
        let terms = (0..=DEGREE as isize).flat_map(|n| (-n..=n).map(move |m| (n, m)));
        let real = |(n, m)| {
            let ([a, b], [c, d]) =
                (complex_coefficient(&values, n, m), complex_coefficient(coefficients, n, m));
            a * c - b * d
        };
        terms.map(real).sum()
    }

    #[test]
    fn moments_about_a_parent_are_those_taken_there() {
        let step = [0.25, -0.25, 0.25];
        let child = moments([0.5, -0.5, 0.5].map(|x| x / 1.0), 1.0);
        let mut found = vec![0.0; padded(coefficient_count(DEGREE))];
        moment_to_moment_matrix(DEGREE, step).multiply_add::<false>(&child[1..], &mut found);
        let expected = moments([0.0; 3], 2.0);
        for k in 0..coefficient_count(DEGREE) {
            assert!((found[k] - expected[k]).abs() < 1e-13, "{k}: {} {}", found[k], expected[k]);
        }
    }

    #[test]
    fn converted_moments_give_the_field() {
        let place = [3.0, -2.0, 4.0];
        let mut coefficients = vec![0.0; padded(coefficient_count(DEGREE))];
        moment_to_local_matrix(DEGREE, place)
            .multiply_add::<false>(&moments([0.0; 3], 1.0)[1..], &mut coefficients);
        for at in [[0.0; 3], [0.5, -0.5, 0.5], [-0.3, 0.2, 0.4]] {
            let expected = field([0, 1, 2].map(|axis| place[axis] + at[axis]));
            let found = local(&coefficients, at);
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
    }

    #[test]
    fn a_child_has_the_field_of_its_parent() {
        let place = [3.0, -2.0, 4.0];
        let mut parent = vec![0.0; padded(coefficient_count(DEGREE))];
        moment_to_local_matrix(DEGREE, place)
            .multiply_add::<false>(&moments([0.0; 3], 1.0)[1..], &mut parent);
        let step = [-0.25, 0.25, 0.25];
        let mut child = vec![0.0; padded(coefficient_count(DEGREE))];
        local_to_local_matrix(DEGREE, step)
            .multiply_add::<false>(&parent[..coefficient_count(DEGREE)], &mut child);
        for at in [[0.0; 3], [0.5, -0.5, 0.5], [-0.3, 0.2, 0.4]] {
            let expected = local(&parent, [0, 1, 2].map(|axis| step[axis] + at[axis] / 2.0));
            let found = local(&child, at);
            assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
        }
    }

    #[test]
    fn mirrored_conversions_differ_by_signs() {
        let moments = moments([0.0; 3], 1.0);
        let mirrors = mirror_signs(DEGREE);
        for axes in 0..8 {
            let step = [3.0, 2.0, 4.0];
            let mirrored =
                [0, 1, 2].map(|axis| if axes >> axis & 1 == 1 { -step[axis] } else { step[axis] });
            let mut expected = vec![0.0; padded(coefficient_count(DEGREE))];
            moment_to_local_matrix(DEGREE, mirrored)
                .multiply_add::<false>(&moments[1..], &mut expected);
            let from: Vec<f64> =
                moments.iter().zip(&mirrors[axes]).map(|(a, sign)| a * sign).collect();
            let mut found = vec![0.0; padded(coefficient_count(DEGREE))];
            moment_to_local_matrix(DEGREE, step).multiply_add::<false>(&from[1..], &mut found);
            for k in 0..coefficient_count(DEGREE) {
                let found = found[k] * mirrors[axes][k];
                assert!(
                    (found - expected[k]).abs() <= 1e-13 * expected[k].abs().max(1e-3),
                    "{axes} {k}"
                );
            }
        }
    }
}
