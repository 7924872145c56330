//! The certificates that are known to fail, in a heap by time.

use carom_detect::laguerre::SimplexFacet;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The failure of a certificate: a facet that must be flipped at a time.
#[derive(Clone, Copy, Debug)]
pub struct CertificateFailure {
    pub time: f64,
    pub facet: SimplexFacet,
    /// Number of attempts to flip that were refused.
    pub attempts: u32,
    /// Hash of the vertices concerned and of their last examinations. If another facet has taken this
    /// index, or a vertex has been examined since, it differs and this failure is stale.
    pub fingerprint: u64,
}

impl PartialEq for CertificateFailure {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for CertificateFailure {}

impl Ord for CertificateFailure {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ties go to the smaller facet; otherwise the order would depend on the history of the heap.
        self.time.total_cmp(&other.time).then(self.facet.cmp(&other.facet))
    }
}

impl PartialOrd for CertificateFailure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Pending failures. Invalidation is lazy: a stale one stays until its time and is then skipped.
#[derive(Debug, Default)]
pub struct FailureHeap {
    heap: BinaryHeap<Reverse<CertificateFailure>>,
    announced: f64,
}

impl FailureHeap {
    /// Removes all failures.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.announced = f64::INFINITY;
    }

    /// Adds the failure of a facet.
    pub fn push(&mut self, time: f64, facet: SimplexFacet, fingerprint: u64) {
        self.heap.push(Reverse(CertificateFailure { time, facet, attempts: 0, fingerprint }));
    }

    /// Adds a failure again, at a later time, whose flip was refused.
    pub fn retry(&mut self, failure: &CertificateFailure, time: f64) {
        self.heap.push(Reverse(CertificateFailure {
            time,
            attempts: failure.attempts + 1,
            ..*failure
        }));
    }

    /// Takes the next failure that is due, if there is one.
    pub fn pop_due(&mut self, now: f64) -> Option<CertificateFailure> {
        match self.heap.peek() {
            Some(Reverse(first)) if first.time <= now => self.heap.pop().map(|first| first.0),
            _ => None,
        }
    }

    /// Renumbers the simplices of all failures; `new` is the new index of each, `u32::MAX` if it is gone.
    pub fn renumber(&mut self, new: &[u32]) {
        let mut failures = std::mem::take(&mut self.heap).into_vec();
        failures.retain(|failure| new[failure.0.facet.simplex() as usize] != u32::MAX);
        for Reverse(CertificateFailure { facet, .. }) in &mut failures {
            *facet = SimplexFacet::new(new[facet.simplex() as usize], facet.corner());
        }
        self.heap = failures.into();
    }

    /// Returns the time of the next failure; infinite if none is known.
    fn next_time(&self) -> f64 {
        self.heap.peek().map_or(f64::INFINITY, |first| first.0.time)
    }

    /// Returns the time of the next failure and records that the event loop knows it.
    pub fn announce(&mut self) -> f64 {
        self.announced = self.next_time();
        self.announced
    }

    /// Returns whether the next failure is earlier than the one last announced.
    pub fn has_earlier_failure(&self) -> bool {
        self.next_time() < self.announced
    }

    /// Returns the bytes held.
    pub fn memory(&self) -> usize {
        self.heap.capacity() * size_of::<CertificateFailure>()
    }
}
