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
//! With [`Buckets::ByDensity`] the space is divided into buckets of some dozens of bodies, each
//! with lists of its own, so that ends pass only those of neighbours: the number of exchanges is
//! linear in N. A body stands in every bucket that its box reaches into, about two on average.
//!
//! | | take it when |
//! |---|---|
//! | [`Buckets::One`] | steps of about a thousandth of a radius; fewer than a thousand boxes; boxes nearly as large as the region; to count what the paper counts |
//! | [`Buckets::ByDensity`] | larger steps: from a hundredth of a radius on it is twice as fast for 10,000 boxes, and at a tenth five times for 100,000 |
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
mod ends;
mod grid;
mod table;
#[cfg(test)]
mod tests;

use crate::{Error, Pair};
use bucket::{Bucket, Keys, World};
use carom_geometry::{Aabb, Boundary};
use ends::Abandoned;
use grid::{Grid, Span, nowhere};
use table::Table;

/// How the ends are divided into lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buckets {
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
/// order of calls: same result and same counts. Once buffers have grown, a step allocates nothing
/// unless a bucket holds more bodies than ever before.
///
/// ```
/// use carom_detect::{Pair, broad::{Buckets, KeptSort}};
/// use carom_geometry::{Aabb, Boundary};
/// let square = |x: f64| Aabb { low: [x, 0.0].into(), high: [x + 1.0, 1.0].into() };
/// let mut boxes = KeptSort::new(Boundary::open(), Buckets::One);
/// let (left, right) = (boxes.insert(square(0.0))?, boxes.insert(square(3.0))?);
/// boxes.sweep();
/// assert!(boxes.pairs().is_empty());
/// boxes.move_to(right, square(1.0))?;
/// boxes.sweep();
/// assert_eq!(boxes.pairs(), [Pair::new(left, right)]);
/// assert_eq!(boxes.changes().begun, boxes.pairs());
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeptSort<const D: usize> {
    boundary: Boundary<D>,
    division: Buckets,
    /// By body; wrapped into the boundary. Empty for bodies that were removed.
    boxes: Vec<Aabb<D>>,
    /// By body, as of the last sweep.
    spans: Vec<Span<D>>,
    /// Bodies that may be given out again, and those that may after the next sweep.
    free: Vec<u32>,
    removed: Vec<u32>,
    grid: Option<Grid<D>>,
    buckets: Vec<Bucket<D>>,
    /// Sum of squares of the members of the buckets when they were made.
    crowding: u64,
    table: Table,
    work: Work,
    space: Space<D>,
}

/// Buffers of a step.
#[derive(Clone, Debug)]
struct Space<const D: usize> {
    keys: Keys<D>,
    found: Vec<Pair>,
    /// Bucket above member.
    leaving: Vec<u64>,
    joining: Vec<u64>,
    numbers: Vec<u32>,
}

/// What the last [`sweep`](KeptSort::sweep) cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// How often two neighbouring ends of a list changed places.
    pub exchanges: u64,
    /// Pairs that began or ended.
    pub pair_changes: u64,
    /// How often a body entered or left a bucket.
    pub transfers: u64,
    /// Whether everything was sorted anew instead: at the start, and where insertion would have
    /// taken longer.
    pub sorted_anew: bool,
}

/// What the last [`sweep`](KeptSort::sweep) changed; both lists ascend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes<'a> {
    /// Pairs that overlap now and did not before.
    pub begun: &'a [Pair],
    /// Pairs that overlapped before and do not now, or have lost a body.
    pub ended: &'a [Pair],
}

/// More boxes than this do not fit, since a member of a bucket is a body and an image in 32 bits.
const MOST_BODIES: usize = 1 << 28;
/// Exchanges per end above which sorting anew is cheaper.
const MOST_EXCHANGES: u64 = 64;
/// Sorting anew pays if the ends of new members would pass so many others per end of all.
const MOST_EXCHANGES_TO_JOIN: u64 = 32;
/// Buckets are divided anew when the sum of squares of their members has grown by this factor.
const MOST_CROWDED: u64 = 4;
/// One list of more bodies than this is swept by way of buckets, the first time.
const LONG: usize = 1024;

