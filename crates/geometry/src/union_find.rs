//! Union-find (disjoint sets): connected components from pairs that are connected.

/// A union-find forest. Each element points to one with a smaller index, the root of a component to itself.
///
/// ```
/// use carom_geometry::union_find::UnionFind;
/// let mut components = UnionFind::new(4);
/// assert!(components.unite([0, 3]));
/// assert!(!components.unite([3, 0]));
/// assert_eq!(components.components_by_size(0..4).sizes, [2, 1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct UnionFind(Vec<u32>);

/// Components by size, the largest first; of equal sizes the one with the smaller root comes first.
#[derive(Clone, Debug)]
pub struct ComponentsBySize {
    /// For each element, the index of its component in that order; meaningless for elements that do not count.
    pub component_of: Vec<u32>,
    /// The root, which is the smallest element, of each component.
    pub representatives: Vec<usize>,
    /// Number of counted elements in each component.
    pub sizes: Vec<usize>,
}

impl UnionFind {
    /// Makes `count` elements, each a component of its own.
    pub fn new(count: usize) -> Self {
        UnionFind((0..count as u32).collect())
    }

    /// Joins the components of two elements. Returns whether they were two.
    pub fn unite(&mut self, elements: [usize; 2]) -> bool {
        let [one, other] = elements.map(|element| self.find(element));
        // The smaller root wins instead of the larger tree: so components do not depend on the order of
        // calls, and path halving alone keeps paths short.
        self.0[one.max(other)] = one.min(other) as u32;
        one != other
    }

    /// Returns the root of an element's component, which is its smallest element.
    pub fn find(&mut self, mut element: usize) -> usize {
        while self.0[element] as usize != element {
            // Path halving: every element on the path is linked to its grandparent.
            self.0[element] = self.0[self.0[element] as usize];
            element = self.0[element] as usize;
        }
        element
    }

    /// Returns the components, with sizes by the elements of `counting` alone; components without any are left out.
    pub fn components_by_size(mut self, counting: impl Iterator<Item = usize>) -> ComponentsBySize {
        let mut counts = vec![0_usize; self.0.len()];
        counting.for_each(|element| counts[self.find(element)] += 1);
        let mut roots: Vec<usize> = (0..counts.len()).filter(|&root| counts[root] > 0).collect();
        roots.sort_by_key(|&root| (usize::MAX - counts[root], root));
        let mut rank_of_root = vec![0; counts.len()];
        (0..).zip(&roots).for_each(|(rank, &root)| rank_of_root[root] = rank);
        let component_of =
            (0..counts.len()).map(|element| rank_of_root[self.find(element)]).collect();
        let sizes = roots.iter().map(|&root| counts[root]).collect();
        ComponentsBySize { component_of, representatives: roots, sizes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_ordered_by_size_and_then_by_their_smallest_element() {
        let mut forest = UnionFind::new(8);
        assert!([[5, 6], [1, 2], [7, 5], [3, 4]].into_iter().all(|pair| forest.unite(pair)));
        assert!(!forest.unite([6, 7]));
        let components = forest.components_by_size((0..8).filter(|&element| element != 3));
        assert_eq!(components.component_of[..3], [2, 1, 1]);
        assert_eq!(components.component_of[4..], [3, 0, 0, 0]);
        assert_eq!(components.representatives, [5, 1, 0, 3]);
        assert_eq!(components.sizes, [3, 2, 1, 1]);
    }
}
