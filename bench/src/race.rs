//! A race: all contenders do the same work in turn, and the best time of each counts.
//!
//! Unless its contenders have warmed up by themselves, each runs once before the race, which shows its
//! memory and what it found. Then come rounds in which everyone has a turn, so that noise of the machine
//! hits all alike; every other round goes backwards. In a turn a short run is done twice and the second
//! counts, since the first has to fetch from memory what the one before drove out of the caches. Whoever is
//! slow runs once more on its own; whoever is far too slow does not.

use crate::error::Error;
use crate::memory::Memory;
use crate::record::{Record, is_rate, is_time, rounded};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// One that can do the work of a case again and again: a method of carom, a library or a program.
///
/// What it does is a closure rather than a method of a trait: the function that prepares a contender has all that it needs
/// at hand, while a type for each of them would name the same fields twice more.
pub struct Contender<'a> {
    /// Names of carom's own begin with "carom"; " 2 threads" at the end says on how many it runs.
    pub name: String,
    /// The most rounds it takes part in.
    pub most_rounds: usize,
    act: Box<dyn FnMut() -> Result<Run, Error> + 'a>,
}

/// The contenders of a case, the one that others are compared with first.
pub type Contenders<'a> = Vec<Contender<'a>>;

impl<'a> Contender<'a> {
    /// Makes a contender of a name and what it does once.
    pub fn new(name: impl ToString, act: impl FnMut() -> Result<Run, Error> + 'a) -> Self {
        Contender { name: name.to_string(), most_rounds: usize::MAX, act: Box::new(act) }
    }

    /// Makes a contender that is named but cannot take part.
    pub fn absent(name: impl ToString, reason: impl ToString) -> Self {
        let reason = reason.to_string();
        Contender::new(name, move || Err(Error::Skipped(reason.clone())))
    }

    /// Returns the contender, limited to a number of rounds.
    pub fn at_most(self, rounds: usize) -> Self {
        Contender { most_rounds: rounds, ..self }
    }

    /// Does the work once.
    pub fn run(&mut self) -> Result<Run, Error> {
        (self.act)()
    }
}

/// The work done once: its time, what it came to, and everything measured of it.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The time that decides how often it is repeated.
    pub elapsed: Duration,
    /// Questions and their answers; whoever answers the same question must say the same.
    answers: Vec<(String, String)>,
    quantities: Vec<Quantity>,
}

/// A measured quantity. Of times and rates the best of all rounds counts, of anything else the first.
#[derive(Clone, Debug, PartialEq)]
struct Quantity {
    name: &'static str,
    value: String,
    unit: &'static str,
    /// Whether its ratio to the first contender is recorded too.
    is_compared: bool,
}

impl Run {
    /// Starts the description of a run of this length.
    pub fn new(elapsed: Duration) -> Self {
        Run { elapsed, ..Run::default() }
    }

    /// Adds an answer that all who know the question must agree on.
    pub fn answer(mut self, question: impl ToString, answer: impl ToString) -> Self {
        self.answers.push((question.to_string(), answer.to_string()));
        self
    }

    /// Adds a time or a rate by which contenders are compared.
    pub fn compared(self, name: &'static str, value: f64, unit: &'static str) -> Self {
        self.push(name, rounded(value), unit, true)
    }

    /// Adds a quantity, if it could be measured.
    pub fn with(
        self,
        name: &'static str,
        value: impl Into<Option<f64>>,
        unit: &'static str,
    ) -> Self {
        match value.into() {
            Some(value) => self.push(name, rounded(value), unit, false),
            None => self,
        }
    }

    /// Adds the bytes held and the most at once for each of this many.
    pub fn memory(self, memory: Memory, count: usize, unit: &'static str) -> Self {
        let [held, peak] = [memory.held, memory.peak].map(|bytes| bytes as f64 / count as f64);
        self.with("held memory", held, unit).with("peak memory", peak, unit)
    }

    /// Adds a word.
    pub fn text(self, name: &'static str, text: impl ToString) -> Self {
        self.push(name, text.to_string(), "", false)
    }

