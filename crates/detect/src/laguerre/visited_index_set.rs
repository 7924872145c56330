//! A set of indices that stays small enough for the cache.

/// A hash set of indices that numbers them in the order in which they were first inserted.
///
/// Its size is that of the indices inserted, not of all possible ones, so lookups stay in the cache.
/// Clearing takes constant time.
///
/// ```
/// use carom_detect::laguerre::VisitedIndexSet;
/// let mut visited = VisitedIndexSet::default();
/// visited.clear();
/// assert_eq!([70, 30, 70].map(|index| visited.insert(index)), [(0, true), (1, true), (0, false)]);
/// visited.clear();
/// assert_eq!(visited.insert(30), (0, true));
/// ```
#[derive(Clone, Debug, Default)]
pub struct VisitedIndexSet {
    slots: Vec<VisitedIndexSlot>,
    generation: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct VisitedIndexSlot {
    index: u32,
    position: u32,
    generation: u32,
}

const MIN_SLOTS: usize = 256;

impl VisitedIndexSet {
    /// Removes all indices; must be called before the first use.
    pub fn clear(&mut self) {
        if self.slots.is_empty() || self.generation == u32::MAX {
            self.slots.clear();
            self.slots.resize(MIN_SLOTS, VisitedIndexSlot::default());
            self.generation = 0;
        }
        // A new generation empties all slots at once; they are cleared only when the counter is about to wrap
        // around.
        self.generation += 1;
        self.count = 0;
    }

    /// Inserts an index; returns its position in the order of insertion and whether it is new.
    #[inline]
    pub fn insert(&mut self, number: u32) -> (usize, bool) {
        let mask = self.slots.len() - 1;
        let mut at = Self::hash(number) & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.generation != self.generation {
                let place = self.count;
                *slot = VisitedIndexSlot {
                    index: number,
                    position: place,
                    generation: self.generation,
                };
                self.count += 1;
                // At most half full, so that linear probing stays short.
                if 2 * self.count as usize > self.slots.len() {
                    self.grow();
                }
                return (place as usize, true);
            }
            if slot.index == number {
                return (slot.position as usize, false);
            }
            at = (at + 1) & mask;
        }
    }

    /// Skips one position.
    pub fn skip_position(&mut self) {
        self.count += 1;
    }

    fn hash(number: u32) -> usize {
        // Fibonacci hashing: the upper bits of the product are the well mixed ones.
        (number.wrapping_mul(0x9e37_79b9) >> 12) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![VisitedIndexSlot::default(); 4 * self.slots.len()];
        let slots = std::mem::replace(&mut self.slots, larger);
        let mask = self.slots.len() - 1;
        for slot in slots.into_iter().filter(|slot| slot.generation == self.generation) {
            let mut at = Self::hash(slot.index) & mask;
            while self.slots[at].generation == self.generation {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<VisitedIndexSlot>()
    }
}

#[cfg(test)]
mod tests {
    use super::VisitedIndexSet;

    #[test]
    fn numbers_keep_the_place_they_were_first_seen_at() {
        let mut seen = VisitedIndexSet::default();
        for round in 0..3 {
            seen.clear();
            for place in 0..5000 {
                let number = (place as u32).wrapping_mul(0x9e37_79b1) + round;
                assert_eq!(seen.insert(number), (place, true));
                assert_eq!(seen.insert(number), (place, false));
            }
            assert_eq!(seen.insert(round), (0, false));
        }
    }
}
