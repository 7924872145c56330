//! The boxes of points, and which clusters are far from them and near: equation 16.
//!
//! A place is divided until few triangles are near. Only clusters near a father are looked at for its
//! sons, so that the triangles near a father hold those near its sons.

use super::tree::{Cluster, ClusterTree, HALF_DIAGONAL};
use std::ops::Range;

/// No place or no expansion.
pub const NONE: u32 = u32::MAX;

/// A place with so few triangles near is not divided.
const FEW_NEAR: u32 = 32;

/// A cluster and a place far from each other whose fathers are not.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The cluster on the level of the place.
    pub cluster: u32,
    /// From its box to the place's, in boxes.
    pub step: [i8; 3],
}

/// A box of points while the tree is made.
#[derive(Clone, Debug)]
pub struct Place {
    pub cell: [i32; 3],
    /// Its father on the level above.
    pub father: u32,
    /// What is far from it, but not from its father, among the pairs of its level.
    pub pairs: Range<u32>,
    /// Which leaf it is, if it has no sons.
    pub leaf: u32,
}

/// The places of one size.
#[derive(Clone, Debug, Default)]
pub struct PlaceLevel {
    pub places: Vec<Place>,
    pub pairs: Vec<Pair>,
}

/// Where to go from a place to find a point.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The first of its eight sons, if it has some.
    pub sons: u32,
    /// Which leaf it is, if it has no sons; none if it is out of the domain.
    pub leaf: u32,
}

/// All places, as expansions are made of them.
#[derive(Clone, Debug)]
pub struct PlaceTree {
    pub levels: Vec<PlaceLevel>,
    pub leaves: Leaves,
}

/// The places that are not divided, as points look for them.
#[derive(Clone, Debug)]
pub struct Leaves {
    pub nodes: Vec<Node>,
    /// For each leaf, the ends of its parts of `clusters` and `blocks`.
    ends: Vec<[u32; 2]>,
    /// Clusters near each leaf, on its level ...
    clusters: Vec<u32>,
    /// ... their numbers there becoming numbers among all by these: the first of each level.
    firsts: Vec<u32>,
    /// Blocks of the triangles near each leaf that are too large for its level.
    blocks: Vec<Range<u32>>,
    /// The largest area near a leaf, blocks left out, in squares of the edge of the root.
    pub largest_area: f64,
}

/// What is near a leaf.
#[derive(Clone, Copy, Debug)]
pub struct NearLeaf<'a> {
    /// Clusters, by their numbers among all.
    pub clusters: &'a [u32],
    /// Blocks of large triangles.
    pub blocks: &'a [Range<u32>],
}

/// What decides how space is divided.
pub struct Division<'a> {
    pub clusters: &'a ClusterTree,
    /// How far from its middle a cluster is still near, squared, in boxes: by level.
    pub reach: &'a [Vec<f64>],
    /// The areas of clusters, in squares of the edge of the root: by level.
    pub areas: &'a [Vec<f64>],
    /// The domain as a range of positions, in edges of the root.
    pub domain: [Range<f64>; 3],
    pub finest: usize,
}

/// A place that may be divided yet.
struct Front {
    /// Its number in the nodes, and on its level.
    node: u32,
    place: u32,
    cell: [i32; 3],
    /// Clusters of its level near it.
    near: Vec<u32>,
    /// Blocks of larger triangles, or of clusters that are not divided.
    direct: Vec<Range<u32>>,
}

/// A place to be.
struct Son {
    cell: [i32; 3],
    octant: usize,
    near: Vec<u32>,
    pairs: Vec<Pair>,
}

impl PlaceTree {
    /// Whether anything is far from any place.
    pub fn has_pairs(&self) -> bool {
        self.levels.iter().any(|level| !level.pairs.is_empty())
    }

