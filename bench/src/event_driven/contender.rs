//! carom with each of its structures, and the textbook, as contenders: one run each, window by window.
//!
//! All start from the same bodies. Everyone warms up on its own, so that its structure is as old as in
//! a long run; those who are slower run a shorter window, and those who are far slower begin where
//! carom's own choice has warmed up, and run a short window once. carom's structures must make the same
//! collisions to the bit. The textbook rounds otherwise, and after some collisions of every body no digit
//! is left in common; so it must collide at carom's times from the warm state on while the digits last.

use super::start;
use super::system::{FluidRun, MeasuringEffort};
use super::textbook::TextbookEvents;
use crate::error::Error;
use crate::memory::{Memory, MemoryMark};
use crate::race::{Contender, Contenders, Run};
use carom::simulate;
use carom::simulate::event_driven::{NeighborStructure, SavedState, Settings, Simulation};
use carom_papers::clock::Clock;
use carom_papers::hard_spheres::HardSphereStart;
use std::time::Duration;

/// The structures of carom in the order of the results, its own choice first.
const STRUCTURES: [NeighborStructure; 7] = [
    NeighborStructure::Auto,
    NeighborStructure::NeighborLists,
    NeighborStructure::CellGrid,
    NeighborStructure::CellTree,
    NeighborStructure::Laguerre,
    NeighborStructure::SegmentTrees,
    NeighborStructure::AllPairs,
];

/// The state of carom's own choice after its warm-up.
struct Warm<const D: usize> {
    saved: SavedState<D>,
    start: HardSphereStart<D>,
}

/// Returns everyone who takes part in a case, warmed up.
pub fn contenders<const D: usize>(case: &FluidRun) -> Result<Contenders<'_>, Error> {
    let start = start::bodies::<D>(case)?;
    let mut warm = None;
    let mut all: Contenders = Vec::new();
    for structure in STRUCTURES {
        let Some(effort) = case.effort(structure) else { continue };
        let name = match structure {
            NeighborStructure::Auto => "carom".into(),
            structure => format!("carom {}", structure.name()),
        };
        let mark = MemoryMark::set();
        match simulation(case, &start, structure, effort, &warm) {
            Ok(simulation) => {
                let memory = mark.taken();
                if structure == NeighborStructure::Auto {
                    let start = HardSphereStart::of(&simulation);
                    warm = Some(Warm { saved: simulation.saved_state(), start });
                }
                let engine = Engine::Carom(Box::new(simulation));
                all.push(fluid(name, case, effort, engine, memory));
            }
            Err(error @ simulate::Error::TooFewCells { .. }) => {
                all.push(Contender::absent(name, error));
            }
            Err(error) => return Err(error.into()),
        }
    }
    all.push(textbook(case, &start, &warm)?);
    Ok(all)
}

fn simulation<const D: usize>(
    case: &FluidRun,
    start: &HardSphereStart<D>,
    structure: NeighborStructure,
    effort: MeasuringEffort,
    warm: &Option<Warm<D>>,
) -> Result<Simulation<D>, simulate::Error> {
    let settings = Settings { structure, ..start.settings() };
    match (effort, warm) {
        (MeasuringEffort::Short, Some(warm)) => Simulation::resume(warm.saved.clone(), settings),
        _ => {
            let mut simulation = Simulation::new(&start.bodies, settings)?;
            simulation.advance(f64::INFINITY, case.warm_up);
            Ok(simulation)
        }
    }
}

fn textbook<'a, const D: usize>(
    case: &'a FluidRun,
    start: &HardSphereStart<D>,
    warm: &Option<Warm<D>>,
) -> Result<Contender<'a>, Error> {
    if let Some(warm) = warm
        && let Some(mut compared) = TextbookEvents::new(&warm.start.bodies, start.size)
    {
        let mut carom = Simulation::resume(warm.saved.clone(), start.settings())?;
        collide_at_the_same_times(&mut compared, &mut carom)?;
    }
    let effort = case.effort_of_cells();
    let (bodies, warm_up) = match (effort, warm) {
        (MeasuringEffort::Short, Some(warm)) => (&warm.start.bodies, 0),
        _ => (&start.bodies, case.warm_up),
    };
    let mark = MemoryMark::set();
    let Some(mut textbook) = TextbookEvents::new(bodies, start.size) else {
        let reason = "the box has fewer than four cells on an axis";
        return Ok(Contender::absent("textbook", reason));
    };
    textbook.advance(warm_up);
    let (memory, engine) = (mark.taken(), Engine::Textbook(Box::new(textbook)));
    Ok(fluid("textbook".into(), case, effort, engine, memory))
}

