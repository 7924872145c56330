//! The closest features of pairs of polyhedra, kept from one query to the next as its warm start.

use crate::BodyPair;
use crate::narrow::ClosestFeatures;

/// What [`World::pairs_within_from`](super::World::pairs_within_from) keeps of each pair of polyhedra, so that the next
/// query starts where the last one ended.
#[derive(Clone, Debug, Default)]
pub struct PairHistory {
    /// Ascending.
    pairs: Vec<(BodyPair, ClosestFeatures)>,
}

impl PairHistory {
    /// Creates a history without pairs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns what is known of a pair; a query without history for a new one.
    pub(super) fn of(&self, pair: BodyPair) -> ClosestFeatures {
        let found = self.pairs.binary_search_by_key(&pair, |(known, _)| *known);
        found.map_or_else(|_| ClosestFeatures::new(), |place| self.pairs[place].1)
    }

    /// Keeps these pairs, which are ascending, and no others.
    pub(super) fn replace(&mut self, pairs: impl Iterator<Item = (BodyPair, ClosestFeatures)>) {
        self.pairs.clear();
        self.pairs.extend(pairs);
    }
}
