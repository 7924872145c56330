//! carom and the textbook as contenders: one run each, advanced window by window.

use crate::peers::textbook_events::TextbookEvents;
use carom::simulate::event_driven::Simulation;

/// A run that can go on.
pub trait Runner {
    /// Goes on for this many collisions.
    fn advance(&mut self, collisions: u64);

    /// What was done so far.
    fn work(&self) -> Work;

    /// What only carom tells of itself.
    fn account(&self) -> Option<Account>;
}

/// Counted work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Collisions.
    pub collisions: u64,
    /// Pairs whose time of contact was computed.
    pub pair_tests: u64,
    /// Changes of the structure that knows the neighbors.
    pub changes: u64,
    /// Neighbors that came with them.
    pub fresh_neighbors: u64,
    /// Events that had come to nothing.
    pub stale: u64,
    /// What it took to keep a triangulation true, if the structure is one.
    pub triangulation: Option<TriangulationWork>,
}

/// Counted work of a kinetic triangulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangulationWork {
    /// Facets flipped.
    pub flips: u64,
    /// Certificates of which it was asked whether they may fail soon.
    pub bounded: u64,
    /// Certificates whose time of failure was computed.
    pub solved: u64,
}

impl TriangulationWork {
    /// As a run tells it, if its structure is a triangulation.
    fn of<const D: usize>(simulation: &Simulation<D>) -> Option<Self> {
        let report = simulation.structure_statistics();
        let count = |what| report.iter().find(|(name, _)| *name == what).map(|&(_, count)| count);
        Some(TriangulationWork {
            flips: count("flips")?,
            bounded: count("certificates bounded")?,
            solved: count("certificates solved")?,
        })
    }

    fn since(&self, before: &Self) -> Self {
        TriangulationWork {
            flips: self.flips - before.flips,
            bounded: self.bounded - before.bounded,
            solved: self.solved - before.solved,
        }
    }
}

impl Work {
    /// What was added since.
    pub fn since(&self, before: &Work) -> Work {
        Work {
            collisions: self.collisions - before.collisions,
            pair_tests: self.pair_tests - before.pair_tests,
            changes: self.changes - before.changes,
            fresh_neighbors: self.fresh_neighbors - before.fresh_neighbors,
            stale: self.stale - before.stale,
            triangulation: (self.triangulation.as_ref().zip(before.triangulation.as_ref()))
                .map(|(now, before)| now.since(before)),
        }
    }
}

/// What a run of carom tells of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Account {
    /// The structure that `auto` took, or that was asked for.
    pub taken: &'static str,
    /// Fingerprint of all collisions.
    pub digest: u64,
    /// Between two bodies at a collision, in units of the smaller radius.
    pub smallest_gap: f64,
    /// Bytes it says it holds.
    pub bytes: usize,
}

impl<const D: usize> Runner for Simulation<D> {
    fn advance(&mut self, collisions: u64) {
        Simulation::advance(self, f64::INFINITY, collisions);
    }

    fn work(&self) -> Work {
        let counters = self.counters();
        Work {
            collisions: counters.collisions,
            pair_tests: counters.pair_tests,
            changes: counters.structure_changes,
            fresh_neighbors: counters.fresh_neighbors,
            stale: counters.stale_events,
            triangulation: TriangulationWork::of(self),
        }
    }

    fn account(&self) -> Option<Account> {
        Some(Account {
            taken: self.structure().0.name(),
            digest: self.counters().digest,
            smallest_gap: self.counters().smallest_gap,
            bytes: self.memory().total(),
        })
    }
}

impl<const D: usize> Runner for TextbookEvents<D> {
    fn advance(&mut self, collisions: u64) {
        TextbookEvents::advance(self, collisions);
    }

    fn work(&self) -> Work {
        let work = TextbookEvents::work(self);
        Work {
            collisions: work.collisions,
            pair_tests: work.pair_tests,
            changes: work.crossings,
            fresh_neighbors: work.fresh_neighbors,
            stale: work.stale,
            triangulation: None,
        }
    }

    fn account(&self) -> Option<Account> {
        None
    }
}
