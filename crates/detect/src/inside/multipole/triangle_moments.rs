//! The multipole moments of triangles, equation 22: integrals of polynomials, exact by Gauss quadrature.

use super::cluster_tree::Cluster;
use super::solid_harmonics::{
    coefficient_count, coefficient_index, complex_coefficient, regular_harmonics,
};
use crate::inside::lanes::{FusableF64x4, HarmonicScalar};
use crate::inside::panels::Panels;
use carom_geometry::math;
use std::array::from_fn;
use std::f64::consts::PI;

/// Quadrature points in a triangle, by barycentric coordinates, and weights that sum to one: exact for polynomials
/// of one degree less than an expansion.
pub struct TriangleQuadrature {
    degree: usize,
    points: Vec<([f64; 3], f64)>,
}

impl TriangleQuadrature {
    pub fn new(degree: usize) -> Self {
        // A square with one side collapsed (Duffy's transformation), which costs one degree along that axis.
        let (across, along) = (gauss_legendre(degree / 2 + 1), gauss_legendre(degree.div_ceil(2)));
        let point = |&(u, weight_u): &(f64, f64), &(v, weight_v): &(f64, f64)| {
            let parts = [(1.0 - u) * (1.0 - v), u, v * (1.0 - u)];
            (parts, 2.0 * (1.0 - u) * weight_u * weight_v)
        };
        let points = across.iter().flat_map(|u| along.iter().map(move |v| point(u, v))).collect();
        TriangleQuadrature { degree, points }
    }

    /// Adds the moments of the triangles that belong to a cluster itself, about the center of its box and in edges
    /// of it, with the factor of equation 6.
    pub fn add_moments(
        &self,
        panels: &Panels,
        cluster: &Cluster,
        box_of_cluster: ([f64; 3], f64),
        wide: bool,
        moments: &mut [f64],
    ) {
        if cluster.own_blocks == 0 {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { add_moments_fused(self, panels, cluster, box_of_cluster, moments) };
        }
        self.add_moments_lanes::<false>(panels, cluster, box_of_cluster, moments);
    }

    #[inline(always)]
    fn add_moments_lanes<const FUSED: bool>(
        &self,
        panels: &Panels,
        cluster: &Cluster,
        (middle, edge): ([f64; 3], f64),
        moments: &mut [f64],
    ) {
        let terms = coefficient_count(self.degree - 1);
        let zero = FusableF64x4::<FUSED>::splat(0.0);
        let (mut values, mut means) = (vec![zero; terms], vec![zero; terms]);
        let mut sums = vec![[zero; 3]; terms];
        let (inverse, middle) =
            (FusableF64x4::splat(1.0 / edge), middle.map(FusableF64x4::<FUSED>::splat));
        let half_square = FusableF64x4::splat(0.5 / edge / edge);
        for block in cluster.blocks.start..cluster.blocks.start + cluster.own_blocks {
            let (corners, normals) = panels.block(block as usize);
            let corners = corners.map(|corner| {
                from_fn(|axis| FusableF64x4(corner[axis]).minus(middle[axis]).times(inverse))
            });
            self.mean_harmonics(&corners, &mut values, &mut means);
            let normal = normals.map(|part| FusableF64x4(part).times(half_square));
            for (sum, mean) in sums.iter_mut().zip(&means) {
                *sum = from_fn(|axis| mean.times_plus(normal[axis], sum[axis]));
            }
        }
        let total =
            |axis: usize| sums.iter().map(|sum| sum[axis].0.iter().sum()).collect::<Vec<f64>>();
        self.moments_from_means([&total(0), &total(1), &total(2)], moments);
    }