/// Collisions for which the textbook is compared with carom, at most.
const MOST_COMPARED: u64 = 10_000;
/// Relative difference that times may have: rounding, amplified by collisions.
const ROUNDING: f64 = 1e-9;

/// Advances the textbook and carom from one state, a collision per body or a few thousand: the times
/// of the collisions must be the same but for rounding.
fn collide_at_the_same_times<const D: usize>(
    textbook: &mut TextbookEvents<D>,
    carom: &mut Simulation<D>,
) -> Result<(), Error> {
    let begin = carom.now();
    let steps = 20;
    let step = (carom.count() as u64).min(MOST_COMPARED).div_ceil(steps);
    for taken in 1..=steps {
        textbook.advance(step);
        carom.advance(f64::INFINITY, step);
        let (own, other) = (carom.now() - begin, textbook.now());
        if (own - other).abs() > ROUNDING * own {
            return Err(Error::Disagreement {
                contender: "textbook".into(),
                question: format!(" for the time of collision {} after the warm-up", taken * step),
                found: other.to_string(),
                reference: "carom".into(),
                expected: own.to_string(),
            });
        }
    }
    Ok(())
}

/// Who advances the bodies.
enum Engine<const D: usize> {
    Carom(Box<Simulation<D>>),
    Textbook(Box<TextbookEvents<D>>),
}

impl<const D: usize> Engine<D> {
    fn advance(&mut self, collisions: u64) {
        match self {
            Engine::Carom(simulation) => {
                simulation.advance(f64::INFINITY, collisions);
            }
            Engine::Textbook(textbook) => textbook.advance(collisions),
        }
    }

    /// Counted work so far: collisions first, then what is reported per collision.
    fn work(&self) -> Vec<(&'static str, u64)> {
        let [collisions, tests, changes, fresh, stale] = match self {
            Engine::Carom(simulation) => {
                let counted = simulation.counters();
                [
                    counted.collisions,
                    counted.pair_tests,
                    counted.structure_changes,
                    counted.fresh_neighbors,
                    counted.stale_events,
                ]
            }
            Engine::Textbook(textbook) => {
                let work = textbook.work();
                [work.collisions, work.pair_tests, work.crossings, work.fresh_neighbors, work.stale]
            }
        };
        let mut work = vec![
            ("collisions", collisions),
            ("pair tests per collision", tests),
            ("changes per collision", changes),
            ("fresh neighbors per collision", fresh),
            ("stale events per collision", stale),
        ];
        if let Engine::Carom(simulation) = self {
            let counted = simulation.structure_statistics();
            let count = |what| counted.iter().find(|(name, _)| *name == what);
            let named = |(what, name)| Some((name, count(what)?.1));
            work.extend(TRIANGULATION.into_iter().filter_map(named));
        }
        work
    }

    fn digest(&self) -> Option<u64> {
        match self {
            Engine::Carom(simulation) => Some(simulation.counters().digest),
            Engine::Textbook(_) => None,
        }
    }
}

/// Counts of the upkeep of a triangulation, if the structure is one.
const TRIANGULATION: [(&str, &str); 3] = [
    ("flips", "flips per collision"),
    ("certificates bounded", "certificates bounded per collision"),
    ("certificates solved", "certificates solved per collision"),
];

