//! Sets of bodies as bits, to compare lists of neighbors.

/// A set of bodies, one bit each, for comparing two lists in linear time.
#[derive(Debug, Default)]
pub struct BodyBitSet {
    words: Vec<u64>,
}

impl BodyBitSet {
    /// Empties the set and makes room for `count` bodies.
    pub fn reset(&mut self, count: usize) {
        self.words.clear();
        self.words.resize(count.div_ceil(64), 0);
    }

    #[inline]
    pub fn insert(&mut self, body: u32) {
        self.words[body as usize / 64] |= 1 << (body % 64);
    }

    /// Removes a body and returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, body: u32) -> bool {
        let word = &mut self.words[body as usize / 64];
        let bit = 1 << (body % 64);
        let was_set = *word & bit != 0;
        *word &= !bit;
        was_set
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::BodyBitSet;

    #[test]
    fn a_mark_is_taken_once_and_leaves_the_others() {
        let mut marks = BodyBitSet::default();
        marks.reset(130);
        [0, 63, 64, 129].into_iter().for_each(|body| marks.insert(body));
        assert!(marks.remove(64));
        let left: Vec<u32> = (0..130).filter(|&body| marks.remove(body)).collect();
        assert_eq!(left, [0, 63, 129]);
        assert!((0..130).all(|body| !marks.remove(body)));
    }

    #[test]
    fn a_new_start_forgets_all_marks() {
        let mut marks = BodyBitSet::default();
        marks.reset(70);
        marks.insert(69);
        marks.reset(100);
        assert!((0..100).all(|body| !marks.remove(body)));
    }
}
