//! `carom-bench bonded`: bodies of springs that break, beside LAMMPS BPM and Taichi if asked for.
//!
//! The unit of work is a step of one spring, counted once though carom and Taichi look at it from both
//! ends; the result is springs times steps per second. Everyone must have the same springs. Taichi has the
//! same law and comes to the same motion; LAMMPS's springs are as stiff in compression as in tension, so
//! that its motion differs.

mod contender;
mod peers;
mod workload;

use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{Session, SettingsWithPeers};
use crate::timing::TimedPool;
use contender::{Extent, carom, hit, springs_alone};
use peers::Peers;
use workload::Case;

/// Everyone's steps before anything is timed.
const WARM_UP: u64 = 2;

/// Measures every case.
pub fn run(settings: &SettingsWithPeers) -> Result<(), Error> {
    let mut session = Session::new("bonded", &settings.session, &workload::NAMES)?;
    let cases = if settings.session.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    for case in cases {
        match case.workload {
            workload if !session.wants(workload) => {}
            "blocks" | "front" => measure_blocks(&mut session, &case)?,
            "cubic-18" => measure_lattice::<3>(&mut session, &case, peers.as_ref())?,
            _ => measure_lattice::<2>(&mut session, &case, peers.as_ref())?,
        }
    }
    session.finish_with_peers("bonded", peers.map(|_| peers::versions()))
}

fn measure_blocks(session: &mut Session, case: &Case) -> Result<(), Error> {
    let pool = TimedPool::processor()?;
    let blocks = if case.workload == "front" { case.hit()? } else { case.blocks()? };
    let particles: usize = blocks.iter().map(|block| block.particle_count()).sum();
    let contenders: Contenders = match case.workload {
        "front" => [Extent::Reached, Extent::Whole].map(|one| hit(case, one, &pool)).into(),
        _ => vec![carom(case, blocks, &pool)?, springs_alone(case, &pool)?],
    };
    let name = format!("{} {particles}", case.workload);
    session.measure(&name, contenders, &Plan::warm(case.rounds))
}

fn measure_lattice<const D: usize>(
    session: &mut Session,
    case: &Case,
    peers: Option<&Peers>,
) -> Result<(), Error> {
    let (one, wall) = (TimedPool::processor()?, TimedPool::one_and_two()?);
    let particles = (case.side as usize).pow(D as u32);
    let mut contenders: Contenders = Vec::new();
    if case.on_threads {
        for pool in &wall {
            contenders.push(carom::<D>(case, vec![case.lattice()?], pool)?);
        }
    } else {
        contenders.push(carom::<D>(case, vec![case.lattice()?], &one)?);
        if let Some(peers) = peers {
            contenders.extend(peers.start::<D>(case)?);
        }
    }
    let name = format!("{} {particles}", case.workload);
    session.measure(&name, contenders, &Plan::warm(case.rounds))
}
