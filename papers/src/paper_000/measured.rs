//! One structure on one system: columns A to G of the paper's table, counted and timed.

use super::system::PreparedSystem;
use crate::measure::Stopwatch;
use crate::records::{Record, record};
use carom::simulate::event_driven::{Counters, NeighborStructure, Simulation};
use std::time::Instant;

/// The structures in the order of the tables: the baseline, those of the paper, carom's own.
pub const STRUCTURES: [NeighborStructure; 6] = [
    NeighborStructure::AllPairs,
    NeighborStructure::Laguerre,
    NeighborStructure::CellGrid,
    NeighborStructure::CellTree,
    NeighborStructure::SegmentTrees,
    NeighborStructure::NeighborLists,
];

/// Counts up to a moment of a run.
struct Work {
    counters: Counters,
    /// Counts that the structure reports.
    statistics: Vec<(&'static str, u64)>,
}

impl Work {
    fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        let (counters, statistics) = (*simulation.counters(), simulation.structure_statistics());
        Work { counters, statistics }
    }

    fn statistic(&self, what: &str) -> Option<u64> {
        self.statistics.iter().find(|(name, _)| *name == what).map(|&(_, count)| count)
    }

    fn topological_events(&self) -> u64 {
        self.statistic("flips").unwrap_or(self.counters.structure_changes)
    }
}

/// Topological events so far: flips of a triangulation, changes of any other structure.
pub fn topological_events<const D: usize>(simulation: &Simulation<D>) -> u64 {
    Work::of(simulation).topological_events()
}

/// Number of rebuilds of the structure, by the run or by itself.
pub fn rebuild_count<const D: usize>(simulation: &Simulation<D>) -> u64 {
    let work = Work::of(simulation);
    work.counters.restarts + work.statistic("rebuilds").unwrap_or(0)
}

/// Runs a system for this many collisions, as often as the stopwatch likes, and returns what the structure did and
/// cost.
///
/// The fingerprint is of the first this many collisions with every structure. Where a structure needs some to settle,
/// they are followed by these and by as many again, which are the ones measured.
pub fn measure<const D: usize>(
    start: &PreparedSystem<D>,
    structure: NeighborStructure,
    collisions: u64,
    stopwatch: &Stopwatch,
) -> Record {
    let (mut start_seconds, mut run_seconds) = (f64::INFINITY, f64::INFINITY);
    let mut counted = Record::default();
    stopwatch.shortest(|| {
        let begin = Instant::now();
        let mut simulation = start.run_with(structure);
        start_seconds = start_seconds.min(begin.elapsed().as_secs_f64());
        let mut before = Work::of(&simulation);
        let mut seconds = advance(&mut simulation, collisions);
        let digest = simulation.counters().digest;
        let settling = start.settling_collisions(structure);
        if settling > 0 {
            advance(&mut simulation, settling);
            before = Work::of(&simulation);
            seconds = advance(&mut simulation, collisions);
        }
        run_seconds = run_seconds.min(seconds);
        counted =
            counts(&simulation, &before).and(record! { "collisions": format!("{digest:016x}") });
    });
    let times = record! {
        "F ms": 1e3 * start_seconds, "us per collision": 1e6 * run_seconds / collisions as f64,
    };
    let names = record! { "structure": structure.name(), "bodies": start.saved.records.len() };
    names.and(times).and(counted)
}

/// This many collisions; how many seconds they took.
fn advance<const D: usize>(simulation: &mut Simulation<D>, collisions: u64) -> f64 {
    let begin = Instant::now();
    simulation.advance(f64::INFINITY, collisions);
    begin.elapsed().as_secs_f64()
}

/// Columns A, B, D, E and G, which need no clock.
fn counts<const D: usize>(simulation: &Simulation<D>, before: &Work) -> Record {
    let after = Work::of(simulation);
    let count = simulation.count() as f64;
    let (pairs, most_neighbors) = simulation.neighbor_statistics();
    let gained = |of: fn(&Counters) -> u64| (of(&after.counters) - of(&before.counters)) as f64;
    let collisions = gained(|counters| counters.collisions + counters.wall_collisions);
    let changes = (after.topological_events() - before.topological_events()) as f64;
    let tests = gained(|counters| counters.pair_tests);
    let fresh = gained(|counters| counters.fresh_neighbors);
    let predictions = gained(|counters| {
        2 * counters.collisions
            + counters.wall_collisions
            + counters.passages
            + counters.predictions
            + counters.stale_events
    }) + gained(|counters| counters.restarts) * count;
    let counts = record! {
        "A mean": 2.0 * pairs as f64 / count,
        "A most": most_neighbors,
        // New neighbors per topological event, where there are such events.
        "B": (changes > 0.0).then(|| fresh / changes),
        "D pair tests": (tests - fresh) / predictions,
        "E": changes / collisions,
        "G bytes per body": simulation.memory().structure as f64 / count,
        "pair tests per collision": tests / collisions,
    };
    counts.and(upkeep(&after, before, collisions))
}

/// What a triangulation did to stay true, per collision but for the last: certificates of which it was asked whether
/// they may fail soon, those whose time of failure was computed, bodies examined because their last examination had
/// aged, and how often all was rebuilt.
fn upkeep(after: &Work, before: &Work, collisions: f64) -> Record {
    let gained = |what: &str| Some((after.statistic(what)? - before.statistic(what)?) as f64);
    let per_collision = |what: &str| Some(gained(what)? / collisions);
    record! {
        "certificates bounded": per_collision("certificates bounded"),
        "certificates solved": per_collision("certificates solved"),
        "bodies examined again": per_collision("bodies examined again"),
        "rebuilds": gained("certificates bounded").and(gained("rebuilds")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_000::system::HardSphereSystem;

    fn run<const D: usize>(count: usize, structure: NeighborStructure) -> Record {
        let start = HardSphereSystem::ALL[0].prepare::<D>(count);
        measure(&start, structure, 500, &Stopwatch::new(0))
    }

    #[test]
    fn all_pairs_test_everyone_and_no_structure_changes_the_collisions() {
        let runs = STRUCTURES.map(|structure| run::<2>(100, structure));
        assert_eq!((runs[0].number("A mean"), runs[0].number("A most")), (99.0, 99.0));
        assert!((runs[0].number("D pair tests") - 99.0).abs() < 1e-9);
        assert!(runs.iter().all(|run| run.text("collisions") == runs[0].text("collisions")));
        assert!(runs[1..].iter().all(|run| run.number("A mean") < 20.0));
    }

    #[test]
    fn a_flip_brings_one_new_neighbor_at_most() {
        let plane = run::<2>(300, NeighborStructure::Laguerre);
        assert_eq!(plane.number("B"), 1.0, "{plane:?}");
        assert!(plane.number("certificates bounded") > plane.number("certificates solved"));
        assert!((plane.number("A mean") - 6.0).abs() < 1e-9, "{plane:?}");
        let space = run::<3>(1000, NeighborStructure::Laguerre);
        assert!((0.0..=1.0).contains(&space.number("B")), "{space:?}");
    }

    #[test]
    fn an_exchange_of_ends_brings_one_new_neighbor_at_most() {
        let run = run::<2>(100, NeighborStructure::SegmentTrees);
        assert!((0.0..=1.0).contains(&run.number("B")), "{run:?}");
    }
}
