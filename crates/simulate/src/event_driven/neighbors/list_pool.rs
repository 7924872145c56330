//! The storage of all lists of neighbors in one array.

use crate::event_driven::huge_pages::advise_huge_pages;
use crate::event_driven::prefetch::prefetch;

/// A list of indices per body, all in one array.
///
/// Each list is in a block that starts with its size class; a block that has become too small is exchanged
/// for a larger one and kept on a free list. One array instead of a `Vec` per body can be prefetched and
/// put on huge pages.
#[derive(Debug, Default)]
pub struct ListPool {
    spans: Vec<ListSpan>,
    store: Vec<u32>,
    /// Blocks that are not in use, by size class.
    free: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct ListSpan {
    start: u32,
    count: u32,
}

/// Returns the length of a block of a size class, its first entry included: 8, 16, 24, 32, 48, 64, 96 …
fn block_size(kind: usize) -> usize {
    if kind < 2 {
        return 8 * (kind + 1);
    }
    let (doublings, half) = (kind / 2, kind % 2);
    if half == 0 { 24 << (doublings - 1) } else { 32 << (doublings - 1) }
}

fn size_class_for(count: usize) -> usize {
    (0..).find(|&kind| block_size(kind) > count).expect("blocks double without end")
}

impl ListPool {
    pub fn clear(&mut self) {
        self.spans.clear();
        self.store.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// Appends the list of the next body.
    pub fn add(&mut self, list: &[u32]) {
        let start = self.allocate_block(size_class_for(list.len()));
        self.store[start + 1..start + 1 + list.len()].copy_from_slice(list);
        self.spans.push(ListSpan { start: start as u32, count: list.len() as u32 });
    }

    #[inline]
    pub fn of(&self, body: u32) -> &[u32] {
        let place = self.spans[body as usize];
        let start = place.start as usize + 1;
        &self.store[start..start + place.count as usize]
    }

    #[inline]
    pub fn prefetch_span(&self, body: u32) {
        prefetch(&self.spans, body as usize);
    }

    #[inline]
    pub fn prefetch_list(&self, body: u32) {
        let start = self.spans[body as usize].start as usize;
        // The first two cache lines.
        prefetch(&self.store, start);
        prefetch(&self.store, start + 16);
    }

    pub fn push(&mut self, body: u32, number: u32) {
        let place = self.spans[body as usize];
        let (start, count) = (place.start as usize, place.count as usize);
        let kind = self.store[start] as usize;
        if count + 1 == block_size(kind) {
            self.grow_to(body, kind + 1);
        }
        let place = &mut self.spans[body as usize];
        self.store[(place.start + 1 + place.count) as usize] = number;
        place.count += 1;
    }

    pub fn remove(&mut self, body: u32, number: u32) {
        let place = &mut self.spans[body as usize];
        let start = place.start as usize + 1;
        let list = &mut self.store[start..start + place.count as usize];
        let found = list.iter().position(|&other| other == number);
        // Lists have no order: ties between predictions are broken by body numbers.
        list.swap(found.expect("neighbor lists are symmetric"), list.len() - 1);
        place.count -= 1;
    }

    pub fn replace(&mut self, body: u32, list: &[u32]) {
        let place = self.spans[body as usize];
        let (held, wanted) = (
            self.store[place.start as usize] as usize,
            size_class_for(list.len() + SPARE_CAPACITY),
        );
        // A block that has become too large is given back, or lists that were long once would hold memory for ever.
        if held > wanted || block_size(held) <= list.len() {
            self.free_block(place.start);
            let start = self.allocate_block(wanted);
            self.spans[body as usize].start = start as u32;
        }
        let place = &mut self.spans[body as usize];
        place.count = list.len() as u32;
        let start = place.start as usize + 1;
        self.store[start..start + list.len()].copy_from_slice(list);
    }

    pub fn advise_huge_pages(&self) {
        advise_huge_pages(&self.spans);
        advise_huge_pages(&self.store);
    }

    pub fn memory(&self) -> usize {
        self.spans.capacity() * size_of::<ListSpan>()
            + self.store.capacity() * 4
            + self.free.iter().map(|blocks| blocks.capacity() * 4).sum::<usize>()
    }

    fn grow_to(&mut self, body: u32, kind: usize) {
        let place = self.spans[body as usize];
        let old = place.start as usize;
        let new = self.allocate_block(kind);
        self.store.copy_within(old + 1..old + 1 + place.count as usize, new + 1);
        self.free_block(place.start);
        self.spans[body as usize].start = new as u32;
    }

    fn allocate_block(&mut self, kind: usize) -> usize {
        if self.free.len() <= kind {
            self.free.resize(kind + 1, Vec::new());
        }
        let start = self.free[kind].pop().map_or(self.store.len(), |start| start as usize);
        if start == self.store.len() {
            if start + block_size(kind) > self.store.capacity() {
                // Doubling would waste up to half of the largest array; a sixteenth costs a few more copies.
                self.store.reserve_exact(block_size(kind).max(start / 16));
            }
            self.store.resize(start + block_size(kind), 0);
        }
        self.store[start] = kind as u32;
        start
    }

    fn free_block(&mut self, start: u32) {
        let kind = self.store[start as usize] as usize;
        self.free[kind].push(start);
    }
}

/// Number of free entries that a replaced list is given, so that single neighbors can be added in place.
const SPARE_CAPACITY: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_by_a_third_to_a_half() {
        let sizes: Vec<_> = (0..9).map(block_size).collect();
        assert_eq!(sizes, [8, 16, 24, 32, 48, 64, 96, 128, 192]);
    }

    #[test]
    fn lists_keep_their_numbers_while_they_grow_and_shrink() {
        let mut lists = ListPool::default();
        lists.add(&[7]);
        lists.add(&[]);
        for number in 0..100 {
            lists.push(1, number);
            lists.push(0, 1000 + number);
        }
        for number in (0..100).step_by(2) {
            lists.remove(1, number);
        }
        let mut left = lists.of(1).to_vec();
        left.sort_unstable();
        assert!(left.iter().copied().eq((1..100).step_by(2)));
        assert_eq!(lists.of(0).len(), 101);
        lists.replace(0, &[1, 2, 3]);
        assert_eq!(lists.of(0), [1, 2, 3]);
        assert_eq!(left.len(), lists.of(1).len());
    }
}
