//! Boxes kept sorted from step to step: which of them overlap, and what changed.
//!
//! Schinner (1999), after Baraff and Lin: along every axis the low and high ends of all boxes stand
//! in a sorted list. Bodies move little between two steps, so the lists are nearly sorted and
//! insertion sort is nearly linear; where a low end passes below a high end, two intervals begin to meet, and if the boxes meet
//! along the other axes too, the pair enters a table.
//!
//! # Cost
//!
//! Per step one pass over all ends, and what the exchanges cost. Of N bodies in space that move by
//! the part f of their mutual distance, each end passes about f N^(2/3) others along each axis
//! (f N^(1/2) in the plane), nearly all of them far away along the other axes: one list per axis
//! is linear only for small steps of few bodies.
//!
//! With [`BucketDivision::ByDensity`] the space is divided into buckets of some dozens of bodies, each
//! with lists of its own, so that ends pass only those of neighbors: the number of exchanges is
//! linear in N. A body stands in every bucket that its box reaches into, about two on average.
//!
//! | | take it when |
//! |---|---|
//! | [`BucketDivision::One`] | steps of about a thousandth of a radius; fewer than a thousand boxes; boxes nearly as large as the region; to count what the paper counts |
//! | [`BucketDivision::ByDensity`] | larger steps: from a hundredth of a radius on it is twice as fast for 10,000 boxes, and at a tenth five times for 100,000 |
//!
//! `cargo xtask bench boxes` measures both.
//!
//! # When not to use it
//!
//! Where bodies move by more than their size between two steps nothing is gained from the order
//! they had: then a structure that is built anew, such as the
//! [hierarchical grid](super::hierarchical_grid), is faster.

mod bounds;
mod bucket;
mod bucket_grid;
mod check;
mod endpoints;
mod overlap_pair_table;
#[cfg(test)]
mod tests;
mod update;

use crate::{BodyPair, Error};
use bucket::SweepBucket;
use bucket_grid::{BucketGrid, BucketSpan, empty_span};
use carom_geometry::{Aabb, Boundary};
use overlap_pair_table::OverlapPairTable;
use update::IncrementalSweepBuffers;

/// How the ends are divided into lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BucketDivision {
    /// One list per axis (on periodic axes a third of it in each of three buckets).
    One,
    /// Lists per bucket of some dozens of bodies.
    #[default]
    ByDensity,
}

/// Axis-aligned boxes, sorted along every axis and kept so, and the table of those that overlap.
///
/// Boxes are closed: those that touch overlap. On periodic axes a box may lie anywhere and may stick
/// out through the seam; each pair is in the table once, whichever images overlap. Same input, same
/// order of calls: same result and same counts.
///
/// Buffers are kept. A sweep allocates only where one must grow: if a bucket holds more bodies, a step
/// more changes or the table more pairs than ever before; and where everything is sorted anew
/// ([`IncrementalSweepWork::rebuilt`]).
///
/// ```
/// use carom_detect::{BodyPair, broad::{BucketDivision, IncrementalSweepAndPrune}};
/// use carom_geometry::{Aabb, Boundary};
/// let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
/// let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::One);
/// let (left, right) = (boxes.insert(square(0.0))?, boxes.insert(square(3.0))?);
/// boxes.sweep();
/// assert!(boxes.pairs().is_empty());
/// boxes.move_to(right, square(1.0))?;
/// boxes.sweep();
/// assert_eq!(boxes.pairs(), [BodyPair::new(left, right)]);
/// assert_eq!(boxes.changes().begun, boxes.pairs());
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IncrementalSweepAndPrune<const D: usize> {
    boundary: Boundary<D>,
    division: BucketDivision,
    /// By body; wrapped into the boundary. Empty for bodies that were removed.
    boxes: Vec<Aabb<D>>,
    /// By body, as of the last sweep.
    spans: Vec<BucketSpan<D>>,
    /// Bodies that may be given out again, and those that may after the next sweep.
    free: Vec<u32>,
    removed_bodies: Vec<u32>,
    grid: Option<BucketGrid<D>>,
    buckets: Vec<SweepBucket<D>>,
    /// Sum of squares of the members of the buckets when they were made.
    crowding: u64,
    overlap_pairs: OverlapPairTable,
    work: IncrementalSweepWork,
    buffers: IncrementalSweepBuffers<D>,
}

