//! One search, timed and counted.

use crate::measure::Stopwatch;
use crate::records::{Record, record};
use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use std::time::Duration;

/// Finds all contacts, as often as the stopwatch likes.
///
/// The shortest time counts, and so does the shortest part of it in which contacts are listed in order, which all
/// methods do. Pair tests are distances compared with a reach; a structure is described as `cells 10x10`.
pub fn search<const D: usize>(
    spheres: &[Sphere<D>],
    method: BroadPhaseMethod<D>,
    stopwatch: &Stopwatch,
) -> Record {
    let mut search = ContactSearch::new(method);
    let open = Boundary::open();
    let mut listing = Duration::MAX;
    let shortest = stopwatch.shortest(|| {
        search.find(spheres, &open).expect("generated particles are finite and not negative");
        listing = listing.min(search.statistics().narrow_phase_time);
    });
    let statistics = search.statistics();
    record! {
        "milliseconds": 1e3 * shortest.as_secs_f64(), "listing ms": 1e3 * listing.as_secs_f64(),
        "pair tests": statistics.pair_tests, "contacts": statistics.contacts,
        "structure": statistics.structure,
    }
}

/// Finds all contacts once, for what is counted.
pub fn count<const D: usize>(spheres: &[Sphere<D>], method: BroadPhaseMethod<D>) -> Record {
    search(spheres, method, &Stopwatch::new(0))
}
