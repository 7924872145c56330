//! The event calendar: a bounded-increment priority queue whose current page is sorted.
//!
//! Time is divided into pages of a few dozen events each. A body is entered on the page of its next event
//! by its index alone, at the cost of one store. Invalidation is lazy: an entry is not removed when the
//! event moves, but dropped when its page comes up. That page is sorted once, so that the next events are
//! known in order and their bodies can be prefetched. Events that are inserted into the current page while
//! it is worked off go into a small heap beside it. All operations cost constant time on average. Pages
//! are the buckets of Paul, "A Complexity O(1) priority queue for event driven molecular dynamics
//! simulations" (2007).

use super::prefetch::prefetch;
use super::schedule::{EventSchedule, tie_key};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The event calendar; see the module.
#[derive(Debug)]
pub struct Calendar {
    /// Time at which the first page begins.
    start: f64,
    pages_per_time: f64,
    /// Index of the first block of each page.
    pages: Vec<u32>,
    /// Index of the current page; all before it are done.
    current: usize,
    /// Bodies whose events come after the last page.
    overflow: Vec<u32>,
    blocks: Vec<CalendarBlock>,
    free_block: u32,
    sorted: Vec<CalendarEvent>,
    cursor: usize,
    current_heap: BinaryHeap<CalendarEvent>,
    /// Events at one and the same time, in the order of their tie keys.
    tied: BinaryHeap<Reverse<TiedEvent>>,
    /// Number of events taken since the first page began.
    popped: usize,
}

/// Some of the bodies of one page, in one cache line; the blocks of a page are a linked list.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct CalendarBlock {
    bodies: [u32; BODIES_PER_BLOCK],
    count: u32,
    next: u32,
}

const BODIES_PER_BLOCK: usize = 14;
const NO_BLOCK: u32 = u32::MAX;
/// Returns the wanted number of events on a page: many, so that prefetching can look far ahead, but few
/// among all that are pending.
fn events_per_page(bodies: usize) -> f64 {
    (bodies as f64 / 400.0).clamp(32.0, 256.0)
}

/// An event of the current page.
#[derive(Clone, Copy, Debug)]
pub struct CalendarEvent {
    pub time: f64,
    pub body: u32,
}

impl PartialEq for CalendarEvent {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for CalendarEvent {}
impl PartialOrd for CalendarEvent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for CalendarEvent {
    /// Reversed, because `BinaryHeap` is a max-heap and the earliest event is wanted.
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.body.cmp(&self.body))
    }
}

/// One of several simultaneous events: the bits of its time, its tie key and its body.
type TiedEvent = (u64, (bool, u32, u32), u32);

impl Calendar {
    pub fn new() -> Self {
        Calendar {
            start: 0.0,
            pages_per_time: 1.0,
            pages: Vec::new(),
            current: 0,
            overflow: Vec::new(),
            blocks: Vec::new(),
            free_block: NO_BLOCK,
            sorted: Vec::new(),
            cursor: 0,
            current_heap: BinaryHeap::new(),
            tied: BinaryHeap::new(),
            popped: 0,
        }
    }

    /// Clears the calendar and enters the next event of every body, with pages as long as their times ask for.
    pub fn rebuild(&mut self, schedules: &[EventSchedule], now: f64) {
        let count = schedules.len();
        let pages =
            // With fewer pages a lap would be over after a few dozen events, and each lap sorts the overflow.
            (count as f64 * EVENTS_PER_BODY / events_per_page(count)).ceil().max(16.0) as usize;
        self.pages.clear();
        self.pages.resize(pages, NO_BLOCK);
        self.blocks.clear();
        self.free_block = NO_BLOCK;
        self.overflow.clear();
        self.sorted.clear();
        self.current_heap.clear();
        self.tied.clear();
        self.cursor = 0;
        self.overflow
            .extend((0..count as u32).filter(|&b| schedules[b as usize].next_time().is_finite()));
        let mut times: Vec<f64> =
            self.overflow.iter().map(|&body| schedules[body as usize].next_time() - now).collect();
        self.begin_lap(schedules, now, expected_event_rate(&mut times));
    }

    /// Enters the next event of `body`, at `time`. An earlier entry of the body becomes stale.
    #[inline]
    pub fn insert(&mut self, body: u32, time: f64) {
        if !time.is_finite() {
            return;
        }
        let page = self.page_of(time);
        // The current page is already sorted, so late entries go into the heap. Pages before it occur too:
        // a run may pause after the calendar has moved on to a later page.
        if page <= self.current {
            self.current_heap.push(CalendarEvent { time, body });
        } else if page < self.pages.len() {
            self.insert_on_page(page, body);
        } else {
            self.overflow.push(body);
        }
    }

