//! The balanced tree behind cell trees: the occupied cells in order, while cells fill and empty.

/// A balanced binary search tree in one array (AVL: the heights of siblings differ by one at most).
///
/// A key keeps its slot for as long as it is in the tree, so that arrays beside the tree can hold what
/// belongs to it. Slots are counted from 0; those of removed keys are reused by the next insertions.
/// Every operation takes O(log N) comparisons.
///
/// ```
/// use carom_detect::broad::AvlTree;
///
/// let mut tree = AvlTree::default();
/// assert_eq!((tree.insert("plum"), tree.insert("fig")), (0, 1));
/// assert_eq!(tree.remove(&"plum"), Some(0));
/// assert_eq!((tree.insert("pear"), tree.find(&"fig")), (0, Some(1)));
/// ```
#[derive(Debug)]
pub struct AvlTree<K> {
    nodes: Vec<AvlNode<K>>,
    root: u32,
    /// Number of keys in the tree.
    count: usize,
    /// First of the unused slots; the others are linked through their left child.
    free: u32,
}

#[derive(Debug)]
struct AvlNode<K> {
    key: K,
    children: [u32; 2],
    height: u32,
}

/// No child.
const NONE: u32 = u32::MAX;
const LEFT: usize = 0;
const RIGHT: usize = 1;

impl<K> Default for AvlTree<K> {
    fn default() -> Self {
        AvlTree { nodes: Vec::new(), root: NONE, count: 0, free: NONE }
    }
}

impl<K: Ord> AvlTree<K> {
    /// Removes all keys and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.root = NONE;
        self.count = 0;
        self.free = NONE;
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether the tree has no keys.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the height: the largest number of keys on a path from the root to a leaf.
    ///
    /// ```
    /// use carom_detect::broad::AvlTree;
    /// let mut tree = AvlTree::default();
    /// (0..1000).for_each(|key| { tree.insert(key); });
    /// // Adelson-Velsky and Landis: at most 1.44 times the height of a perfect tree, here 10.
    /// assert!((10..=14).contains(&tree.height()));
    /// ```
    pub fn height(&self) -> u32 {
        self.height_of(self.root)
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<AvlNode<K>>()
    }

    /// Returns the key in a slot; of an unused slot, the last that was there.
    pub fn key(&self, place: u32) -> &K {
        &self.nodes[place as usize].key
    }

    /// Returns the slot of `key`, if it is in the tree.
    pub fn find(&self, key: &K) -> Option<u32> {
        let mut place = self.root;
        while place != NONE {
            let node = &self.nodes[place as usize];
            place = match key.cmp(&node.key) {
                std::cmp::Ordering::Less => node.children[LEFT],
                std::cmp::Ordering::Greater => node.children[RIGHT],
                std::cmp::Ordering::Equal => return Some(place),
            };
        }
        None
    }

    /// Returns the slot of `key`, which is inserted if it is not in the tree.
    pub fn insert(&mut self, key: K) -> u32 {
        if let Some(place) = self.find(&key) {
            return place;
        }
        let place = self.allocate(AvlNode { key, children: [NONE; 2], height: 1 });
        self.count += 1;
        self.root = self.attach(self.root, place);
        place
    }

    /// Removes `key` and returns the slot it had, if it was in the tree.
    pub fn remove(&mut self, key: &K) -> Option<u32> {
        let place = self.find(key)?;
        self.root = self.detach(self.root, place);
        self.nodes[place as usize].children = [self.free, NONE];
        self.free = place;
        self.count -= 1;
        Some(place)
    }