    fn push(
        mut self,
        name: &'static str,
        value: String,
        unit: &'static str,
        is_compared: bool,
    ) -> Self {
        self.quantities.push(Quantity { name, value, unit, is_compared });
        self
    }

    /// Returns a number that was measured.
    #[cfg(test)]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.quantities.iter().find(|quantity| quantity.name == name)?.value.parse().ok()
    }
}

/// Rounds and times of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Whether every contender runs once before the rounds.
    pub warm_up: bool,
    /// Least number of rounds, however long they take.
    pub least_rounds: usize,
    /// Largest number of rounds, however short they are.
    pub most_rounds: usize,
    /// A contender whose run is shorter than this runs once more, unmeasured, before each round.
    pub short: Duration,
    /// Time for the rounds of each contender.
    pub time_for_each: Duration,
    /// A contender whose warm-up takes longer is measured once, outside the rounds.
    pub slow: Duration,
    /// A contender whose warm-up takes longer is not measured.
    pub cap: Duration,
}

impl Plan {
    /// Plans this many rounds after a warm-up.
    pub const fn rounds(rounds: usize) -> Self {
        Plan {
            warm_up: true,
            least_rounds: rounds,
            most_rounds: rounds,
            short: Duration::ZERO,
            time_for_each: Duration::ZERO,
            slow: Duration::MAX,
            cap: Duration::MAX,
        }
    }

    /// Plans this many rounds of contenders that have warmed up by themselves.
    pub const fn warm(rounds: usize) -> Self {
        Plan { warm_up: false, ..Plan::rounds(rounds) }
    }
}

/// The outcome of a contender: its records, or the reason why it was skipped.
pub struct Outcome {
    /// Name of the contender.
    pub contender: String,
    /// Records, or the reason.
    pub records: Result<Vec<Record>, String>,
}

/// Lets the contenders of a case run against each other; outcomes are in the order of the contenders.
///
/// An error if two of them answered the same question differently.
pub fn race(case: &str, contenders: Contenders<'_>, plan: &Plan) -> Result<Vec<Outcome>, Error> {
    let mut answers = Answers::default();
    let mut racers: Vec<Racer> = contenders.into_iter().map(Racer::new).collect();
    if plan.warm_up {
        for racer in &mut racers {
            racer.warm_up(plan, &mut answers)?;
        }
    }
    let (mut slow, mut fast): (Vec<&mut Racer>, Vec<&mut Racer>) =
        racers.iter_mut().partition(|racer| racer.first > plan.slow);
    let start = Instant::now();
    let budget = plan.time_for_each.saturating_mul(fast.len() as u32);
    for round in 0..plan.most_rounds {
        if round >= plan.least_rounds && start.elapsed() >= budget {
            break;
        }
        for racer in fast.iter_mut().filter(|racer| round < racer.contender.most_rounds) {
            racer.take_turn(plan, &mut answers)?;
        }
        fast.reverse();
    }
    for racer in &mut slow {
        racer.take_turn(plan, &mut answers)?;
    }
    Ok(outcomes(case, &racers))
}

struct Racer<'a> {
    contender: Contender<'a>,
    first: Duration,
    measured: Result<Vec<Quantity>, String>,
    rounds: usize,
}

impl<'a> Racer<'a> {
    fn new(contender: Contender<'a>) -> Self {
        Racer { contender, first: Duration::ZERO, measured: Ok(Vec::new()), rounds: 0 }
    }

    fn warm_up(&mut self, plan: &Plan, answers: &mut Answers) -> Result<(), Error> {
        if let Some(run) = self.run(answers)? {
            self.first = run.elapsed;
            self.measured = match run.elapsed > plan.cap {
                true => Err(format!("one run takes {:.0} s", run.elapsed.as_secs_f64())),
                false => Ok(run.quantities),
            };
        }
        Ok(())
    }

