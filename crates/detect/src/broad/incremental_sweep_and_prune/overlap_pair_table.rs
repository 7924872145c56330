//! The table of overlapping pairs, ascending, and its changes.

use crate::BodyPair;

/// Overlapping pairs in ascending order, and those that began and ended with the last update.
#[derive(Clone, Debug, Default)]
pub(super) struct OverlapPairTable {
    pairs: Vec<BodyPair>,
    begun: Vec<BodyPair>,
    ended: Vec<BodyPair>,
}

impl OverlapPairTable {
    /// Returns every pair, ascending.
    pub fn pairs(&self) -> &[BodyPair] {
        &self.pairs
    }

    /// Returns the pairs that began with the last update, ascending.
    pub fn begun(&self) -> &[BodyPair] {
        &self.begun
    }

    /// Returns the pairs that ended with the last update, ascending.
    pub fn ended(&self) -> &[BodyPair] {
        &self.ended
    }

    /// Removes the pairs that no longer overlap and adds the new ones. `found` has all pairs that overlap
    /// now and did not before, in any order; it may have other overlapping ones, and some twice.
    ///
    /// Testing every pair of the table costs less than testing every high endpoint that passed a low one:
    /// for each pair that ends this way, some hundreds pass that were apart along another axis all the time.
    pub fn update(&mut self, found: &mut Vec<BodyPair>, overlaps: impl Fn(BodyPair) -> bool) {
        self.ended.clear();
        let mut kept = 0;
        for index in 0..self.pairs.len() {
            let pair = self.pairs[index];
            self.pairs[kept] = pair;
            if overlaps(pair) {
                kept += 1;
            } else {
                self.ended.push(pair);
            }
        }
        self.pairs.truncate(kept);
        found.sort_unstable();
        found.dedup();
        self.begun.clear();
        let mut place = 0;
        for &pair in found.iter() {
            place = gallop(&self.pairs, place, pair);
            if self.pairs.get(place) != Some(&pair) {
                self.begun.push(pair);
            }
        }
        merge(&mut self.pairs, &self.begun);
    }

    /// Replaces all pairs by those of `found`, which need not be sorted and may repeat some.
    pub fn replace(&mut self, found: &mut Vec<BodyPair>) {
        found.sort_unstable();
        found.dedup();
        difference(found, &self.pairs, &mut self.begun);
        difference(&self.pairs, found, &mut self.ended);
        std::mem::swap(&mut self.pairs, found);
    }

    /// Returns the bytes held by the buffers.
    pub fn memory(&self) -> usize {
        let held = self.pairs.capacity() + self.begun.capacity() + self.ended.capacity();
        held * size_of::<BodyPair>()
    }
}

/// Returns the index at or after `from` where `pair` is or would be inserted, by galloping search: steps
/// that double, then bisection. Near `from` this takes few comparisons.
fn gallop(pairs: &[BodyPair], from: usize, pair: BodyPair) -> usize {
    let mut step = 1;
    // Galloping: few pairs are new, so long runs of the table are skipped in logarithmic time.
    while pairs.get(from + step).is_some_and(|&other| other < pair) {
        step *= 2;
    }
    let start = from + step / 2;
    let end = (from + step + 1).min(pairs.len());
    start + pairs[start..end].partition_point(|&other| other < pair)
}

/// Merges more pairs, ascending and all new, into `pairs`; from the back, so that no buffer is needed.
fn merge(pairs: &mut Vec<BodyPair>, more: &[BodyPair]) {
    let mut before = pairs.len();
    let mut waiting = more.len();
    pairs.resize(before + waiting, BodyPair::default());
    // From the end, so that the table is merged in place.
    while waiting > 0 {
        let pair = more[waiting - 1];
        if before > 0 && pairs[before - 1] > pair {
            pairs[before + waiting - 1] = pairs[before - 1];
            before -= 1;
        } else {
            pairs[before + waiting - 1] = pair;
            waiting -= 1;
        }
    }
}

/// Writes the pairs of one ascending list that another one lacks.
fn difference(of: &[BodyPair], without: &[BodyPair], into: &mut Vec<BodyPair>) {
    into.clear();
    let mut place = 0;
    for &pair in of {
        place = gallop(without, place, pair);
        if without.get(place) != Some(&pair) {
            into.push(pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_reported_and_the_order_is_kept() {
        let mut table = OverlapPairTable::default();
        let pair = BodyPair::new;
        table.replace(&mut vec![pair(5, 6), pair(1, 2), pair(3, 4), pair(2, 1)]);
        assert_eq!(table.pairs(), [pair(1, 2), pair(3, 4), pair(5, 6)]);
        assert_eq!((table.begun().len(), table.ended().len()), (3, 0));
        let mut found = vec![pair(9, 8), pair(1, 0), pair(3, 4), pair(1, 0), pair(3, 9)];
        table.update(&mut found, |pair| pair.first() != 1);
        assert_eq!(table.begun(), [pair(0, 1), pair(3, 9), pair(8, 9)]);
        assert_eq!(table.ended(), [pair(1, 2)]);
        assert_eq!(table.pairs(), [pair(0, 1), pair(3, 4), pair(3, 9), pair(5, 6), pair(8, 9)]);
        table.replace(&mut vec![pair(3, 4)]);
        assert_eq!((table.begun().len(), table.ended().len()), (0, 4));
    }
}
