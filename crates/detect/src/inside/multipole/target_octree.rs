//! The octree of target boxes, with the clusters in the far and near field of each: equation 16.
//!
//! A target box is divided until few triangles are near. Only clusters near a parent are examined for its children,
//! so the near field of a parent contains those of its children.

use super::cluster_tree::{Cluster, ClusterTree, HALF_DIAGONAL};
use std::ops::Range;

/// No box or no leaf.
pub const NONE: u32 = u32::MAX;

/// A box with this many triangles nearby or fewer is not divided.
const MAX_LEAF_TRIANGLES: u32 = 32;

/// A cluster and a target box that are far from each other, while their parents are not.
#[derive(Clone, Copy, Debug)]
pub struct FarFieldPair {
    /// The cluster, on the level of the target box.
    pub cluster: u32,
    /// The offset from the cluster's box to the target box, in boxes.
    pub offset: [i8; 3],
}

/// A target box during preparation.
#[derive(Clone, Debug)]
pub struct TargetBox {
    pub cell: [i32; 3],
    /// Index of the parent on the level above.
    pub parent: u32,
    /// The clusters in its far field but not in that of its parent, among the pairs of its level.
    pub pairs: Range<u32>,
    /// Number of the leaf, if it has no children.
    pub leaf: u32,
}

/// The target boxes of one size.
#[derive(Clone, Debug, Default)]
pub struct TargetLevel {
    pub boxes: Vec<TargetBox>,
    pub pairs: Vec<FarFieldPair>,
}

/// A node of the octree that locates the leaf of a point.
#[derive(Clone, Copy, Debug)]
pub struct TargetOctreeNode {
    /// The first of its eight children, if it has any.
    pub children: u32,
    /// Number of the leaf, if it has no children; `NONE` if it is outside of the domain.
    pub leaf: u32,
}

/// All target boxes, from which the expansions are computed.
#[derive(Clone, Debug)]
pub struct TargetOctree {
    pub levels: Vec<TargetLevel>,
    pub leaves: TargetLeaves,
}

/// The leaves, in which points are located.
#[derive(Clone, Debug)]
pub struct TargetLeaves {
    pub nodes: Vec<TargetOctreeNode>,
    /// For each leaf, the ends of its parts of `clusters` and `blocks`.
    ends: Vec<[u32; 2]>,
    /// The clusters near each leaf, on its level, numbered among all levels.
    clusters: Vec<u32>,
    /// The first cluster number of each level.
    level_offsets: Vec<u32>,
    /// The blocks of triangles near each leaf that are too large for its level.
    blocks: Vec<Range<u32>>,
    /// The largest cluster area near a leaf, blocks left out, in squares of the edge of the root.
    pub largest_area: f64,
}

/// The near field of a leaf.
#[derive(Clone, Copy, Debug)]
pub struct LeafNearField<'a> {
    /// The clusters, numbered among all levels.
    pub clusters: &'a [u32],
    /// The blocks of large triangles.
    pub blocks: &'a [Range<u32>],
}

/// The criteria of the subdivision.
pub struct OctreeSubdivision<'a> {
    pub clusters: &'a ClusterTree,
    /// The squared distance up to which a cluster is near, in boxes, by level.
    pub near_distance_squared: &'a [Vec<f64>],
    /// The areas of the clusters, in squares of the edge of the root, by level.
    pub areas: &'a [Vec<f64>],
    /// The domain as a range of positions, in edges of the root.
    pub domain: [Range<f64>; 3],
    pub finest: usize,
}

/// A target box that may still be divided.
struct PendingTargetBox {
    /// Index among the nodes, and among the boxes of its level.
    node: u32,
    target_box: u32,
    cell: [i32; 3],
    /// The clusters of its level near it.
    near_clusters: Vec<u32>,
    /// The blocks of larger triangles, or of clusters that are not divided.
    direct_blocks: Vec<Range<u32>>,
}

/// A child of a target box.
struct ChildTargetBox {
    cell: [i32; 3],
    octant: usize,
    near_clusters: Vec<u32>,
    pairs: Vec<FarFieldPair>,
}

impl TargetOctree {
    /// Returns whether any cluster is far from any target box.
    pub fn has_far_field(&self) -> bool {
        self.levels.iter().any(|level| !level.pairs.is_empty())
    }

    /// Divides the domain.
    pub fn new(division: &OctreeSubdivision<'_>) -> Self {
        let mut tree = TargetOctree {
            levels: vec![TargetLevel::default()],
            leaves: TargetLeaves {
                nodes: vec![TargetOctreeNode { children: NONE, leaf: NONE }],
                ends: Vec::new(),
                clusters: Vec::new(),
                level_offsets: division.clusters.level_offsets(),
                blocks: Vec::new(),
                largest_area: 0.0,
            },
        };
        let root = TargetBox { cell: [0; 3], parent: NONE, pairs: 0..0, leaf: NONE };
        tree.levels[0].boxes.push(root);
        let first = PendingTargetBox {
            node: 0,
            target_box: 0,
            cell: [0; 3],
            near_clusters: vec![0],
            direct_blocks: Vec::new(),
        };
        let mut fronts = vec![first];
        for level in 0.. {
            let mut next = Vec::new();
            tree.levels.push(TargetLevel::default());
            for front in fronts {
                match division.children(level, &front) {
                    Some(children) => tree.subdivide(level, &front, children, division, &mut next),
                    None => tree.finish_leaf(level, front, division),
                }
            }
            if next.is_empty() {
                tree.levels.pop();
                break;
            }
            fronts = next;
        }
        tree
    }

