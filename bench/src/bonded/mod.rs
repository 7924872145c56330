//! `carom-bench bonded`: bodies of springs that break, beside LAMMPS BPM and Taichi if asked for.
//!
//! The unit of work is a step of one spring, counted once though carom and Taichi look at it from both
//! ends; the result is springs times steps per second. Everyone must have the same springs. Taichi has the
//! same law and comes to the same motion; LAMMPS's springs are as stiff in compression as in tension, so
//! that its motion differs.

mod contender;
mod peers;
mod workload;

use crate::cases::{Case, Field};
use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{Session, SettingsWithPeers};
use crate::timing::TimedPool;
use contender::{Extent, carom, hit, springs_alone};
use peers::Peers;
use workload::SpringBodies;

/// Measures every case.
pub fn run(settings: &SettingsWithPeers) -> Result<(), Error> {
    let mut session = Session::new("bonded", &settings.session)?;
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    for case in session.cases() {
        match case.workload.as_str() {
            "blocks" | "front" => measure_blocks(&mut session, &case)?,
            "cubic-18" => measure_lattice::<3>(&mut session, &case, peers.as_ref())?,
            _ => measure_lattice::<2>(&mut session, &case, peers.as_ref())?,
        }
    }
    session.finish_with_peers("bonded", peers.map(|_| peers::versions()))
}

fn measure_blocks(session: &mut Session, case: &Case) -> Result<(), Error> {
    let (pool, bodies) = (TimedPool::processor()?, SpringBodies::of(case));
    let is_front = case.workload == "front";
    let blocks = if is_front { bodies.hit()? } else { bodies.blocks()? };
    let particles: usize = blocks.iter().map(|block| block.particle_count()).sum();
    let contenders: Contenders = if is_front {
        [Extent::Reached, Extent::Whole].map(|extent| hit(bodies, extent, &pool)).into()
    } else {
        vec![carom(case, blocks, &pool)?, springs_alone(bodies.blocks()?, case.window, &pool)]
    };
    let name = format!("{} {particles}", case.workload);
    session.measure(&name, contenders, &Plan::warm(case.rounds))
}

fn measure_lattice<const D: usize>(
    session: &mut Session,
    case: &Case,
    peers: Option<&Peers>,
) -> Result<(), Error> {
    let pools = match case.field {
        Field::Threads => TimedPool::one_and_two()?.into(),
        _ => vec![TimedPool::processor()?],
    };
    let bodies = SpringBodies::of(case);
    let own = pools.iter().map(|pool| carom::<D>(case, vec![bodies.lattice()?], pool));
    let mut contenders = own.collect::<Result<Contenders, Error>>()?;
    if let Some(peers) = peers.filter(|_| case.field != Field::Threads) {
        contenders.extend(peers.start::<D>(case)?);
    }
    let name = format!("{} {}", case.workload, case.size.pow(D as u32));
    session.measure(&name, contenders, &Plan::warm(case.rounds))
}
