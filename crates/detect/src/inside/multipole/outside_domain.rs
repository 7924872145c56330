//! Points outside of the domain: evaluated by the moments of clusters as large as the error allows.

use super::cluster_tree::ClusterTree;
use super::error_bound::truncation_error_at_point;
use super::moments::MultipoleMoments;
use super::radial_moments::ClusterRadialMoments;
use super::solid_harmonics::{complex_coefficient, singular_harmonics};
use std::ops::Range;

/// Evaluates the far field of a surface anywhere.
pub struct FarFieldEvaluator<'a> {
    pub clusters: &'a ClusterTree,
    pub radial_moments: &'a [Vec<ClusterRadialMoments>],
    pub moments: &'a MultipoleMoments,
    pub degree: usize,
    /// The allowed error per unit of area of the surface.
    pub allowed_error: f64,
}

impl FarFieldEvaluator<'_> {
    /// Returns the far-field winding number at a point, and the blocks of the remaining triangles.
    pub fn evaluate(&self, point: &[f64; 3]) -> (f64, Vec<Range<u32>>) {
        let (mut value, mut near) = (0.0, Vec::new());
        self.visit_cluster(0, 0, point, &mut value, &mut near);
        (value, near)
    }

    fn visit_cluster(
        &self,
        level: usize,
        number: usize,
        point: &[f64; 3],
        value: &mut f64,
        near: &mut Vec<Range<u32>>,
    ) {
        let cluster = &self.clusters.levels[level][number];
        let spread = &self.radial_moments[level][number];
        let edge = self.clusters.root.edge_on_level(level);
        let middle = self.clusters.root.box_center(level, cluster.cell);
        let step = [0, 1, 2].map(|axis| (point[axis] - middle[axis]) / edge);
        let away = step.iter().map(|step| step * step).sum::<f64>().sqrt();
        let lost = truncation_error_at_point(self.degree, away, spread.radius);
        // Each cluster may lose what its part of the area allows, so that the sum keeps the bound.
        if lost * spread.integral_bound(self.degree)
            <= self.allowed_error * spread.area() * edge * edge
        {
            *value += self.evaluate_moments(level, number, step);
            return;
        }
        if cluster.own_blocks > 0 {
            near.push(cluster.blocks.start..cluster.blocks.start + cluster.own_blocks);
        }
        for child in cluster.children.clone() {
            self.visit_cluster(level + 1, child as usize, point, value, near);
        }
    }

    /// Evaluates the moments of a cluster, equation 13 with both points exchanged.
    fn evaluate_moments(&self, level: usize, number: usize, step: [f64; 3]) -> f64 {
        let moments = self.moments.cluster_moments(level, number);
        let outer = singular_harmonics(self.degree, step);
        let term = |n: isize, m: isize| {
            let ([a, b], [c, d]) =
                (complex_coefficient(moments, n, m), complex_coefficient(&outer, n, m));
            // Terms of an order and of its negative are conjugate: twice the real part.
            if m == 0 { a * c } else { 2.0 * (a * c + b * d) }
        };
        (1..=self.degree as isize).flat_map(|n| (0..=n).map(move |m| term(n, m))).sum()
    }
}