    /// Takes the next event, unless it is after `until`. Simultaneous events come in the order of their tie
    /// keys, so that the order does not depend on storage.
    #[inline]
    pub fn pop(&mut self, schedules: &[EventSchedule], until: f64) -> Option<CalendarEvent> {
        loop {
            if !self.tied.is_empty()
                && let Some(entry) = self.pop_tied(schedules)
            {
                self.popped += 1;
                return Some(entry);
            }
            let Some(entry) = self.peek() else {
                if !self.turn_page(schedules) {
                    return None;
                }
                continue;
            };
            // Lazy invalidation: the entry is stale if the body's next event has moved since.
            if schedules[entry.body as usize].next_time() != entry.time {
                self.pop_first();
                continue;
            }
            if entry.time > until {
                return None;
            }
            self.pop_first();
            // Neighbor changes come before simultaneous collisions, and their own order does not matter.
            if self.peek().is_some_and(|next| next.time == entry.time)
                && !schedules[entry.body as usize].changes_first()
            {
                self.tie(entry, schedules);
                continue;
            }
            self.popped += 1;
            return Some(entry);
        }
    }

    /// Returns the body whose event is `ahead` places down the sorted page, for prefetching.
    #[inline]
    pub fn peek_ahead(&self, ahead: usize) -> Option<u32> {
        self.sorted.get(self.cursor + ahead).map(|entry| entry.body)
    }

    pub fn memory(&self) -> usize {
        self.pages.capacity() * 4
            + self.overflow.capacity() * 4
            + self.blocks.capacity() * size_of::<CalendarBlock>()
            + (self.sorted.capacity() + self.current_heap.capacity()) * size_of::<CalendarEvent>()
    }

    fn page_of(&self, time: f64) -> usize {
        // The cast saturates: earlier times fall on page zero, later ones beyond all pages.
        ((time - self.start) * self.pages_per_time) as usize
    }

    #[inline]
    fn insert_on_page(&mut self, page: usize, body: u32) {
        let first = self.pages[page];
        if first != NO_BLOCK {
            let block = &mut self.blocks[first as usize];
            // Bodies within a page are in no order: it is sorted when its time comes.
            if (block.count as usize) < BODIES_PER_BLOCK {
                block.bodies[block.count as usize] = body;
                block.count += 1;
                return;
            }
        }
        let mut block = CalendarBlock { bodies: [0; BODIES_PER_BLOCK], count: 1, next: first };
        block.bodies[0] = body;
        self.pages[page] = self.store_block(block);
    }

    fn store_block(&mut self, block: CalendarBlock) -> u32 {
        if self.free_block == NO_BLOCK {
            self.blocks.push(block);
            return self.blocks.len() as u32 - 1;
        }
        let place = self.free_block;
        self.free_block = self.blocks[place as usize].next;
        self.blocks[place as usize] = block;
        place
    }

    #[inline]
    fn peek(&self) -> Option<CalendarEvent> {
        match (self.sorted.get(self.cursor), self.current_heap.peek()) {
            (Some(&sorted), Some(&soon)) => Some(if soon > sorted { soon } else { sorted }),
            (Some(&entry), None) | (None, Some(&entry)) => Some(entry),
            (None, None) => None,
        }
    }

    #[inline]
    fn pop_first(&mut self) {
        match (self.sorted.get(self.cursor), self.current_heap.peek()) {
            (Some(sorted), Some(soon)) if soon > sorted => drop(self.current_heap.pop()),
            (None, _) => drop(self.current_heap.pop()),
            _ => self.cursor += 1,
        }
    }

    #[cold]
    fn tie(&mut self, entry: CalendarEvent, schedules: &[EventSchedule]) {
        let key = tie_key(schedules, entry.body);
        self.tied.push(Reverse((entry.time.to_bits(), key, entry.body)));
    }

    /// Takes the first valid one of the simultaneous events, unless something comes before all of them.
    ///
    /// Events that were inserted at the same time since join them. A body may be among them twice; when its
    /// second entry comes up, it is stale.
    #[cold]
    fn pop_tied(&mut self, schedules: &[EventSchedule]) -> Option<CalendarEvent> {
        while let Some(&Reverse((bits, key, body))) = self.tied.peek() {
            let time = f64::from_bits(bits);
            match self.peek() {
                Some(other) if other.time < time => return None,
                Some(other) if other.time == time => {
                    self.pop_first();
                    if schedules[other.body as usize].next_time() == time {
                        self.tie(other, schedules);
                    }
                    continue;
                }
                _ => {}
            }
            self.tied.pop();
            if schedules[body as usize].next_time() != time {
                continue;
            }
            // The partner may have changed at the same time; then the event is queued again by its new key.
            if tie_key(schedules, body) == key {
                return Some(CalendarEvent { time, body });
            }
            self.tie(CalendarEvent { time, body }, schedules);
        }
        None
    }