    fn take_turn(&mut self, plan: &Plan, answers: &mut Answers) -> Result<(), Error> {
        if self.measured.is_ok() && self.first < plan.short {
            self.run(answers)?;
        }
        let Some(run) = self.run(answers)? else { return Ok(()) };
        let Ok(measured) = &mut self.measured else { return Ok(()) };
        if measured.is_empty() {
            *measured = run.quantities;
        } else {
            // What has run once to warm up does not count.
            let is_first = self.rounds == 0;
            for quantity in measured {
                let new = run.quantities.iter().find(|new| new.name == quantity.name);
                if let Some(new) = new.filter(|new| new.replaces(quantity, is_first)) {
                    quantity.value = new.value.clone();
                }
            }
        }
        self.rounds += 1;
        Ok(())
    }

    /// Runs once, unless it was or now is skipped.
    fn run(&mut self, answers: &mut Answers) -> Result<Option<Run>, Error> {
        if self.measured.is_err() {
            return Ok(None);
        }
        match self.contender.run() {
            Ok(run) => {
                answers.compare(&self.contender.name, &run)?;
                Ok(Some(run))
            }
            Err(error @ (Error::TooSlow { .. } | Error::Skipped(_))) => {
                self.measured = Err(error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

impl Quantity {
    fn replaces(&self, old: &Quantity, is_first: bool) -> bool {
        let [Ok(new), Ok(old)] = [&self.value, &old.value].map(|value| value.parse::<f64>()) else {
            return false;
        };
        (is_time(self.unit) && (is_first || new < old))
            || (is_rate(self.unit) && (is_first || new > old))
    }
}

/// Who answered a question first, and how.
#[derive(Default)]
struct Answers(HashMap<String, (String, String)>);

impl Answers {
    fn compare(&mut self, contender: &str, run: &Run) -> Result<(), Error> {
        for (question, found) in &run.answers {
            let first = || (contender.to_string(), found.clone());
            let (reference, expected) = self.0.entry(question.clone()).or_insert_with(first);
            if expected != found {
                let earlier = if reference == contender { "its earlier run" } else { reference };
                return Err(Error::Disagreement {
                    contender: contender.into(),
                    question: question.clone(),
                    found: found.clone(),
                    reference: earlier.into(),
                    expected: expected.clone(),
                });
            }
        }
        Ok(())
    }
}

fn outcomes(case: &str, racers: &[Racer]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for racer in racers {
        let records = racer.measured.as_ref().map_err(String::clone).map(|quantities| {
            let record = |quantity: String, value, unit: &str| Record {
                case: case.into(),
                contender: racer.contender.name.clone(),
                quantity,
                value,
                unit: unit.into(),
            };
            let mut records = Vec::new();
            for quantity in quantities {
                let own = record(quantity.name.into(), quantity.value.clone(), quantity.unit);
                if quantity.is_compared {
                    let base = base(&outcomes, racer, quantity.name).unwrap_or(&own);
                    let ratio = rounded(own.ratio_to(base).unwrap_or(f64::NAN));
                    records.push(record(format!("{} ratio", quantity.name), ratio, "x"));
                }
                records.push(own);
            }
            records.push(record("rounds".into(), racer.rounds.to_string(), ""));
            records
        });
        outcomes.push(Outcome { contender: racer.contender.name.clone(), records });
    }
    outcomes
}

/// The record that a contender's ratio refers to: that of the first one on as many threads.
fn base<'a>(outcomes: &'a [Outcome], racer: &Racer, quantity: &str) -> Option<&'a Record> {
    let same = outcomes
        .iter()
        .find(|other| threads(&other.contender) == threads(&racer.contender.name))?;
    same.records.as_ref().ok()?.iter().find(|record| record.quantity == quantity)
}

/// The number of threads that a name ends with.
fn threads(name: &str) -> Option<&str> {
    name.strip_suffix(" threads")?.rsplit(' ').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the given times in turn, and always finds the same.
    fn scripted(
        name: &str,
        milliseconds: &'static [u64],
        found: &'static str,
    ) -> Contender<'static> {
        let mut runs = 0;
        Contender::new(name, move || {
            let milliseconds = milliseconds[runs.min(milliseconds.len() - 1)];
            runs += 1;
            Ok(Run::new(Duration::from_millis(milliseconds))
                .answer("", found)
                .compared("time", milliseconds as f64, "ms")
                .with("rate", 1e3 / milliseconds as f64, "1/s")
                .with("memory", runs as f64, "B"))
        })
    }

    fn times(milliseconds: &'static [u64]) -> Contender<'static> {
        scripted("scripted", milliseconds, "1 pair")
    }

    fn run(contenders: Contenders<'_>, plan: &Plan) -> Result<Vec<Outcome>, Error> {
        race("case", contenders, plan)
    }

    fn number(outcome: &Outcome, quantity: &str) -> f64 {
        let records = outcome.records.as_ref().unwrap();
        let record = records.iter().find(|record| record.quantity == quantity).unwrap();
        record.number().unwrap()
    }

    const THREE: Plan = Plan::rounds(3);

    #[test]
    fn the_best_round_counts_and_the_warm_up_does_not() {
        let outcome = &run(vec![times(&[1, 30, 20, 40])], &THREE).unwrap()[0];
        assert_eq!(["time", "rate", "rounds"].map(|name| number(outcome, name)), [20.0, 50.0, 3.0]);
        let outcome = &run(vec![times(&[1, 30, 20])], &Plan::warm(3)).unwrap()[0];
        assert_eq!((number(outcome, "time"), number(outcome, "rounds")), (1.0, 3.0));
    }

    #[test]
    fn of_two_short_runs_the_second_counts() {
        let plan = Plan { short: Duration::from_millis(10), ..THREE };
        let outcome = &run(vec![times(&[5, 1, 4, 1, 3, 1, 4])], &plan).unwrap()[0];
        assert_eq!((number(outcome, "time"), number(outcome, "rounds")), (3.0, 3.0));
    }

    #[test]
    fn memory_is_that_of_the_first_run() {
        assert_eq!(number(&run(vec![times(&[1])], &THREE).unwrap()[0], "memory"), 1.0);
    }

    #[test]
    fn the_slow_run_once_and_the_far_too_slow_not_at_all() {
        let plan = Plan { slow: Duration::from_secs(2), cap: Duration::from_secs(20), ..THREE };
        let once = times(&[10]).at_most(1);
        let contenders = vec![times(&[10]), times(&[3000]), times(&[60_000]), once];
        let outcomes = run(contenders, &plan).unwrap();
        assert_eq!([0, 1, 3].map(|place| number(&outcomes[place], "rounds")), [3.0, 1.0, 1.0]);
        assert_eq!(outcomes[2].records.as_ref().unwrap_err(), "one run takes 60 s");
    }

    #[test]
    fn who_is_absent_is_skipped_with_a_reason() {
        let absent = Contender::absent("grid", "the box is narrow");
        let outcomes = race("case", vec![absent], &Plan::warm(2)).unwrap();
        assert_eq!(outcomes[0].records.as_ref().unwrap_err(), "the box is narrow");
    }

    #[test]
    fn ratios_are_times_over_that_of_the_first_on_as_many_threads() {
        let contender = |name, times| scripted(name, times, "1 pair");
        let contenders = vec![
            contender("carom", &[20]),
            contender("peer", &[50]),
            contender("carom 2 threads", &[10]),
            contender("peer 2 threads", &[15]),
        ];
        let outcomes = run(contenders, &THREE).unwrap();
        let ratios: Vec<f64> = outcomes.iter().map(|one| number(one, "time ratio")).collect();
        assert_eq!(ratios, [1.0, 2.5, 1.0, 1.5]);
    }

    #[test]
    fn different_answers_end_the_race() {
        let other = scripted("other", &[1], "2 pairs");
        let error = run(vec![times(&[1]), other], &THREE).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "other found 2 pairs, but scripted found 1 pair");
    }
}
