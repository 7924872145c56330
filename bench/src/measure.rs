//! A race: all contenders do the same work in turn, and the best time of each counts.
//!
//! Each runs once before the race, which warms it up, shows its memory and what it found; all must
//! have found the same pairs. Then come rounds in which everyone has a turn, so that noise of the
//! machine hits all alike and each has as many chances as the others; every other round goes
//! backwards. In a turn a short search is done twice and the second counts, since the first has to
//! fetch from memory what the one before drove out of the caches. Whoever is so slow that the
//! rounds would be few runs once more on its own; whoever is hopeless does not.

use crate::error::Error;
use crate::memory::Mark;
use crate::results::Kind;
use carom::BodyPair;
use std::fmt;
use std::time::{Duration, Instant};

/// Who runs, as it stands in the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The method or the library.
    pub method: &'static str,
    /// Ours or theirs.
    pub kind: Kind,
    /// Threads it may use.
    pub threads: usize,
}

/// The pairs found, as a count and a hash that does not depend on their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many.
    pub pairs: usize,
    /// Sum of the scrambled pairs.
    pub hash: u64,
}

/// One search, its time and its memory.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Wall clock.
    pub elapsed: Duration,
    /// What it found.
    pub found: Found,
    /// Peak memory beyond input and output, where it can be measured.
    pub extra_bytes: Option<usize>,
}

/// One that can do the work again and again.
pub trait Contender {
    /// Who it is.
    fn label(&self) -> Label;
    /// Does the work once.
    fn run(&mut self) -> Result<Run, Error>;
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds even if they take long.
    pub least_rounds: usize,
    /// Rounds even if they are short.
    pub most_rounds: usize,
    /// Who takes less for one run has another before it in each round.
    pub short: Duration,
    /// Time for the rounds, times the number of contenders.
    pub time_for_each: Duration,
    /// Who takes longer for one run is measured once, outside the rounds.
    pub slow: Duration,
    /// Who takes longer for one run is not measured.
    pub cap: Duration,
}

/// The best of several runs.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Wall clock of the fastest run.
    pub elapsed: Duration,
    /// What every run found.
    pub found: Found,
    /// Peak extra memory of the first run, which has to allocate everything.
    pub extra_bytes: Option<usize>,
    /// How many runs were timed.
    pub rounds: usize,
}

/// What became of a contender.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was measured.
    Measured(Label, Best),
    /// It was not, for the reason given.
    Skipped(Label, String),
}

impl Found {
    /// Counts and hashes `pairs`.
    pub fn new(pairs: impl Iterator<Item = BodyPair>) -> Self {
        pairs.fold(Found { pairs: 0, hash: 0 }, |found, pair| Found {
            pairs: found.pairs + 1,
            hash: found.hash.wrapping_add(scramble(pair)),
        })
    }
}

/// The finishing steps of SplitMix64, so that sums of different pairs hardly ever agree.
fn scramble(pair: BodyPair) -> u64 {
    let packed = u64::from(pair.first()) << 32 | u64::from(pair.second());
    let mixed = (packed ^ (packed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} pairs (hash {:016x})", self.pairs, self.hash)
    }
}

impl Plan {
    /// The benchmark proper.
    pub const FULL: Plan = Plan {
        least_rounds: 5,
        most_rounds: 30,
        short: Duration::from_millis(150),
        time_for_each: Duration::from_millis(1500),
        slow: Duration::from_secs(2),
        cap: Duration::from_secs(20),
    };
    /// One round, to show that everything works.
    pub const TINY: Plan = Plan {
        least_rounds: 1,
        most_rounds: 1,
        short: Duration::ZERO,
        time_for_each: Duration::ZERO,
        ..Plan::FULL
    };

    /// The benchmark proper with `seconds` for each contender, and as many more rounds at most.
    pub fn lasting(seconds: f64) -> Plan {
        let time_for_each = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
        let longer = seconds / Plan::FULL.time_for_each.as_secs_f64();
        let most_rounds = (Plan::FULL.most_rounds as f64 * longer) as usize;
        Plan { most_rounds: most_rounds.max(Plan::FULL.least_rounds), time_for_each, ..Plan::FULL }
    }
}

