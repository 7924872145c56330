/// A bit per body, set for a moment while two lists are compared.
#[derive(Debug, Default)]
pub struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// No marks, and room for those of so many bodies.
    pub fn start(&mut self, count: usize) {
        self.words.clear();
        self.words.resize(count.div_ceil(64), 0);
    }

    #[inline]
    pub fn set(&mut self, body: u32) {
        self.words[body as usize / 64] |= 1 << (body % 64);
    }

    /// Takes the mark of a body away and says whether there was one.
    #[inline]
    pub fn take(&mut self, body: u32) -> bool {
        let word = &mut self.words[body as usize / 64];
        let bit = 1 << (body % 64);
        let was_set = *word & bit != 0;
        *word &= !bit;
        was_set
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn a_mark_is_taken_once_and_leaves_the_others() {
        let mut marks = Marks::default();
        marks.start(130);
        [0, 63, 64, 129].into_iter().for_each(|body| marks.set(body));
        assert!(marks.take(64));
        let left: Vec<u32> = (0..130).filter(|&body| marks.take(body)).collect();
        assert_eq!(left, [0, 63, 129]);
        assert!((0..130).all(|body| !marks.take(body)));
    }

    #[test]
    fn a_new_start_forgets_all_marks() {
        let mut marks = Marks::default();
        marks.start(70);
        marks.set(69);
        marks.start(100);
        assert!((0..100).all(|body| !marks.take(body)));
    }
}