    /// Moves on to the next page with valid events; returns false if nothing is left.
    #[cold]
    fn turn_page(&mut self, schedules: &[EventSchedule]) -> bool {
        loop {
            self.sorted.clear();
            self.cursor = 0;
            self.current += 1;
            if self.current >= self.pages.len() {
                return self.next_lap(schedules);
            }
            if self.pages[self.current] != NO_BLOCK {
                self.open_page(schedules);
                if !self.sorted.is_empty() {
                    return true;
                }
            }
        }
    }

    /// Collects and sorts the valid events of the current page, and frees its blocks.
    fn open_page(&mut self, schedules: &[EventSchedule]) {
        let mut place = std::mem::replace(&mut self.pages[self.current], NO_BLOCK);
        while place != NO_BLOCK {
            let block = self.blocks[place as usize];
            for &body in &block.bodies[..block.count as usize] {
                let time = schedules[body as usize].next_time();
                // Stale entries end here: the body's next event has moved to another page.
                if time.is_finite() && self.page_of(time) == self.current {
                    self.sorted.push(CalendarEvent { time, body });
                }
            }
            self.blocks[place as usize].next = self.free_block;
            self.free_block = place;
            place = block.next;
        }
        // Times are not negative, so their bits have the same order as integers. A body that is entered
        // twice does no harm: its second entry is stale when it comes up.
        self.sorted.sort_unstable_by_key(|entry| entry.time.to_bits());
        self.prefetch_next_page(schedules);
    }

    /// Prefetches the schedules of the bodies on the next page, which `open_page` will read.
    fn prefetch_next_page(&self, schedules: &[EventSchedule]) {
        let Some(&first) = self.pages.get(self.current + 1) else { return };
        let mut place = first;
        while place != NO_BLOCK {
            let block = &self.blocks[place as usize];
            for &body in &block.bodies[..block.count as usize] {
                prefetch(schedules, body as usize);
            }
            place = block.next;
        }
    }

    /// Starts again at the first page, with the page length adapted to the event rate of the last lap;
    /// returns false if nothing is left.
    fn next_lap(&mut self, schedules: &[EventSchedule]) -> bool {
        let length = self.pages.len() as f64 / self.pages_per_time;
        let rate = self.popped.max(1) as f64 / length;
        let end = self.start + length;
        // A body is entered again whenever its event moves, so it may wait here many times.
        self.overflow.sort_unstable();
        self.overflow.dedup();
        self.overflow.retain(|&body| schedules[body as usize].next_time().is_finite());
        let times = self.overflow.iter().map(|&body| schedules[body as usize].next_time());
        let first = times.fold(f64::INFINITY, f64::min);
        // The lap begins at the first event, not where the last one ended: a gap without events costs no pages.
        self.begin_lap(schedules, if first < f64::INFINITY { first } else { end }, rate);
        first < f64::INFINITY
    }

    /// Distributes the overflow, which was too late for the last lap, over the pages of a new one.
    fn begin_lap(&mut self, schedules: &[EventSchedule], start: f64, rate: f64) {
        self.start = start;
        self.current = 0;
        self.popped = 0;
        self.pages_per_time = rate / events_per_page(schedules.len());
        // Those that are too late for this lap too are pushed into the overflow again.
        let mut waiting = std::mem::take(&mut self.overflow);
        for body in waiting.drain(..) {
            self.insert(body, schedules[body as usize].next_time());
        }
    }
}

/// Estimates the rate of events from the times until the next event of each body, by their median.
fn expected_event_rate(times: &mut Vec<f64>) -> f64 {
    times.retain(|&time| time > 0.0);
    if times.is_empty() {
        return 1.0;
    }
    // The median and not the mean: bodies nearly at rest have events so far away that the mean would follow them.
    let middle = times.len() / 2;
    let (_, median, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
    let rate = (middle + 1) as f64 / *median;
    if rate.is_finite() { rate } else { 1.0 }
}

/// Number of events per body that all pages together are meant to hold.
const EVENTS_PER_BODY: f64 = 4.0;