/// What the last [`sweep`](IncrementalSweepAndPrune::sweep) cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IncrementalSweepWork {
    /// How often two neighboring ends of a list changed places.
    pub exchanges: u64,
    /// Pairs that began or ended.
    pub pair_changes: u64,
    /// How often a body entered or left a bucket.
    pub transfers: u64,
    /// Whether everything was sorted anew instead: at the start, and where insertion would have
    /// taken longer.
    pub rebuilt: bool,
}

/// What the last [`sweep`](IncrementalSweepAndPrune::sweep) changed; both lists ascend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlapChanges<'a> {
    /// Pairs that overlap now and did not before.
    pub begun: &'a [BodyPair],
    /// Pairs that overlapped before and do not now, or have lost a body.
    pub ended: &'a [BodyPair],
}

/// More boxes than this do not fit, since a member of a bucket is a body and an image in 32 bits.
const MAX_BODIES: usize = 1 << 28;

impl<const D: usize> IncrementalSweepAndPrune<D> {
    /// Without any boxes.
    pub fn new(boundary: Boundary<D>, division: BucketDivision) -> Self {
        IncrementalSweepAndPrune {
            boundary,
            division,
            boxes: Vec::new(),
            spans: Vec::new(),
            free: Vec::new(),
            removed_bodies: Vec::new(),
            grid: None,
            buckets: Vec::new(),
            crowding: 0,
            overlap_pairs: OverlapPairTable::default(),
            work: IncrementalSweepWork::default(),
            buffers: IncrementalSweepBuffers::default(),
        }
    }

    /// Adds a box and returns its number, to count from the next [`sweep`](Self::sweep).
    ///
    /// Numbers of removed boxes are given out again. Fails if the box has a corner that is not a
    /// usable number, is inside out, or takes more than 0.6 of a period.
    pub fn insert(&mut self, bounds: Aabb<D>) -> Result<u32, Error> {
        let body = self.free.last().map_or(self.boxes.len(), |&body| body as usize);
        bounds::check(body, &bounds, &self.boundary)?;
        check_count(body + 1)?;
        let bounds = bounds::wrapped(bounds, &self.boundary);
        if self.free.pop().is_some() {
            self.boxes[body] = bounds;
        } else {
            self.boxes.push(bounds);
            self.spans.push(empty_span());
        }
        Ok(body as u32)
    }

    /// Takes a box out, to count from the next [`sweep`](Self::sweep).
    pub fn remove(&mut self, body: u32) -> Result<(), Error> {
        self.require_body(body)?;
        self.boxes[body as usize] = Aabb::empty();
        self.removed_bodies.push(body);
        Ok(())
    }

    /// Puts another box in the place of one, to count from the next [`sweep`](Self::sweep). Fails
    /// as [`insert`](Self::insert) does.
    pub fn move_to(&mut self, body: u32, bounds: Aabb<D>) -> Result<(), Error> {
        self.require_body(body)?;
        bounds::check(body as usize, &bounds, &self.boundary)?;
        self.boxes[body as usize] = bounds::wrapped(bounds, &self.boundary);
        Ok(())
    }

    /// The box of a body, on periodic axes the image whose low corner lies in the period.
    pub fn bounds(&self, body: u32) -> Option<&Aabb<D>> {
        self.boxes.get(body as usize).filter(|bounds| bucket_grid::is_present(bounds))
    }

    fn require_body(&self, body: u32) -> Result<(), Error> {
        self.bounds(body).map(|_| ()).ok_or(Error::NoSuchBox { body })
    }

    /// Replaces every box and [`sweep`](Self::sweep)s. The box at place `i` is that of body `i`; if
    /// there are more or fewer than before, or some were removed, everything is sorted anew.
    ///
    /// Fails as [`insert`](Self::insert) does, and then leaves everything as it was.
    pub fn update(&mut self, boxes: &[Aabb<D>]) -> Result<(), Error> {
        check_count(boxes.len())?;
        if !self.all_usable(boxes) {
            let check = |(index, bounds)| bounds::check(index, bounds, &self.boundary);
            boxes.iter().enumerate().try_for_each(check)?;
        }
        self.replace(boxes.iter().copied());
        Ok(())
    }

