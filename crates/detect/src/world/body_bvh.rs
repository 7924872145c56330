//! A bounding volume hierarchy over the boxes of bodies, which are inserted, moved and removed.
//!
//! It is a tree over bodies in the order of a Hilbert curve, as it was when the tree was last built. A body that moves
//! keeps its leaf, whose box and those above it are refitted. Bodies inserted since are in a list beside the tree.
//! The tree is rebuilt when that list has become long, or when motion has made its boxes much larger.

use crate::aabb_tree::{AabbTree, hilbert_order};
use carom_geometry::{Aabb, Vector};

#[derive(Clone, Debug, Default)]
pub(super) struct BodyBvh {
    /// The box of each body; the empty one of bodies that were removed.
    boxes: Vec<Aabb<3>>,
    /// The tree; `None` without bodies.
    tree: Option<AabbTree>,
    /// The bodies in the order of the tree.
    order: Vec<u32>,
    /// The place of each body in that order; `UNPLACED` if it is not in the tree.
    places: Vec<u32>,
    /// The bodies that are not in the tree, ascending.
    recent: Vec<u32>,
    /// The size of the tree when it was built.
    built_size: f64,
    /// The bodies moved or removed since the size of the tree was last looked at.
    changes: usize,
}

/// The number of bodies in a leaf.
const BODIES_PER_LEAF: usize = 2;
/// The tree is rebuilt when more bodies than this, and than a quarter of it, are not in it.
const FEWEST_RECENT: usize = 16;
/// The tree is rebuilt when its boxes are larger by this factor than when it was built: queries take about as much
/// longer, and building costs about as much as refitting some dozens of times.
const LARGEST_GROWTH: f64 = 1.5;
/// The place of a body that is not in the tree.
const UNPLACED: u32 = u32::MAX;

impl BodyBvh {
    pub(super) fn bounds(&self, body: u32) -> &Aabb<3> {
        &self.boxes[body as usize]
    }

    /// Returns the box around all bodies, the empty one if there are none.
    pub(super) fn all_bounds(&self) -> Aabb<3> {
        let tree = self.tree.as_ref().map_or_else(Aabb::empty, AabbTree::bounds);
        self.recent.iter().fold(tree, |all, &body| all.union(self.bounds(body)))
    }

    /// Inserts the next body, whose number is the number of bodies so far.
    pub(super) fn push(&mut self, bounds: Aabb<3>) {
        self.recent.push(self.boxes.len() as u32);
        self.places.push(UNPLACED);
        self.boxes.push(bounds);
        if self.recent.len() > FEWEST_RECENT.max(self.order.len() / 4) {
            self.rebuild();
        }
    }

    /// Replaces the box of a body; the empty box removes it.
    pub(super) fn set(&mut self, body: u32, bounds: Aabb<3>) {
        self.boxes[body as usize] = bounds;
        let place = self.places[body as usize];
        if place != UNPLACED {
            let leaf = place as usize / BODIES_PER_LEAF;
            let bounds = leaf_bounds(&self.order, &self.boxes, leaf);
            if let Some(tree) = &mut self.tree {
                tree.refit_leaf(leaf, bounds);
            }
        }
        self.rebuild_if_decayed(1);
    }

    /// Replaces the boxes of bodies, each with its number.
    pub(super) fn set_many(&mut self, moved: impl ExactSizeIterator<Item = (u32, Aabb<3>)>) {
        let count = moved.len();
        // The paths of few bodies are shorter than the whole tree.
        if count * 16 < self.order.len() {
            moved.for_each(|(body, bounds)| self.set(body, bounds));
            return;
        }
        for (body, bounds) in moved {
            self.boxes[body as usize] = bounds;
        }
        if let Some(tree) = &mut self.tree {
            tree.refit(|leaf| leaf_bounds(&self.order, &self.boxes, leaf));
        }
        self.rebuild_if_decayed(count);
    }

    /// Looks at the size of the tree once as many bodies have changed as it has, so that this costs little per body.
    fn rebuild_if_decayed(&mut self, changed: usize) {
        self.changes += changed;
        if self.changes < self.order.len() {
            return;
        }
        self.changes = 0;
        if self
            .tree
            .as_ref()
            .is_some_and(|tree| tree.total_size() > LARGEST_GROWTH * self.built_size)
            || self.order.iter().filter(|&&body| is_empty(self.bounds(body))).count() * 2
                > self.order.len()
        {
            self.rebuild();
        }
    }

    fn rebuild(&mut self) {
        let live: Vec<u32> =
            (0..self.boxes.len() as u32).filter(|&body| !is_empty(self.bounds(body))).collect();
        let all = live.iter().fold(Aabb::empty(), |all, &body| all.union(self.bounds(body)));
        let from_low = |index: usize| {
            let bounds = self.bounds(live[index]);
            (bounds.low - all.low) / 2.0 + (bounds.high - all.low) / 2.0
        };
        let order = hilbert_order(live.len(), &all, from_low);
        self.order = order.into_iter().map(|index| live[index as usize]).collect();
        self.places.fill(UNPLACED);
        for (place, &body) in (0..).zip(&self.order) {
            self.places[body as usize] = place;
        }
        let leaves = 0..self.order.len().div_ceil(BODIES_PER_LEAF);
        let boxes = leaves.map(|leaf| leaf_bounds(&self.order, &self.boxes, leaf)).collect();
        self.tree = (!self.order.is_empty()).then(|| AabbTree::new(boxes));
        self.built_size = self.tree.as_ref().map_or(0.0, AabbTree::total_size);
        self.recent.clear();
        self.changes = 0;
    }

