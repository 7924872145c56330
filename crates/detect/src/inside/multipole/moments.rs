//! What clusters look like from far away: their moments, equation 22, and how much they are spread.
//!
//! Moments of a triangle are integrals of polynomials, which Gauss' rule gives exactly.

use super::harmonics::{HIGHEST_DEGREE, complex, count, place, regular};
use super::matrix::padded;
use super::translate::to_father;
use super::tree::{Cluster, ClusterTree};
use crate::inside::lanes::{Four, LANES, Number, is_wide};
use crate::inside::panels::Panels;
use rayon::prelude::*;
use std::array::from_fn;
use std::f64::consts::PI;

/// Powers of the distance from the middle that are summed over a cluster.
const POWERS: [i32; 5] = [0, 2, 4, 8, 16];

/// How far the area of a cluster is from the middle of its box, in edges of the box.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    /// Bounds of the integrals of the powers of the distance.
    sums: [f64; POWERS.len()],
    /// The largest distance.
    pub radius: f64,
}

impl Spread {
    /// Of all triangles of a cluster.
    ///
    /// A power of the distance is convex, so its mean over a triangle is at most that of the corners.
    pub fn of(panels: &Panels, cluster: &Cluster, middle: [f64; 3], edge: f64) -> Self {
        let mut spread = Spread::default();
        for block in cluster.blocks.start..cluster.blocks.end {
            let (corners, normals) = panels.block(block as usize);
            let mut sums = [[0.0; LANES]; POWERS.len()];
            let mut largest = [0.0f64; LANES];
            for lane in 0..LANES {
                let part = |axis: usize| normals[axis][lane] / edge / edge;
                let third = (part(0).powi(2) + part(1).powi(2) + part(2).powi(2)).sqrt() / 6.0;
                for corner in corners {
                    let step = |axis: usize| (corner[axis][lane] - middle[axis]) / edge;
                    let square = step(0).powi(2) + step(1).powi(2) + step(2).powi(2);
                    let (fourth, eighth) = (square * square, square.powi(4));
                    let powers = [1.0, square, fourth, eighth, eighth * eighth];
                    (0..POWERS.len()).for_each(|k| sums[k][lane] += third * powers[k]);
                    largest[lane] = largest[lane].max(square);
                }
            }
            (0..POWERS.len()).for_each(|k| spread.sums[k] += sums[k].iter().sum::<f64>());
            spread.radius = largest.iter().fold(spread.radius, |most, &square| most.max(square));
        }
        spread.radius = spread.radius.sqrt();
        spread
    }

    /// The area, in squares of the edge.
    pub fn area(&self) -> f64 {
        self.sums[0]
    }

    /// A bound of the integral of a power of the distance, between the powers that were summed by
    /// Hölder's inequality.
    pub fn integral(&self, power: usize) -> f64 {
        let power = power as i32;
        let last = POWERS.len() - 1;
        let Some(above) = POWERS.iter().position(|&one| one >= power) else {
            return self.sums[last] * self.radius.powi(power - POWERS[last]);
        };
        if POWERS[above] == power || self.sums[above] == 0.0 {
            return self.sums[above];
        }
        let part =
            f64::from(power - POWERS[above - 1]) / f64::from(POWERS[above] - POWERS[above - 1]);
        self.sums[above - 1].powf(1.0 - part) * self.sums[above].powf(part)
    }
}

/// The moments of all clusters, with the factor `- 1 / (4 pi)` of equation 6, in edges of the boxes.
#[derive(Clone, Debug)]
pub struct Moments {
    /// So many numbers for each cluster.
    stride: usize,
    levels: Vec<Vec<f64>>,
}

