//! A race of event-driven runs: all start from the same bodies and take turns, window by window.
//!
//! Everyone warms up on its own, so that its structure is as old as in a long run; those who are slower
//! run a shorter window, and those who are far slower begin where carom's own choice has warmed up, and
//! run a short window once. The best window counts, in time of the processor. carom's structures must make the same collisions to the bit. The
//! textbook rounds otherwise, and after some collisions of every body no digit is left in common; so it
//! is held to carom's course from the warm state on while the digits last.

use super::contender::{Account, Runner, Work};
use super::start::{self, Start};
use super::system::{Case, MeasuringEffort};
use crate::error::Error;
use crate::memory::Mark;
use crate::peers::textbook_events::TextbookEvents;
use crate::results::Kind;
use carom::simulate;
use carom::simulate::event_driven::{
    BodyStart, NeighborStructure, Region, Saved, Settings, Simulation,
};
use carom_papers::clock::Clock;
use std::time::Duration;

/// The structures of carom in the order of the table, its own choice first.
const STRUCTURES: [NeighborStructure; 7] = [
    NeighborStructure::Auto,
    NeighborStructure::NeighborLists,
    NeighborStructure::CellGrid,
    NeighborStructure::CellTree,
    NeighborStructure::Laguerre,
    NeighborStructure::SegmentTrees,
    NeighborStructure::AllPairs,
];

/// Who runs, as it stands in the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The structure, or the peer.
    pub structure: &'static str,
    /// Ours or theirs.
    pub kind: Kind,
}

/// What became of a contender.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was measured.
    Measured(Label, Best),
    /// It was not, for the reason given.
    Skipped(Label, String),
}

/// What was measured of one contender.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Time of the processor for the best window.
    pub elapsed: Duration,
    /// Collisions in a window.
    pub window: u64,
    /// How many windows were timed.
    pub rounds: usize,
    /// Work of the first window.
    pub work: Work,
    /// The run at the end of the short window, where all contenders pass.
    pub at_short_window: Lap,
    /// The run at the end of the first window.
    pub at_window: Lap,
    /// Memory at the end of the first window.
    pub memory: Memory,
}

/// A run at a number of collisions.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    /// Counted from the end of the warm-up.
    pub collisions: u64,
    /// What carom tells of itself.
    pub account: Option<Account>,
}

/// Bytes of a run by the allocator's count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// In use.
    pub held: usize,
    /// The most in use so far.
    pub peak: usize,
}

impl Memory {
    /// After what has happened to one run alone since the mark was set.
    fn after(self, mark: Mark) -> Memory {
        Memory {
            held: self.held.saturating_add_signed(mark.change()),
            peak: self.peak.max(self.held + mark.peak()),
        }
    }
}

/// Lets all run a case; outcomes are in the order of the contenders.
///
/// An error if two of them made different collisions.
pub fn race<const D: usize>(case: &Case) -> Result<Vec<Outcome>, Error> {
    let mut entries = Field::<D>::new(case)?.enter_all()?;
    for round in 0..case.rounds {
        for entry in
            entries.iter_mut().filter(|entry| round == 0 || entry.pace != MeasuringEffort::Short)
        {
            entry.take_turn(case);
        }
        entries.reverse();
    }
    if case.rounds % 2 == 1 {
        entries.reverse();
    }
    let outcomes: Vec<Outcome> = entries.into_iter().map(Entry::finish).collect();
    agree(&outcomes)?;
    Ok(outcomes)
}

/// Where contenders come from.
struct Field<'a, const D: usize> {
    case: &'a Case,
    start: Start<D>,
}

/// The state of carom's own choice after its warm-up.
struct Warm<const D: usize> {
    saved: Saved<D>,
    bodies: Vec<BodyStart<D>>,
}

impl<'a, const D: usize> Field<'a, D> {
    fn new(case: &'a Case) -> Result<Self, Error> {
        Ok(Field { case, start: start::bodies(case)? })
    }

    fn enter_all(&self) -> Result<Vec<Entry>, Error> {
        let mut warm = None;
        let mut entries = Vec::new();
        for structure in STRUCTURES {
            let Some(pace) = self.case.pace(structure) else { continue };
            let label = Label { structure: structure.name(), kind: Kind::Own };
            let mark = Mark::set();
            let entered = match self.simulation(structure, pace, &warm) {
                Ok(simulation) => {
                    let memory = Memory::default().after(mark);
                    if structure == NeighborStructure::Auto {
                        warm = Some(Warm {
                            saved: simulation.save(),
                            bodies: start::state(&simulation),
                        });
                    }
                    Entry::new(label, pace, Box::new(simulation), memory)
                }
                Err(error @ simulate::Error::TooFewCells { .. }) => {
                    Entry::skipped(label, error.to_string())
                }
                Err(error) => return Err(error.into()),
            };
            entries.push(entered);
        }
        if let Some(warm) = &warm {
            self.check_textbook(warm)?;
        }
        entries.push(self.textbook(&warm));
        Ok(entries)
    }

