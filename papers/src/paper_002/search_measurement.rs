//! One search, timed and counted.

use crate::measure::Stopwatch;
use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use std::time::Duration;

/// What a search cost and found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchMeasurement {
    /// The shortest time, in milliseconds.
    pub milliseconds: f64,
    /// Distances compared with a reach.
    pub pair_tests: u64,
    /// Contacts found.
    pub contacts: usize,
    /// Shape of the structure, such as `cells 10x10`.
    pub structure: String,
}

/// Finds all contacts, as often as the stopwatch likes.
pub fn search<const D: usize>(
    spheres: &[Sphere<D>],
    method: BroadPhaseMethod<D>,
    stopwatch: &Stopwatch,
) -> SearchMeasurement {
    let mut search = ContactSearch::new(method);
    let open = Boundary::open();
    let shortest = stopwatch.shortest(|| {
        search.find(spheres, &open).expect("generated particles are finite and not negative");
    });
    let statistics = search.statistics();
    SearchMeasurement {
        milliseconds: 1e3 * shortest.as_secs_f64(),
        pair_tests: statistics.pair_tests,
        contacts: statistics.contacts,
        structure: statistics.structure,
    }
}

/// How much of a search goes into listing the contacts in order, in milliseconds.
pub fn listing_milliseconds<const D: usize>(
    spheres: &[Sphere<D>],
    method: BroadPhaseMethod<D>,
    stopwatch: &Stopwatch,
) -> f64 {
    let mut search = ContactSearch::new(method);
    let mut shortest = Duration::MAX;
    stopwatch.shortest(|| {
        let found = search.find(spheres, &Boundary::open());
        found.expect("generated particles are finite and not negative");
        shortest = shortest.min(search.statistics().narrow_phase_time);
    });
    1e3 * shortest.as_secs_f64()
}

/// Finds all contacts once, for what is counted.
pub fn count<const D: usize>(
    spheres: &[Sphere<D>],
    method: BroadPhaseMethod<D>,
) -> SearchMeasurement {
    search(spheres, method, &Stopwatch::new(Duration::ZERO))
}
