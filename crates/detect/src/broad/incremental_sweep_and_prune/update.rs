//! The phases of a sweep: bodies change buckets, lists are sorted by insertion, pairs enter and leave the
//! table; or everything is rebuilt.

use super::bucket::{self, EndpointKeys, SweepBoxes, SweepBucket};
use super::bucket_grid::{self, BucketGrid, empty_span};
use super::endpoints::IncrementalSortAbandoned;
use super::{BucketDivision, IncrementalSweepAndPrune};
use crate::BodyPair;

/// Buffers of one sweep.
#[derive(Clone, Debug)]
pub(super) struct IncrementalSweepBuffers<const D: usize> {
    keys: EndpointKeys<D>,
    found: Vec<BodyPair>,
    /// Members that leave a bucket: the bucket in the upper 32 bits, the member in the lower ones.
    leaving: Vec<u64>,
    /// Members that join a bucket, in the same form.
    joining: Vec<u64>,
    numbers: Vec<u32>,
}

/// Exchanges per endpoint and axis above which a rebuild is cheaper.
const MAX_EXCHANGES: u64 = 64;
/// A rebuild is cheaper if new members would cause more exchanges than this per endpoint of all boxes.
const MAX_EXCHANGES_TO_JOIN: u64 = 32;
/// The buckets are chosen again when the sum of their squared sizes has grown by this factor.
const MAX_CROWDING_GROWTH: u64 = 4;
/// The first sweep of a single list of more bodies than this finds its pairs with the help of buckets.
const MAX_SINGLE_LIST_SWEEP: usize = 1024;

impl<const D: usize> IncrementalSweepAndPrune<D> {
    /// Finds the bodies that enter and leave buckets. Fails if nothing was built before.
    pub(super) fn record_transfers(&mut self) -> Result<(), IncrementalSortAbandoned> {
        let grid = self.grid.as_ref().ok_or(IncrementalSortAbandoned)?;
        let IncrementalSweepBuffers { leaving, joining, .. } = &mut self.buffers;
        leaving.clear();
        joining.clear();
        for (body, (bounds, span)) in (0..).zip(self.boxes.iter().zip(&mut self.spans)) {
            let now =
                if bucket_grid::is_present(bounds) { grid.span(bounds) } else { empty_span() };
            if now == *span {
                continue;
            }
            let before = std::mem::replace(span, now);
            let transfer = |place: bucket_grid::BucketPlacement<D>| {
                let member = bucket::member::<D>(body, place.image_axes);
                u64::from(grid.bucket_index(&place)) << 32 | u64::from(member)
            };
            let left = grid.placements(&before).filter(|place| !grid.contains(&now, place));
            leaving.extend(left.map(transfer));
            let joined = grid.placements(&now).filter(|place| !grid.contains(&before, place));
            joining.extend(joined.map(transfer));
        }
        // By bucket, so that each bucket is changed once.
        leaving.sort_unstable();
        joining.sort_unstable();
        self.work.transfers = (leaving.len() + joining.len()) as u64;
        Ok(())
    }

    /// Moves bodies from bucket to bucket, unless a rebuild is cheaper.
    pub(super) fn apply_transfers(&mut self) -> Result<(), IncrementalSortAbandoned> {
        let allowed = self.allowed_exchanges(MAX_EXCHANGES_TO_JOIN);
        let IncrementalSweepBuffers { leaving, joining, numbers, .. } = &mut self.buffers;
        // Upper bound: a new endpoint starts at the end of a list and may pass all others.
        let ends_in = |&transfer: &u64| 2 * self.buckets[bucket_of(transfer)].len() as u64;
        if joining.iter().map(ends_in).sum::<u64>() > allowed {
            return Err(IncrementalSortAbandoned);
        }
        for leaving in leaving.chunk_by(|&a, &b| bucket_of(a) == bucket_of(b)) {
            let is_leaving = |member: u32| {
                leaving.binary_search_by_key(&member, |&transfer| transfer as u32).is_ok()
            };
            self.buckets[bucket_of(leaving[0])].remove_members(is_leaving, numbers);
        }
        for &transfer in joining.iter() {
            self.buckets[bucket_of(transfer)].add_member(transfer as u32);
        }
        // Sorting and sweeping cost the square of the boxes in a bucket; crowded ones call for a finer grid.
        if self.current_crowding() > MAX_CROWDING_GROWTH * self.crowding {
            Err(IncrementalSortAbandoned)
        } else {
            Ok(())
        }
    }

