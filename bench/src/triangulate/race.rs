//! Everyone triangulates the same points in turn, and the best time of each counts.

use crate::error::Error;
use crate::results::Kind;
use std::time::Duration;

/// How large a triangulation is; all must come to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Triangles or tetrahedra.
    pub simplices: usize,
    /// Points that are not hidden.
    pub vertices: usize,
}

/// One triangulation, its time and its memory.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Of the processor, from the points in memory to the triangulation.
    pub elapsed: Duration,
    /// What was made.
    pub size: Size,
    /// Bytes that the triangulation holds.
    pub held: usize,
    /// The most bytes in use at once, where it can be measured.
    pub peak: Option<usize>,
}

/// One that can triangulate its points again and again.
pub trait Contender {
    /// Who it is.
    fn name(&self) -> &'static str;
    /// Ours or theirs.
    fn kind(&self) -> Kind;
    /// Triangulates once.
    fn run(&mut self) -> Result<Run, Error>;
}

/// Lets everyone run once to warm up, and then this many rounds, every other one backwards; returns the
/// best run of each.
pub fn race(contenders: &mut [Box<dyn Contender + '_>], rounds: usize) -> Result<Vec<Run>, Error> {
    let mut best: Vec<Run> = Vec::new();
    for contender in contenders.iter_mut() {
        let run = contender.run()?;
        if let Some(first) = best.first().filter(|first| first.size != run.size) {
            return Err(Error::OtherTriangulation {
                name: contender.name(),
                found: run.size,
                expected: first.size,
            });
        }
        best.push(run);
    }
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    for round in 0..rounds {
        for &place in &order {
            let elapsed = contenders[place].run()?.elapsed;
            // What has run once to warm up does not count.
            let earlier = if round == 0 { elapsed } else { best[place].elapsed };
            best[place].elapsed = elapsed.min(earlier);
        }
        order.reverse();
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made {
        seconds: Vec<u64>,
        simplices: usize,
    }

    impl Contender for Made {
        fn name(&self) -> &'static str {
            "made"
        }

        fn kind(&self) -> Kind {
            Kind::Peer
        }

        fn run(&mut self) -> Result<Run, Error> {
            let size = Size { simplices: self.simplices, vertices: 1 };
            let elapsed = Duration::from_secs(self.seconds.remove(0));
            Ok(Run { elapsed, size, held: 1, peak: None })
        }
    }

    #[test]
    fn the_best_round_counts_and_the_warm_up_does_not() {
        let made = |seconds: &[u64]| -> Box<dyn Contender> {
            Box::new(Made { seconds: seconds.to_vec(), simplices: 3 })
        };
        let best = race(&mut [made(&[1, 5, 4, 6]), made(&[9, 2, 3, 4])], 3).unwrap();
        assert_eq!(best.iter().map(|run| run.elapsed.as_secs()).collect::<Vec<_>>(), [4, 2]);
    }

    #[test]
    fn whoever_made_something_else_is_named() {
        let made =
            |simplices| -> Box<dyn Contender> { Box::new(Made { seconds: vec![1; 9], simplices }) };
        let error = race(&mut [made(3), made(4)], 1).unwrap_err().to_string();
        assert_eq!(
            error,
            "made has 4 simplices and 1 visible points, but carom has 3 simplices and 1 visible points"
        );
    }
}