impl Moments {
    /// Costs `degree^2` for each triangle and `degree^4` for each cluster.
    pub fn new(tree: &ClusterTree, panels: &Panels, degree: usize) -> Self {
        let stride = padded(count(degree));
        let rule = Rule::new(degree);
        let wide = is_wide();
        let fathers: [_; 8] = from_fn(|octant| to_father(degree, step_to_son(octant)));
        let mut levels: Vec<Vec<f64>> = vec![Vec::new(); tree.levels.len()];
        for level in (0..tree.levels.len()).rev() {
            let clusters = &tree.levels[level];
            let mut values = vec![0.0; stride * clusters.len()];
            let below = levels.get(level + 1);
            let work = values.par_chunks_mut(stride).with_min_len(64).zip(clusters);
            work.for_each(|(values, cluster)| {
                let edge = tree.root.edge_on(level);
                let middle = tree.root.middle(level, cluster.cell);
                rule.add(panels, cluster, middle, edge, wide, values);
                for son in cluster.sons.start as usize..cluster.sons.end as usize {
                    let octant = octant_of(tree.levels[level + 1][son].cell);
                    let from = below.map(|below| &below[son * stride..(son + 1) * stride]);
                    if let Some(from) = from {
                        fathers[octant].apply(wide, &from[1..count(degree)], values);
                    }
                }
            });
            levels[level] = values;
        }
        Moments { stride, levels }
    }

    /// The moments of a cluster.
    #[inline(always)]
    pub fn of(&self, level: usize, cluster: usize) -> &[f64] {
        &self.levels[level][cluster * self.stride..(cluster + 1) * self.stride]
    }

    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|values| size_of::<f64>() * values.capacity()).sum()
    }
}

/// Which son of its father a box is.
#[inline(always)]
pub fn octant_of(cell: [i32; 3]) -> usize {
    (cell[0] & 1 | (cell[1] & 1) << 1 | (cell[2] & 1) << 2) as usize
}

/// From the middle of a father to that of a son, in edges of the father.
pub fn step_to_son(octant: usize) -> [f64; 3] {
    [0, 1, 2].map(|axis| if octant >> axis & 1 == 1 { 0.25 } else { -0.25 })
}

/// Points in a triangle, by their parts of the three corners, and weights that sum to one: exact for
/// polynomials of one degree less than an expansion.
struct Rule {
    degree: usize,
    points: Vec<([f64; 3], f64)>,
}

impl Rule {
    fn new(degree: usize) -> Self {
        // The triangle is a square with one side drawn together, which costs one degree that way.
        let (across, along) = (gauss(degree / 2 + 1), gauss(degree.div_ceil(2)));
        let point = |&(u, weight_u): &(f64, f64), &(v, weight_v): &(f64, f64)| {
            let parts = [(1.0 - u) * (1.0 - v), u, v * (1.0 - u)];
            (parts, 2.0 * (1.0 - u) * weight_u * weight_v)
        };
        let points = across.iter().flat_map(|u| along.iter().map(move |v| point(u, v))).collect();
        Rule { degree, points }
    }

    /// Adds the moments of the triangles that a cluster has for itself.
    fn add(
        &self,
        panels: &Panels,
        cluster: &Cluster,
        middle: [f64; 3],
        edge: f64,
        wide: bool,
        moments: &mut [f64],
    ) {
        let mut sums = [[0.0; count(HIGHEST_DEGREE - 1)]; 3];
        let blocks = cluster.blocks.start as usize..(cluster.blocks.start + cluster.own) as usize;
        for block in blocks {
            let (corners, normals) = panels.block(block);
            let corners: [[Four<true>; 3]; 3] = from_fn(|corner| {
                from_fn(|axis| Four(corners[corner][axis].map(|x| (x - middle[axis]) / edge)))
            });
            #[cfg(target_arch = "x86_64")]
            if wide {
                #[allow(unsafe_code)]
                // SAFETY: `wide` is set only where the processor has these instructions.
                unsafe {
                    integrate_fused(self, &corners, normals, edge, &mut sums)
                };
                continue;
            }
            let corners = corners.map(|corner| corner.map(|four| Four::<false>(four.0)));
            self.integrate(&corners, normals, edge, &mut sums);
        }
        if cluster.own > 0 {
            self.derive(&sums, moments);
        }
    }