impl<const D: usize> KeptSort<D> {
    /// Without any boxes.
    pub fn new(boundary: Boundary<D>, division: Buckets) -> Self {
        KeptSort {
            boundary,
            division,
            boxes: Vec::new(),
            spans: Vec::new(),
            free: Vec::new(),
            removed: Vec::new(),
            grid: None,
            buckets: Vec::new(),
            crowding: 0,
            table: Table::default(),
            work: Work::default(),
            space: Space::default(),
        }
    }

    /// Adds a box and returns its number, to count from the next [`sweep`](Self::sweep).
    ///
    /// Numbers of removed boxes are given out again. Fails if the box has a corner that is not a
    /// usable number, is inside out, or takes more than 0.6 of a period.
    pub fn insert(&mut self, bounds: Aabb<D>) -> Result<u32, Error> {
        let body = self.free.last().map_or(self.boxes.len(), |&body| body as usize);
        bounds::check(body, &bounds, &self.boundary)?;
        accepts(body + 1)?;
        let bounds = bounds::wrapped(bounds, &self.boundary);
        if self.free.pop().is_some() {
            self.boxes[body] = bounds;
        } else {
            self.boxes.push(bounds);
            self.spans.push(nowhere());
        }
        Ok(body as u32)
    }

    /// Takes a box out, to count from the next [`sweep`](Self::sweep).
    pub fn remove(&mut self, body: u32) -> Result<(), Error> {
        self.find(body)?;
        self.boxes[body as usize] = Aabb::empty();
        self.removed.push(body);
        Ok(())
    }

    /// Puts another box in the place of one, to count from the next [`sweep`](Self::sweep). Fails
    /// as [`insert`](Self::insert) does.
    pub fn move_to(&mut self, body: u32, bounds: Aabb<D>) -> Result<(), Error> {
        self.find(body)?;
        bounds::check(body as usize, &bounds, &self.boundary)?;
        self.boxes[body as usize] = bounds::wrapped(bounds, &self.boundary);
        Ok(())
    }

    /// The box of a body, on periodic axes the image whose low corner lies in the period.
    pub fn bounds(&self, body: u32) -> Option<&Aabb<D>> {
        self.boxes.get(body as usize).filter(|bounds| grid::is_there(bounds))
    }

    fn find(&self, body: u32) -> Result<(), Error> {
        self.bounds(body).map(|_| ()).ok_or(Error::NoSuchBox { body })
    }

    /// Replaces every box and [`sweep`](Self::sweep)s. The box at place `i` is that of body `i`; if
    /// there are more or fewer than before, or some were removed, everything is sorted anew.
    ///
    /// Fails as [`insert`](Self::insert) does, and then leaves everything as it was.
    pub fn update(&mut self, boxes: &[Aabb<D>]) -> Result<(), Error> {
        accepts(boxes.len())?;
        if !self.all_usable(boxes) {
            let check = |(index, bounds)| bounds::check(index, bounds, &self.boundary);
            boxes.iter().enumerate().try_for_each(check)?;
        }
        self.replace(boxes.iter().copied());
        Ok(())
    }

    /// As [`update`](Self::update), of boxes that are known to be usable.
    pub(super) fn replace(&mut self, boxes: impl ExactSizeIterator<Item = Aabb<D>>) {
        let same_bodies =
            boxes.len() == self.boxes.len() && self.free.is_empty() && self.removed.is_empty();
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
            self.spans.resize(self.boxes.len(), nowhere());
            self.free.clear();
            self.removed.clear();
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
            self.boundary.period(axis).map_or(f64::INFINITY, |period| bounds::WIDEST * period)
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
        self.work = Work::default();
        let kept =
            self.note_transfers().and_then(|()| self.transfer()).and_then(|()| self.resort());
        if kept.is_err() {
            self.sort_anew();
        }
        let changes = self.table.begun().len() + self.table.ended().len();
        self.work.pair_changes = changes as u64;
        self.free.append(&mut self.removed);
    }

    /// Every overlapping pair, ascending, as of the last sweep.
    pub fn pairs(&self) -> &[Pair] {
        self.table.pairs()
    }

