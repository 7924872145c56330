//! What a sweep does: bodies change buckets, ends change places, pairs enter and leave the table; or all of it
//! anew.

use super::bucket::{self, Bucket, Keys, World};
use super::ends::Abandoned;
use super::grid::{self, Grid, nowhere};
use super::{Buckets, KeptSort};
use crate::Pair;

/// Buffers of a step.
#[derive(Clone, Debug)]
pub(super) struct Space<const D: usize> {
    keys: Keys<D>,
    found: Vec<Pair>,
    /// Bucket above member.
    leaving: Vec<u64>,
    joining: Vec<u64>,
    numbers: Vec<u32>,
}

/// Exchanges per end above which sorting anew is cheaper.
const MOST_EXCHANGES: u64 = 64;
/// Sorting anew pays if the ends of new members would pass so many others per end of all.
const MOST_EXCHANGES_TO_JOIN: u64 = 32;
/// Buckets are divided anew when the sum of squares of their members has grown by this factor.
const MOST_CROWDED: u64 = 4;
/// One list of more bodies than this is swept by way of buckets, the first time.
const LONG: usize = 1024;

impl<const D: usize> KeptSort<D> {
    /// Finds who entered and left which bucket.
    pub(super) fn note_transfers(&mut self) -> Result<(), Abandoned> {
        let grid = self.grid.as_ref().ok_or(Abandoned)?;
        let Space { leaving, joining, .. } = &mut self.space;
        leaving.clear();
        joining.clear();
        for (body, (bounds, span)) in (0..).zip(self.boxes.iter().zip(&mut self.spans)) {
            let now = if grid::is_there(bounds) { grid.span(bounds) } else { nowhere() };
            if now == *span {
                continue;
            }
            let before = std::mem::replace(span, now);
            let transfer = |place: grid::Place<D>| {
                let member = bucket::member::<D>(body, place.below);
                u64::from(grid.index(&place)) << 32 | u64::from(member)
            };
            let left = grid.places(&before).filter(|place| !grid.holds(&now, place));
            leaving.extend(left.map(transfer));
            let joined = grid.places(&now).filter(|place| !grid.holds(&before, place));
            joining.extend(joined.map(transfer));
        }
        leaving.sort_unstable();
        joining.sort_unstable();
        self.work.transfers = (leaving.len() + joining.len()) as u64;
        Ok(())
    }

    /// Lets bodies leave and enter buckets, unless that would take too long.
    pub(super) fn transfer(&mut self) -> Result<(), Abandoned> {
        let allowed = self.allowed(MOST_EXCHANGES_TO_JOIN);
        let Space { leaving, joining, numbers, .. } = &mut self.space;
        let ends_in = |&transfer: &u64| 2 * self.buckets[bucket_of(transfer)].len() as u64;
        if joining.iter().map(ends_in).sum::<u64>() > allowed {
            return Err(Abandoned);
        }
        for leaving in leaving.chunk_by(|&a, &b| bucket_of(a) == bucket_of(b)) {
            let is_leaving = |member: u32| {
                leaving.binary_search_by_key(&member, |&transfer| transfer as u32).is_ok()
            };
            self.buckets[bucket_of(leaving[0])].leave(is_leaving, numbers);
        }
        for &transfer in joining.iter() {
            self.buckets[bucket_of(transfer)].join(transfer as u32);
        }
        if self.crowded() > MOST_CROWDED * self.crowding { Err(Abandoned) } else { Ok(()) }
    }

    /// So many exchanges per end of all boxes, with some to spare for the first few.
    fn allowed(&self, per_end: u64) -> u64 {
        per_end * 2 * (self.len() as u64 + 16)
    }

    fn crowded(&self) -> u64 {
        let squares = self.buckets.iter().map(|bucket| (bucket.len() as u64 + 16).pow(2));
        squares.sum()
    }

    /// Insertion in every bucket, and what follows for the table.
    pub(super) fn resort(&mut self) -> Result<(), Abandoned> {
        let allowed = self.allowed(MOST_EXCHANGES * D as u64);
        let world = World { boxes: &self.boxes, boundary: &self.boundary };
        let Space { keys, found, .. } = &mut self.space;
        found.clear();
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.len() > 0) {
            let left = allowed.saturating_sub(self.work.exchanges);
            self.work.exchanges += bucket.resort(world, keys, left, found)?;
        }
        self.table.change(found, |pair| world.overlap(pair.first(), pair.second()));
        Ok(())
    }

    /// Divides the space and sorts everything from the beginning.
    pub(super) fn sort_anew(&mut self) {
        self.work.sorted_anew = true;
        let grid = match self.division {
            Buckets::One => Grid::single(&self.boundary),
            Buckets::ByDensity => Grid::by_density(&self.boundary, &self.boxes),
        };
        self.buckets.iter_mut().for_each(Bucket::clear);
        self.buckets.resize_with(grid.buckets(), Bucket::default);
        for (body, (bounds, span)) in (0..).zip(self.boxes.iter().zip(&mut self.spans)) {
            *span = if grid::is_there(bounds) { grid.span(bounds) } else { nowhere() };
            for place in grid.places(span) {
                let member = bucket::member::<D>(body, place.below);
                self.buckets[grid.index(&place) as usize].join(member);
            }
        }
        self.grid = Some(grid);
        self.crowding = self.crowded();
        let world = World { boxes: &self.boxes, boundary: &self.boundary };
        let keys = &mut self.space.keys;
        self.buckets.iter_mut().for_each(|bucket| bucket.sort(world, keys));
        self.find_all();
    }

    /// Sweeps every bucket and fills the table with what is found.
    fn find_all(&mut self) {
        let world = World { boxes: &self.boxes, boundary: &self.boundary };
        let Space { found, numbers, .. } = &mut self.space;
        found.clear();
        if self.division == Buckets::One && self.boxes.len() > LONG {
            // A single list would compare the boxes of a whole slab.
            let mut divided = KeptSort::new(self.boundary, Buckets::ByDensity);
            divided.boxes.clone_from(&self.boxes);
            divided.spans.resize(self.boxes.len(), nowhere());
            divided.sort_anew();
            found.extend_from_slice(divided.pairs());
        } else {
            for bucket in &self.buckets {
                bucket.sweep(numbers, |a, b| {
                    if world.overlap(a, b) {
                        found.push(Pair::new(a, b));
                    }
                });
            }
        }
        self.table.replace(found);
    }
}

impl<const D: usize> Default for Space<D> {
    fn default() -> Self {
        Space {
            keys: Keys::default(),
            found: Vec::new(),
            leaving: Vec::new(),
            joining: Vec::new(),
            numbers: Vec::new(),
        }
    }
}

impl<const D: usize> Space<D> {
    pub(super) fn memory(&self) -> usize {
        self.keys.memory()
            + self.found.capacity() * size_of::<Pair>()
            + (self.leaving.capacity() + self.joining.capacity()) * size_of::<u64>()
            + self.numbers.capacity() * size_of::<u32>()
    }
}

fn bucket_of(transfer: u64) -> usize {
    (transfer >> 32) as usize
}