/// A warmed-up run. Every structure must have the same fingerprint of all collisions since the warm-up, after the
/// short window and after its own.
fn fluid<'a, const D: usize>(
    name: String,
    case: &'a FluidRun,
    effort: MeasuringEffort,
    mut engine: Engine<D>,
    mut memory: Memory,
) -> Contender<'a> {
    let mut since_warm_up = 0;
    let most_rounds = if effort == MeasuringEffort::Short { 1 } else { usize::MAX };
    let act = move || {
        let (before, mark, mut run) = (engine.work(), MemoryMark::set(), Run::new(Duration::ZERO));
        let mut digest_of_short = None;
        let (short, window) = (case.windows[2], case.windows[effort as usize]);
        for stretch in [short, window - short].into_iter().filter(|&stretch| stretch > 0) {
            let clock = Clock::start();
            engine.advance(stretch);
            run.elapsed += clock.elapsed();
            since_warm_up += stretch;
            if let Some(digest) = engine.digest() {
                digest_of_short.get_or_insert(digest);
                let question = format!(" within {since_warm_up} collisions after the warm-up");
                run = run.answer(question, format!("collisions with the digest {digest:x}"));
            }
        }
        memory = memory.after(mark);
        let work = engine.work().into_iter().zip(before);
        let mut work = work.map(|((name, now), (_, before))| (name, (now - before) as f64));
        let collisions = work.next().map_or(0.0, |(_, collisions)| collisions);
        let per_second = collisions / run.elapsed.as_secs_f64();
        run = run.compared("collisions per second", per_second, "1/s");
        if let Engine::Carom(simulation) = &engine {
            let reported = simulation.memory().total() as f64 / case.bodies as f64;
            run = run
                .text("structure", simulation.structure().0.name())
                .text("digest", format!("0x{:016x}", digest_of_short.unwrap_or_default()))
                .with("smallest gap", simulation.counters().smallest_gap, "radii")
                .with("reported memory", reported, "B/body");
        }
        run = run.memory(memory, case.bodies, "B/body").with("collisions", collisions, "");
        Ok(work.fold(run, |run, (name, count)| run.with(name, count / collisions, "")))
    };
    Contender::new(name, act).at_most(most_rounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use crate::memory::alone;
    use crate::race::{Plan, race};

    fn tiny(system: &str) -> FluidRun {
        FluidRun::of(&cases::tiny(system))
    }

    #[test]
    fn everyone_runs_as_many_collisions_as_its_effort_asks_for() {
        let _alone = alone();
        let case = tiny("mono-0.3");
        let mut names = Vec::new();
        for mut contender in contenders::<3>(&case).unwrap() {
            let expected = match contender.name.as_str() {
                "carom segment-trees" | "carom all-pairs" => (40.0, 1),
                "carom laguerre-delaunay" => (200.0, usize::MAX),
                _ => (2000.0, usize::MAX),
            };
            let run = contender.run().unwrap();
            let collisions = run.number("collisions").unwrap();
            assert_eq!((collisions, contender.most_rounds), expected, "{}", contender.name);
            assert!(run.number("collisions per second").unwrap() > 0.0);
            let flips = run.number("flips per collision").map(|flips| flips > 0.0);
            let is_triangulation = contender.name == "carom laguerre-delaunay";
            assert_eq!(flips, is_triangulation.then_some(true), "{}", contender.name);
            names.push(contender.name.clone());
        }
        assert_eq!(names.len(), 8);
        assert_eq!((names[0].as_str(), names[7].as_str()), ("carom", "textbook"));
    }

    #[test]
    fn who_does_not_fit_the_box_is_skipped_with_a_reason() {
        let _alone = alone();
        let case = tiny("binary-1:10");
        let mut textbook = contenders::<3>(&case).unwrap().pop().unwrap();
        let reason = textbook.run().unwrap_err().to_string();
        assert_eq!(reason, "the box has fewer than four cells on an axis");
    }

    #[test]
    fn other_collisions_end_the_race() {
        let _alone = alone();
        let case = tiny("discs-0.3");
        let mut all = contenders::<2>(&case).unwrap();
        let faster = FluidRun { warm_up: 999, ..case };
        all.insert(1, contenders::<2>(&faster).unwrap().remove(0));
        let error = race("discs-0.3 500", all, &Plan::warm(1)).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(" within 40 collisions after the warm-up"), "{error}");
    }

    #[test]
    fn the_textbook_collides_when_carom_does() {
        for (faster, same) in [(1.0, true), (1.0 + 1e-6, false)] {
            let case = tiny("discs-0.7");
            let start = start::bodies::<2>(&case).unwrap();
            let settings = start.settings();
            let mut carom = Simulation::new(&start.bodies, settings).unwrap();
            let mut bodies = start.bodies.clone();
            bodies.iter_mut().take(50).for_each(|body| body.velocity *= faster);
            let mut textbook = TextbookEvents::new(&bodies, start.size).unwrap();
            assert_eq!(collide_at_the_same_times(&mut textbook, &mut carom).is_ok(), same);
        }
    }
}
