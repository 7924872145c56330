//! A binary tree of boxes above leaves in a given order, stored level by level.

use carom_geometry::space_filling_curve::{CELLS_PER_AXIS, hilbert_index, indices_by_key};
use carom_geometry::{Aabb, Vector, math};

/// The boxes of each level: around the leaves, around pairs of these, and so on up to the root.
///
/// There is at least one leaf. Which boxes a node is around follows from its number, so no links are stored.
#[derive(Clone, Debug)]
pub(crate) struct AabbTree {
    levels: Vec<Vec<Aabb<3>>>,
}

/// A node by its level, counted from the leaves, and its number within the level.
pub(crate) type AabbTreeNode = (usize, usize);

impl AabbTree {
    /// Builds the tree above the boxes of leaves, which should be in an order that keeps neighbors together.
    pub(crate) fn new(leaves: Vec<Aabb<3>>) -> Self {
        let mut levels = vec![leaves];
        while let Some(last) = levels.last().filter(|level| level.len() > 1) {
            levels.push(last.chunks(2).map(enclosing_box).collect());
        }
        AabbTree { levels }
    }

    /// Returns the box around everything.
    pub(crate) fn bounds(&self) -> Aabb<3> {
        *self.aabb(self.root())
    }

    pub(crate) fn root(&self) -> AabbTreeNode {
        (self.levels.len() - 1, 0)
    }

    #[inline(always)]
    pub(crate) fn aabb(&self, (level, number): AabbTreeNode) -> &Aabb<3> {
        &self.levels[level][number]
    }

    /// Returns the children of a node above the leaves; the second is missing at the end of some levels.
    #[inline(always)]
    pub(crate) fn children(
        &self,
        (level, number): AabbTreeNode,
    ) -> (AabbTreeNode, Option<AabbTreeNode>) {
        let second = 2 * number + 1;
        let has_second = second < self.levels[level - 1].len();
        ((level - 1, 2 * number), has_second.then_some((level - 1, second)))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| size_of_val(&**level)).sum()
    }

    /// Calls `visit` with the number of every leaf whose box, and all boxes around it, are wanted, until it returns
    /// false.
    #[inline(always)]
    pub(crate) fn visit(
        &self,
        wanted: impl Fn(&Aabb<3>) -> bool,
        mut visit: impl FnMut(usize) -> bool,
    ) {
        let mut open = NodeStack::new(self.root());
        while let Some(node) = open.pop() {
            if !wanted(self.aabb(node)) {
                continue;
            }
            if node.0 > 0 {
                let (first, second) = self.children(node);
                if let Some(second) = second {
                    open.push(second);
                }
                open.push(first);
            } else if !visit(node.1) {
                return;
            }
        }
    }

    /// Calls `visit` with leaves, the nearer of two children first, as long as the bound on what is within their
    /// boxes is less than the limit that the last call returned.
    #[inline(always)]
    pub(crate) fn visit_nearest_first(
        &self,
        mut limit: f64,
        bound: impl Fn(&Aabb<3>) -> f64,
        mut visit: impl FnMut(usize) -> f64,
    ) {
        let mut open = NodeStack::new(self.root());
        while let Some(node) = open.pop() {
            if bound(self.aabb(node)) >= limit {
                continue;
            }
            if node.0 == 0 {
                limit = visit(node.1);
                continue;
            }
            // The nearer child is visited first, so that the farther one can mostly be skipped.
            let (mut near, far) = self.children(node);
            if let Some(mut far) = far {
                if bound(self.aabb(far)) < bound(self.aabb(near)) {
                    std::mem::swap(&mut near, &mut far);
                }
                open.push(far);
            }
            open.push(near);
        }
    }

    /// Replaces the box of a leaf, and those of the nodes above it.
    pub(crate) fn refit_leaf(&mut self, leaf: usize, bounds: Aabb<3>) {
        self.levels[0][leaf] = bounds;
        let mut number = leaf;
        for level in 1..self.levels.len() {
            number /= 2;
            self.levels[level][number] = self.enclosed(level, number);
        }
    }

    /// Replaces the boxes of all leaves, and those of the nodes above them.
    pub(crate) fn refit(&mut self, bounds: impl Fn(usize) -> Aabb<3>) {
        for (leaf, held) in self.levels[0].iter_mut().enumerate() {
            *held = bounds(leaf);
        }
        for level in 1..self.levels.len() {
            for number in 0..self.levels[level].len() {
                self.levels[level][number] = self.enclosed(level, number);
            }
        }
    }

    fn enclosed(&self, level: usize, number: usize) -> Aabb<3> {
        let below = &self.levels[level - 1];
        enclosing_box(&below[2 * number..(2 * number + 2).min(below.len())])
    }

    /// Returns the sum of the sizes of the boxes of all nodes, each the sum of its edge lengths: what a query has to
    /// look through grows with it.
    pub(crate) fn total_size(&self) -> f64 {
        self.levels.iter().flatten().map(|bounds| bounds.size().sum()).sum()
    }
}

/// Returns a power of two that scales lengths up to `longest` so that their fourth powers neither overflow nor
/// underflow; one for lengths in range already, and for values that are no lengths.
pub(crate) fn safe_scale(longest: f64) -> f64 {
    if longest == 0.0 || !longest.is_finite() || (1e-60..=1e60).contains(&longest) {
        1.0
    } else {
        math::exp2((-math::log2(longest)).round().clamp(-1000.0, 1000.0))
    }
}

/// Returns the indices of points in the order of a Hilbert curve; `from_low` is the point relative to the lowest
/// corner of the box around all.
pub(crate) fn hilbert_order(
    count: usize,
    bounds: &Aabb<3>,
    from_low: impl Fn(usize) -> Vector<3>,
) -> Vec<u32> {
    let scale = safe_scale(bounds.size().max());
    let per_size = bounds
        .size()
        .map(|size| f64::from(CELLS_PER_AXIS - 1) / (size * scale).max(f64::MIN_POSITIVE));
    indices_by_key(count, |index| {
        let point = from_low(index);
        let cell =
            |axis: usize| ((point[axis] * scale * per_size[axis]) as u32).min(CELLS_PER_AXIS - 1);
        hilbert_index([cell(0), cell(1), cell(2)])
    })
}

fn enclosing_box(boxes: &[Aabb<3>]) -> Aabb<3> {
    boxes.iter().fold(Aabb::empty(), |all, one| all.including(&one.low).including(&one.high))
}

/// The nodes yet to visit. A tree of 2^31 leaves has 32 levels, each with one node left over.
struct NodeStack {
    nodes: [AabbTreeNode; 34],
    count: usize,
}

impl NodeStack {
    fn new(root: AabbTreeNode) -> Self {
        NodeStack { nodes: [root; 34], count: 1 }
    }

    #[inline(always)]
    fn push(&mut self, node: AabbTreeNode) {
        self.nodes[self.count] = node;
        self.count += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<AabbTreeNode> {
        self.count = self.count.checked_sub(1)?;
        Some(self.nodes[self.count])
    }
}
