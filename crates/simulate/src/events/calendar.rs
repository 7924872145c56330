//! The queue of events: a calendar whose current page is kept sorted.
//!
//! Time is cut into pages that hold a few dozen events each. A body is noted on the page of its next
//! event by its number alone, at the cost of one store; a note is not removed when the event moves,
//! but dropped when its page comes up. The page that comes up is sorted once, so that the next
//! events are known in order and their bodies can be fetched from memory ahead of time. Events that
//! appear on the current page while it is worked off wait in a small heap beside it. All operations
//! cost constant time on average. The idea of the pages is that of Paul, "A Complexity O(1) priority
//! queue for event driven molecular dynamics simulations" (2007).

use super::fetch::fetch;
use super::schedule::{Schedule, tie_key};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// See the module.
#[derive(Debug)]
pub struct Calendar {
    /// When the first page begins.
    start: f64,
    pages_per_time: f64,
    /// First block of each page.
    pages: Vec<u32>,
    /// The page in work; all before it are done.
    current: usize,
    /// Bodies whose events come after the last page.
    later: Vec<u32>,
    blocks: Vec<Block>,
    free_block: u32,
    sorted: Vec<Entry>,
    position: usize,
    soon: BinaryHeap<Entry>,
    /// Events at one and the same time, in the order of their ties.
    tied: BinaryHeap<Reverse<Tied>>,
    /// Events taken since the first page began.
    taken: usize,
}

/// Notes of one page, one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Block {
    bodies: [u32; BLOCK],
    count: u32,
    next: u32,
}

const BLOCK: usize = 14;
const NO_BLOCK: u32 = u32::MAX;
/// Wanted number of events on a page: many, so that events are known far ahead, but few among all
/// that are to come.
fn events_per_page(bodies: usize) -> f64 {
    (bodies as f64 / 400.0).clamp(32.0, 256.0)
}

/// An event of the current page.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub time: f64,
    pub body: u32,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    /// Reversed: the heap of the standard library hands out the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.body.cmp(&self.body))
    }
}

/// One of several events at the same time: time, what orders them, body.
type Tied = (u64, (bool, u32, u32), u32);

impl Calendar {
    pub fn new() -> Self {
        Calendar {
            start: 0.0,
            pages_per_time: 1.0,
            pages: Vec::new(),
            current: 0,
            later: Vec::new(),
            blocks: Vec::new(),
            free_block: NO_BLOCK,
            sorted: Vec::new(),
            position: 0,
            soon: BinaryHeap::new(),
            tied: BinaryHeap::new(),
            taken: 0,
        }
    }

    /// Forgets all and notes every body that has something to come, with pages cut to its times.
    pub fn fill(&mut self, schedules: &[Schedule], now: f64) {
        let count = schedules.len();
        let pages = (count as f64 * LAP / events_per_page(count)).ceil().max(16.0) as usize;
        self.pages.clear();
        self.pages.resize(pages, NO_BLOCK);
        self.blocks.clear();
        self.free_block = NO_BLOCK;
        self.later.clear();
        self.sorted.clear();
        self.soon.clear();
        self.tied.clear();
        self.position = 0;
        self.later.extend((0..count as u32).filter(|&b| schedules[b as usize].next().is_finite()));
        let mut times: Vec<f64> =
            self.later.iter().map(|&body| schedules[body as usize].next() - now).collect();
        self.begin_lap(schedules, now, rate_of(&mut times));
    }

    /// Notes that the next event of `body` is at `time`.
    #[inline]
    pub fn note(&mut self, body: u32, time: f64) {
        if !time.is_finite() {
            return;
        }
        let page = self.page_of(time);
        if page <= self.current {
            self.soon.push(Entry { time, body });
        } else if page < self.pages.len() {
            self.note_on(page, body);
        } else {
            self.later.push(body);
        }
    }

    /// Takes the next event, unless it comes after `until`.
    #[inline]
    pub fn take(&mut self, schedules: &[Schedule], until: f64) -> Option<Entry> {
        loop {
            if !self.tied.is_empty()
                && let Some(entry) = self.take_tied(schedules)
            {
                self.taken += 1;
                return Some(entry);
            }
            let Some(entry) = self.peek() else {
                if !self.turn_page(schedules) {
                    return None;
                }
                continue;
            };
            if schedules[entry.body as usize].next() != entry.time {
                self.drop_first();
                continue;
            }
            if entry.time > until {
                return None;
            }
            self.drop_first();
            // Changes of neighbours go first, and among them any order will do.
            if self.peek().is_some_and(|next| next.time == entry.time)
                && !schedules[entry.body as usize].changes_first()
            {
                self.tie(entry, schedules);
                continue;
            }
            self.taken += 1;
            return Some(entry);
        }
    }

    /// The body of the event that is `ahead` places down the current page, if it is there.
    #[inline]
    pub fn ahead(&self, ahead: usize) -> Option<u32> {
        self.sorted.get(self.position + ahead).map(|entry| entry.body)
    }

    pub fn memory(&self) -> usize {
        self.pages.capacity() * 4
            + self.later.capacity() * 4
            + self.blocks.capacity() * size_of::<Block>()
            + (self.sorted.capacity() + self.soon.capacity()) * size_of::<Entry>()
    }

    fn page_of(&self, time: f64) -> usize {
        ((time - self.start) * self.pages_per_time) as usize
    }

