//! What a sweep does: bodies change buckets, ends change places, pairs enter and leave the table; or all of it
//! anew.

use super::bucket::{self, EndpointKeys, SweepBoxes, SweepBucket};
use super::bucket_grid::{self, BucketGrid, empty_span};
use super::endpoints::IncrementalSortAbandoned;
use super::{BucketDivision, IncrementalSweepAndPrune};
use crate::BodyPair;

/// Buffers of a step.
#[derive(Clone, Debug)]
pub(super) struct IncrementalSweepBuffers<const D: usize> {
    keys: EndpointKeys<D>,
    found: Vec<BodyPair>,
    /// Bucket above member.
    leaving: Vec<u64>,
    joining: Vec<u64>,
    numbers: Vec<u32>,
}

/// Exchanges per end above which sorting anew is cheaper.
const MAX_EXCHANGES: u64 = 64;
/// Sorting anew pays if the ends of new members would pass so many others per end of all.
const MAX_EXCHANGES_TO_JOIN: u64 = 32;
/// Buckets are divided anew when the sum of squares of their members has grown by this factor.
const MAX_CROWDING_GROWTH: u64 = 4;
/// One list of more bodies than this is swept by way of buckets, the first time.
const MAX_SINGLE_LIST_SWEEP: usize = 1024;

impl<const D: usize> IncrementalSweepAndPrune<D> {
    /// Finds who entered and left which bucket.
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
        leaving.sort_unstable();
        joining.sort_unstable();
        self.work.transfers = (leaving.len() + joining.len()) as u64;
        Ok(())
    }

    /// Lets bodies leave and enter buckets, unless that would take too long.
    pub(super) fn apply_transfers(&mut self) -> Result<(), IncrementalSortAbandoned> {
        let allowed = self.allowed_exchanges(MAX_EXCHANGES_TO_JOIN);
        let IncrementalSweepBuffers { leaving, joining, numbers, .. } = &mut self.buffers;
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
        if self.current_crowding() > MAX_CROWDING_GROWTH * self.crowding {
            Err(IncrementalSortAbandoned)
        } else {
            Ok(())
        }
    }

    /// So many exchanges per end of all boxes, with some to spare for the first few.
    fn allowed_exchanges(&self, per_end: u64) -> u64 {
        per_end * 2 * (self.len() as u64 + 16)
    }

    fn current_crowding(&self) -> u64 {
        let squares = self.buckets.iter().map(|bucket| (bucket.len() as u64 + 16).pow(2));
        squares.sum()
    }

    /// Insertion in every bucket, and what follows for the table.
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

    /// Divides the space and sorts everything from the beginning.
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

    /// Sweeps every bucket and fills the table with what is found.
    fn find_all_pairs(&mut self) {
        let world = SweepBoxes { boxes: &self.boxes, boundary: &self.boundary };
        let IncrementalSweepBuffers { found, numbers, .. } = &mut self.buffers;
        found.clear();
        if self.division == BucketDivision::One && self.boxes.len() > MAX_SINGLE_LIST_SWEEP {
            // A single list would compare the boxes of a whole slab.
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
