//! Incremental sweep and prune: the overlapping pairs of bounding boxes that stay sorted from time step to
//! time step, and the changes since the last one.
//!
//! The method of Schinner (1999, paper 001), after Baraff and Lin: along every axis the endpoints of all
//! boxes are kept in a sorted list. Bodies move little between two steps, so the lists are nearly sorted
//! and insertion sort is nearly linear. Where a low endpoint passes below a high one, two intervals begin
//! to overlap; if the boxes overlap along the other axes too, the pair enters a table.
//!
//! # Cost
//!
//! Per step one pass over all endpoints, plus the exchanges. If N bodies move by a fraction f of their
//! mutual distance, each endpoint passes about f N^(2/3) others along each axis (f N^(1/2) in the plane),
//! nearly all of them far away along the other axes: one list per axis is linear only for small steps of
//! few bodies.
//!
//! With [`BucketDivision::ByDensity`] the space is divided into buckets of some dozens of bodies, each
//! with lists of its own, so that endpoints pass only those of neighbors: the number of exchanges is
//! linear in N. A body is a member of every bucket its box reaches into, about two on average.
//!
//! | | take it when |
//! |---|---|
//! | [`BucketDivision::One`] | steps of 1/1000 of a radius; fewer than 1000 boxes; boxes as large as the region |
//! | [`BucketDivision::ByDensity`] | larger steps of more boxes |
//!
//! From steps of a hundredth of a radius on, buckets are twice as fast for 10,000 boxes, and at a tenth five
//! times for 100,000; `cargo xtask bench boxes` measures both. One list counts the exchanges that the paper
//! counts.
//!
//! # When not to use it
//!
//! If bodies move by more than their size between two steps, nothing is gained from their previous order:
//! then a structure that is rebuilt for every search, such as the
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

/// Division of the endpoints into lists.
///
/// ```
/// use carom_detect::broad::{BucketDivision, IncrementalSweepAndPrune};
/// use carom_geometry::{Aabb, Boundary};
/// let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
/// let row: Vec<_> = (0..1000).map(|k| square(0.9 * f64::from(k))).collect();
/// for division in [BucketDivision::One, BucketDivision::ByDensity] {
///     let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), division);
///     boxes.update(&row)?;
///     assert_eq!(boxes.pairs().len(), 999);
/// }
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BucketDivision {
    /// One list per axis (on a periodic axis three buckets, each with a third of the period).
    One,
    /// One list per axis in each of many buckets of some dozens of bodies.
    #[default]
    ByDensity,
}

/// Axis-aligned bounding boxes, kept sorted along every axis, and the table of overlapping pairs.
///
/// Boxes are closed: those that touch overlap. On periodic axes a box may lie anywhere and may reach across
/// the side of the box; each pair is in the table once, whichever images overlap. The same calls in the
/// same order give the same pairs and the same counts.
///
/// Buffers are kept. A sweep allocates only where one must grow: if a bucket holds more bodies, a step has
/// more changes or the table more pairs than ever before; and if everything is rebuilt
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
    /// Box of each body, wrapped into the boundary; empty for bodies that were removed.
    boxes: Vec<Aabb<D>>,
    /// Buckets each body is a member of, as of the last sweep.
    spans: Vec<BucketSpan<D>>,
    /// Body numbers that may be reused.
    free: Vec<u32>,
    /// Body numbers that may be reused after the next sweep, which still has to end their pairs.
    removed_bodies: Vec<u32>,
    grid: Option<BucketGrid<D>>,
    buckets: Vec<SweepBucket<D>>,
    /// Sum of the squared bucket sizes at the last rebuild.
    crowding: u64,
    overlap_pairs: OverlapPairTable,
    work: IncrementalSweepWork,
    buffers: IncrementalSweepBuffers<D>,
}

