//! The radial moments of clusters, which decide how accurately multipole moments describe them.

use super::cluster_tree::Cluster;
use crate::inside::lanes::LANES;
use crate::inside::panels::Panels;
use carom_geometry::math;

/// The powers of the distance from the center that are integrated over a cluster.
pub const INTEGRATED_POWERS: [usize; 5] = [0, 2, 4, 8, 16];

/// The distribution of a cluster's area around the center of its box, in edges of the box.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusterRadialMoments {
    /// Upper bounds of the integrals of these powers of the distance.
    pub power_integrals: [f64; INTEGRATED_POWERS.len()],
    /// The largest distance from the center.
    pub radius: f64,
}

impl ClusterRadialMoments {
    /// Integrates over all triangles of a cluster.
    ///
    /// A power of the distance is convex, so its mean over a triangle is at most that over the corners.
    pub fn of_cluster(panels: &Panels, cluster: &Cluster, middle: [f64; 3], edge: f64) -> Self {
        let mut spread = ClusterRadialMoments::default();
        for block in cluster.blocks.start..cluster.blocks.end {
            let (corners, normals) = panels.block(block as usize);
            let mut sums = [[0.0; LANES]; INTEGRATED_POWERS.len()];
            let mut largest = [0.0f64; LANES];
            for lane in 0..LANES {
                let part = |axis: usize| normals[axis][lane] / edge / edge;
                // Even powers of the distance are convex, so a third of the area at each corner bounds the integral
                // over the triangle.
                let third = (part(0).powi(2) + part(1).powi(2) + part(2).powi(2)).sqrt() / 6.0;
                for corner in corners {
                    let step = |axis: usize| (corner[axis][lane] - middle[axis]) / edge;
                    let square = step(0).powi(2) + step(1).powi(2) + step(2).powi(2);
                    let (fourth, eighth) = (square * square, square.powi(4));
                    let powers = [1.0, square, fourth, eighth, eighth * eighth];
                    (0..INTEGRATED_POWERS.len()).for_each(|k| sums[k][lane] += third * powers[k]);
                    largest[lane] = largest[lane].max(square);
                }
            }
            (0..INTEGRATED_POWERS.len())
                .for_each(|k| spread.power_integrals[k] += sums[k].iter().sum::<f64>());
            spread.radius = largest.iter().fold(spread.radius, |most, &square| most.max(square));
        }
        spread.radius = spread.radius.sqrt();
        spread
    }

    /// Returns the area, in squares of the edge.
    pub fn area(&self) -> f64 {
        self.power_integrals[0]
    }

    /// Returns an upper bound of the integral of a power of the distance, interpolated between the integrated powers
    /// by Hölder's inequality.
    pub fn integral_bound(&self, power: usize) -> f64 {
        let last = INTEGRATED_POWERS.len() - 1;
        let Some(above) = INTEGRATED_POWERS.iter().position(|&one| one >= power) else {
            return self.power_integrals[last]
                * self.radius.powi((power - INTEGRATED_POWERS[last]) as i32);
        };
        if INTEGRATED_POWERS[above] == power || self.power_integrals[above] == 0.0 {
            return self.power_integrals[above];
        }
        let part = (power - INTEGRATED_POWERS[above - 1]) as f64
            / (INTEGRATED_POWERS[above] - INTEGRATED_POWERS[above - 1]) as f64;
        math::powf(self.power_integrals[above - 1], 1.0 - part)
            * math::powf(self.power_integrals[above], part)
    }
}
