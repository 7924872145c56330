//! `carom-bench convex`: distances of convex bodies on one thread, beside parry, and coal and FCL if
//! asked for.
//!
//! The unit of work is a query: the distance of two copies of a body in their poses. The true distances
//! are proven; of whoever finds others it is counted how often. carom keeps what it found of the pair, as
//! it would from step to step, or forgets it.

mod contender;
mod peers;
mod proof;
mod stress;
mod workload;

use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{self, Session};
use contender::{Carom, Memory, Parry};
use peers::Peers;
use std::path::PathBuf;
use workload::{Case, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    #[command(flatten)]
    session: session::Settings,
    /// Folder of a virtual environment, made if it is not there, in which coal and python-fcl are
    /// installed: then these are measured too, and the results are convex_peers.csv
    #[arg(long, value_name = "DIR")]
    venv: Option<PathBuf>,
}

/// Questions of the stress set per body and gap.
const STRESS: usize = 2000;
/// The same of a tiny run.
const TINY_STRESS: usize = 50;

/// Measures every case.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let names = Workload::ALL.map(Workload::name);
    let mut session = Session::new("convex", &settings.session, &names)?;
    let mut stress = Session::new("convex/stress", &settings.session, &names)?;
    let cases = if settings.session.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    for case in cases {
        if session.wants(case.workload.name()) {
            measure(&mut session, &case, peers.as_ref())?;
        }
    }
    if stress.wants(Workload::Stress.name()) {
        let questions = if settings.session.tiny { TINY_STRESS } else { STRESS };
        for (case, contenders) in stress::cases(questions)? {
            stress.measure(&case, contenders, &Plan::warm(1))?;
        }
    }
    match peers {
        Some(_) => session.finish("convex_peers", &format!(" --venv; {}", peers::versions())),
        None => session.finish("convex", "").and_then(|()| stress.finish("convex_stress", "")),
    }
}

fn measure(session: &mut Session, case: &Case, peers: Option<&Peers>) -> Result<(), Error> {
    let body = case.body()?;
    let poses = case.poses(&body);
    let timed = &poses[..case.timed];
    let truth = proof::proven_distances(&body, timed)?;
    let carom =
        |memory| Carom { body: &body, poses: &poses, truth: &truth, memory, iterations: None };
    let parry = |memory| Parry::new(&body, timed, &truth, memory);
    let mut contenders: Contenders = vec![
        Box::new(carom(Memory::Warm)),
        Box::new(carom(Memory::Cold)),
        Box::new(parry(Memory::Cold)?),
        Box::new(parry(Memory::Warm)?),
    ];
    if let Some(peers) = peers {
        contenders.extend(peers.start(&body, timed, &truth)?);
    }
    session.measure(&case.name(), contenders, &Plan::rounds(case.rounds))
}