impl Best {
    fn after_warm_up(run: &Run) -> Self {
        Best { elapsed: Duration::MAX, found: run.found, extra_bytes: run.extra_bytes, rounds: 0 }
    }

    fn take(&mut self, run: &Run) {
        self.elapsed = self.elapsed.min(run.elapsed);
        self.rounds += 1;
    }
}

/// Time and memory from now on.
pub struct Stopwatch {
    mark: Mark,
    start: Instant,
}

impl Stopwatch {
    /// Starts.
    pub fn start() -> Self {
        Stopwatch { mark: Mark::set(), start: Instant::now() }
    }

    /// The time since the start, and the peak of memory beyond that of the start.
    pub fn stop(self) -> (Duration, usize) {
        (self.start.elapsed(), self.mark.peak())
    }
}

type Runner<'a> = Box<dyn Contender + 'a>;

/// Lets the contenders run against each other; outcomes are in the order of the contenders.
///
/// An error if two of them found different pairs.
pub fn race(contenders: Vec<Runner<'_>>, plan: &Plan) -> Result<Vec<Outcome>, Error> {
    let mut racers = warm_up(contenders, plan)?;
    let (mut slow, mut fast): (Vec<&mut Racer>, Vec<&mut Racer>) =
        racers.iter_mut().partition(|racer| racer.first > plan.slow);
    let start = Instant::now();
    let budget = plan.time_for_each * fast.len() as u32;
    for round in 0..plan.most_rounds {
        if round >= plan.least_rounds && start.elapsed() >= budget {
            break;
        }
        for racer in &mut fast {
            racer.take_turn(plan)?;
        }
        fast.reverse();
    }
    for racer in &mut slow {
        racer.take_turn(plan)?;
    }
    Ok(racers.into_iter().map(Racer::finish).collect())
}

struct Racer<'a> {
    runner: Runner<'a>,
    first: Duration,
    standing: Result<Best, String>,
}

