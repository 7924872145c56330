//! `carom-bench contacts`: carom, its methods, Rust libraries and the textbook find all contacts; or carom and Python
//! libraries, if asked for.
//!
//! The unit of work is a particle, by the wall clock; everyone must find the same pairs.

mod peers;
mod python;

use crate::cases::{Case, Field};
use crate::error::Error;
use crate::memory::MemoryMark;
use crate::python::PythonProgram;
use crate::race::{Contender, Contenders, Plan, Run};
use crate::session::{Session, SettingsWithPeers};
use crate::timing::TimedPool;
use carom::scene::generate::{DEFAULT_SEED, PaperCase, paper_case_particles};
use carom::{BodyPair, Boundary, BroadPhaseMethod, ContactSearch, Sphere};
use peers::Peer;
use std::time::Duration;

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    #[command(flatten)]
    common: SettingsWithPeers,
    /// Threads of the runs that are compared with one thread
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Time for the rounds of a case, in seconds per method; more for a noisy machine
    #[arg(long, value_name = "S", default_value_t = 1.5)]
    seconds: f64,
}

/// Above this many particles comparing all pairs is not worth the wait.
const MOST_FOR_ALL_PAIRS: usize = 10_000;

/// The benchmark proper.
const FULL: Plan = Plan {
    warm_up: true,
    least_rounds: 5,
    most_rounds: 30,
    short: Duration::from_millis(150),
    time_for_each: Duration::from_millis(1500),
    slow: Duration::from_secs(2),
    cap: Duration::from_secs(20),
};
/// One round, to show that everything works.
const TINY: Plan = Plan {
    least_rounds: 1,
    most_rounds: 1,
    short: Duration::ZERO,
    time_for_each: Duration::ZERO,
    ..FULL
};

/// The benchmark proper with this time for each contender, and as many more rounds at most.
fn lasting(seconds: f64) -> Plan {
    let time_for_each = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
    let longer = seconds / FULL.time_for_each.as_secs_f64();
    let most_rounds = (FULL.most_rounds as f64 * longer) as usize;
    Plan { most_rounds: most_rounds.max(FULL.least_rounds), time_for_each, ..FULL }
}

/// Measures every case.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let SettingsWithPeers { session: common, venv } = &settings.common;
    let name = if venv.is_some() { "contacts/python" } else { "contacts" };
    let mut session = Session::new(name, common)?;
    let python = venv.as_deref().map(python::prepare).transpose()?;
    let plan = match common.tiny {
        true => TINY,
        false if python.is_some() => FULL,
        false => lasting(settings.seconds),
    };
    let threads = [TimedPool::wall(1)?, TimedPool::wall(settings.threads)?];
    for case in session.cases() {
        let workload: PaperCase = case.workload.parse()?;
        match workload.dimension() {
            2 => measure::<2>(&mut session, &case, workload, &threads, python.as_ref(), &plan)?,
            _ => measure::<3>(&mut session, &case, workload, &threads, python.as_ref(), &plan)?,
        }
    }
    if python.is_some() {
        return session.finish_with_peers("contacts", Some(python::versions()));
    }
    let detail = format!(" --threads {} --seconds {}", settings.threads, settings.seconds);
    session.finish("contacts", &detail)
}

fn measure<const D: usize>(
    session: &mut Session,
    case: &Case,
    workload: PaperCase,
    threads: &[TimedPool; 2],
    python: Option<&PythonProgram>,
    plan: &Plan,
) -> Result<(), Error> {
    let spheres: Vec<Sphere<D>> = paper_case_particles(workload, case.size, DEFAULT_SEED)?;
    let mut all = contenders(case, &spheres, threads);
    if let Some(program) = python {
        all.extend(python::contenders(program, &spheres, plan.cap)?);
    }
    session.measure(&case.name(), all, plan)
}

/// Everyone who takes part in a case; carom's own choice is the first.
fn contenders<'a, const D: usize>(
    case: &Case,
    spheres: &'a [Sphere<D>],
    [one, many]: &'a [TimedPool; 2],
) -> Contenders<'a> {
    let mut all = carom_alone(spheres, one);
    if case.field == Field::Carom {
        return all;
    }
    let is_named = |method: &BroadPhaseMethod<D>| *method != BroadPhaseMethod::Auto;
    for method in BroadPhaseMethod::ALL.into_iter().filter(is_named) {
        all.push(match why_too_slow(&method, case) {
            Some(reason) => Contender::absent(format!("carom {}", method.name()), reason),
            None => carom(method, spheres, one),
        });
    }
    all.extend(peers::on_one_thread().into_iter().map(|peer| library(peer, spheres, one)));
    if case.field == Field::EveryoneAndThreads {
        all.push(carom(BroadPhaseMethod::Auto, spheres, many));
        all.extend(peers::on_many_threads().into_iter().map(|peer| library(peer, spheres, many)));
    }
    all
}

