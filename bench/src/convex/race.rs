//! Everyone answers the same questions in turn; the best time of each counts, and wrong answers are
//! counted.

use crate::error::Error;
use crate::results::Kind;
use std::time::Duration;

/// All questions answered once.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Time of the processor.
    pub elapsed: Duration,
}

/// One that can answer its questions again and again.
pub trait Contender {
    /// Who it is.
    fn name(&self) -> &'static str;
    /// Ours or theirs.
    fn kind(&self) -> Kind;
    /// Answers all questions once, each distance put at the end of `distances`, which has room for them.
    fn run(&mut self, distances: &mut Vec<f64>) -> Result<Run, Error>;
}

/// The best time of a contender and how far its answers are from the true ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Of the fastest round.
    pub elapsed: Duration,
    /// The largest difference of a distance.
    pub difference: f64,
    /// Answers that differ by more than rounding.
    pub wrong: usize,
}

/// Answers that differ by more are wrong.
pub const LARGEST_DIFFERENCE: f64 = 1e-9;
/// A peer of whose answers a larger part is wrong was asked something else.
const MOST_WRONG: f64 = 0.01;

/// Lets everyone run once to warm up and to be compared with the true distances, and then this many rounds,
/// every other one backwards. No answer of carom may be wrong.
pub fn race(
    contenders: &mut [Box<dyn Contender + '_>],
    truth: &[f64],
    rounds: usize,
) -> Result<Vec<Best>, Error> {
    let mut best: Vec<Best> = Vec::new();
    let mut distances = Vec::with_capacity(truth.len());
    for contender in contenders.iter_mut() {
        distances.clear();
        contender.run(&mut distances)?;
        let compared = compared(truth, &distances);
        let wrong = compared.wrong as f64 / truth.len() as f64;
        if wrong > if contender.kind() == Kind::Peer { MOST_WRONG } else { 0.0 } {
            let Best { difference, wrong, .. } = compared;
            return Err(Error::OtherDistances { name: contender.name(), wrong, difference });
        }
        best.push(compared);
    }
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    for _ in 0..rounds {
        for &place in &order {
            distances.clear();
            let elapsed = contenders[place].run(&mut distances)?.elapsed;
            best[place].elapsed = elapsed.min(best[place].elapsed);
        }
        order.reverse();
    }
    Ok(best)
}

/// All are wrong if there are not as many; what is no number differs infinitely.
fn compared(truth: &[f64], found: &[f64]) -> Best {
    let mut best = Best { elapsed: Duration::MAX, difference: 0.0, wrong: 0 };
    if truth.len() != found.len() {
        return Best { difference: f64::INFINITY, wrong: truth.len(), ..best };
    }
    for (expected, found) in truth.iter().zip(found) {
        let difference = (expected - found).abs();
        let difference = if difference.is_nan() { f64::INFINITY } else { difference };
        best.difference = best.difference.max(difference);
        best.wrong += usize::from(difference >= LARGEST_DIFFERENCE);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made {
        seconds: Vec<u64>,
        distance: f64,
    }

    impl Contender for Made {
        fn name(&self) -> &'static str {
            "made"
        }

        fn kind(&self) -> Kind {
            Kind::Peer
        }

        fn run(&mut self, distances: &mut Vec<f64>) -> Result<Run, Error> {
            distances.push(self.distance);
            Ok(Run { elapsed: Duration::from_secs(self.seconds.remove(0)) })
        }
    }

    fn made(seconds: &[u64], distance: f64) -> Box<dyn Contender> {
        Box::new(Made { seconds: seconds.to_vec(), distance })
    }

    #[test]
    fn the_best_round_counts_and_the_warm_up_does_not() {
        let mut contenders = [made(&[1, 5, 4, 6], 1.0), made(&[9, 2, 3, 4], 1.0 + 1e-12)];
        let best = race(&mut contenders, &[1.0], 3).unwrap();
        assert_eq!(best.iter().map(|best| best.elapsed.as_secs()).collect::<Vec<_>>(), [4, 2]);
        assert!(best[1].difference > 0.9e-12 && best[0].difference == 0.0);
    }

    #[test]
    fn whoever_answers_otherwise_is_named() {
        for wrong in [1.0 + 1e-8, f64::NAN] {
            let error = race(&mut [made(&[1], 1.0), made(&[1], wrong)], &[1.0], 0).unwrap_err();
            let said = error.to_string();
            assert!(said.starts_with("made finds 1 distances that differ"), "{said}");
        }
    }

    #[test]
    fn a_wrong_answer_in_a_thousand_is_counted() {
        let (truth, mut found) = (vec![1.0; 1000], vec![1.0; 1000]);
        found[7] = 1.5;
        assert_eq!((compared(&truth, &found).wrong, compared(&truth, &found).difference), (1, 0.5));
        assert_eq!(compared(&truth, &found[1..]).wrong, 1000);
    }
}
