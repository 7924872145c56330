//! `carom-bench convex`: distances of convex bodies on one thread, beside parry, and coal and FCL if
//! asked for.
//!
//! The unit of work is a query: the distance of two copies of a body in their poses. The true distances
//! are proven; of whoever finds others it is counted how often. carom keeps what it found of the pair, as
//! it would from step to step, or forgets it.

pub mod contender;
mod peers;
mod proof;
mod stress;
mod workload;

use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{Session, SettingsWithPeers};
use contender::{QueryStart, carom, parry};
use peers::Peers;
use workload::Case;

/// Questions of the stress set per body and gap.
const STRESS: usize = 2000;
/// The same of a tiny run.
const TINY_STRESS: usize = 50;

/// Measures every case.
pub fn run(settings: &SettingsWithPeers) -> Result<(), Error> {
    let mut session = Session::new("convex", &settings.session, &workload::NAMES)?;
    let mut stress = Session::new("convex/stress", &settings.session, &workload::NAMES)?;
    let cases = if settings.session.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    for case in cases {
        if session.wants(case.workload) {
            measure(&mut session, &case, peers.as_ref())?;
        }
    }
    if stress.wants(workload::STRESS) {
        let questions = if settings.session.tiny { TINY_STRESS } else { STRESS };
        for (case, contenders) in stress::cases(questions)? {
            stress.measure(&case, contenders, &Plan::warm(1))?;
        }
    }
    session.finish_with_peers("convex", peers.as_ref().map(|_| peers::versions()))?;
    if peers.is_some() { Ok(()) } else { stress.finish("convex_stress", "") }
}

fn measure(session: &mut Session, case: &Case, peers: Option<&Peers>) -> Result<(), Error> {
    let body = case.body()?;
    let poses = case.poses(&body);
    let timed = &poses[..case.timed];
    let truth = proof::proven_distances(&body, timed)?;
    let mut contenders: Contenders = vec![
        carom(&body, &poses, &truth, QueryStart::Warm),
        carom(&body, &poses, &truth, QueryStart::Cold),
        parry(&body, timed, &truth, QueryStart::Cold)?,
        parry(&body, timed, &truth, QueryStart::Warm)?,
    ];
    if let Some(peers) = peers {
        contenders.extend(peers.start(&body, timed, &truth)?);
    }
    session.measure(&case.name(), contenders, &Plan::rounds(case.rounds))
}
