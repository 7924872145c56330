//! One structure on one system: columns A to G of the paper's table, counted and timed.

use super::system::PreparedSystem;
use crate::measure::Stopwatch;
use carom::simulate::event_driven::{Counters, NeighborStructure, Simulation};
use std::time::{Duration, Instant};

/// The structures in the order of the tables: the baseline, those of the paper, carom's own.
pub const STRUCTURES: [NeighborStructure; 6] = [
    NeighborStructure::AllPairs,
    NeighborStructure::Laguerre,
    NeighborStructure::CellGrid,
    NeighborStructure::CellTree,
    NeighborStructure::SegmentTrees,
    NeighborStructure::NeighborLists,
];

/// What a structure did and cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which structure.
    pub structure: NeighborStructure,
    /// How many bodies.
    pub count: usize,
    /// Column A: neighbors of a body at the end of the run, on average.
    pub mean_neighbors: f64,
    /// Column A: neighbors of the body with the most.
    pub most_neighbors: usize,
    /// Column B: new neighbors per topological event, on average; none without such events.
    pub new_neighbors_per_event: Option<f64>,
    /// Column D: pairs whose time of contact is computed for one prediction of a body's next event.
    pub tests_per_prediction: f64,
    /// Column E: topological events per collision; those of the triangulation are its flips.
    pub events_per_collision: f64,
    /// Column F: seconds to make structure, first predictions and queue ready.
    pub start_seconds: f64,
    /// Column G: bytes of the structure per body.
    pub bytes_per_body: f64,
    /// All pairs whose time of contact was computed, per collision.
    pub tests_per_collision: f64,
    /// Wall time of the run per collision.
    pub microseconds_per_collision: f64,
    /// Fingerprint of all collisions.
    pub digest: u64,
    /// What a triangulation did to stay true.
    pub upkeep: Option<TriangulationUpkeep>,
}

/// What a triangulation did to stay true, per collision but for the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangulationUpkeep {
    /// Certificates of which it was asked whether they may fail soon.
    pub bounded: f64,
    /// Certificates whose time of failure was computed.
    pub solved: f64,
    /// Bodies examined because their last examination had aged, not because they were deflected.
    pub examined_again: f64,
    /// Times at which all was rebuilt in the middle of the run.
    pub rebuilds: u64,
}

