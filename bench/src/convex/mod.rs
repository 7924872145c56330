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

use crate::cases::Case;
use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{Session, SettingsWithPeers};
use contender::{QueryStart, carom, parry};
use peers::Peers;
use workload::TumblingBody;

/// Measures every case.
pub fn run(settings: &SettingsWithPeers) -> Result<(), Error> {
    let mut session = Session::new("convex", &settings.session)?;
    let mut stress = Session::new("convex/stress", &settings.session)?;
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    for case in session.cases() {
        measure(&mut session, &case, peers.as_ref())?;
    }
    for case in stress.cases() {
        for (name, contenders) in stress::cases(case.size)? {
            stress.measure(&name, contenders, &Plan::warm(case.rounds))?;
        }
    }
    session.finish_with_peers("convex", peers.as_ref().map(|_| peers::versions()))?;
    if peers.is_some() { Ok(()) } else { stress.finish("convex_stress", "") }
}

fn measure(session: &mut Session, case: &Case, peers: Option<&Peers>) -> Result<(), Error> {
    let tumbling = TumblingBody(case);
    let body = tumbling.body()?;
    let poses = tumbling.poses(&body);
    let timed = &poses[..case.window as usize];
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
    session.measure(&tumbling.name(), contenders, &Plan::rounds(case.rounds))
}
