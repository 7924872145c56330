//! `carom-bench boxes`: which of many moving boxes overlap, step by step on one thread, beside parry's
//! tree.
//!
//! The unit of work is a step of all boxes; all must find the same pairs after every one.

mod motion;

use crate::contacts::PairSet;
use crate::convex::contender::in_parry as point_in_parry;
use crate::error::Error;
use crate::race::{Contender, Contenders, Plan, Run};
use crate::session::{Session, SessionSettings};
use carom::BodyPair;
use carom::detect::broad::{BucketDivision, IncrementalSweepAndPrune};
use carom::geometry::{Aabb, Boundary};
use carom_papers::clock::Clock;
use motion::Motion;
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::time::Duration;

/// Steps that everyone does before time is taken.
const WARM_UP: u64 = 2;

/// Measures every case, whose variants are the parts of the mean radius by which boxes move per step.
pub fn run(settings: &SessionSettings) -> Result<(), Error> {
    let mut session = Session::new("boxes", settings)?;
    for case in session.cases() {
        let step = case.variant.parse().expect("a test has run the cases");
        let name = format!("{} {}", case.workload, case.variant);
        session.measure(&name, contenders(case.size, step)?, &Plan::warm(case.rounds))?;
    }
    session.finish("boxes", "")
}

fn contenders(count: usize, step: f64) -> Result<Contenders<'static>, Error> {
    let motion = Motion::new(count, step)?;
    Ok(vec![
        carom("carom one-list", &motion, BucketDivision::One)?,
        carom("carom buckets", &motion, BucketDivision::ByDensity)?,
        parry("parry3d-f64", &motion)?,
    ])
}

/// carom's incremental sweep and prune.
fn carom(
    name: &str,
    motion: &Motion,
    division: BucketDivision,
) -> Result<Contender<'static>, Error> {
    let mut tracked = IncrementalSweepAndPrune::new(Boundary::open(), division);
    tracked.update(&motion.boxes())?;
    follower(name, motion, move |boxes| {
        let clock = Clock::start();
        tracked.update(boxes)?;
        let (elapsed, work) = (clock.elapsed(), tracked.work());
        let exchanges = (!work.rebuilt).then_some(work.exchanges as f64);
        let held = tracked.memory() as f64 / boxes.len() as f64;
        let pairs = PairSet::new(tracked.pairs().iter().copied());
        let run = step(elapsed, pairs).with("exchanges", exchanges, "");
        Ok((run.with("held memory", held, "B/box"), pairs))
    })
}

/// A tree of boxes that is refitted and improved a little in every step, and traversed against itself.
fn parry(name: &str, motion: &Motion) -> Result<Contender<'static>, Error> {
    let leaves: Vec<ParryBox> = motion.boxes().iter().map(in_parry).collect();
    let mut tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    let (mut workspace, mut pairs) = (BvhWorkspace::default(), Vec::new());
    follower(name, motion, move |boxes| {
        let clock = Clock::start();
        for (body, bounds) in (0..).zip(boxes) {
            tree.insert_or_update_partially(in_parry(bounds), body, 0.0);
        }
        tree.refit(&mut workspace);
        tree.optimize_incremental(&mut workspace);
        pairs.clear();
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| pairs.push((a, b)));
        let elapsed = clock.elapsed();
        let found = PairSet::new(pairs.iter().map(|&(a, b)| BodyPair::new(a, b)));
        Ok((step(elapsed, found), found))
    })
}

fn step(elapsed: Duration, pairs: PairSet) -> Run {
    Run::new(elapsed).compared("time per step", elapsed.as_secs_f64() * 1e3, "ms").with(
        "pairs",
        pairs.count as f64,
        "",
    )
}

/// One that follows a copy of the motion and finds the pairs that overlap after every step.
fn follower(
    name: &str,
    motion: &Motion,
    mut find: impl FnMut(&[Aabb<3>]) -> Result<(Run, PairSet), Error> + 'static,
) -> Result<Contender<'static>, Error> {
    let (mut motion, mut steps) = (motion.clone(), 0);
    let mut follow = move || {
        motion.advance();
        steps += 1;
        let (run, PairSet { count, hash }) = find(&motion.boxes())?;
        Ok(run.answer(format!(" in step {steps}"), format!("{count} pairs (hash {hash:x})")))
    };
    for _ in 0..WARM_UP {
        follow()?;
    }
    Ok(Contender::new(name, follow))
}

fn in_parry(bounds: &Aabb<3>) -> ParryBox {
    ParryBox::new(point_in_parry(&bounds.low), point_in_parry(&bounds.high))
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
        contenders.push(parry("other", &motion).unwrap());
        let error = race("100 0.1", contenders, &Plan::warm(1)).map(|_| ()).unwrap_err();
        assert!(error.to_string().starts_with("other found "), "{error}");
        assert!(error.to_string().contains(" in step 3, but carom one-list found"), "{error}");
    }
}