    /// Calls `visit` with every body whose box is wanted, in no particular order.
    pub(super) fn visit(&self, wanted: impl Fn(&Aabb<3>) -> bool, mut visit: impl FnMut(u32)) {
        let wanted = |bounds: &Aabb<3>| !is_empty(bounds) && wanted(bounds);
        let mut visit_some = |bodies: &[u32]| {
            bodies.iter().filter(|&&body| wanted(self.bounds(body))).for_each(|&body| visit(body));
        };
        visit_some(&self.recent);
        if let Some(tree) = &self.tree {
            tree.visit(wanted, |leaf| {
                visit_some(bodies_of_leaf(&self.order, leaf));
                true
            });
        }
    }

    /// Calls `visit` with bodies, near ones first, as long as the bound on a box is less than the limit that the last
    /// call returned.
    pub(super) fn visit_nearest_first(
        &self,
        limit: f64,
        bound: impl Fn(&Aabb<3>) -> f64,
        mut visit: impl FnMut(u32) -> f64,
    ) {
        let bound = |bounds: &Aabb<3>| if is_empty(bounds) { f64::INFINITY } else { bound(bounds) };
        let mut limit = limit;
        let mut visit_some = |bodies: &[u32]| {
            for &body in bodies {
                if bound(self.bounds(body)) < limit {
                    limit = visit(body);
                }
            }
            limit
        };
        let limit = visit_some(&self.recent);
        if let Some(tree) = &self.tree {
            tree.visit_nearest_first(limit, bound, |leaf| {
                visit_some(bodies_of_leaf(&self.order, leaf))
            });
        }
    }
}

fn bodies_of_leaf(order: &[u32], leaf: usize) -> &[u32] {
    let first = BODIES_PER_LEAF * leaf;
    &order[first..(first + BODIES_PER_LEAF).min(order.len())]
}

fn leaf_bounds(order: &[u32], boxes: &[Aabb<3>], leaf: usize) -> Aabb<3> {
    let bodies = bodies_of_leaf(order, leaf);
    bodies.iter().fold(Aabb::empty(), |all, &body| all.union(&boxes[body as usize]))
}

fn is_empty(bounds: &Aabb<3>) -> bool {
    bounds.low.x > bounds.high.x
}

/// Returns the signed distance of a point from a box, a lower bound on that from anything in the box.
pub(super) fn signed_distance(bounds: &Aabb<3>, point: &Vector<3>) -> f64 {
    let outside = (bounds.low - point).sup(&(point - bounds.high));
    let deepest = outside.max();
    if deepest <= 0.0 { deepest } else { outside.sup(&Vector::zeros()).norm() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::random::SplitMix64;

    fn cube(random: &mut SplitMix64) -> Aabb<3> {
        let low = Vector::from_fn(|_, _| 100.0 * random.uniform());
        Aabb { low, high: low.add_scalar(1.0) }
    }

    /// The boxes above every body contain it, and every body is found once.
    fn check(bvh: &BodyBvh) {
        let mut found = Vec::new();
        bvh.visit(|_| true, |body| found.push(body));
        found.sort_unstable();
        let live = 0..bvh.boxes.len() as u32;
        let live: Vec<u32> = live.filter(|&body| !is_empty(bvh.bounds(body))).collect();
        assert_eq!(found, live);
        for &body in &live {
            let middle = (bvh.bounds(body).low + bvh.bounds(body).high) / 2.0;
            let mut is_there = false;
            bvh.visit(|bounds| bounds.contains(&middle), |other| is_there |= other == body);
            assert!(is_there, "body {body}");
        }
    }

    #[test]
    fn bodies_are_found_after_insertion_motion_and_removal() {
        let mut random = SplitMix64::new(3);
        let mut bvh = BodyBvh::default();
        check(&bvh);
        for body in 0..200_u32 {
            bvh.push(cube(&mut random));
            if body % 3 == 0 {
                bvh.set(body / 2, cube(&mut random));
            }
            if body % 5 == 0 {
                bvh.set(body / 3, Aabb::empty());
            }
            check(&bvh);
        }
        let moved: Vec<_> = (0..150).map(|body| (body, cube(&mut random))).collect();
        bvh.set_many(moved.into_iter());
        check(&bvh);
        (0..200).for_each(|body| bvh.set(body, Aabb::empty()));
        check(&bvh);
        assert!(is_empty(&bvh.all_bounds()));
    }

    #[test]
    fn a_tree_that_motion_has_spoiled_is_rebuilt() {
        let mut random = SplitMix64::new(4);
        let mut bvh = BodyBvh::default();
        (0..1000).for_each(|_| bvh.push(cube(&mut random)));
        bvh.rebuild();
        let good = bvh.built_size;
        for _ in 0..3 {
            let moved: Vec<_> = (0..1000).map(|body| (body, cube(&mut random))).collect();
            bvh.set_many(moved.into_iter());
            let size = bvh.tree.as_ref().unwrap().total_size();
            assert!(size < 1.2 * good, "{size} after {good}");
        }
    }
}