    /// Adds the integrals of the harmonics over four triangles, times each component of the normal.
    #[inline(always)]
    fn integrate<const FUSED: bool>(
        &self,
        corners: &[[Four<FUSED>; 3]; 3],
        normals: &[[f64; LANES]; 3],
        edge: f64,
        sums: &mut [[f64; count(HIGHEST_DEGREE - 1)]; 3],
    ) {
        let terms = count(self.degree - 1);
        let mut means = [Four::<FUSED>::of(0.0); count(HIGHEST_DEGREE - 1)];
        let mut values = means;
        for (parts, weight) in &self.points {
            let [a, b, c] = parts.map(Four::<FUSED>::of);
            let point = from_fn(|axis| {
                corners[0][axis]
                    .times_plus(a, corners[1][axis].times_plus(b, corners[2][axis].times(c)))
            });
            regular(self.degree - 1, point, &mut values[..terms]);
            for (mean, value) in means[..terms].iter_mut().zip(&values[..terms]) {
                *mean = value.times_plus(Four::of(*weight), *mean);
            }
        }
        let half = 0.5 / edge / edge;
        for axis in 0..3 {
            let normal = Four::<FUSED>(normals[axis].map(|part| part * half));
            for (sum, mean) in sums[axis][..terms].iter_mut().zip(&means[..terms]) {
                *sum += mean.times(normal).0.iter().sum::<f64>();
            }
        }
    }

    /// Adds the moments of equation 22: the derivatives of a harmonic are harmonics of one degree less.
    fn derive(&self, sums: &[[f64; count(HIGHEST_DEGREE - 1)]; 3], moments: &mut [f64]) {
        let [x, y, z] = sums;
        let factor = -1.0 / (4.0 * PI);
        for n in 1..=self.degree {
            for m in 0..=n {
                let of = |values, step| complex(values, n as isize - 1, m as isize + step);
                let (x_up, x_down) = (of(x, 1), of(x, -1));
                let (y_up, y_down) = (of(y, 1), of(y, -1));
                let along = of(z, 0);
                let real = 0.5 * (x_down[0] - x_up[0]) - 0.5 * (y_up[1] + y_down[1]) + along[0];
                moments[place(n, m)] += factor * real;
                if m > 0 {
                    let imaginary =
                        0.5 * (x_down[1] - x_up[1]) + 0.5 * (y_up[0] + y_down[0]) + along[1];
                    moments[place(n, m) + 1] += factor * imaginary;
                }
            }
        }
    }
}

/// With wide registers and fused operations.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn integrate_fused(
    rule: &Rule,
    corners: &[[Four<true>; 3]; 3],
    normals: &[[f64; LANES]; 3],
    edge: f64,
    sums: &mut [[f64; count(HIGHEST_DEGREE - 1)]; 3],
) {
    rule.integrate::<true>(corners, normals, edge, sums);
}

/// Gauss' points between zero and one with their weights, by Newton's method.
fn gauss(count: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut last) = (0.0, 1.0);
        for n in 0..count {
            let next = ((2 * n + 1) as f64 * x * last - n as f64 * before) / (n + 1) as f64;
            (before, last) = (last, next);
        }
        (last, count as f64 * (x * last - before) / (x * x - 1.0))
    };
    let point = |k: usize| {
        let mut x = (PI * (k as f64 + 0.75) / (count as f64 + 0.5)).cos();
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

    #[test]
    fn gauss_integrates_polynomials_exactly() {
        for points in 1..10 {
            for power in 0..2 * points {
                let sum: f64 =
                    gauss(points).iter().map(|(x, weight)| weight * x.powi(power as i32)).sum();
                assert!((sum - 1.0 / (power + 1) as f64).abs() < 1e-14, "{points} {power}: {sum}");
            }
        }
    }

    #[test]
    fn the_rule_integrates_over_a_triangle_exactly() {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        for degree in 1..=HIGHEST_DEGREE {
            let rule = Rule::new(degree);
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
