//! An octree of the triangles.
//!
//! A triangle belongs to the box that contains its centroid, at most as deep as a box whose edge is at least twice
//! the reach of the triangle from its centroid, so no cluster is much larger than its box, whatever the mesh.

use crate::inside::lanes::LANES;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::space_filling_curve::morton_index;
use carom_geometry::{Aabb, Vector};
use std::ops::Range;

/// The largest reach of a triangle from its centroid, in edges of its box.
const MAX_TRIANGLE_REACH: f64 = 0.5;
/// Half the diagonal of a box, in edges.
pub const HALF_DIAGONAL: f64 = 0.866_025_403_784_438_7;
/// The largest distance of a cluster's points from the center of its box, in edges.
pub const MAX_CLUSTER_RADIUS: f64 = HALF_DIAGONAL + MAX_TRIANGLE_REACH;
/// Clusters of this many triangles or fewer are not divided.
const MAX_LEAF_TRIANGLES: usize = 8;
/// The finest level allowed.
pub const MAX_LEVEL: usize = 16;

/// The root box, a cube around everything.
#[derive(Clone, Copy, Debug)]
pub struct OctreeRoot {
    pub low: [f64; 3],
    pub edge: f64,
}

impl OctreeRoot {
    /// Returns the smallest concentric cube around a box, slightly enlarged.
    pub fn around(bounds: &Aabb<3>) -> Self {
        // Slightly larger than the mesh, so that rounding puts no point outside of the root.
        let edge = bounds.size().max().max(f64::MIN_POSITIVE) * (1.0 + 1e-9);
        let low = (bounds.low + bounds.high) / 2.0 - Vector::repeat(edge / 2.0);
        OctreeRoot { low: low.into(), edge }
    }

    /// Returns the coordinates of a point in boxes of a level.
    #[inline(always)]
    pub fn coordinates_on_level(&self, level: usize, point: &[f64; 3]) -> [f64; 3] {
        let scale = (1u64 << level) as f64 / self.edge;
        [0, 1, 2].map(|axis| (point[axis] - self.low[axis]) * scale)
    }

    /// Returns the box of a level that contains a point; the nearest one if the point is outside.
    pub fn box_containing(&self, level: usize, point: &[f64; 3]) -> [i32; 3] {
        let last = (1i32 << level) - 1;
        self.coordinates_on_level(level, point).map(|x| (x as i32).clamp(0, last))
    }

    /// Returns the edge of a box of a level.
    pub fn edge_on_level(&self, level: usize) -> f64 {
        self.edge / (1u64 << level) as f64
    }

    /// Returns the center of a box.
    pub fn box_center(&self, level: usize, cell: [i32; 3]) -> [f64; 3] {
        let edge = self.edge_on_level(level);
        [0, 1, 2].map(|axis| self.low[axis] + (f64::from(cell[axis]) + 0.5) * edge)
    }
}

/// The triangles of a box.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    pub cell: [i32; 3],
    /// The number of triangles that the cluster holds.
    pub triangles: u32,
    /// The blocks of its triangles, first those that are in none of its children.
    pub blocks: Range<u32>,
    /// The number of blocks that are in none of its children.
    pub own_blocks: u32,
    /// The child clusters on the next level.
    pub children: Range<u32>,
}

/// An octree of clusters.
#[derive(Clone, Debug)]
pub struct ClusterTree {
    pub root: OctreeRoot,
    /// The clusters by level, each level in the order of a space-filling curve.
    pub levels: Vec<Vec<Cluster>>,
    /// The triangles in the order of the blocks; each group begins a new block.
    pub groups: Vec<Vec<u32>>,
}

/// A triangle with its sort key.
#[derive(Clone, Copy)]
struct ClusterMember {
    /// The Morton path from the root to its cluster, three bits for each level, then zeros; then its level.
    key: u64,
    triangle: u32,
}

/// The number of bits of a level.
const LEVEL_BITS: u32 = 5;
/// The number of bits sorted in one pass of the radix sort.
const DIGIT_BITS: u32 = 11;

impl ClusterMember {
    fn level(&self) -> usize {
        (self.key & ((1 << LEVEL_BITS) - 1)) as usize
    }
}

/// Sorts by key; the sort is stable.
fn radix_sort(members: Vec<ClusterMember>) -> Vec<ClusterMember> {
    let largest = members.iter().fold(0, |largest, member| largest.max(member.key));
    let (mut sorted, mut other) = (members.clone(), members);
    for shift in (0..64 - largest.leading_zeros()).step_by(DIGIT_BITS as usize) {
        let digit =
            |member: &ClusterMember| (member.key >> shift) as usize & ((1 << DIGIT_BITS) - 1);
        let mut starts = vec![0u32; (1 << DIGIT_BITS) + 1];
        sorted.iter().for_each(|member| starts[digit(member) + 1] += 1);
        for digit in 1..starts.len() {
            starts[digit] += starts[digit - 1];
        }
        for member in &sorted {
            let next = &mut starts[digit(member)];
            other[*next as usize] = *member;
            *next += 1;
        }
        std::mem::swap(&mut sorted, &mut other);
    }
    sorted
}

