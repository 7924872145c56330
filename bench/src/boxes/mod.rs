//! `carom-bench boxes`: which of many moving boxes overlap, step by step on one thread, beside parry's
//! tree.
//!
//! The unit of work is a step of all boxes; all must find the same pairs after every one.

mod motion;

use crate::contacts::PairSet;
use crate::error::Error;
use crate::race::{Contender, Contenders, Plan, Run};
use crate::session::{Session, SessionSettings};
use carom::BodyPair;
use carom::detect::broad::{BucketDivision, IncrementalSweepAndPrune};
use carom::geometry::{Aabb, Boundary};
use carom_papers::clock::Clock;
use motion::Motion;
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::time::Duration;

/// Numbers of boxes, and steps that are timed.
const FULL: [(usize, usize); 2] = [(10_000, 40), (100_000, 12)];
const TINY: [(usize, usize); 1] = [(1000, 3)];
/// By these parts of the mean radius boxes move per step.
const STEPS: [f64; 3] = [1e-3, 1e-2, 1e-1];
/// Steps that everyone does before time is taken.
const WARM_UP: u64 = 2;

/// Measures every case.
pub fn run(settings: &SessionSettings) -> Result<(), Error> {
    let sizes = if settings.tiny { &TINY[..] } else { &FULL };
    let names: Vec<String> = sizes.iter().map(|(count, _)| count.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut session = Session::new("boxes", settings, &names)?;
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
    let carom = |division| -> Result<Tracker, Error> {
        let mut boxes = IncrementalSweepAndPrune::new(Boundary::open(), division);
        boxes.update(&start)?;
        Ok(Tracker::Carom(Box::new(boxes)))
    };
    let leaves: Vec<ParryBox> = start.iter().map(in_parry).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    let parry = Tracker::Parry { tree, workspace: Box::default(), pairs: Vec::new() };
    Ok(vec![
        Box::new(Follower::new("carom one-list", &motion, carom(BucketDivision::One)?)?),
        Box::new(Follower::new("carom buckets", &motion, carom(BucketDivision::ByDensity)?)?),
        Box::new(Follower::new("parry3d-f64", &motion, parry)?),
    ])
}

/// What finds the overlapping pairs of boxes after every step.
enum Tracker {
    /// carom's incremental sweep and prune.
    Carom(Box<IncrementalSweepAndPrune<3>>),
    /// A tree of boxes that is refitted and improved a little in every step, and traversed against
    /// itself.
    Parry { tree: Bvh, workspace: Box<BvhWorkspace>, pairs: Vec<(u32, u32)> },
}

impl Tracker {
    /// Takes the boxes of the next step and finds the pairs that overlap.
    fn step(&mut self, boxes: &[Aabb<3>]) -> Result<(), Error> {
        match self {
            Tracker::Carom(tracked) => Ok(tracked.update(boxes)?),
            Tracker::Parry { tree, workspace, pairs } => {
                for (body, bounds) in (0..).zip(boxes) {
                    tree.insert_or_update_partially(in_parry(bounds), body, 0.0);
                }
                tree.refit(workspace);
                tree.optimize_incremental(workspace);
                pairs.clear();
                tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| pairs.push((a, b)));
                Ok(())
            }
        }
    }

    fn pairs(&self) -> PairSet {
        match self {
            Tracker::Carom(tracked) => PairSet::new(tracked.pairs().iter().copied()),
            Tracker::Parry { pairs, .. } => {
                PairSet::new(pairs.iter().map(|&(a, b)| BodyPair::new(a, b)))
            }
        }
    }
}

fn in_parry(bounds: &Aabb<3>) -> ParryBox {
    let corner = |point: &carom::geometry::Vector<3>| Vector::new(point.x, point.y, point.z);
    ParryBox::new(corner(&bounds.low), corner(&bounds.high))
}

/// One that follows the boxes; each has a copy of the motion.
struct Follower {
    name: &'static str,
    tracker: Tracker,
    motion: Motion,
    boxes: Vec<Aabb<3>>,
    steps: u64,
}

impl Follower {
    fn new(name: &'static str, motion: &Motion, tracker: Tracker) -> Result<Self, Error> {
        let (motion, boxes) = (motion.clone(), Vec::new());
        let mut follower = Follower { name, tracker, motion, boxes, steps: 0 };
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

impl Contender for Follower {
    fn name(&self) -> String {
        self.name.into()
    }

    fn run(&mut self) -> Result<Run, Error> {
        let elapsed = self.step()?;
        let PairSet { count, hash } = self.tracker.pairs();
        let run = Run::new(elapsed)
            .answer(format!(" in step {}", self.steps), format!("{count} pairs (hash {hash:x})"))
            .compared("time per step", elapsed.as_secs_f64() * 1e3, "ms")
            .with("pairs", count as f64, "");
        let Tracker::Carom(tracked) = &self.tracker else { return Ok(run) };
        let exchanges = (!tracked.work().rebuilt).then_some(tracked.work().exchanges as f64);
        let held = tracked.memory() as f64 / self.boxes.len() as f64;
        Ok(run.with("exchanges", exchanges, "").with("held memory", held, "B/box"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::race;

    #[test]
    fn whoever_finds_other_pairs_is_named() {
        let mut contenders = contenders(100, 0.1).unwrap();
        // These boxes move otherwise.
        let motion = Motion::new(100, 0.9).unwrap();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &[]);
        let parry = Tracker::Parry { tree, workspace: Box::default(), pairs: Vec::new() };
        contenders.push(Box::new(Follower::new("other", &motion, parry).unwrap()));
        let error = race("100 0.1", contenders, &Plan::warm(1)).map(|_| ()).unwrap_err();
        assert!(error.to_string().starts_with("other found "), "{error}");
        assert!(error.to_string().contains(" in step 3, but carom one-list found"), "{error}");
    }
}
