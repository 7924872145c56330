//! The certificates that are known to fail, by time.

use carom_detect::laguerre::{Complex, Facet};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A facet that must be flipped, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    pub time: f64,
    pub facet: Facet,
    /// The facet's count of certifications when this was found.
    turn: u32,
    /// How often a flip was tried in vain.
    pub attempts: u32,
}

impl Eq for Failure {}

impl Ord for Failure {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.facet.cmp(&other.facet))
    }
}

impl PartialOrd for Failure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Failures to come. One that has been superseded stays until its time and is then passed over.
#[derive(Debug, Default)]
pub struct FailureHeap {
    heap: BinaryHeap<Reverse<Failure>>,
    /// How often each facet has been certified, by its number.
    turns: Vec<[u32; 4]>,
    announced: f64,
}

impl FailureHeap {
    /// Forgets all; there are so many simplices.
    pub fn clear(&mut self, simplices: usize) {
        self.heap.clear();
        self.turns.clear();
        self.make_room(simplices);
        self.announced = f64::INFINITY;
    }

    /// There are so many simplices now.
    pub fn make_room(&mut self, simplices: usize) {
        if self.turns.len() < simplices {
            self.turns.resize(simplices, [0; 4]);
        }
    }

    /// Nothing is known of a facet any more; it is given from both sides.
    #[inline]
    pub fn forget(&mut self, facet: Facet, across: Facet) {
        for facet in [facet, across] {
            let turn = &mut self.turns[facet.simplex() as usize][facet.corner()];
            *turn = turn.wrapping_add(1);
        }
    }

    /// Nothing is known of any facet of a simplex.
    pub fn forget_simplex(&mut self, simplex: u32) {
        for turn in &mut self.turns[simplex as usize] {
            *turn = turn.wrapping_add(1);
        }
    }

    /// A facet will fail.
    pub fn expect(&mut self, time: f64, facet: Facet, across: Facet) {
        self.forget(facet, across);
        let turn = self.turns[facet.simplex() as usize][facet.corner()];
        self.heap.push(Reverse(Failure { time, facet, turn, attempts: 0 }));
    }

    /// A failure that was taken could not be mended and must be looked at again, unless the facet is
    /// certified anew before.
    pub fn try_again(&mut self, failure: &Failure, time: f64) {
        self.heap.push(Reverse(Failure { time, attempts: failure.attempts + 1, ..*failure }));
    }

    fn is_current(&self, failure: &Failure) -> bool {
        self.turns[failure.facet.simplex() as usize][failure.facet.corner()] == failure.turn
    }

    /// The next failure that is due, if there is one.
    pub fn take_due(&mut self, now: f64) -> Option<Failure> {
        while let Some(Reverse(first)) = self.heap.peek() {
            if first.time > now {
                return None;
            }
            let Reverse(failure) = self.heap.pop()?;
            if self.is_current(&failure) {
                return Some(failure);
            }
        }
        None
    }

    /// When the next failure is due; infinite if none is known.
    fn first<const D: usize>(&mut self, complex: &Complex<D>) -> f64 {
        while let Some(Reverse(first)) = self.heap.peek() {
            if self.is_current(first) && !complex.is_free(first.facet.simplex()) {
                return first.time;
            }
            self.heap.pop();
        }
        f64::INFINITY
    }

    /// The time of the next failure, from now on known outside.
    pub fn announce<const D: usize>(&mut self, complex: &Complex<D>) -> f64 {
        self.announced = self.first(complex);
        self.announced
    }

    /// Whether the next failure is earlier than the one last announced.
    pub fn has_new_first<const D: usize>(&mut self, complex: &Complex<D>) -> bool {
        self.first(complex) < self.announced
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.heap.capacity() * size_of::<Failure>() + self.turns.capacity() * 16
    }
}