    /// As [`update`](Self::update), of boxes that are known to be usable.
    pub(super) fn replace(&mut self, boxes: impl ExactSizeIterator<Item = Aabb<D>>) {
        let same_bodies = boxes.len() == self.boxes.len()
            && self.free.is_empty()
            && self.removed_bodies.is_empty();
        let boundary = self.boundary;
        let wrapped = boxes.map(|bounds| {
            debug_assert!(bounds::fits(&bounds, &boundary), "{bounds:?} is too wide");
            bounds::wrapped(bounds, &boundary)
        });
        if same_bodies {
            self.boxes.iter_mut().zip(wrapped).for_each(|(old, new)| *old = new);
        } else {
            self.boxes.clear();
            self.boxes.extend(wrapped);
            self.spans.clear();
            self.spans.resize(self.boxes.len(), empty_span());
            self.free.clear();
            self.removed_bodies.clear();
            self.grid = None;
        }
        self.sweep();
    }

    /// Whether these are the boxes, in the same order.
    pub(super) fn holds(&self, boxes: impl ExactSizeIterator<Item = Aabb<D>>) -> bool {
        let wrapped = boxes.map(|bounds| bounds::wrapped(bounds, &self.boundary));
        wrapped.eq(self.boxes.iter().copied())
    }

    /// Without branches, for this looks at every box in every step.
    fn all_usable(&self, boxes: &[Aabb<D>]) -> bool {
        let widest = std::array::from_fn::<f64, D, _>(|axis| {
            self.boundary
                .period(axis)
                .map_or(f64::INFINITY, |period| bounds::MAX_PART_OF_PERIOD * period)
        });
        let largest = crate::LARGEST_NUMBER;
        boxes.iter().fold(true, |usable, bounds| {
            (0..D).fold(usable, |usable, axis| {
                let (low, high) = (bounds.low[axis], bounds.high[axis]);
                let fits = (high - low <= widest[axis]) & (low <= high);
                usable & fits & (low >= -largest) & (high <= largest)
            })
        })
    }

    /// Brings lists and table up to the boxes as they are now.
    pub fn sweep(&mut self) {
        self.work = IncrementalSweepWork::default();
        let kept = self
            .record_transfers()
            .and_then(|()| self.apply_transfers())
            .and_then(|()| self.resort());
        if kept.is_err() {
            self.rebuild();
        }
        let changes = self.overlap_pairs.begun().len() + self.overlap_pairs.ended().len();
        self.work.pair_changes = changes as u64;
        self.free.append(&mut self.removed_bodies);
    }

    /// Every overlapping pair, ascending, as of the last sweep.
    pub fn pairs(&self) -> &[BodyPair] {
        self.overlap_pairs.pairs()
    }

    /// What the last sweep changed.
    pub fn changes(&self) -> OverlapChanges<'_> {
        OverlapChanges { begun: self.overlap_pairs.begun(), ended: self.overlap_pairs.ended() }
    }

    /// What the last sweep cost.
    pub fn work(&self) -> IncrementalSweepWork {
        self.work
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.removed_bodies.len()
    }

    /// Whether there is no box.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the boxes are.
    pub fn boundary(&self) -> &Boundary<D> {
        &self.boundary
    }

    /// How the ends are divided into lists.
    pub fn division(&self) -> BucketDivision {
        self.division
    }

    /// How many buckets there are.
    pub fn bucket_count(&self) -> usize {
        self.grid.as_ref().map_or(0, BucketGrid::bucket_count)
    }

    /// Bytes held by the buffers.
    pub fn memory(&self) -> usize {
        let bodies = self.boxes.capacity() * size_of::<Aabb<D>>()
            + self.spans.capacity() * size_of::<BucketSpan<D>>()
            + (self.free.capacity() + self.removed_bodies.capacity()) * size_of::<u32>();
        let buckets = self.buckets.capacity() * size_of::<SweepBucket<D>>()
            + self.buckets.iter().map(SweepBucket::memory).sum::<usize>();
        bodies + buckets + self.overlap_pairs.memory() + self.buffers.memory()
    }
}

/// An error if so many boxes are too many.
pub(super) fn check_count(count: usize) -> Result<(), Error> {
    match count > MAX_BODIES {
        true => Err(Error::TooManyBoxes { count, most: MAX_BODIES }),
        false => Ok(()),
    }
}
