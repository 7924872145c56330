//! What is near a place, seen from points in it: by moments where these are good enough for the points
//! themselves, down to triangles.

use super::bound::far_enough;
use super::moments::Moments;
use super::series::{Points, Series};
use super::spread::Spread;
use super::tree::ClusterTree;
use crate::inside::lanes::LANES;
use std::ops::Range;

/// Fewer triangles are looked at themselves.
const FEW: u32 = 4;

/// All clusters, as points look at them.
#[derive(Clone, Debug)]
pub struct Nearby {
    clusters: Vec<Seen>,
    /// The first cluster of each level.
    firsts: Vec<u32>,
}

/// A cluster.
#[derive(Clone, Debug)]
struct Seen {
    middle: [f64; 3],
    /// One over the edge of its box.
    per_edge: f64,
    /// From so far its moments do, squared.
    far: f64,
    level: u32,
    sons: Range<u32>,
    blocks: Range<u32>,
    /// Blocks that are in none of its sons.
    own: u32,
}

impl Nearby {
    /// Moments are seen from `separation` radii on, and may lose so much for each unit of area.
    pub fn new(
        clusters: &ClusterTree,
        spreads: &[Vec<Spread>],
        degree: usize,
        separation: f64,
        allowed: f64,
    ) -> Self {
        let firsts = clusters.firsts();
        let mut seen = Vec::with_capacity(firsts[firsts.len() - 1] as usize);
        for (level, (of_level, spreads)) in clusters.levels.iter().zip(spreads).enumerate() {
            let edge = clusters.root.edge_on(level);
            let next = firsts[level + 1];
            for (cluster, spread) in of_level.iter().zip(spreads) {
                let far = if cluster.triangles < FEW {
                    f64::INFINITY
                } else {
                    far_enough(degree, spread, separation, allowed * edge * edge) * edge
                };
                seen.push(Seen {
                    middle: clusters.root.middle(level, cluster.cell),
                    per_edge: 1.0 / edge,
                    far: far * far,
                    level: level as u32,
                    sons: next + cluster.sons.start..next + cluster.sons.end,
                    blocks: cluster.blocks.clone(),
                    own: cluster.own,
                });
            }
        }
        Nearby { clusters: seen, firsts }
    }

    pub fn bytes(&self) -> usize {
        size_of::<Seen>() * self.clusters.capacity() + size_of::<u32>() * self.firsts.capacity()
    }

    /// Adds what is seen of some clusters from four points by moments to `values`, and the blocks of what
    /// is too near for that to `near`.
    pub fn look(
        &self,
        some: &[u32],
        points: &Points,
        (series, moments): (&Series, &Moments),
        values: &mut [f64; LANES],
        near: &mut Vec<Range<u32>>,
    ) {
        // Brothers of those on the way to the finest cluster, and all at the start.
        let mut open: Vec<u32> = some.iter().rev().copied().collect();
        while let Some(number) = open.pop() {
            let cluster = &self.clusters[number as usize];
            let (steps, closest) = cluster.seen_from(points);
            if closest > cluster.far {
                let level = cluster.level as usize;
                let moments = moments.of(level, (number - self.firsts[level]) as usize);
                let steps = steps.map(|axis| axis.map(|step| step * cluster.per_edge));
                let seen = series.afar(moments, &steps);
                values.iter_mut().zip(seen).for_each(|(value, seen)| *value += seen);
            } else if cluster.sons.is_empty() {
                push(near, cluster.blocks.clone());
            } else {
                if cluster.own > 0 {
                    push(near, cluster.blocks.start..cluster.blocks.start + cluster.own);
                }
                open.extend(cluster.sons.clone().rev());
            }
        }
    }
}

impl Seen {
    /// From its middle to the points, and the square of the shortest of these ways.
    #[inline(always)]
    fn seen_from(&self, points: &Points) -> (Points, f64) {
        let mut steps = *points;
        let mut squares = [0.0; LANES];
        for (axis, middle) in steps.iter_mut().zip(self.middle) {
            for (step, square) in axis.iter_mut().zip(&mut squares) {
                *step -= middle;
                *square += *step * *step;
            }
        }
        (steps, squares.into_iter().fold(f64::INFINITY, f64::min))
    }
}

/// Adds a range, to the last one if it goes on.
pub fn push(ranges: &mut Vec<Range<u32>>, range: Range<u32>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}