    fn subdivide(
        &mut self,
        level: usize,
        front: &PendingTargetBox,
        children: Vec<ChildTargetBox>,
        division: &OctreeSubdivision<'_>,
        next: &mut Vec<PendingTargetBox>,
    ) {
        let nodes = &mut self.leaves.nodes;
        let first = nodes.len() as u32;
        nodes[front.node as usize].children = first;
        // All eight children in a row, so that a point finds its child by its octant alone.
        nodes.resize(nodes.len() + 8, TargetOctreeNode { children: NONE, leaf: NONE });
        let mut direct = front.direct_blocks.clone();
        for cluster in division.clusters_of(level, &front.near_clusters) {
            if cluster.own_blocks > 0 {
                direct.push(cluster.blocks.start..cluster.blocks.start + cluster.own_blocks);
            }
        }
        let below = &mut self.levels[level + 1];
        for child in children {
            let start = below.pairs.len() as u32;
            below.pairs.extend(child.pairs);
            let pairs = start..below.pairs.len() as u32;
            let place = below.boxes.len() as u32;
            below.boxes.push(TargetBox {
                cell: child.cell,
                parent: front.target_box,
                pairs,
                leaf: NONE,
            });
            let node = first + child.octant as u32;
            let (cell, near, direct) = (child.cell, child.near_clusters, direct.clone());
            next.push(PendingTargetBox {
                node,
                target_box: place,
                cell,
                near_clusters: near,
                direct_blocks: direct,
            });
        }
    }

    fn finish_leaf(
        &mut self,
        level: usize,
        front: PendingTargetBox,
        division: &OctreeSubdivision<'_>,
    ) {
        let leaves = &mut self.leaves;
        let leaf = leaves.ends.len() as u32;
        leaves.nodes[front.node as usize].leaf = leaf;
        self.levels[level].boxes[front.target_box as usize].leaf = leaf;
        let mut ranges = front.direct_blocks;
        // Ascending, so that the sums over blocks have one order.
        ranges.sort_unstable_by_key(|range| range.start);
        leaves.blocks.extend(ranges);
        let first = leaves.level_offsets[level];
        leaves.clusters.extend(front.near_clusters.iter().map(|cluster| first + cluster));
        leaves.ends.push([leaves.clusters.len() as u32, leaves.blocks.len() as u32]);
        let area: f64 =
            front.near_clusters.iter().map(|&one| division.areas[level][one as usize]).sum();
        leaves.largest_area = leaves.largest_area.max(area);
    }
}

impl TargetLeaves {
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the near field of a leaf.
    #[inline(always)]
    pub fn near_field(&self, leaf: u32) -> LeafNearField<'_> {
        let start = if leaf == 0 { [0; 2] } else { self.ends[leaf as usize - 1] };
        let end = self.ends[leaf as usize];
        LeafNearField {
            clusters: &self.clusters[start[0] as usize..end[0] as usize],
            blocks: &self.blocks[start[1] as usize..end[1] as usize],
        }
    }

    pub fn bytes(&self) -> usize {
        size_of::<TargetOctreeNode>() * self.nodes.capacity()
            + size_of::<[u32; 2]>() * self.ends.capacity()
            + size_of::<u32>() * (self.clusters.capacity() + self.level_offsets.capacity())
            + size_of::<Range<u32>>() * self.blocks.capacity()
    }
}

impl OctreeSubdivision<'_> {
    fn clusters_of<'a>(
        &'a self,
        level: usize,
        near: &'a [u32],
    ) -> impl Iterator<Item = &'a Cluster> {
        near.iter().map(move |&cluster| &self.clusters.levels[level][cluster as usize])
    }

    /// Returns the children of a box, unless it need not be divided.
    fn children(&self, level: usize, front: &PendingTargetBox) -> Option<Vec<ChildTargetBox>> {
        let near = || self.clusters_of(level, &front.near_clusters);
        let triangles: u32 = near().map(|cluster| cluster.triangles).sum();
        let divisible = near().any(|cluster| !cluster.children.is_empty());
        let divide = divisible && level < self.finest && triangles > MAX_LEAF_TRIANGLES;
        divide.then(|| (0..8).filter_map(|octant| self.child(level, front, octant)).collect())
    }

    /// Returns a child with its far and near field, unless it is outside of the domain.
    fn child(
        &self,
        level: usize,
        front: &PendingTargetBox,
        octant: usize,
    ) -> Option<ChildTargetBox> {
        let cell = [0, 1, 2].map(|axis| front.cell[axis] * 2 + (octant >> axis & 1) as i32);
        let edge = 1.0 / (1u64 << (level + 1)) as f64;
        let outside = |axis: usize| {
            let low = f64::from(cell[axis]) * edge;
            low > self.domain[axis].end || low + edge < self.domain[axis].start
        };
        if (0..3).any(outside) {
            return None;
        }
        let mut child =
            ChildTargetBox { cell, octant, near_clusters: Vec::new(), pairs: Vec::new() };
        for cluster in self.clusters_of(level, &front.near_clusters) {
            for number in cluster.children.clone() {
                let from = self.clusters.levels[level + 1][number as usize].cell;
                let step = [0, 1, 2].map(|axis| cell[axis] - from[axis]);
                let square: i32 = step.iter().map(|step| step * step).sum();
                if f64::from(square) > self.near_distance_squared[level + 1][number as usize] {
                    let step = step.map(|step| step as i8);
                    child.pairs.push(FarFieldPair { cluster: number, offset: step });
                } else {
                    child.near_clusters.push(number);
                }
            }
        }
        Some(child)
    }
}

/// Returns the squared distance up to which a cluster of this radius is near, in boxes: equation 16.
pub fn near_distance_squared(separation: f64, radius: f64) -> f64 {
    ((separation + 1.0) * radius.max(HALF_DIAGONAL)).powi(2)
}