    fn simulation(
        &self,
        structure: NeighborStructure,
        pace: MeasuringEffort,
        warm: &Option<Warm<D>>,
    ) -> Result<Simulation<D>, simulate::Error> {
        let settings = Settings { structure, ..Settings::new(Region::periodic(self.start.size)) };
        match (pace, warm) {
            (MeasuringEffort::Short, Some(warm)) => {
                Simulation::resume(warm.saved.clone(), settings)
            }
            _ => {
                let mut simulation = Simulation::new(&self.start.bodies, settings)?;
                simulation.advance(f64::INFINITY, self.case.warm_up);
                Ok(simulation)
            }
        }
    }

    fn check_textbook(&self, warm: &Warm<D>) -> Result<(), Error> {
        let settings = Settings::new(Region::periodic(self.start.size));
        match TextbookEvents::new(&warm.bodies, self.start.size) {
            None => Ok(()),
            Some(mut textbook) => {
                let mut carom = Simulation::resume(warm.saved.clone(), settings)?;
                same_course(&mut textbook, &mut carom)
            }
        }
    }

    fn textbook(&self, warm: &Option<Warm<D>>) -> Entry {
        let label = Label { structure: "textbook", kind: Kind::Baseline };
        let pace = self.case.pace_of_cells();
        let (bodies, warm_up) = match (pace, warm) {
            (MeasuringEffort::Short, Some(warm)) => (&warm.bodies, 0),
            _ => (&self.start.bodies, self.case.warm_up),
        };
        let mark = Mark::set();
        match TextbookEvents::new(bodies, self.start.size) {
            None => Entry::skipped(label, "the box has fewer than four cells on an axis".into()),
            Some(mut textbook) => {
                textbook.advance(warm_up);
                let memory = Memory::default().after(mark);
                Entry::new(label, pace, Box::new(textbook), memory)
            }
        }
    }
}

/// Lets the textbook and carom go on from one state, two collisions per body or a few thousand: the
/// times of the collisions must be the same but for rounding.
fn same_course<const D: usize>(
    textbook: &mut TextbookEvents<D>,
    carom: &mut Simulation<D>,
) -> Result<(), Error> {
    let begin = carom.now();
    let steps = 20;
    let step = (carom.count() as u64).min(LONGEST_COURSE).div_ceil(steps);
    for taken in 1..=steps {
        textbook.advance(step);
        carom.advance(f64::INFINITY, step);
        let (own, other) = (carom.now() - begin, textbook.now());
        if (own - other).abs() > COURSE_ROUNDING * own {
            return Err(Error::OtherCollisions {
                structure: "textbook",
                reference: "auto",
                collisions: taken * step,
            });
        }
    }
    Ok(())
}

/// Collisions for which the textbook is held to carom's course, at most.
const LONGEST_COURSE: u64 = 10_000;
/// By this part times may differ: rounding, made larger by collisions.
const COURSE_ROUNDING: f64 = 1e-9;

/// A contender that has warmed up.
struct Entry {
    label: Label,
    pace: MeasuringEffort,
    runner: Result<Box<dyn Runner>, String>,
    memory: Memory,
    best: Option<Best>,
}

impl Entry {
    fn new(label: Label, pace: MeasuringEffort, runner: Box<dyn Runner>, memory: Memory) -> Self {
        Entry { label, pace, runner: Ok(runner), memory, best: None }
    }

    fn skipped(label: Label, reason: String) -> Self {
        let (pace, memory) = (MeasuringEffort::Short, Memory::default());
        Entry { label, pace, runner: Err(reason), memory, best: None }
    }

    /// Runs and times a window; what was counted in the first one stays.
    fn take_turn(&mut self, case: &Case) {
        let Ok(runner) = &mut self.runner else { return };
        let before = runner.work();
        let lap = |runner: &dyn Runner| Lap {
            collisions: runner.work().collisions - before.collisions,
            account: runner.account(),
        };
        let mark = Mark::set();
        let clock = Clock::start();
        runner.advance(case.short_window);
        let mut elapsed = clock.elapsed();
        let at_short_window = lap(&**runner);
        let rest = case.window_of(self.pace) - case.short_window;
        if rest > 0 {
            let clock = Clock::start();
            runner.advance(rest);
            elapsed += clock.elapsed();
        }
        match &mut self.best {
            Some(best) => {
                best.elapsed = best.elapsed.min(elapsed);
                best.rounds += 1;
            }
            None => {
                let at_window = lap(&**runner);
                self.best = Some(Best {
                    elapsed,
                    window: at_window.collisions,
                    rounds: 1,
                    work: runner.work().since(&before),
                    at_short_window,
                    at_window,
                    memory: self.memory.after(mark),
                });
            }
        }
    }

