//! How much clusters are spread, which decides how well moments describe them.

use super::tree::Cluster;
use crate::inside::lanes::LANES;
use crate::inside::panels::Panels;
use carom_geometry::math;

/// Powers of the distance from the middle that are summed over a cluster.
pub const POWERS: [usize; 5] = [0, 2, 4, 8, 16];

/// How far the area of a cluster is from the middle of its box, in edges of the box.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    /// Bounds of the integrals of these powers of the distance.
    pub sums: [f64; POWERS.len()],
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
        let last = POWERS.len() - 1;
        let Some(above) = POWERS.iter().position(|&one| one >= power) else {
            return self.sums[last] * self.radius.powi((power - POWERS[last]) as i32);
        };
        if POWERS[above] == power || self.sums[above] == 0.0 {
            return self.sums[above];
        }
        let part = (power - POWERS[above - 1]) as f64 / (POWERS[above] - POWERS[above - 1]) as f64;
        math::powf(self.sums[above - 1], 1.0 - part) * math::powf(self.sums[above], part)
    }
}