    fn allocate(&mut self, node: AvlNode<K>) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let place = self.free;
        self.free = self.child(place, LEFT);
        self.nodes[place as usize] = node;
        place
    }

    /// Inserts the node `new` into the subtree of `top` and returns the subtree's root after balancing.
    fn attach(&mut self, top: u32, new: u32) -> u32 {
        if top == NONE {
            return new;
        }
        let side = usize::from(self.key(new) > self.key(top));
        let child = self.attach(self.child(top, side), new);
        self.nodes[top as usize].children[side] = child;
        self.balance(top)
    }

    /// Removes the node `gone` from the subtree of `top` and returns the subtree's root after balancing.
    /// Nodes are relinked rather than their keys moved, so that all others keep their slots.
    fn detach(&mut self, top: u32, gone: u32) -> u32 {
        if top != gone {
            let side = usize::from(self.key(gone) > self.key(top));
            let child = self.detach(self.child(top, side), gone);
            self.nodes[top as usize].children[side] = child;
            return self.balance(top);
        }
        match self.nodes[gone as usize].children {
            [NONE, only] | [only, NONE] => only,
            // The heir is the next node in order, so that the order is kept.
            [left, right] => {
                let (rest, heir) = self.detach_first(right);
                self.nodes[heir as usize].children = [left, rest];
                self.balance(heir)
            }
        }
    }

    /// Removes the least node of the subtree of `top`; returns the root of the rest, balanced, and that node.
    fn detach_first(&mut self, top: u32) -> (u32, u32) {
        let left = self.child(top, LEFT);
        if left == NONE {
            return (self.child(top, RIGHT), top);
        }
        let (rest, first) = self.detach_first(left);
        self.nodes[top as usize].children[LEFT] = rest;
        (self.balance(top), first)
    }

    fn balance(&mut self, top: u32) -> u32 {
        let heights = [LEFT, RIGHT].map(|side| self.height_of(self.child(top, side)));
        let heavy = if heights[LEFT] > heights[RIGHT] { LEFT } else { RIGHT };
        if heights[heavy] <= heights[1 - heavy] + 1 {
            self.update_height(top);
            return top;
        }
        let child = self.child(top, heavy);
        let outer = self.height_of(self.child(child, heavy));
        // The inner grandchild is higher: a double rotation.
        if self.height_of(self.child(child, 1 - heavy)) > outer {
            self.nodes[top as usize].children[heavy] = self.rotate(child, 1 - heavy);
        }
        self.rotate(top, heavy)
    }

    /// Rotates the child on `side` above its parent and returns it.
    fn rotate(&mut self, parent: u32, side: usize) -> u32 {
        let child = self.child(parent, side);
        self.nodes[parent as usize].children[side] = self.child(child, 1 - side);
        self.nodes[child as usize].children[1 - side] = parent;
        self.update_height(parent);
        self.update_height(child);
        child
    }

    fn child(&self, place: u32, side: usize) -> u32 {
        self.nodes[place as usize].children[side]
    }

    fn height_of(&self, place: u32) -> u32 {
        if place == NONE { 0 } else { self.nodes[place as usize].height }
    }

    fn update_height(&mut self, place: u32) {
        let heights = [LEFT, RIGHT].map(|side| self.height_of(self.child(place, side)));
        self.nodes[place as usize].height = 1 + heights[LEFT].max(heights[RIGHT]);
    }

    /// Verifies order, height and balance of every node, and that each slot is in use or free.
    pub fn check(&self) -> Result<(), String> {
        let mut previous = None;
        let visited = self.check_below(self.root, &mut previous)?;
        if visited != self.count {
            return Err(format!("{visited} of {} nodes hang in the tree", self.count));
        }
        let next = |&place: &u32| Some(self.child(place, LEFT)).filter(|&place| place != NONE);
        let first = Some(self.free).filter(|&place| place != NONE);
        let free = std::iter::successors(first, next).take(self.nodes.len() + 1).count();
        match visited + free == self.nodes.len() {
            true => Ok(()),
            false => Err(format!("{visited} used and {free} free of {} places", self.nodes.len())),
        }
    }

    fn check_below<'a>(&'a self, top: u32, previous: &mut Option<&'a K>) -> Result<usize, String> {
        if top == NONE {
            return Ok(0);
        }
        let left = self.check_below(self.child(top, LEFT), previous)?;
        if previous.replace(self.key(top)).is_some_and(|previous| previous >= self.key(top)) {
            return Err(format!("node {top} is out of order"));
        }
        let right = self.check_below(self.child(top, RIGHT), previous)?;
        let heights = [LEFT, RIGHT].map(|side| self.height_of(self.child(top, side)));
        if heights[LEFT].abs_diff(heights[RIGHT]) > 1 {
            return Err(format!("node {top} is out of balance"));
        }
        if self.height_of(top) != 1 + heights[LEFT].max(heights[RIGHT]) {
            return Err(format!("node {top} has a wrong height"));
        }
        Ok(left + right + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::random::SplitMix64;

    #[test]
    fn stays_balanced_for_ascending_descending_and_scrambled_keys() {
        let orders: [fn(u32) -> u32; 3] = [|i| i, |i| 999 - i, |i| i * 617 % 1000];
        for order in orders {
            let mut tree = AvlTree::default();
            for index in 0..1000 {
                assert_eq!(tree.insert(order(index)), index);
                tree.check().unwrap();
            }
            assert!(tree.height() <= 14, "height {}", tree.height());
            assert_eq!(tree.insert(order(17)), 17);
            assert_eq!(tree.find(&1000), None);
        }
    }

    #[test]
    fn agrees_with_the_standard_map_after_any_insertions_and_removals() {
        let mut tree = AvlTree::default();
        let mut map = std::collections::BTreeMap::new();
        let mut random = SplitMix64::new(1);
        for round in 0..20_000 {
            let key = random.bits() % 700;
            // Phases of mostly insertions alternate with phases of mostly removals.
            let usual = !random.bits().is_multiple_of(4);
            if usual == (round / 2000 % 2 == 0) {
                let place = tree.insert(key);
                assert_eq!(*map.entry(key).or_insert(place), place, "round {round}");
            } else {
                assert_eq!(tree.remove(&key), map.remove(&key), "round {round}");
            }
            if round % 50 == 0 {
                tree.check().unwrap();
            }
            assert_eq!(tree.len(), map.len());
            assert!(f64::from(tree.height()) <= 1.45 * (map.len() as f64 + 2.0).log2());
            assert_eq!(tree.find(&(key / 2)), map.get(&(key / 2)).copied());
        }
        for (key, place) in map {
            assert_eq!(tree.key(place), &key);
            assert_eq!(tree.remove(&key), Some(place));
            tree.check().unwrap();
        }
        assert!(tree.is_empty());
    }
}
