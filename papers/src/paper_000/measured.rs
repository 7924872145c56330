//! One structure on one system: columns A to G of the paper's table, counted and timed.

use super::system::Start;
use crate::measure::Stopwatch;
use carom::simulate::events::{Counters, Simulation, Structure};
use std::time::{Duration, Instant};

/// The structures in the order of the tables: the baseline, those of the paper, carom's own.
pub const STRUCTURES: [Structure; 6] = [
    Structure::AllPairs,
    Structure::Laguerre,
    Structure::CellGrid,
    Structure::CellTree,
    Structure::SegmentTrees,
    Structure::Shells,
];

/// What a structure did and cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which structure.
    pub structure: Structure,
    /// How many bodies.
    pub count: usize,
    /// Column A: neighbours of a body at the end of the run, on average.
    pub mean_neighbours: f64,
    /// Column A: neighbours of the body with the most.
    pub most_neighbours: usize,
    /// Column B: new neighbours per topological event, on average; none without such events.
    pub fresh_per_change: Option<f64>,
    /// Column D: pairs whose time of contact is computed for one prediction of a body's next event.
    pub tests_per_prediction: f64,
    /// Column E: topological events per collision; those of the triangulation are its flips.
    pub changes_per_collision: f64,
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
    pub upkeep: Option<Upkeep>,
}

/// What a triangulation did to stay true, per collision but for the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Upkeep {
    /// Certificates of which it was asked whether they may fail soon.
    pub bounded: f64,
    /// Certificates whose time of failure was computed.
    pub solved: f64,
    /// Bodies examined because their last examination had aged, not because they were deflected.
    pub examined_again: f64,
    /// Times at which all was made anew in the middle of the run.
    pub rebuilds: u64,
}

