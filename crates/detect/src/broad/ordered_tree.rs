/// A balanced ordered tree (AVL: the heights of two siblings differ by one at most) in one array.
///
/// Keys keep the place they were given: the first inserted is number 0, and so on.
#[derive(Debug)]
pub(super) struct OrderedTree<K> {
    nodes: Vec<Node<K>>,
    root: u32,
}

#[derive(Debug)]
struct Node<K> {
    key: K,
    children: [u32; 2],
    height: u32,
}

/// No child.
const NONE: u32 = u32::MAX;
const LEFT: usize = 0;
const RIGHT: usize = 1;

impl<K> Default for OrderedTree<K> {
    fn default() -> Self {
        OrderedTree { nodes: Vec::new(), root: NONE }
    }
}

impl<K: Ord> OrderedTree<K> {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.root = NONE;
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn height(&self) -> u32 {
        self.height_of(self.root)
    }

    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<K>>()
    }

    pub fn key(&self, place: u32) -> &K {
        &self.nodes[place as usize].key
    }

    /// The place of `key`, if it is there. Costs log N comparisons.
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

    /// The place of `key`, which is inserted if it is not there. Costs log N comparisons.
    pub fn insert(&mut self, key: K) -> u32 {
        if let Some(place) = self.find(&key) {
            return place;
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(Node { key, children: [NONE; 2], height: 1 });
        self.root = self.attach(self.root, place);
        place
    }

    /// Hangs the new node below `top` and returns what stands in its place after balancing.
    fn attach(&mut self, top: u32, new: u32) -> u32 {
        if top == NONE {
            return new;
        }
        let side = usize::from(self.key(new) > self.key(top));
        let child = self.attach(self.child(top, side), new);
        self.nodes[top as usize].children[side] = child;
        self.balance(top)
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
        if self.height_of(self.child(child, 1 - heavy)) > outer {
            self.nodes[top as usize].children[heavy] = self.rotate(child, 1 - heavy);
        }
        self.rotate(top, heavy)
    }

    /// Lifts the child on `side` over its parent and returns it.
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

    /// Order, heights and balance of every node.
    pub fn check(&self) -> Result<(), String> {
        let mut previous = None;
        let visited = self.check_below(self.root, &mut previous)?;
        match visited == self.nodes.len() {
            true => Ok(()),
            false => Err(format!("{visited} of {} nodes hang in the tree", self.nodes.len())),
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

    #[test]
    fn stays_balanced_for_ascending_descending_and_scrambled_keys() {
        let orders: [fn(u32) -> u32; 3] = [|i| i, |i| 999 - i, |i| i * 617 % 1000];
        for order in orders {
            let mut tree = OrderedTree::default();
            for index in 0..1000 {
                assert_eq!(tree.insert(order(index)), index);
                tree.check().unwrap();
            }
            assert!(tree.height() <= 14, "height {}", tree.height());
            assert_eq!(tree.insert(order(17)), 17);
            assert_eq!(tree.find(&1000), None);
        }
    }
}
