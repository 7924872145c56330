//! Everyone goes through the same steps of the same bodies in turn; the best time of each counts.

use crate::error::Error;
use crate::results::Kind;
use std::time::Duration;

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
    /// carom or another program.
    pub name: &'static str,
    /// Whose it is.
    pub kind: Kind,
    /// What its times are.
    pub timing: Timing,
}

/// What is to be seen of a bed, by which programs that round otherwise can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Pairs of bodies that touch.
    pub contacts: f64,
    /// Energy of motion without that of turning.
    pub kinetic: f64,
    /// How far the body has moved in the window that moved farthest, where it is known.
    pub moved: Option<f64>,
}

/// Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// After the warm-up.
    pub held: usize,
    /// The most at once up to then.
    pub peak: usize,
}

/// One window of steps.
#[derive(Clone, Copy, Debug)]
pub struct Run<S = Seen> {
    /// How long it took.
    pub elapsed: Duration,
    /// What is to be seen at its end.
    pub seen: S,
    /// A fingerprint of all bodies at its end, of carom; those of one race must agree.
    pub digest: Option<u64>,
    /// What is held, where it can be measured.
    pub memory: Option<Memory>,
}

/// One that can go through a window of steps again and again. The first begins when the bed was warmed
/// up.
pub trait Contender<S = Seen> {
    /// Who it is.
    fn label(&self) -> Label;
    /// Goes through a window.
    fn run(&mut self) -> Result<Run<S>, Error>;
}

/// The best of a contender's windows, and what was seen after the first.
#[derive(Clone, Copy, Debug)]
pub struct Best<S = Seen> {
    /// With the shortest time.
    pub run: Run<S>,
    /// Windows timed.
    pub rounds: usize,
}

/// Lets everyone run this many windows, every other round backwards. carom must come to the same bits on any
/// number of threads.
pub fn race<S: Copy>(
    contenders: &mut [Box<dyn Contender<S> + '_>],
    rounds: usize,
) -> Result<Vec<Best<S>>, Error> {
    let mut best: Vec<Option<Best<S>>> = vec![None; contenders.len()];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    for _ in 0..rounds.max(1) {
        let mut digest = None;
        for &place in &order {
            let run = contenders[place].run()?;
            if let Some(own) = run.digest
                && *digest.get_or_insert(own) != own
            {
                return Err(Error::OtherBits);
            }
            let before = best[place].unwrap_or(Best { run, rounds: 0 });
            let elapsed = run.elapsed.min(before.run.elapsed);
            let run = Run { elapsed, ..before.run };
            best[place] = Some(Best { run, rounds: before.rounds + 1 });
        }
        order.reverse();
    }
    Ok(best.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made {
        milliseconds: Vec<u64>,
        digest: u64,
    }

    impl Contender for Made {
        fn label(&self) -> Label {
            Label { name: "made", kind: Kind::Own, timing: Timing::Processor }
        }

        fn run(&mut self) -> Result<Run, Error> {
            let elapsed = Duration::from_millis(self.milliseconds.remove(0));
            let seen = Seen { contacts: self.milliseconds.len() as f64, kinetic: 0.0, moved: None };
            Ok(Run { elapsed, seen, digest: Some(self.digest), memory: None })
        }
    }

    fn made(milliseconds: &[u64], digest: u64) -> Box<dyn Contender> {
        Box::new(Made { milliseconds: milliseconds.to_vec(), digest })
    }

    #[test]
    fn the_best_time_counts_and_the_first_look() {
        let best = race(&mut [made(&[3, 2, 4], 7)], 3).unwrap()[0];
        assert_eq!((best.run.elapsed.as_millis(), best.rounds), (2, 3));
        assert_eq!(best.run.seen.contacts, 2.0);
    }

    #[test]
    fn other_bits_end_the_race() {
        let error = race(&mut [made(&[1], 7), made(&[1], 8)], 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "carom comes to other bits on another number of threads, or in another run"
        );
    }
}