/// What a structure tells of itself.
struct Told(Vec<(&'static str, u64)>);

impl Told {
    fn by<const D: usize>(simulation: &Simulation<D>) -> Self {
        Told(simulation.structure_statistics())
    }

    fn count(&self, what: &str) -> Option<u64> {
        self.0.iter().find(|(name, _)| *name == what).map(|&(_, count)| count)
    }
}

/// Topological events so far: flips of a triangulation, changes of any other structure.
pub fn topological_events<const D: usize>(simulation: &Simulation<D>) -> u64 {
    Told::by(simulation).count("flips").unwrap_or(simulation.counters().changes)
}

/// How often the structure was made anew so far, by the run or by itself.
pub fn times_made_anew<const D: usize>(simulation: &Simulation<D>) -> u64 {
    simulation.counters().restarts + Told::by(simulation).count("rebuilds").unwrap_or(0)
}

/// Runs a system for so many collisions, as often as the stopwatch likes.
///
/// The fingerprint is of the first so many collisions with every structure. Where a structure needs
/// some to settle, they are followed by these and by as many again, which are the ones measured.
pub fn measure<const D: usize>(
    start: &Start<D>,
    structure: Structure,
    collisions: u64,
    stopwatch: &Stopwatch,
) -> Measured {
    let (mut start_time, mut run_time) = (Duration::MAX, Duration::MAX);
    let mut measured = None;
    stopwatch.shortest(|| {
        let begin = Instant::now();
        let mut simulation = start.run_with(structure);
        start_time = start_time.min(begin.elapsed());
        let (mut run, mut counts) = stretch(&mut simulation, collisions);
        let settling = start.settling(structure);
        if settling > 0 {
            let digest = counts.digest;
            simulation.advance(f64::INFINITY, settling);
            (run, counts) = stretch(&mut simulation, collisions);
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

/// So many collisions: how long they took, and all that needs no clock.
fn stretch<const D: usize>(
    simulation: &mut Simulation<D>,
    collisions: u64,
) -> (Duration, Measured) {
    let before = Before {
        counters: *simulation.counters(),
        events: topological_events(simulation),
        told: Told::by(simulation),
    };
    let begin = Instant::now();
    simulation.advance(f64::INFINITY, collisions);
    let time = begin.elapsed();
    (time, counted(simulation, &before))
}

/// What was counted before a stretch.
struct Before {
    counters: Counters,
    events: u64,
    told: Told,
}

fn counted<const D: usize>(simulation: &Simulation<D>, before: &Before) -> Measured {
    let (after, count) = (simulation.counters(), simulation.count());
    let (pairs, most_neighbours) = simulation.neighbour_statistics();
    let gained = |of: fn(&Counters) -> u64| (of(after) - of(&before.counters)) as f64;
    let collisions = gained(|counters| counters.collisions + counters.wall_collisions);
    let changes = (topological_events(simulation) - before.events) as f64;
    let tests = gained(|counters| counters.pair_tests);
    let fresh = gained(|counters| counters.fresh_neighbours);
    let predictions = gained(|counters| {
        2 * counters.collisions
            + counters.wall_collisions
            + counters.passages
            + counters.predictions
            + counters.stale
    }) + gained(|counters| counters.restarts) * count as f64;
    Measured {
        structure: simulation.structure().0,
        count,
        mean_neighbours: 2.0 * pairs as f64 / count as f64,
        most_neighbours,
        fresh_per_change: (changes > 0.0).then(|| fresh / changes),
        tests_per_prediction: (tests - fresh) / predictions,
        changes_per_collision: changes / collisions,
        start_seconds: 0.0,
        bytes_per_body: simulation.memory().structure as f64 / count as f64,
        tests_per_collision: tests / collisions,
        microseconds_per_collision: 0.0,
        digest: after.digest,
        upkeep: upkeep(&Told::by(simulation), &before.told, collisions),
    }
}

fn upkeep(after: &Told, before: &Told, collisions: f64) -> Option<Upkeep> {
    let gained = |what: &str| Some(after.count(what)? - before.count(what)?);
    Some(Upkeep {
        bounded: gained("certificates bounded")? as f64 / collisions,
        solved: gained("certificates solved")? as f64 / collisions,
        examined_again: gained("bodies examined again")? as f64 / collisions,
        rebuilds: gained("rebuilds")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_000::system::System;

    #[test]
    fn all_pairs_test_everyone_and_no_structure_changes_the_collisions() {
        let start = System::ALL[0].start::<2>(100);
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let runs = STRUCTURES.map(|structure| measure(&start, structure, 500, &stopwatch));
        assert_eq!((runs[0].mean_neighbours, runs[0].most_neighbours), (99.0, 99));
        assert!((runs[0].tests_per_prediction - 99.0).abs() < 1e-9);
        assert!(runs.iter().all(|run| run.digest == runs[0].digest));
        assert!(runs[1..].iter().all(|run| run.mean_neighbours < 20.0));
    }

    #[test]
    fn a_flip_brings_one_new_neighbour_at_most() {
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let plane = System::ALL[0].start::<2>(300);
        let run = measure(&plane, Structure::Laguerre, 500, &stopwatch);
        assert_eq!(run.fresh_per_change, Some(1.0), "{run:?}");
        assert!(run.upkeep.is_some_and(|upkeep| upkeep.bounded > upkeep.solved));
        assert!((run.mean_neighbours - 6.0).abs() < 1e-9, "{run:?}");
        let space = System::ALL[0].start::<3>(1000);
        let run = measure(&space, Structure::Laguerre, 500, &stopwatch);
        assert!((0.0..=1.0).contains(&run.fresh_per_change.unwrap()), "{run:?}");
    }

    #[test]
    fn an_exchange_of_ends_brings_one_new_neighbour_at_most() {
        let start = System::ALL[0].start::<2>(100);
        let stopwatch = Stopwatch::new(Duration::ZERO);
        let run = measure(&start, Structure::SegmentTrees, 500, &stopwatch);
        assert!((0.0..=1.0).contains(&run.fresh_per_change.unwrap()));
    }
}