/// Why a method would compare nearly all of very many pairs, if it would.
fn why_too_slow<const D: usize>(method: &BroadPhaseMethod<D>, case: &Case) -> Option<&'static str> {
    let wide_cells = "cells as wide as the big sphere hold nearly all the others";
    match method {
        _ if case.size <= MOST_FOR_ALL_PAIRS => None,
        BroadPhaseMethod::AllPairs => Some("too many particles to compare all"),
        BroadPhaseMethod::LinkedCells(_) | BroadPhaseMethod::CellTree => {
            (case.workload == PaperCase::Big.name()).then_some(wide_cells)
        }
        _ => None,
    }
}

/// carom's own choice, with its buffers kept and with fresh ones.
fn carom_alone<'a, const D: usize>(
    spheres: &'a [Sphere<D>],
    threads: &'a TimedPool,
) -> Contenders<'a> {
    let cold = Contender::new(threads.name("carom cold"), move || {
        let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
        let (elapsed, pairs, extra_bytes) = find(&mut search, spheres, threads)?;
        // The peers give their memory back within the time measured, so this does too.
        let elapsed = elapsed + threads.timed(|| drop(search)).1;
        Ok(searched(elapsed, pairs, Some(extra_bytes), spheres.len()))
    });
    vec![carom(BroadPhaseMethod::Auto, spheres, threads), cold]
}

/// One of carom's methods, with its buffers, as a simulation keeps them.
fn carom<'a, const D: usize>(
    method: BroadPhaseMethod<D>,
    spheres: &'a [Sphere<D>],
    threads: &'a TimedPool,
) -> Contender<'a> {
    let name = match method {
        BroadPhaseMethod::Auto => "carom".into(),
        method => format!("carom {}", method.name()),
    };
    let mut search = ContactSearch::new(method);
    Contender::new(threads.name(&name), move || {
        let (elapsed, pairs, extra_bytes) = find(&mut search, spheres, threads)?;
        Ok(searched(elapsed, pairs, Some(extra_bytes), spheres.len()))
    })
}

fn find<const D: usize>(
    search: &mut ContactSearch<D>,
    spheres: &[Sphere<D>],
    threads: &TimedPool,
) -> Result<(Duration, PairSet, usize), Error> {
    let (boundary, mark) = (Boundary::open(), MemoryMark::set());
    let (contacts, elapsed) = threads.timed(move || search.find(spheres, &boundary));
    let (peak, contacts) = (mark.peak(), contacts?);
    let pairs = PairSet::new(contacts.iter().map(|contact| contact.pair));
    Ok((elapsed, pairs, peak.saturating_sub(size_of_val(contacts))))
}

/// A peer, which builds its structure from nothing each time.
fn library<'a, const D: usize>(
    peer: Peer<D>,
    spheres: &'a [Sphere<D>],
    threads: &'a TimedPool,
) -> Contender<'a> {
    Contender::new(threads.name(peer.name), move || {
        let mark = MemoryMark::set();
        let (pairs, elapsed): (Vec<BodyPair>, _) = threads.timed(|| (peer.find)(spheres));
        let extra_bytes = Some(mark.peak().saturating_sub(size_of_val(&pairs[..])));
        let pairs = PairSet::new(pairs.iter().copied());
        Ok(searched(elapsed, pairs, extra_bytes, spheres.len()))
    })
}

/// Returns the run of a search, with its peak memory beyond input and output where that can be measured.
fn searched(
    elapsed: Duration,
    pairs: PairSet,
    extra_bytes: Option<usize>,
    particles: usize,
) -> Run {
    let PairSet { count, hash } = pairs;
    Run::new(elapsed)
        .answer("", format!("{count} pairs (hash {hash:016x})"))
        .compared("time per particle", elapsed.as_secs_f64() * 1e9 / particles as f64, "ns")
        .with("pairs", count as f64, "")
        .with("extra memory", extra_bytes.map(|bytes| bytes as f64 / 1e6), "MB")
}

/// A set of pairs, as a count and a hash that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSet {
    /// Number of pairs.
    pub count: usize,
    /// The sum of the scrambled pairs.
    pub hash: u64,
}

impl PairSet {
    /// Counts and hashes pairs.
    pub fn new(pairs: impl Iterator<Item = BodyPair>) -> Self {
        pairs.fold(PairSet::default(), |set, pair| PairSet {
            count: set.count + 1,
            hash: set.hash.wrapping_add(scramble(pair)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_plan_has_more_rounds_and_a_senseless_one_the_fewest() {
        assert_eq!(lasting(3.0).most_rounds, 2 * FULL.most_rounds);
        assert_eq!(lasting(-1.0).most_rounds, FULL.least_rounds);
        assert_eq!(lasting(f64::NAN).time_for_each, Duration::ZERO);
    }

    #[test]
    fn the_hash_does_not_depend_on_the_order() {
        let pairs = [BodyPair::new(1, 2), BodyPair::new(5, 3), BodyPair::new(0, 9)];
        let forwards = PairSet::new(pairs.into_iter());
        assert_eq!(forwards, PairSet::new(pairs.into_iter().rev()));
        assert_ne!(forwards.hash, PairSet::new(pairs[..2].iter().copied()).hash);
        let exchanged = [BodyPair::new(1, 3), BodyPair::new(5, 2), BodyPair::new(0, 9)];
        assert_ne!(forwards.hash, PairSet::new(exchanged.into_iter()).hash);
    }
}