/// Counts of work of the last [`sweep`](IncrementalSweepAndPrune::sweep).
///
/// ```
/// # use carom_detect::{BodyPair, broad::{BucketDivision, IncrementalSweepAndPrune}};
/// # use carom_geometry::{Aabb, Boundary};
/// # let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
/// let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::One);
/// boxes.update(&[square(0.0), square(3.0)])?;
/// assert!(boxes.work().rebuilt);
/// boxes.update(&[square(0.0), square(0.5)])?;
/// // Along x the low end of the right box passes the high end of the left one.
/// assert_eq!((boxes.work().exchanges, boxes.work().pair_changes), (1, 1));
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IncrementalSweepWork {
    /// Number of exchanges of two adjacent endpoints in a list.
    pub exchanges: u64,
    /// Number of pairs that began or ceased to overlap.
    pub pair_changes: u64,
    /// Number of times a body entered or left a bucket.
    pub transfers: u64,
    /// Whether everything was rebuilt instead: at the start, and where insertion sort would have taken
    /// longer.
    pub rebuilt: bool,
}

/// The pairs that the last [`sweep`](IncrementalSweepAndPrune::sweep) changed; both lists ascend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlapChanges<'a> {
    /// Pairs that overlap now and did not before.
    pub begun: &'a [BodyPair],
    /// Pairs that overlapped before and do not now, or one of whose bodies was removed.
    pub ended: &'a [BodyPair],
}

/// Largest number of boxes: a member of a bucket is a body number and its image flags in 32 bits.
const MAX_BODIES: usize = 1 << 28;

impl<const D: usize> IncrementalSweepAndPrune<D> {
    /// Makes a structure without boxes.
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

    /// Adds a box and returns its number; it takes effect with the next [`sweep`](Self::sweep).
    ///
    /// Numbers of removed boxes are reused. Fails if a corner of the box is not finite or is beyond 1e100,
    /// its corners are exchanged, or it takes more than 0.6 of a period.
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

    /// Removes a box, with effect from the next [`sweep`](Self::sweep). Fails if there is no such box.
    ///
    /// ```
    /// # use carom_detect::{BodyPair, broad::{BucketDivision, IncrementalSweepAndPrune}};
    /// # use carom_geometry::{Aabb, Boundary};
    /// # let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
    /// let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::One);
    /// let (left, right) = (boxes.insert(square(0.0))?, boxes.insert(square(0.5))?);
    /// boxes.sweep();
    /// boxes.remove(left)?;
    /// boxes.sweep();
    /// assert_eq!(boxes.changes().ended, [BodyPair::new(left, right)]);
    /// assert!(boxes.pairs().is_empty() && boxes.len() == 1);
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn remove(&mut self, body: u32) -> Result<(), Error> {
        self.require_body(body)?;
        self.boxes[body as usize] = Aabb::empty();
        self.removed_bodies.push(body);
        Ok(())
    }

    /// Replaces the box of a body, with effect from the next [`sweep`](Self::sweep). Fails if there is no
    /// such box, and as [`insert`](Self::insert) does.
    pub fn move_to(&mut self, body: u32, bounds: Aabb<D>) -> Result<(), Error> {
        self.require_body(body)?;
        bounds::check(body as usize, &bounds, &self.boundary)?;
        self.boxes[body as usize] = bounds::wrapped(bounds, &self.boundary);
        Ok(())
    }

