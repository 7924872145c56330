//! Union-find (disjoint sets): connected components from pairs that are connected.

/// A union-find forest. Each element points to one with a smaller index, the root of a component to itself.
pub(crate) struct UnionFind(Vec<u32>);

/// Components by size, the largest first; of equal sizes the one with the smaller root comes first.
pub(crate) struct ComponentsBySize {
    /// For each element, the index of its component in that order; meaningless for elements that do not count.
    pub component_of: Vec<u32>,
    /// The root, which is the smallest element, of each component.
    pub representatives: Vec<usize>,
    /// Number of counted elements in each component.
    pub sizes: Vec<usize>,
}

impl UnionFind {
    /// Makes `count` elements, each a component of its own.
    pub(crate) fn new(count: usize) -> Self {
        UnionFind((0..count as u32).collect())
    }

    /// Joins the components of two elements.
    pub(crate) fn unite(&mut self, things: [usize; 2]) {
        let [one, other] = things.map(|thing| self.find(thing));
        // The smaller root wins instead of the larger tree: so components do not depend on the order of
        // calls, and path halving alone keeps paths short.
        self.0[one.max(other)] = one.min(other) as u32;
    }

    /// Returns the root of an element's component.
    fn find(&mut self, mut thing: usize) -> usize {
        while self.0[thing] as usize != thing {
            // Path halving: every element on the path is linked to its grandparent.
            self.0[thing] = self.0[self.0[thing] as usize];
            thing = self.0[thing] as usize;
        }
        thing
    }

    /// Returns the components, with sizes by the elements of `counting` alone; components without any are left out.
    pub(crate) fn components_by_size(
        mut self,
        counting: impl Iterator<Item = usize>,
    ) -> ComponentsBySize {
        let mut counts = vec![0_usize; self.0.len()];
        counting.for_each(|thing| counts[self.find(thing)] += 1);
        let mut firsts: Vec<usize> = (0..counts.len()).filter(|&first| counts[first] > 0).collect();
        firsts.sort_by_key(|&first| (usize::MAX - counts[first], first));
        let mut places = vec![0; counts.len()];
        (0..).zip(&firsts).for_each(|(place, &first)| places[first] = place);
        let of_thing = (0..counts.len()).map(|thing| places[self.find(thing)]).collect();
        let counts = firsts.iter().map(|&first| counts[first]).collect();
        ComponentsBySize { component_of: of_thing, representatives: firsts, sizes: counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_come_by_size_and_then_by_their_first_thing() {
        let mut groups = UnionFind::new(8);
        [[5, 6], [1, 2], [7, 5], [3, 4]].into_iter().for_each(|pair| groups.unite(pair));
        let ComponentsBySize { component_of: of_thing, representatives: firsts, sizes: counts } =
            groups.components_by_size((0..8).filter(|&thing| thing != 3));
        assert_eq!(of_thing[..3], [2, 1, 1]);
        assert_eq!(of_thing[4..], [3, 0, 0, 0]);
        assert_eq!((firsts, counts), (vec![5, 1, 0, 3], vec![3, 2, 1, 1]));
    }
}