    fn finish(self) -> Outcome {
        match (self.runner, self.best) {
            (Err(reason), _) => Outcome::Skipped(self.label, reason),
            (_, None) => Outcome::Skipped(self.label, "no round was run".into()),
            (_, Some(best)) => Outcome::Measured(self.label, best),
        }
    }
}

/// Compares everyone with the first, at every number of collisions that both have passed.
fn agree(outcomes: &[Outcome]) -> Result<(), Error> {
    let mut measured = outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Measured(label, best) => Some((label.structure, best)),
        Outcome::Skipped(..) => None,
    });
    let Some((reference, expected)) = measured.next() else { return Ok(()) };
    for (structure, best) in measured {
        let pairs = [
            (best.at_short_window, expected.at_short_window),
            (best.at_window, expected.at_window),
        ];
        for (lap, expected) in pairs {
            if lap.collisions == expected.collisions && !lap.agrees_with(&expected) {
                return Err(Error::OtherCollisions {
                    structure,
                    reference,
                    collisions: lap.collisions,
                });
            }
        }
    }
    Ok(())
}

impl Lap {
    /// Of two runs of carom, whether they made the same collisions.
    fn agrees_with(&self, other: &Lap) -> bool {
        match (self.account, other.account) {
            (Some(own), Some(other)) => own.digest == other.digest,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event_driven::system::System;
    use crate::memory::alone;

    fn measured(outcomes: &[Outcome]) -> Vec<(&'static str, Best)> {
        let measured = |outcome: &Outcome| match outcome {
            Outcome::Measured(label, best) => Some((label.structure, *best)),
            Outcome::Skipped(..) => None,
        };
        outcomes.iter().filter_map(measured).collect()
    }

    #[test]
    fn everyone_runs_as_many_collisions_as_its_pace_asks_for() {
        let _alone = alone();
        let case = Case { rounds: 2, ..Case::tiny(System::Mono03, 500) };
        let bests = measured(&race::<3>(&case).unwrap());
        let names: Vec<&str> = bests.iter().map(|(name, _)| *name).collect();
        let all = [
            "auto",
            "neighbor-lists",
            "cell-grid",
            "cell-tree",
            "laguerre-delaunay",
            "segment-trees",
            "all-pairs",
            "textbook",
        ];
        assert_eq!(names, all);
        for (name, best) in bests {
            let expected = match name {
                "segment-trees" | "all-pairs" => (500, 1),
                "laguerre-delaunay" => (1000, 2),
                _ => (2000, 2),
            };
            assert_eq!((best.window, best.rounds), expected, "{name}");
            assert_eq!(best.work.collisions, best.window, "{name}");
            assert!(best.elapsed > Duration::ZERO, "{name}");
            let flips = best.work.triangulation.map(|work| work.flips > 0);
            assert_eq!(flips, (name == "laguerre-delaunay").then_some(true), "{name}");
        }
    }

    #[test]
    fn who_does_not_fit_the_box_is_skipped_with_a_reason() {
        let _alone = alone();
        let outcomes = race::<3>(&Case::tiny(System::Binary10, 3003)).unwrap();
        let reasons: Vec<&str> = outcomes
            .iter()
            .filter_map(|outcome| match outcome {
                Outcome::Skipped(_, reason) => Some(reason.as_str()),
                Outcome::Measured(..) => None,
            })
            .collect();
        assert!(reasons.contains(&"the box has fewer than four cells on an axis"), "{reasons:?}");
    }

    #[test]
    fn other_collisions_end_the_race() {
        let _alone = alone();
        let mut outcomes = race::<2>(&Case::tiny(System::Discs03, 500)).unwrap();
        assert!(agree(&outcomes).is_ok());
        if let Outcome::Measured(_, best) = &mut outcomes[2]
            && let Some(account) = &mut best.at_short_window.account
        {
            account.digest += 1;
        }
        assert_eq!(
            agree(&outcomes).unwrap_err().to_string(),
            "cell-grid and auto differ within 500 collisions after the warm-up"
        );
    }

    #[test]
    fn the_textbook_is_held_to_the_same_course() {
        for (faster, same) in [(1.0, true), (1.0 + 1e-6, false)] {
            let case = Case::tiny(System::Discs07, 500);
            let start = start::bodies::<2>(&case).unwrap();
            let settings = Settings::new(Region::periodic(start.size));
            let mut carom = Simulation::new(&start.bodies, settings).unwrap();
            let mut bodies = start.bodies.clone();
            bodies.iter_mut().take(50).for_each(|body| body.velocity *= faster);
            let mut textbook = TextbookEvents::new(&bodies, start.size).unwrap();
            assert_eq!(same_course(&mut textbook, &mut carom).is_ok(), same);
        }
    }
}
