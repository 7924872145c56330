//! Everyone prepares the same mesh and answers for the same points in turn; the best times of each count.

use crate::error::Error;
use crate::results::Kind;
use carom::detect::inside::Containment;
use std::time::Duration;

/// Preparing once and answering for all points once.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// From the mesh in the contender's own form to the first answer.
    pub build: Duration,
    /// For all points.
    pub query: Duration,
    /// What is held for it, where it can be measured.
    pub memory: Option<Memory>,
}

/// Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// When prepared, its copy of the mesh included.
    pub held: usize,
    /// The most at once while preparing.
    pub peak: usize,
}

/// Which answers a contender promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Never a wrong one, and points on the surface are reported to be there.
    Exact,
    /// Right ones but for rounding; it may call points on the surface inside or outside.
    Rounded,
}

/// What a time is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// The processor, on one thread.
    Processor,
    /// The clock on the wall, on this many threads.
    Wall(usize),
}

/// Who a contender is.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// carom's method or a library.
    pub name: &'static str,
    /// Whose it is.
    pub kind: Kind,
    /// What may be expected of its answers.
    pub promise: Promise,
    /// What its times are.
    pub timing: Timing,
}

/// One that can prepare its mesh and answer for its points again and again.
pub trait Contender {
    /// Who it is.
    fn label(&self) -> Label;
    /// Prepares and answers once; the sides are put into `sides`.
    fn run(&mut self, sides: &mut Vec<Containment>) -> Result<Run, Error>;
}

/// The best of a contender's runs, and what it answered.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Shortest times, each by itself.
    pub run: Run,
    /// Answers.
    pub tally: AnswerCounts,
    /// Timed rounds.
    pub rounds: usize,
}

/// Answers, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    /// Points inside.
    pub inside: usize,
    /// Points reported to be on the surface.
    pub on_surface: usize,
    /// Points for which the first contender says otherwise.
    pub differences: usize,
}

/// Whoever takes longer than this has one turn only.
const LONG: Duration = Duration::from_secs(4);

/// Lets everyone run once to warm up, and then this many rounds, every other one backwards. The first
/// contender is exact: its answers are those that others are compared with.
pub fn race(contenders: &mut [Box<dyn Contender + '_>], rounds: usize) -> Result<Vec<Best>, Error> {
    let (mut truth, mut sides) = (Vec::new(), Vec::new());
    let mut best: Vec<Best> = Vec::new();
    for contender in contenders.iter_mut() {
        sides.clear();
        let run = contender.run(&mut sides)?;
        if truth.is_empty() {
            truth.clone_from(&sides);
        }
        best.push(Best { run, tally: compare(&contender.label(), &sides, &truth)?, rounds: 0 });
    }
    let is_long = |best: &Best| best.run.build + best.run.query > LONG;
    let (long, mut order): (Vec<usize>, Vec<usize>) =
        (0..best.len()).partition(|&place| is_long(&best[place]));
    for place in long {
        // The warm-up has to do.
        best[place].rounds = 1;
    }
    for _ in 0..rounds {
        for &place in &order {
            sides.clear();
            best[place].include(contenders[place].run(&mut sides)?);
        }
        order.reverse();
    }
    Ok(best)
}

impl Best {
    fn include(&mut self, run: Run) {
        // What has run once to warm up does not count.
        let earlier = if self.rounds == 0 { run } else { self.run };
        self.run.build = run.build.min(earlier.build);
        self.run.query = run.query.min(earlier.query);
        self.rounds += 1;
    }
}

fn compare(
    label: &Label,
    sides: &[Containment],
    truth: &[Containment],
) -> Result<AnswerCounts, Error> {
    if sides.len() != truth.len() {
        let problem = format!("it answers for {} of {} points", sides.len(), truth.len());
        return Err(Error::Peer { name: label.name, problem });
    }
    let count = |side: Containment| sides.iter().filter(|&&report| report == side).count();
    let differs = |&(report, truth): &(&Containment, &Containment)| match label.promise {
        Promise::Exact => report != truth,
        Promise::Rounded => report != truth && *truth != Containment::Surface,
    };
    let differences = sides.iter().zip(truth).filter(differs).count();
    if label.promise == Promise::Exact && differences > 0 {
        return Err(Error::OtherSides { name: label.name, differences, points: truth.len() });
    }
    Ok(AnswerCounts {
        inside: count(Containment::Inside),
        on_surface: count(Containment::Surface),
        differences,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made {
        promise: Promise,
        seconds: Vec<[u64; 2]>,
        sides: [Containment; 3],
    }

    impl Contender for Made {
        fn label(&self) -> Label {
            let timing = Timing::Processor;
            Label { name: "made", kind: Kind::Peer, promise: self.promise, timing }
        }

        fn run(&mut self, sides: &mut Vec<Containment>) -> Result<Run, Error> {
            let [build, query] = self.seconds.remove(0).map(Duration::from_secs);
            sides.extend(self.sides);
            Ok(Run { build, query, memory: None })
        }
    }

    const SIDES: [Containment; 3] =
        [Containment::Inside, Containment::Outside, Containment::Surface];

    fn made(promise: Promise, seconds: &[[u64; 2]], sides: [Containment; 3]) -> Box<dyn Contender> {
        Box::new(Made { promise, seconds: seconds.to_vec(), sides })
    }

    #[test]
    fn the_best_times_count_and_the_warm_up_does_not() {
        let mut contenders = [made(Promise::Exact, &[[1, 0], [3, 2], [2, 3]], SIDES)];
        let best = race(&mut contenders, 2).unwrap()[0];
        let seconds = [best.run.build, best.run.query].map(|time| time.as_secs());
        assert_eq!((seconds, best.rounds), ([2, 2], 2));
    }

    #[test]
    fn whoever_takes_long_has_one_turn() {
        let mut contenders = [made(Promise::Exact, &[[1, 9]], SIDES)];
        let best = race(&mut contenders, 5).unwrap()[0];
        assert_eq!((best.run.query.as_secs(), best.rounds), (9, 1));
    }

    #[test]
    fn an_exact_one_must_agree_and_another_is_counted() {
        let run = |promise, sides| {
            let seconds = [[1, 1]; 2];
            race(&mut [made(Promise::Exact, &seconds, SIDES), made(promise, &seconds, sides)], 1)
        };
        let never_surface = [Containment::Inside, Containment::Inside, Containment::Inside];
        let tally = run(Promise::Rounded, never_surface).unwrap()[1].tally;
        assert_eq!(tally, AnswerCounts { inside: 3, on_surface: 0, differences: 1 });
        assert_eq!(
            run(Promise::Exact, never_surface).unwrap_err().to_string(),
            "made tells another side than carom for 2 of 3 points"
        );
    }
}