impl ClusterTree {
    /// Builds the tree of the triangles of a mesh, multiplied by `scale`, down to the level `finest`.
    pub fn new(mesh: &TriangleMesh, scale: f64, root: OctreeRoot, finest: usize) -> Self {
        let finest = finest.min(MAX_LEVEL);
        let corners = |triangle: usize| mesh.corners(triangle).map(|corner| corner * scale);
        let member = |triangle: usize| {
            let [a, b, c] = corners(triangle);
            let middle = (a + b + c) / 3.0;
            let reach =
                [a, b, c].iter().fold(0.0, |most: f64, corner| most.max((corner - middle).norm()));
            let fits = |level: &usize| reach <= MAX_TRIANGLE_REACH * root.edge_on_level(*level);
            // The finest level on which the triangle does not reach far out of its box: expansions converge outside
            // of `MAX_CLUSTER_RADIUS`.
            let level = (0..=finest).take_while(fits).last().unwrap_or(0);
            let path = morton_path(level, root.box_containing(level, &middle.into()))
                << (3 * (finest - level));
            ClusterMember { key: path << LEVEL_BITS | level as u64, triangle: triangle as u32 }
        };
        let members = radix_sort((0..mesh.triangles().len()).map(member).collect());
        let levels = vec![Vec::new(); finest + 1];
        let mut tree = ClusterTree { root, levels, groups: Vec::new() };
        tree.add_cluster(0, [0; 3], &members, &mut 0);
        while tree.levels.last().is_some_and(Vec::is_empty) {
            tree.levels.pop();
        }
        tree
    }

    /// Returns the number of clusters on the levels above each level; the last entry counts all.
    pub fn level_offsets(&self) -> Vec<u32> {
        let mut firsts = vec![0];
        for level in &self.levels {
            firsts.push(firsts[firsts.len() - 1] + level.len() as u32);
        }
        firsts
    }

    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| size_of::<Cluster>() * level.capacity()).sum()
    }

    /// Adds the cluster of these triangles and all below it.
    fn add_cluster(
        &mut self,
        level: usize,
        cell: [i32; 3],
        members: &[ClusterMember],
        blocks: &mut u32,
    ) {
        let finest = self.levels.len() - 1;
        let stays = |member: &ClusterMember| level == finest || member.level() == level;
        let few = members.len() <= MAX_LEAF_TRIANGLES;
        let own = members.iter().take_while(|member| few || stays(member)).count();
        let (own, rest) = members.split_at(own);
        let first = *blocks;
        if !own.is_empty() {
            self.groups.push(own.iter().map(|member| member.triangle).collect());
            *blocks += own.len().div_ceil(LANES) as u32;
        }
        let place = self.levels[level].len();
        let own = *blocks - first;
        let triangles = members.len() as u32;
        self.levels[level].push(Cluster { cell, triangles, own_blocks: own, ..Cluster::default() });
        let first_child = self.levels.get(level + 1).map_or(0, Vec::len) as u32;
        if !rest.is_empty() {
            let octant = |member: &ClusterMember| {
                (member.key >> (LEVEL_BITS as usize + 3 * (finest - level - 1)) & 7) as usize
            };
            for child in rest.chunk_by(|a, b| octant(a) == octant(b)) {
                let bits = octant(&child[0]);
                let cell = [0, 1, 2].map(|axis| cell[axis] * 2 + (bits >> axis & 1) as i32);
                self.add_cluster(level + 1, cell, child, blocks);
            }
        }
        let child_end = self.levels.get(level + 1).map_or(0, Vec::len) as u32;
        let cluster = &mut self.levels[level][place];
        cluster.blocks = first..*blocks;
        cluster.children = first_child..child_end;
    }
}

/// Returns the Morton path of a cell: three bits for each level, coarse levels first; the bit of the first axis is
/// the lowest.
fn morton_path(level: usize, [x, y, z]: [i32; 3]) -> u64 {
    morton_index([z, y, x].map(|coordinate| coordinate as u32 & ((1 << level) - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::octahedron_sphere as sphere;

    #[test]
    fn every_triangle_is_in_one_group_and_children_share_their_parents_blocks() {
        let mesh = sphere(4);
        let tree = ClusterTree::new(&mesh, 1.0, OctreeRoot::around(&mesh.bounds()), 3);
        let mut all: Vec<u32> = tree.groups.concat();
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..mesh.triangles().len() as u32));
        assert_eq!(tree.levels.len(), 4);
        for level in 0..3 {
            for cluster in &tree.levels[level] {
                let mut next = cluster.blocks.start + cluster.own_blocks;
                for child in &tree.levels[level + 1]
                    [cluster.children.start as usize..cluster.children.end as usize]
                {
                    assert_eq!(child.blocks.start, next);
                    assert_eq!(child.cell.map(|x| x / 2), cluster.cell);
                    next = child.blocks.end;
                }
                assert_eq!(next, cluster.blocks.end);
            }
        }
    }

    #[test]
    fn large_triangles_stay_with_large_boxes() {
        let coarse = sphere(0);
        let tree = ClusterTree::new(&coarse, 1.0, OctreeRoot::around(&coarse.bounds()), 6);
        assert_eq!(tree.levels.len(), 1);
    }
}
