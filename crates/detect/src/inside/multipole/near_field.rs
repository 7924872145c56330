//! The near field of a target box, evaluated at points in it: by moments where these are accurate enough at the
//! points themselves, down to triangles.

use super::cluster_tree::ClusterTree;
use super::error_bound::min_distance_for_error;
use super::harmonic_series::{HarmonicPoints, HarmonicSeries};
use super::moments::MultipoleMoments;
use super::radial_moments::ClusterRadialMoments;
use crate::inside::lanes::LANES;
use std::ops::Range;

/// Clusters of fewer triangles are summed directly.
const MIN_MOMENT_TRIANGLES: u32 = 4;

/// All clusters, with what their evaluation at points needs.
#[derive(Clone, Debug)]
pub struct NearFieldClusters {
    clusters: Vec<NearFieldCluster>,
    /// The first cluster of each level.
    level_offsets: Vec<u32>,
}

/// A cluster of the near field.
#[derive(Clone, Debug)]
struct NearFieldCluster {
    center: [f64; 3],
    /// One over the edge of its box.
    inverse_edge: f64,
    /// The squared distance beyond which its moments are accurate enough.
    far_distance_squared: f64,
    level: u32,
    children: Range<u32>,
    blocks: Range<u32>,
    /// The number of blocks that are in none of its children.
    own_blocks: u32,
}

impl NearFieldClusters {
    /// Prepares the clusters. Moments are evaluated from `separation` radii on, and may lose `allowed` per unit of
    /// area.
    pub fn new(
        clusters: &ClusterTree,
        spreads: &[Vec<ClusterRadialMoments>],
        degree: usize,
        separation: f64,
        allowed: f64,
    ) -> Self {
        let level_offsets = clusters.level_offsets();
        let mut seen = Vec::with_capacity(level_offsets[level_offsets.len() - 1] as usize);
        for (level, (of_level, spreads)) in clusters.levels.iter().zip(spreads).enumerate() {
            let edge = clusters.root.edge_on_level(level);
            let next = level_offsets[level + 1];
            for (cluster, spread) in of_level.iter().zip(spreads) {
                // A handful of triangles is summed faster than a series is evaluated.
                let far = if cluster.triangles < MIN_MOMENT_TRIANGLES {
                    f64::INFINITY
                } else {
                    min_distance_for_error(degree, spread, separation, allowed * edge * edge) * edge
                };
                seen.push(NearFieldCluster {
                    center: clusters.root.box_center(level, cluster.cell),
                    inverse_edge: 1.0 / edge,
                    far_distance_squared: far * far,
                    level: level as u32,
                    children: next + cluster.children.start..next + cluster.children.end,
                    blocks: cluster.blocks.clone(),
                    own_blocks: cluster.own_blocks,
                });
            }
        }
        NearFieldClusters { clusters: seen, level_offsets }
    }

    pub fn bytes(&self) -> usize {
        size_of::<NearFieldCluster>() * self.clusters.capacity()
            + size_of::<u32>() * self.level_offsets.capacity()
    }

    /// Adds the values of some clusters at four points by moments to `values`, and puts the blocks of those that are
    /// too near into `near`.
    pub fn evaluate(
        &self,
        some: &[u32],
        points: &HarmonicPoints,
        (series, moments): (&HarmonicSeries, &MultipoleMoments),
        values: &mut [f64; LANES],
        near: &mut Vec<Range<u32>>,
    ) {
        // A depth-first stack: siblings on the path to the finest cluster, and at first all clusters.
        let mut open: Vec<u32> = some.iter().rev().copied().collect();
        while let Some(number) = open.pop() {
            let cluster = &self.clusters[number as usize];
            let (steps, closest) = cluster.displacements_to(points);
            // The nearest of the four points decides for all of them: accurate for it, more so for the others.
            if closest > cluster.far_distance_squared {
                let level = cluster.level as usize;
                let moments =
                    moments.cluster_moments(level, (number - self.level_offsets[level]) as usize);
                // In edges of the cluster's box, in which its moments are.
                let steps = steps.map(|axis| axis.map(|step| step * cluster.inverse_edge));
                let seen = series.evaluate_moments(moments, &steps);
                values.iter_mut().zip(seen).for_each(|(value, seen)| *value += seen);
            } else if cluster.children.is_empty() {
                push_range(near, cluster.blocks.clone());
            } else {
                if cluster.own_blocks > 0 {
                    push_range(
                        near,
                        cluster.blocks.start..cluster.blocks.start + cluster.own_blocks,
                    );
                }
                open.extend(cluster.children.clone().rev());
            }
        }
    }
}

impl NearFieldCluster {
    /// Returns the vectors from its center to the points, and the squared length of the shortest.
    #[inline(always)]
    fn displacements_to(&self, points: &HarmonicPoints) -> (HarmonicPoints, f64) {
        let mut steps = *points;
        let mut squares = [0.0; LANES];
        for (axis, middle) in steps.iter_mut().zip(self.center) {
            for (step, square) in axis.iter_mut().zip(&mut squares) {
                *step -= middle;
                *square += *step * *step;
            }
        }
        (steps, squares.into_iter().fold(f64::INFINITY, f64::min))
    }
}

/// Appends a range, merged with the last one if contiguous.
pub fn push_range(ranges: &mut Vec<Range<u32>>, range: Range<u32>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}