    /// Returns the box of a body; on periodic axes, the image whose low corner lies in the period.
    ///
    /// ```
    /// # use carom_detect::{BodyPair, broad::{BucketDivision, IncrementalSweepAndPrune}};
    /// # use carom_geometry::{Aabb, Boundary};
    /// # let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
    /// let periodic = Boundary::periodic([Some(10.0), None])?;
    /// let mut boxes = IncrementalSweepAndPrune::new(periodic, BucketDivision::One);
    /// let body = boxes.insert(square(-0.5))?;
    /// assert_eq!(boxes.bounds(body), Some(&square(9.5)));
    /// boxes.remove(body)?;
    /// assert_eq!(boxes.bounds(body), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(&self, body: u32) -> Option<&Aabb<D>> {
        self.boxes.get(body as usize).filter(|bounds| bucket_grid::is_present(bounds))
    }

    fn require_body(&self, body: u32) -> Result<(), Error> {
        self.bounds(body).map(|_| ()).ok_or(Error::NoSuchBox { body })
    }

    /// Replaces every box and [`sweep`](Self::sweep)s. The box at index `i` is that of body `i`; if there
    /// are more or fewer than before, or some were removed, everything is rebuilt.
    ///
    /// Fails as [`insert`](Self::insert) does, and then leaves everything as it was.
    ///
    /// ```
    /// # use carom_detect::{BodyPair, broad::{BucketDivision, IncrementalSweepAndPrune}};
    /// # use carom_geometry::{Aabb, Boundary};
    /// # let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
    /// let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), BucketDivision::ByDensity);
    /// for step in 0..=8 {
    ///     // The right box comes nearer and touches the left one in the last step.
    ///     boxes.update(&[square(0.0), square(2.0 - 0.125 * f64::from(step))])?;
    ///     assert_eq!(boxes.pairs().is_empty(), step < 8);
    /// }
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
    pub fn update(&mut self, boxes: &[Aabb<D>]) -> Result<(), Error> {
        check_count(boxes.len())?;
        if !self.all_usable(boxes) {
            let check = |(index, bounds)| bounds::check(index, bounds, &self.boundary);
            boxes.iter().enumerate().try_for_each(check)?;
        }
        self.replace(boxes.iter().copied());
        Ok(())
    }

    /// As [`update`](Self::update), for boxes that are known to be valid.
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

    /// Returns whether these are the boxes, in the same order.
    pub(super) fn holds(&self, boxes: impl ExactSizeIterator<Item = Aabb<D>>) -> bool {
        let wrapped = boxes.map(|bounds| bounds::wrapped(bounds, &self.boundary));
        wrapped.eq(self.boxes.iter().copied())
    }

    /// Returns whether all boxes are valid. Without branches, since it reads every box in every step; the
    /// first offender is looked for only if there is one.
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

    /// Updates the sorted lists and the table of pairs to the boxes as they are now.
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

    /// Returns every overlapping pair, ascending, as of the last sweep.
    pub fn pairs(&self) -> &[BodyPair] {
        self.overlap_pairs.pairs()
    }

    /// Returns the pairs that the last sweep changed.
    pub fn changes(&self) -> OverlapChanges<'_> {
        OverlapChanges { begun: self.overlap_pairs.begun(), ended: self.overlap_pairs.ended() }
    }

    /// Returns what the last sweep cost.
    pub fn work(&self) -> IncrementalSweepWork {
        self.work
    }

    /// Returns the number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.removed_bodies.len()
    }

    /// Returns whether there is no box.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the boundary of the region.
    pub fn boundary(&self) -> &Boundary<D> {
        &self.boundary
    }

    /// Returns how the endpoints are divided into lists.
    pub fn division(&self) -> BucketDivision {
        self.division
    }

    /// Returns the number of buckets.
    pub(crate) fn bucket_count(&self) -> usize {
        self.grid.as_ref().map_or(0, BucketGrid::bucket_count)
    }

    /// Returns the bytes held by the buffers.
    pub fn memory(&self) -> usize {
        let bodies = self.boxes.capacity() * size_of::<Aabb<D>>()
            + self.spans.capacity() * size_of::<BucketSpan<D>>()
            + (self.free.capacity() + self.removed_bodies.capacity()) * size_of::<u32>();
        let buckets = self.buckets.capacity() * size_of::<SweepBucket<D>>()
            + self.buckets.iter().map(SweepBucket::memory).sum::<usize>();
        bodies + buckets + self.overlap_pairs.memory() + self.buffers.memory()
    }
}

/// Fails if there would be more boxes than can be numbered.
pub(super) fn check_count(count: usize) -> Result<(), Error> {
    match count > MAX_BODIES {
        true => Err(Error::TooManyBoxes { count, most: MAX_BODIES }),
        false => Ok(()),
    }
}