    /// What the last sweep changed.
    pub fn changes(&self) -> Changes<'_> {
        Changes { begun: self.table.begun(), ended: self.table.ended() }
    }

    /// What the last sweep cost.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.removed.len()
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
    pub fn division(&self) -> Buckets {
        self.division
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.grid.as_ref().map_or(0, Grid::buckets)
    }

    /// Bytes held by the buffers.
    pub fn memory(&self) -> usize {
        let bodies = self.boxes.capacity() * size_of::<Aabb<D>>()
            + self.spans.capacity() * size_of::<Span<D>>()
            + (self.free.capacity() + self.removed.capacity()) * size_of::<u32>();
        let buckets = self.buckets.capacity() * size_of::<Bucket<D>>()
            + self.buckets.iter().map(Bucket::memory).sum::<usize>();
        bodies + buckets + self.table.memory() + self.space.memory()
    }

    /// Finds who entered and left which bucket.
    fn note_transfers(&mut self) -> Result<(), Abandoned> {
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
    fn transfer(&mut self) -> Result<(), Abandoned> {
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
    fn resort(&mut self) -> Result<(), Abandoned> {
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
    fn sort_anew(&mut self) {
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

    /// Verifies wholly that lists and table belong to the boxes, as the last sweep left them.
    pub fn check(&self) -> Result<(), String> {
        let Some(grid) = &self.grid else {
            return if self.boxes.is_empty() { Ok(()) } else { Err("never swept".into()) };
        };
        let mut expected: Vec<Vec<u32>> = vec![Vec::new(); grid.buckets()];
        for (body, bounds) in (0..).zip(&self.boxes).filter(|(_, bounds)| grid::is_there(bounds)) {
            for place in grid.places(&grid.span(bounds)) {
                let member = bucket::member::<D>(body, place.below);
                expected[grid.index(&place) as usize].push(member);
            }
        }
        let world = World { boxes: &self.boxes, boundary: &self.boundary };
        for (index, (bucket, expected)) in self.buckets.iter().zip(&expected).enumerate() {
            let mut members = bucket.members().to_vec();
            members.sort_unstable();
            if members != *expected {
                return Err(format!("bucket {index} has not the members it should have"));
            }
            bucket.check(world).map_err(|fault| format!("bucket {index}: {fault}"))?;
        }
        match self.table.pairs() == all_overlapping(world) {
            true => Ok(()),
            false => Err("the table is not that of the boxes".into()),
        }
    }
}

/// An error if so many boxes are too many.
pub(super) fn accepts(count: usize) -> Result<(), Error> {
    match count > MOST_BODIES {
        true => Err(Error::TooManyBoxes { count, most: MOST_BODIES }),
        false => Ok(()),
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
    fn memory(&self) -> usize {
        self.keys.memory()
            + self.found.capacity() * size_of::<Pair>()
            + (self.leaving.capacity() + self.joining.capacity()) * size_of::<u64>()
            + self.numbers.capacity() * size_of::<u32>()
    }
}

fn bucket_of(transfer: u64) -> usize {
    (transfer >> 32) as usize
}

/// Every overlapping pair, from nothing but the boxes; ascending.
fn all_overlapping<const D: usize>(world: World<'_, D>) -> Vec<Pair> {
    let mut order: Vec<u32> = (0..world.boxes.len() as u32).collect();
    order.retain(|&body| grid::is_there(&world.boxes[body as usize]));
    let mut pairs = Vec::new();
    let low = |body: u32| world.boxes[body as usize].low[0];
    order.sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)));
    for (place, &a) in order.iter().enumerate() {
        let high = world.boxes[a as usize].high[0];
        // What lies behind the seam has started again at the other side.
        let beyond = world.boundary.period(0).map_or(f64::NEG_INFINITY, |period| high - period);
        let around = order[..place].iter().take_while(|&&b| low(b) <= beyond);
        let behind = order[place + 1..].iter().take_while(|&&b| low(b) <= high);
        let met = around.chain(behind).filter(|&&b| world.overlap(a, b));
        pairs.extend(met.map(|&b| Pair::new(a, b)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