fn warm_up<'a>(contenders: Vec<Runner<'a>>, plan: &Plan) -> Result<Vec<Racer<'a>>, Error> {
    let mut reference: Option<(&'static str, Found)> = None;
    let mut racers = Vec::with_capacity(contenders.len());
    for mut runner in contenders {
        let method = runner.label().method;
        let (first, standing) = match runner.run() {
            Ok(run) => {
                let (leader, expected) = *reference.get_or_insert((method, run.found));
                agree(method, run.found, leader, expected)?;
                (run.elapsed, standing_after(&run, plan))
            }
            Err(error @ (Error::TooSlow { .. } | Error::Hopeless(_))) => {
                (Duration::MAX, Err(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        racers.push(Racer { runner, first, standing });
    }
    Ok(racers)
}

fn agree(
    method: &'static str,
    found: Found,
    reference: &'static str,
    expected: Found,
) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Disagreement { method, found, reference, expected })
}

fn standing_after(run: &Run, plan: &Plan) -> Result<Best, String> {
    if run.elapsed > plan.cap {
        return Err(format!("one run takes {:.0} s", run.elapsed.as_secs_f64()));
    }
    Ok(Best::after_warm_up(run))
}

impl Racer<'_> {
    fn take_turn(&mut self, plan: &Plan) -> Result<(), Error> {
        let Ok(best) = &mut self.standing else { return Ok(()) };
        if self.first < plan.short {
            self.runner.run()?;
        }
        match self.runner.run() {
            Ok(run) => {
                agree(self.runner.label().method, run.found, "its first run", best.found)?;
                best.take(&run);
            }
            Err(error @ Error::TooSlow { .. }) => self.standing = Err(error.to_string()),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn finish(self) -> Outcome {
        match self.standing {
            Ok(best) => Outcome::Measured(self.runner.label(), best),
            Err(reason) => Outcome::Skipped(self.runner.label(), reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the given times in turn, and always finds the same.
    struct Scripted {
        method: &'static str,
        milliseconds: Vec<u64>,
        runs: usize,
        found: Found,
    }

    impl Contender for Scripted {
        fn label(&self) -> Label {
            Label { method: self.method, kind: Kind::Peer, threads: 1 }
        }

        fn run(&mut self) -> Result<Run, Error> {
            let milliseconds = self.milliseconds[self.runs.min(self.milliseconds.len() - 1)];
            self.runs += 1;
            Ok(Run {
                elapsed: Duration::from_millis(milliseconds),
                found: self.found,
                extra_bytes: Some(self.runs),
            })
        }
    }

    const NOTHING: Found = Found { pairs: 0, hash: 0 };

    fn scripted(milliseconds: &[u64]) -> Box<dyn Contender> {
        Box::new(Scripted {
            method: "scripted",
            milliseconds: milliseconds.to_vec(),
            runs: 0,
            found: NOTHING,
        })
    }

    fn three_rounds() -> Plan {
        Plan { least_rounds: 3, most_rounds: 3, short: Duration::ZERO, ..Plan::FULL }
    }

    fn measured(outcome: &Outcome) -> Best {
        match outcome {
            Outcome::Measured(_, best) => *best,
            Outcome::Skipped(_, reason) => panic!("skipped: {reason}"),
        }
    }

    #[test]
    fn the_best_round_counts_and_the_warm_up_does_not() {
        let outcomes = race(vec![scripted(&[1, 30, 20, 40])], &three_rounds()).unwrap();
        let best = measured(&outcomes[0]);
        assert_eq!(best.elapsed, Duration::from_millis(20));
        assert_eq!(best.rounds, 3);
    }

    #[test]
    fn of_two_short_runs_the_second_counts() {
        let plan = Plan { short: Duration::from_millis(10), ..three_rounds() };
        let outcomes = race(vec![scripted(&[5, 1, 4, 1, 3, 1, 4])], &plan).unwrap();
        let best = measured(&outcomes[0]);
        assert_eq!((best.elapsed, best.rounds), (Duration::from_millis(3), 3));
    }

    #[test]
    fn memory_is_that_of_the_first_run() {
        let outcomes = race(vec![scripted(&[1])], &three_rounds()).unwrap();
        assert_eq!(measured(&outcomes[0]).extra_bytes, Some(1));
    }

    #[test]
    fn the_slow_run_once_and_the_hopeless_not_at_all() {
        let contenders = vec![scripted(&[10]), scripted(&[3000]), scripted(&[60_000])];
        let outcomes = race(contenders, &three_rounds()).unwrap();
        assert_eq!(measured(&outcomes[0]).rounds, 3);
        assert_eq!(measured(&outcomes[1]).rounds, 1);
        assert!(matches!(&outcomes[2], Outcome::Skipped(_, why) if why == "one run takes 60 s"));
    }

    #[test]
    fn a_longer_plan_has_more_rounds_and_a_senseless_one_the_fewest() {
        assert_eq!(Plan::lasting(3.0).most_rounds, 2 * Plan::FULL.most_rounds);
        assert_eq!(Plan::lasting(-1.0).most_rounds, Plan::FULL.least_rounds);
        assert_eq!(Plan::lasting(f64::NAN).time_for_each, Duration::ZERO);
    }

    #[test]
    fn different_pairs_end_the_race() {
        let other = Scripted {
            method: "other",
            milliseconds: vec![1],
            runs: 0,
            found: Found { pairs: 1, hash: 7 },
        };
        let error = race(vec![scripted(&[1]), Box::new(other)], &three_rounds()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "other found 1 pairs (hash 0000000000000007), \
             but scripted found 0 pairs (hash 0000000000000000)"
        );
    }

    #[test]
    fn the_hash_does_not_depend_on_the_order() {
        let pairs = [BodyPair::new(1, 2), BodyPair::new(5, 3), BodyPair::new(0, 9)];
        let forwards = Found::new(pairs.into_iter());
        assert_eq!(forwards, Found::new(pairs.into_iter().rev()));
        assert_ne!(forwards.hash, Found::new(pairs[..2].iter().copied()).hash);
        let exchanged = [BodyPair::new(1, 3), BodyPair::new(5, 2), BodyPair::new(0, 9)];
        assert_ne!(forwards.hash, Found::new(exchanged.into_iter()).hash);
    }
}
