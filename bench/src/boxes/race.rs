//! Everyone follows the same boxes step by step, and the best step of each counts.

use super::workload::{Case, Motion};
use crate::error::Error;
use crate::results::Kind;
use carom::geometry::Aabb;
use carom_papers::clock::Clock;
use std::time::Duration;

/// A set of pairs as two numbers, whatever their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many pairs.
    pub pairs: usize,
    /// A sum over them.
    pub digest: u64,
}

impl Seen {
    /// Counts a pair in.
    pub fn include(&mut self, a: u32, b: u32) {
        let pair = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        let mixed = (pair ^ pair >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.digest = self.digest.wrapping_add(mixed ^ mixed >> 29);
        self.pairs += 1;
    }
}

/// One that keeps up with moving boxes.
pub trait Contender {
    /// Who it is.
    fn name(&self) -> &'static str;
    /// Ours or theirs.
    fn kind(&self) -> Kind;
    /// Takes the boxes of the next step and finds the pairs that overlap.
    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error>;
    /// The pairs of the last step.
    fn seen(&self) -> Seen;
    /// Exchanges of the last step, where there are any.
    fn exchanges(&self) -> Option<u64>;
    /// Bytes held, where they are known.
    fn memory(&self) -> Option<usize>;
}

/// What one contender did.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Time of the processor in the best step.
    pub elapsed: Duration,
    /// Pairs after the last step.
    pub pairs: usize,
    /// Exchanges of the last step.
    pub exchanges: Option<u64>,
    /// Bytes held in the end.
    pub memory: Option<usize>,
}

/// Steps that everyone does before time is taken.
const WARM_UP: usize = 2;

/// Lets everyone follow the motion, every other step in reverse order; all must see the same pairs.
pub fn race(
    contenders: &mut [Box<dyn Contender>],
    motion: &mut Motion,
    case: &Case,
) -> Result<Vec<Run>, Error> {
    let mut best = vec![Duration::MAX; contenders.len()];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let mut boxes = Vec::new();
    for step in 0..WARM_UP + case.steps {
        motion.advance();
        motion.boxes(&mut boxes);
        for &place in &order {
            let clock = Clock::start();
            contenders[place].step(&boxes)?;
            let elapsed = clock.elapsed();
            if step >= WARM_UP {
                best[place] = best[place].min(elapsed);
            }
        }
        agree(contenders)?;
        order.reverse();
    }
    let run = |contender: &dyn Contender, elapsed: Duration| Run {
        elapsed,
        pairs: contender.seen().pairs,
        exchanges: contender.exchanges(),
        memory: contender.memory(),
    };
    Ok(contenders.iter().zip(best).map(|(one, elapsed)| run(one.as_ref(), elapsed)).collect())
}

fn agree(contenders: &[Box<dyn Contender>]) -> Result<(), Error> {
    let expected = contenders[0].seen();
    match contenders.iter().find(|contender| contender.seen() != expected) {
        Some(contender) => Err(Error::OtherBoxes {
            name: contender.name(),
            found: contender.seen().pairs,
            expected: expected.pairs,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made(u32);

    impl Contender for Made {
        fn name(&self) -> &'static str {
            "made"
        }

        fn kind(&self) -> Kind {
            Kind::Peer
        }

        fn step(&mut self, _: &[Aabb<3>]) -> Result<(), Error> {
            Ok(())
        }

        fn seen(&self) -> Seen {
            let mut seen = Seen::default();
            seen.include(self.0, 7);
            seen
        }

        fn exchanges(&self) -> Option<u64> {
            None
        }

        fn memory(&self) -> Option<usize> {
            None
        }
    }

    #[test]
    fn whoever_sees_other_pairs_is_named() {
        let case = Case { count: 10, step: 0.1, steps: 1 };
        let run = |other| {
            let mut motion = Motion::new(&case).unwrap();
            race(&mut [Box::new(Made(1)), Box::new(Made(other))], &mut motion, &case)
        };
        assert_eq!(run(1).unwrap().len(), 2);
        let error = run(2).unwrap_err().to_string();
        assert_eq!(error, "made sees 1 pairs of boxes, carom 1; they are not the same");
    }

    #[test]
    fn the_order_of_pairs_does_not_matter() {
        let seen = |pairs: &[(u32, u32)]| {
            let mut seen = Seen::default();
            pairs.iter().for_each(|&(a, b)| seen.include(a, b));
            seen
        };
        assert_eq!(seen(&[(1, 2), (3, 4)]), seen(&[(4, 3), (1, 2)]));
        assert_ne!(seen(&[(1, 2), (3, 4)]), seen(&[(1, 4), (3, 2)]));
    }
}
