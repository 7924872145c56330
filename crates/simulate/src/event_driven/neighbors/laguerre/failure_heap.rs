//! The certificates that are known to fail, by time.

use carom_detect::laguerre::SimplexFacet;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A facet that must be flipped, and when.
#[derive(Clone, Copy, Debug)]
pub struct CertificateFailure {
    pub time: f64,
    pub facet: SimplexFacet,
    /// How often a flip was tried in vain.
    pub attempts: u32,
    /// Tells the vertices concerned and their last examinations: if another facet has taken this
    /// number, or one of them has been examined since, this failure no longer counts.
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
        self.time.total_cmp(&other.time).then(self.facet.cmp(&other.facet))
    }
}

impl PartialOrd for CertificateFailure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Failures to come. One that no longer counts stays until its time and is then passed over.
#[derive(Debug, Default)]
pub struct FailureHeap {
    heap: BinaryHeap<Reverse<CertificateFailure>>,
    announced: f64,
}

impl FailureHeap {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.announced = f64::INFINITY;
    }

    /// A facet will fail.
    pub fn push(&mut self, time: f64, facet: SimplexFacet, fingerprint: u64) {
        self.heap.push(Reverse(CertificateFailure { time, facet, attempts: 0, fingerprint }));
    }

    /// A failure that was taken could not be mended and must be looked at again.
    pub fn retry(&mut self, failure: &CertificateFailure, time: f64) {
        self.heap.push(Reverse(CertificateFailure {
            time,
            attempts: failure.attempts + 1,
            ..*failure
        }));
    }

    /// The next failure that is due, if there is one.
    pub fn pop_due(&mut self, now: f64) -> Option<CertificateFailure> {
        match self.heap.peek() {
            Some(Reverse(first)) if first.time <= now => self.heap.pop().map(|first| first.0),
            _ => None,
        }
    }

    /// The simplices have new numbers.
    pub fn renumber(&mut self, new: &[u32]) {
        let mut failures = std::mem::take(&mut self.heap).into_vec();
        failures.retain(|failure| new[failure.0.facet.simplex() as usize] != u32::MAX);
        for Reverse(CertificateFailure { facet, .. }) in &mut failures {
            *facet = SimplexFacet::new(new[facet.simplex() as usize], facet.corner());
        }
        self.heap = failures.into();
    }

    /// When the next failure is due; infinite if none is known.
    fn next_time(&self) -> f64 {
        self.heap.peek().map_or(f64::INFINITY, |first| first.0.time)
    }

    /// The time of the next failure, from now on known outside.
    pub fn announce(&mut self) -> f64 {
        self.announced = self.next_time();
        self.announced
    }

    /// Whether the next failure is earlier than the one last announced.
    pub fn has_earlier_failure(&self) -> bool {
        self.next_time() < self.announced
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.heap.capacity() * size_of::<CertificateFailure>()
    }
}