    /// Computes the means of the harmonics over four triangles.
    #[inline(always)]
    fn mean_harmonics<const FUSED: bool>(
        &self,
        corners: &[[FusableF64x4<FUSED>; 3]; 3],
        values: &mut [FusableF64x4<FUSED>],
        means: &mut [FusableF64x4<FUSED>],
    ) {
        means.fill(FusableF64x4::splat(0.0));
        for (parts, weight) in &self.points {
            let [a, b, c] = parts.map(FusableF64x4::<FUSED>::splat);
            let point = from_fn(|axis| {
                let last = corners[2][axis].times(c);
                corners[0][axis].times_plus(a, corners[1][axis].times_plus(b, last))
            });
            regular_harmonics(self.degree - 1, point, values);
            for (mean, value) in means.iter_mut().zip(&*values) {
                *mean = value.times_plus(FusableF64x4::splat(*weight), *mean);
            }
        }
    }

    /// Adds the moments of equation 22: the derivatives of a solid harmonic are harmonics of one degree less.
    fn moments_from_means(&self, sums: [&[f64]; 3], moments: &mut [f64]) {
        let [x, y, z] = sums;
        let factor = -1.0 / (4.0 * PI);
        for n in 1..=self.degree {
            for m in 0..=n {
                let of =
                    |values, step| complex_coefficient(values, n as isize - 1, m as isize + step);
                let (x_up, x_down) = (of(x, 1), of(x, -1));
                let (y_up, y_down) = (of(y, 1), of(y, -1));
                let along = of(z, 0);
                let real = 0.5 * (x_down[0] - x_up[0]) - 0.5 * (y_up[1] + y_down[1]) + along[0];
                moments[coefficient_index(n, m)] += factor * real;
                if m > 0 {
                    let imaginary =
                        0.5 * (x_down[1] - x_up[1]) + 0.5 * (y_up[0] + y_down[0]) + along[1];
                    moments[coefficient_index(n, m) + 1] += factor * imaginary;
                }
            }
        }
    }
}

/// `add_moments_lanes` with AVX2 and fused multiply-add.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn add_moments_fused(
    rule: &TriangleQuadrature,
    panels: &Panels,
    cluster: &Cluster,
    box_of_cluster: ([f64; 3], f64),
    moments: &mut [f64],
) {
    rule.add_moments_lanes::<true>(panels, cluster, box_of_cluster, moments);
}

/// Returns the Gauss-Legendre points between zero and one with their weights, by Newton's method.
fn gauss_legendre(count: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut last) = (0.0, 1.0);
        for n in 0..count {
            let next = ((2 * n + 1) as f64 * x * last - n as f64 * before) / (n + 1) as f64;
            (before, last) = (last, next);
        }
        (last, count as f64 * (x * last - before) / (x * x - 1.0))
    };
    let point = |k: usize| {
        // Tricomi's estimate of the root; Newton's method is at the last bit after a few steps.
        let mut x = math::cos(PI * (k as f64 + 0.75) / (count as f64 + 0.5));
        for _ in 0..8 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        let (_, slope) = legendre(x);
        ((1.0 + x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::multipole::solid_harmonics::HIGHEST_DEGREE;

    #[test]
    fn gauss_integrates_polynomials_exactly() {
        for points in 1..10 {
            for power in 0..2 * points {
                let sum: f64 = gauss_legendre(points)
                    .iter()
                    .map(|(x, weight)| weight * x.powi(power as i32))
                    .sum();
                assert!((sum - 1.0 / (power + 1) as f64).abs() < 1e-14, "{points} {power}: {sum}");
            }
        }
    }

    #[test]
    fn the_rule_integrates_over_a_triangle_exactly() {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        for degree in 1..=HIGHEST_DEGREE {
            let rule = TriangleQuadrature::new(degree);
            for (a, b) in (0..degree).flat_map(|a| (0..degree - a).map(move |b| (a, b))) {
                let term = |([_, u, v], weight): &([f64; 3], f64)| {
                    weight * u.powi(a as i32) * v.powi(b as i32)
                };
                let sum: f64 = rule.points.iter().map(term).sum();
                let expected = 2.0 * factorial(a) * factorial(b) / factorial(a + b + 2);
                assert!((sum - expected).abs() < 1e-15, "{degree} {a} {b}: {sum} {expected}");
            }
        }
    }
}