    /// Divides the domain.
    pub fn new(division: &Division<'_>) -> Self {
        let mut tree = PlaceTree {
            levels: vec![PlaceLevel::default()],
            leaves: Leaves {
                nodes: vec![Node { sons: NONE, leaf: NONE }],
                ends: Vec::new(),
                clusters: Vec::new(),
                firsts: division.clusters.firsts(),
                blocks: Vec::new(),
                largest_area: 0.0,
            },
        };
        let root = Place { cell: [0; 3], father: NONE, pairs: 0..0, leaf: NONE };
        tree.levels[0].places.push(root);
        let first = Front { node: 0, place: 0, cell: [0; 3], near: vec![0], direct: Vec::new() };
        let mut fronts = vec![first];
        for level in 0.. {
            let mut next = Vec::new();
            tree.levels.push(PlaceLevel::default());
            for front in fronts {
                match division.sons(level, &front) {
                    Some(sons) => tree.divide(level, &front, sons, division, &mut next),
                    None => tree.finish(level, front, division),
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

    fn divide(
        &mut self,
        level: usize,
        front: &Front,
        sons: Vec<Son>,
        division: &Division<'_>,
        next: &mut Vec<Front>,
    ) {
        let nodes = &mut self.leaves.nodes;
        let first = nodes.len() as u32;
        nodes[front.node as usize].sons = first;
        nodes.resize(nodes.len() + 8, Node { sons: NONE, leaf: NONE });
        let mut direct = front.direct.clone();
        for cluster in division.clusters_of(level, &front.near) {
            if cluster.own > 0 {
                direct.push(cluster.blocks.start..cluster.blocks.start + cluster.own);
            }
        }
        let below = &mut self.levels[level + 1];
        for son in sons {
            let start = below.pairs.len() as u32;
            below.pairs.extend(son.pairs);
            let pairs = start..below.pairs.len() as u32;
            let place = below.places.len() as u32;
            below.places.push(Place { cell: son.cell, father: front.place, pairs, leaf: NONE });
            let node = first + son.octant as u32;
            let (cell, near, direct) = (son.cell, son.near, direct.clone());
            next.push(Front { node, place, cell, near, direct });
        }
    }

    fn finish(&mut self, level: usize, front: Front, division: &Division<'_>) {
        let leaves = &mut self.leaves;
        let leaf = leaves.ends.len() as u32;
        leaves.nodes[front.node as usize].leaf = leaf;
        self.levels[level].places[front.place as usize].leaf = leaf;
        let mut ranges = front.direct;
        ranges.sort_unstable_by_key(|range| range.start);
        leaves.blocks.extend(ranges);
        let first = leaves.firsts[level];
        leaves.clusters.extend(front.near.iter().map(|cluster| first + cluster));
        leaves.ends.push([leaves.clusters.len() as u32, leaves.blocks.len() as u32]);
        let area: f64 = front.near.iter().map(|&one| division.areas[level][one as usize]).sum();
        leaves.largest_area = leaves.largest_area.max(area);
    }
}

impl Leaves {
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// What is near a leaf.
    #[inline(always)]
    pub fn near(&self, leaf: u32) -> NearLeaf<'_> {
        let start = if leaf == 0 { [0; 2] } else { self.ends[leaf as usize - 1] };
        let end = self.ends[leaf as usize];
        NearLeaf {
            clusters: &self.clusters[start[0] as usize..end[0] as usize],
            blocks: &self.blocks[start[1] as usize..end[1] as usize],
        }
    }

    pub fn bytes(&self) -> usize {
        size_of::<Node>() * self.nodes.capacity()
            + size_of::<[u32; 2]>() * self.ends.capacity()
            + size_of::<u32>() * (self.clusters.capacity() + self.firsts.capacity())
            + size_of::<Range<u32>>() * self.blocks.capacity()
    }
}

impl Division<'_> {
    fn clusters_of<'a>(
        &'a self,
        level: usize,
        near: &'a [u32],
    ) -> impl Iterator<Item = &'a Cluster> {
        near.iter().map(move |&cluster| &self.clusters.levels[level][cluster as usize])
    }

    /// The sons of a place, unless it need not be divided.
    fn sons(&self, level: usize, front: &Front) -> Option<Vec<Son>> {
        let near = || self.clusters_of(level, &front.near);
        let triangles: u32 = near().map(|cluster| cluster.triangles).sum();
        let divisible = near().any(|cluster| !cluster.sons.is_empty());
        let divide = divisible && level < self.finest && triangles > FEW_NEAR;
        divide.then(|| (0..8).filter_map(|octant| self.son(level, front, octant)).collect())
    }

    /// A son with what is far from it and near, unless it is out of the domain.
    fn son(&self, level: usize, front: &Front, octant: usize) -> Option<Son> {
        let cell = [0, 1, 2].map(|axis| front.cell[axis] * 2 + (octant >> axis & 1) as i32);
        let edge = 1.0 / (1u64 << (level + 1)) as f64;
        let outside = |axis: usize| {
            let low = f64::from(cell[axis]) * edge;
            low > self.domain[axis].end || low + edge < self.domain[axis].start
        };
        if (0..3).any(outside) {
            return None;
        }
        let mut son = Son { cell, octant, near: Vec::new(), pairs: Vec::new() };
        for cluster in self.clusters_of(level, &front.near) {
            for number in cluster.sons.clone() {
                let from = self.clusters.levels[level + 1][number as usize].cell;
                let step = [0, 1, 2].map(|axis| cell[axis] - from[axis]);
                let square: i32 = step.iter().map(|step| step * step).sum();
                if f64::from(square) > self.reach[level + 1][number as usize] {
                    let step = step.map(|step| step as i8);
                    son.pairs.push(Pair { cluster: number, step });
                } else {
                    son.near.push(number);
                }
            }
        }
        Some(son)
    }
}

/// How far from its middle a cluster of this radius is near, squared, in boxes: equation 16.
pub fn reach(separation: f64, radius: f64) -> f64 {
    ((separation + 1.0) * radius.max(HALF_DIAGONAL)).powi(2)
}
