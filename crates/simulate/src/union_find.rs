//! Which of many things hang together, told pair by pair.

/// Things that hang together; each points to one with a smaller number, the first of a group to itself.
pub(crate) struct UnionFind(Vec<u32>);

/// Groups in the order of their sizes, the largest first; of equal ones the one whose first thing comes first.
pub(crate) struct ComponentsBySize {
    /// Of each thing the place of its group in that order; of things that do not count it means nothing.
    pub component_of: Vec<u32>,
    /// The first thing of each group.
    pub representatives: Vec<usize>,
    /// How many things each group has.
    pub sizes: Vec<usize>,
}

impl UnionFind {
    /// So many things, each by itself.
    pub(crate) fn new(count: usize) -> Self {
        UnionFind((0..count as u32).collect())
    }

    /// Makes one group of the groups of two things.
    pub(crate) fn unite(&mut self, things: [usize; 2]) {
        let [one, other] = things.map(|thing| self.find(thing));
        self.0[one.max(other)] = one.min(other) as u32;
    }

    fn find(&mut self, mut thing: usize) -> usize {
        while self.0[thing] as usize != thing {
            // Half of the way is forgotten, so that it is short the next time.
            self.0[thing] = self.0[self.0[thing] as usize];
            thing = self.0[thing] as usize;
        }
        thing
    }

    /// The groups of those things that count.
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