    /// Returns the allowed exchanges: `per_end` per endpoint of all boxes, with a reserve for small systems.
    fn allowed_exchanges(&self, per_end: u64) -> u64 {
        per_end * 2 * (self.len() as u64 + 16)
    }

    fn current_crowding(&self) -> u64 {
        let squares = self.buckets.iter().map(|bucket| (bucket.len() as u64 + 16).pow(2));
        squares.sum()
    }

    /// Sorts the lists of every bucket by insertion and updates the table. Fails if a rebuild is cheaper.
    pub(super) fn resort(&mut self) -> Result<(), IncrementalSortAbandoned> {
        let allowed = self.allowed_exchanges(MAX_EXCHANGES * D as u64);
        let world = SweepBoxes { boxes: &self.boxes, boundary: &self.boundary };
        let IncrementalSweepBuffers { keys, found, .. } = &mut self.buffers;
        found.clear();
        for bucket in self.buckets.iter_mut().filter(|bucket| bucket.len() > 0) {
            let left = allowed.saturating_sub(self.work.exchanges);
            self.work.exchanges += bucket.resort(world, keys, left, found)?;
        }
        self.overlap_pairs.update(found, |pair| world.boxes_overlap(pair.first(), pair.second()));
        Ok(())
    }

    /// Chooses the buckets and sorts everything from scratch.
    pub(super) fn rebuild(&mut self) {
        self.work.rebuilt = true;
        let grid = match self.division {
            BucketDivision::One => BucketGrid::single(&self.boundary),
            BucketDivision::ByDensity => BucketGrid::by_density(&self.boundary, &self.boxes),
        };
        self.buckets.iter_mut().for_each(SweepBucket::clear);
        self.buckets.resize_with(grid.bucket_count(), SweepBucket::default);
        for (body, (bounds, span)) in (0..).zip(self.boxes.iter().zip(&mut self.spans)) {
            *span = if bucket_grid::is_present(bounds) { grid.span(bounds) } else { empty_span() };
            for place in grid.placements(span) {
                let member = bucket::member::<D>(body, place.image_axes);
                self.buckets[grid.bucket_index(&place) as usize].add_member(member);
            }
        }
        self.grid = Some(grid);
        self.crowding = self.current_crowding();
        let world = SweepBoxes { boxes: &self.boxes, boundary: &self.boundary };
        let keys = &mut self.buffers.keys;
        self.buckets.iter_mut().for_each(|bucket| bucket.sort(world, keys));
        self.find_all_pairs();
    }

    /// Sweeps every bucket and replaces the table by the pairs found.
    fn find_all_pairs(&mut self) {
        let world = SweepBoxes { boxes: &self.boxes, boundary: &self.boundary };
        let IncrementalSweepBuffers { found, numbers, .. } = &mut self.buffers;
        found.clear();
        if self.division == BucketDivision::One && self.boxes.len() > MAX_SINGLE_LIST_SWEEP {
            // A sweep of a single list would compare all boxes of a slab.
            let mut divided =
                IncrementalSweepAndPrune::new(self.boundary, BucketDivision::ByDensity);
            divided.boxes.clone_from(&self.boxes);
            divided.spans.resize(self.boxes.len(), empty_span());
            divided.rebuild();
            found.extend_from_slice(divided.pairs());
        } else {
            for bucket in &self.buckets {
                bucket.sweep(numbers, |a, b| {
                    if world.boxes_overlap(a, b) {
                        found.push(BodyPair::new(a, b));
                    }
                });
            }
        }
        self.overlap_pairs.replace(found);
    }
}

impl<const D: usize> Default for IncrementalSweepBuffers<D> {
    fn default() -> Self {
        IncrementalSweepBuffers {
            keys: EndpointKeys::default(),
            found: Vec::new(),
            leaving: Vec::new(),
            joining: Vec::new(),
            numbers: Vec::new(),
        }
    }
}

impl<const D: usize> IncrementalSweepBuffers<D> {
    pub(super) fn memory(&self) -> usize {
        self.keys.memory()
            + self.found.capacity() * size_of::<BodyPair>()
            + (self.leaving.capacity() + self.joining.capacity()) * size_of::<u64>()
            + self.numbers.capacity() * size_of::<u32>()
    }
}

fn bucket_of(transfer: u64) -> usize {
    (transfer >> 32) as usize
}