/// What a structure tells of itself.
struct StructureStatistics(Vec<(&'static str, u64)>);

impl StructureStatistics {
    fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        StructureStatistics(simulation.structure_statistics())
    }

    fn count(&self, what: &str) -> Option<u64> {
        self.0.iter().find(|(name, _)| *name == what).map(|&(_, count)| count)
    }
}

/// Topological events so far: flips of a triangulation, changes of any other structure.
pub fn topological_events<const D: usize>(simulation: &Simulation<D>) -> u64 {
    StructureStatistics::of(simulation)
        .count("flips")
        .unwrap_or(simulation.counters().structure_changes)
}

/// How often the structure was rebuilt so far, by the run or by itself.
pub fn rebuild_count<const D: usize>(simulation: &Simulation<D>) -> u64 {
    simulation.counters().restarts
        + StructureStatistics::of(simulation).count("rebuilds").unwrap_or(0)
}

/// Runs a system for this many collisions, as often as the stopwatch likes.
///
/// The fingerprint is of the first this many collisions with every structure. Where a structure needs
/// some to settle, they are followed by these and by as many again, which are the ones measured.
pub fn measure<const D: usize>(
    start: &PreparedSystem<D>,
    structure: NeighborStructure,
    collisions: u64,
    stopwatch: &Stopwatch,
) -> Measured {
    let (mut start_time, mut run_time) = (Duration::MAX, Duration::MAX);
    let mut measured = None;
    stopwatch.shortest(|| {
        let begin = Instant::now();
        let mut simulation = start.run_with(structure);
        start_time = start_time.min(begin.elapsed());
        let (mut run, mut counts) = run_stretch(&mut simulation, collisions);
        let settling = start.settling_collisions(structure);
        if settling > 0 {
            let digest = counts.digest;
            simulation.advance(f64::INFINITY, settling);
            (run, counts) = run_stretch(&mut simulation, collisions);
            counts.digest = digest;
        }
        run_time = run_time.min(run);
        measured = Some(counts);
    });
    let measured = measured.expect("a stopwatch runs the work at least once");
    Measured {
        start_seconds: start_time.as_secs_f64(),
        microseconds_per_collision: 1e6 * run_time.as_secs_f64() / collisions as f64,
        ..measured
    }
}

/// This many collisions: how long they took, and all that needs no clock.
fn run_stretch<const D: usize>(
    simulation: &mut Simulation<D>,
    collisions: u64,
) -> (Duration, Measured) {
    let before = CounterBaseline {
        counters: *simulation.counters(),
        events: topological_events(simulation),
        statistics: StructureStatistics::of(simulation),
    };
    let begin = Instant::now();
    simulation.advance(f64::INFINITY, collisions);
    let time = begin.elapsed();
    (time, counted(simulation, &before))
}

/// What was counted before a stretch.
struct CounterBaseline {
    counters: Counters,
    events: u64,
    statistics: StructureStatistics,
}

fn counted<const D: usize>(simulation: &Simulation<D>, before: &CounterBaseline) -> Measured {
    let (after, count) = (simulation.counters(), simulation.count());
    let (pairs, most_neighbors) = simulation.neighbor_statistics();
    let gained = |of: fn(&Counters) -> u64| (of(after) - of(&before.counters)) as f64;
    let collisions = gained(|counters| counters.collisions + counters.wall_collisions);
    let changes = (topological_events(simulation) - before.events) as f64;
    let tests = gained(|counters| counters.pair_tests);
    let fresh = gained(|counters| counters.fresh_neighbors);
    let predictions = gained(|counters| {
        2 * counters.collisions
            + counters.wall_collisions
            + counters.passages
            + counters.predictions
            + counters.stale_events
    }) + gained(|counters| counters.restarts) * count as f64;
    Measured {
        structure: simulation.structure().0,
        count,
        mean_neighbors: 2.0 * pairs as f64 / count as f64,
        most_neighbors,
        new_neighbors_per_event: (changes > 0.0).then(|| fresh / changes),
        tests_per_prediction: (tests - fresh) / predictions,
        events_per_collision: changes / collisions,
        start_seconds: 0.0,
        bytes_per_body: simulation.memory().structure as f64 / count as f64,
        tests_per_collision: tests / collisions,
        microseconds_per_collision: 0.0,
        digest: after.digest,
        upkeep: upkeep(&StructureStatistics::of(simulation), &before.statistics, collisions),
    }
}

fn upkeep(
    after: &StructureStatistics,
    before: &StructureStatistics,
    collisions: f64,
) -> Option<TriangulationUpkeep> {
    let gained = |what: &str| Some(after.count(what)? - before.count(what)?);
    Some(TriangulationUpkeep {
        bounded: gained("certificates bounded")? as f64 / collisions,
        solved: gained("certificates solved")? as f64 / collisions,
        examined_again: gained("bodies examined again")? as f64 / collisions,
        rebuilds: gained("rebuilds")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_000::system::HardSphereSystem;

    #[test]
    fn all_pairs_test_everyone_and_no_structure_changes_the_collisions() {
        let start = HardSphereSystem::ALL[0].prepare::<2>(100);
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let runs = STRUCTURES.map(|structure| measure(&start, structure, 500, &stopwatch));
        assert_eq!((runs[0].mean_neighbors, runs[0].most_neighbors), (99.0, 99));
        assert!((runs[0].tests_per_prediction - 99.0).abs() < 1e-9);
        assert!(runs.iter().all(|run| run.digest == runs[0].digest));
        assert!(runs[1..].iter().all(|run| run.mean_neighbors < 20.0));
    }

    #[test]
    fn a_flip_brings_one_new_neighbor_at_most() {
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let plane = HardSphereSystem::ALL[0].prepare::<2>(300);
        let run = measure(&plane, NeighborStructure::Laguerre, 500, &stopwatch);
        assert_eq!(run.new_neighbors_per_event, Some(1.0), "{run:?}");
        assert!(run.upkeep.is_some_and(|upkeep| upkeep.bounded > upkeep.solved));
        assert!((run.mean_neighbors - 6.0).abs() < 1e-9, "{run:?}");
        let space = HardSphereSystem::ALL[0].prepare::<3>(1000);
        let run = measure(&space, NeighborStructure::Laguerre, 500, &stopwatch);
        assert!((0.0..=1.0).contains(&run.new_neighbors_per_event.unwrap()), "{run:?}");
    }

    #[test]
    fn an_exchange_of_ends_brings_one_new_neighbor_at_most() {
        let start = HardSphereSystem::ALL[0].prepare::<2>(100);
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let run = measure(&start, NeighborStructure::SegmentTrees, 500, &stopwatch);
        assert!((0.0..=1.0).contains(&run.new_neighbors_per_event.unwrap()));
    }
}
