//! `carom-bench boxes`: which of many moving boxes overlap, step by step on one thread, beside parry's
//! tree.
//!
//! The unit of work is a step of all boxes; all must find the same pairs after every one.

mod motion;

use crate::contacts::PairSet;
use crate::error::Error;
use crate::race::{Contender, Contenders, Plan, Run};
use crate::session::{self, Session};
use carom::BodyPair;
use carom::detect::broad::{BucketDivision, IncrementalSweepAndPrune};
use carom::geometry::{Aabb, Boundary};
use carom_papers::clock::Clock;
use motion::Motion;
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::time::Duration;

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    #[command(flatten)]
    session: session::Settings,
}

/// Numbers of boxes, and steps that are timed.
const FULL: [(usize, usize); 2] = [(10_000, 40), (100_000, 12)];
const TINY: [(usize, usize); 1] = [(1000, 3)];
/// By these parts of the mean radius boxes move per step.
const STEPS: [f64; 3] = [1e-3, 1e-2, 1e-1];
/// Steps that everyone does before time is taken.
const WARM_UP: u64 = 2;

/// Measures every case.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let sizes = if settings.session.tiny { &TINY[..] } else { &FULL };
    let names: Vec<String> = sizes.iter().map(|(count, _)| count.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut session = Session::new("boxes", &settings.session, &names)?;
    for &(count, rounds) in
        sizes.iter().filter(|(count, _)| session.wants(&count.to_string())).collect::<Vec<_>>()
    {
        for step in STEPS {
            let contenders = contenders(count, step)?;
            session.measure(&format!("{count} {step}"), contenders, &Plan::warm(rounds))?;
        }
    }
    session.finish("boxes", "")
}

fn contenders(count: usize, step: f64) -> Result<Contenders<'static>, Error> {
    let motion = Motion::new(count, step)?;
    let mut start = Vec::new();
    motion.boxes(&mut start);
    Ok(vec![
        Box::new(Follower::new(&motion, Carom::new(BucketDivision::One, &start)?)?),
        Box::new(Follower::new(&motion, Carom::new(BucketDivision::ByDensity, &start)?)?),
        Box::new(Follower::new(&motion, Parry::new(&start))?),
    ])
}

/// Something that finds the overlapping pairs of boxes after every step.
trait BoxTracker {
    fn name(&self) -> &'static str;
    /// Takes the boxes of the next step and finds the pairs that overlap.
    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error>;
    fn pairs(&self) -> PairSet;
    /// Adds counted work and memory.
    fn describe(&self, run: Run) -> Run {
        run
    }
}

/// One that follows the boxes; each has a copy of the motion.
struct Follower<T> {
    tracker: T,
    motion: Motion,
    boxes: Vec<Aabb<3>>,
    steps: u64,
}

impl<T: BoxTracker> Follower<T> {
    fn new(motion: &Motion, tracker: T) -> Result<Self, Error> {
        let mut follower =
            Follower { tracker, motion: motion.clone(), boxes: Vec::new(), steps: 0 };
        for _ in 0..WARM_UP {
            follower.step()?;
        }
        Ok(follower)
    }

    fn step(&mut self) -> Result<Duration, Error> {
        self.motion.advance();
        self.motion.boxes(&mut self.boxes);
        self.steps += 1;
        let clock = Clock::start();
        self.tracker.step(&self.boxes)?;
        Ok(clock.elapsed())
    }
}

impl<T: BoxTracker> Contender for Follower<T> {
    fn name(&self) -> String {
        self.tracker.name().into()
    }

    fn run(&mut self) -> Result<Run, Error> {
        let elapsed = self.step()?;
        let PairSet { count, hash } = self.tracker.pairs();
        let run = Run::new(elapsed)
            .answer(format!(" in step {}", self.steps), format!("{count} pairs (hash {hash:x})"))
            .compared("time per step", elapsed.as_secs_f64() * 1e3, "ms")
            .with("pairs", count as f64, "");
        Ok(self.tracker.describe(run))
    }
}

/// carom's incremental sweep and prune.
struct Carom {
    boxes: IncrementalSweepAndPrune<3>,
    division: BucketDivision,
    count: usize,
}

impl Carom {
    fn new(division: BucketDivision, start: &[Aabb<3>]) -> Result<Self, Error> {
        let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), division);
        boxes.update(start)?;
        Ok(Carom { boxes, division, count: start.len() })
    }
}

impl BoxTracker for Carom {
    fn name(&self) -> &'static str {
        if self.division == BucketDivision::One { "carom one-list" } else { "carom buckets" }
    }

    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error> {
        Ok(self.boxes.update(boxes)?)
    }

    fn pairs(&self) -> PairSet {
        PairSet::new(self.boxes.pairs().iter().copied())
    }

    fn describe(&self, run: Run) -> Run {
        let work = self.boxes.work();
        run.with("exchanges", (!work.rebuilt).then_some(work.exchanges as f64), "").with(
            "held memory",
            self.boxes.memory() as f64 / self.count as f64,
            "B/box",
        )
    }
}

/// parry3d-f64: a tree of boxes that is refitted and improved a little in every step, and traversed
/// against itself.
struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<(u32, u32)>,
}

impl Parry {
    fn new(start: &[Aabb<3>]) -> Self {
        let leaves: Vec<ParryBox> = start.iter().map(in_parry).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Parry { tree, workspace: BvhWorkspace::default(), pairs: Vec::new() }
    }
}

fn in_parry(bounds: &Aabb<3>) -> ParryBox {
    let corner = |point: &carom::geometry::Vector<3>| Vector::new(point.x, point.y, point.z);
    ParryBox::new(corner(&bounds.low), corner(&bounds.high))
}

impl BoxTracker for Parry {
    fn name(&self) -> &'static str {
        "parry3d-f64"
    }

    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error> {
        for (body, bounds) in (0..).zip(boxes) {
            self.tree.insert_or_update_partially(in_parry(bounds), body, 0.0);
        }
        self.tree.refit(&mut self.workspace);
        self.tree.optimize_incremental(&mut self.workspace);
        let pairs = &mut self.pairs;
        pairs.clear();
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            pairs.push((a, b))
        });
        Ok(())
    }

    fn pairs(&self) -> PairSet {
        PairSet::new(self.pairs.iter().map(|&(a, b)| BodyPair::new(a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::race;

    /// Calls every pair of neighbors in the list overlapping.
    struct Wrong;

    impl BoxTracker for Wrong {
        fn name(&self) -> &'static str {
            "wrong"
        }

        fn step(&mut self, _: &[Aabb<3>]) -> Result<(), Error> {
            Ok(())
        }

        fn pairs(&self) -> PairSet {
            PairSet::new((0..9).map(|body| BodyPair::new(body, body + 1)))
        }
    }

    #[test]
    fn whoever_finds_other_pairs_is_named() {
        let mut contenders = contenders(100, 0.1).unwrap();
        let motion = Motion::new(100, 0.1).unwrap();
        contenders.push(Box::new(Follower::new(&motion, Wrong).unwrap()));
        let error = race("100 0.1", contenders, &Plan::warm(1)).map(|_| ()).unwrap_err();
        assert!(error.to_string().starts_with("wrong found 9 pairs"), "{error}");
        assert!(error.to_string().contains(" in step 3, but carom one-list found"), "{error}");
    }
}
