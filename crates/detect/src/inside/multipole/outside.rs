//! Points out of the domain: from moments of clusters as large as the error allows.

use super::bound::lost_from_point;
use super::harmonics::{complex, singular};
use super::moments::Moments;
use super::spread::Spread;
use super::tree::ClusterTree;
use std::ops::Range;

/// What is needed to look at a surface from anywhere.
pub struct FromAfar<'a> {
    pub clusters: &'a ClusterTree,
    pub spreads: &'a [Vec<Spread>],
    pub moments: &'a Moments,
    pub degree: usize,
    /// The most that may be lost for each unit of area of the surface.
    pub allowed: f64,
}

impl FromAfar<'_> {
    /// The part of the view from a point that far clusters fill, and the blocks of the others.
    pub fn value(&self, point: &[f64; 3]) -> (f64, Vec<Range<u32>>) {
        let (mut value, mut near) = (0.0, Vec::new());
        self.visit(0, 0, point, &mut value, &mut near);
        (value, near)
    }

    fn visit(
        &self,
        level: usize,
        number: usize,
        point: &[f64; 3],
        value: &mut f64,
        near: &mut Vec<Range<u32>>,
    ) {
        let cluster = &self.clusters.levels[level][number];
        let spread = &self.spreads[level][number];
        let edge = self.clusters.root.edge_on(level);
        let middle = self.clusters.root.middle(level, cluster.cell);
        let step = [0, 1, 2].map(|axis| (point[axis] - middle[axis]) / edge);
        let away = step.iter().map(|step| step * step).sum::<f64>().sqrt();
        let lost = lost_from_point(self.degree, away, spread.radius);
        if lost * spread.integral(self.degree) <= self.allowed * spread.area() * edge * edge {
            *value += self.series(level, number, step);
            return;
        }
        if cluster.own > 0 {
            near.push(cluster.blocks.start..cluster.blocks.start + cluster.own);
        }
        for son in cluster.sons.clone() {
            self.visit(level + 1, son as usize, point, value, near);
        }
    }

    /// The sum of the moments of a cluster, equation 13 with both points exchanged.
    fn series(&self, level: usize, number: usize, step: [f64; 3]) -> f64 {
        let moments = self.moments.of(level, number);
        let outer = singular(self.degree, step);
        let term = |n: isize, m: isize| {
            let ([a, b], [c, d]) = (complex(moments, n, m), complex(&outer, n, m));
            if m == 0 { a * c } else { 2.0 * (a * c + b * d) }
        };
        (1..=self.degree as isize).flat_map(|n| (0..=n).map(move |m| term(n, m))).sum()
    }
}