    #[inline]
    fn note_on(&mut self, page: usize, body: u32) {
        let first = self.pages[page];
        if first != NO_BLOCK {
            let block = &mut self.blocks[first as usize];
            if (block.count as usize) < BLOCK {
                block.bodies[block.count as usize] = body;
                block.count += 1;
                return;
            }
        }
        let mut block = Block { bodies: [0; BLOCK], count: 1, next: first };
        block.bodies[0] = body;
        self.pages[page] = self.place_block(block);
    }

    fn place_block(&mut self, block: Block) -> u32 {
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
    fn peek(&self) -> Option<Entry> {
        match (self.sorted.get(self.position), self.soon.peek()) {
            (Some(&sorted), Some(&soon)) => Some(if soon > sorted { soon } else { sorted }),
            (Some(&entry), None) | (None, Some(&entry)) => Some(entry),
            (None, None) => None,
        }
    }

    #[inline]
    fn drop_first(&mut self) {
        match (self.sorted.get(self.position), self.soon.peek()) {
            (Some(sorted), Some(soon)) if soon > sorted => drop(self.soon.pop()),
            (None, _) => drop(self.soon.pop()),
            _ => self.position += 1,
        }
    }

    #[cold]
    fn tie(&mut self, entry: Entry, schedules: &[Schedule]) {
        let key = tie_key(schedules, entry.body);
        self.tied.push(Reverse((entry.time.to_bits(), key, entry.body)));
    }

    /// The first of the tied events that still holds, unless something comes before all of them.
    ///
    /// What has come up at the same time since joins them. A body may be among them twice; when the
    /// second comes up, it no longer holds.
    #[cold]
    fn take_tied(&mut self, schedules: &[Schedule]) -> Option<Entry> {
        while let Some(&Reverse((bits, key, body))) = self.tied.peek() {
            let time = f64::from_bits(bits);
            match self.peek() {
                Some(other) if other.time < time => return None,
                Some(other) if other.time == time => {
                    self.drop_first();
                    if schedules[other.body as usize].next() == time {
                        self.tie(other, schedules);
                    }
                    continue;
                }
                _ => {}
            }
            self.tied.pop();
            if schedules[body as usize].next() != time {
                continue;
            }
            if tie_key(schedules, body) == key {
                return Some(Entry { time, body });
            }
            self.tie(Entry { time, body }, schedules);
        }
        None
    }

    /// Goes on to the next page that holds anything; false if nothing is left.
    #[cold]
    fn turn_page(&mut self, schedules: &[Schedule]) -> bool {
        loop {
            self.sorted.clear();
            self.position = 0;
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

    /// Sorts the events of the current page that still hold.
    fn open_page(&mut self, schedules: &[Schedule]) {
        let mut place = std::mem::replace(&mut self.pages[self.current], NO_BLOCK);
        while place != NO_BLOCK {
            let block = self.blocks[place as usize];
            for &body in &block.bodies[..block.count as usize] {
                let time = schedules[body as usize].next();
                if time.is_finite() && self.page_of(time) == self.current {
                    self.sorted.push(Entry { time, body });
                }
            }
            self.blocks[place as usize].next = self.free_block;
            self.free_block = place;
            place = block.next;
        }
        // Times are not negative, so their bits are in the same order. A body noted twice does no
        // harm: the second note is stale when it comes up.
        self.sorted.sort_unstable_by_key(|entry| entry.time.to_bits());
        self.fetch_page(schedules);
    }

    /// Asks memory for what the next page will need.
    fn fetch_page(&self, schedules: &[Schedule]) {
        let Some(&first) = self.pages.get(self.current + 1) else { return };
        let mut place = first;
        while place != NO_BLOCK {
            let block = &self.blocks[place as usize];
            for &body in &block.bodies[..block.count as usize] {
                fetch(schedules, body as usize);
            }
            place = block.next;
        }
    }

    /// Starts again at the first page, with pages cut to the rate of events in the last lap.
    fn next_lap(&mut self, schedules: &[Schedule]) -> bool {
        let length = self.pages.len() as f64 / self.pages_per_time;
        let rate = self.taken.max(1) as f64 / length;
        let end = self.start + length;
        self.later.sort_unstable();
        self.later.dedup();
        self.later.retain(|&body| schedules[body as usize].next().is_finite());
        let times = self.later.iter().map(|&body| schedules[body as usize].next());
        let first = times.fold(f64::INFINITY, f64::min);
        self.begin_lap(schedules, if first < f64::INFINITY { first } else { end }, rate);
        first < f64::INFINITY
    }

    /// Deals out what was too late for the pages so far.
    fn begin_lap(&mut self, schedules: &[Schedule], start: f64, rate: f64) {
        self.start = start;
        self.current = 0;
        self.taken = 0;
        self.pages_per_time = rate / events_per_page(schedules.len());
        let mut waiting = std::mem::take(&mut self.later);
        for body in waiting.drain(..) {
            self.note(body, schedules[body as usize].next());
        }
    }
}

/// Events per time to expect when events are so far away.
fn rate_of(times: &mut Vec<f64>) -> f64 {
    times.retain(|&time| time > 0.0);
    if times.is_empty() {
        return 1.0;
    }
    let middle = times.len() / 2;
    let (_, median, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
    let rate = (middle + 1) as f64 / *median;
    if rate.is_finite() { rate } else { 1.0 }
}

/// The pages together hold so many events per body.
const LAP: f64 = 4.0;
