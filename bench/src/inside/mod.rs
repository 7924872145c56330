//! `carom-bench inside`: which points are inside of a mesh, on one thread, beside parry, and CGAL and
//! Python libraries if asked for.
//!
//! The unit of work is to prepare a mesh and to answer for all points of a grid. Those that are exact must
//! give the same answers; other answers of the rest are counted.

mod contender;
mod peers;
mod workload;

use crate::cases::{Case, Field};
use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{Session, SettingsWithPeers};
use crate::timing::TimedPool;
use carom::geometry::mesh::TriangleMesh;
use contender::{METHODS, carom, parry, truth};
use peers::Peers;
use std::time::Duration;

/// Whoever takes longer than this has one more turn only.
const SLOW: Duration = Duration::from_secs(4);

/// Measures every case.
pub fn run(settings: &SettingsWithPeers) -> Result<(), Error> {
    let mut session = Session::new("inside", &settings.session)?;
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    let mut made: Option<(String, TriangleMesh)> = None;
    for case in session.cases() {
        let mesh = match made.take() {
            Some((name, mesh)) if name == case.workload => mesh,
            _ => workload::mesh(&case.workload)?,
        };
        let (_, mesh) = made.insert((case.workload.clone(), mesh));
        measure(&mut session, &case, mesh, peers.as_ref())?;
    }
    session.finish_with_peers("inside", peers.map(|_| peers::versions()))
}

fn measure(
    session: &mut Session,
    case: &Case,
    mesh: &TriangleMesh,
    peers: Option<&Peers>,
) -> Result<(), Error> {
    let (name, points) = (workload::name(case), workload::points(case));
    let truth = truth(mesh, &points);
    let plan = Plan { slow: SLOW, ..Plan::rounds(case.rounds) };
    let (one, wall) = (TimedPool::processor()?, TimedPool::one_and_two()?);
    let carom = |method, pool| carom(method, mesh, &points, &truth, pool);
    if case.field == Field::Threads {
        let contenders = wall.iter().map(|pool| carom(&METHODS[0], pool));
        return session.measure(&name, contenders.collect(), &plan);
    }
    let methods = METHODS.iter().filter(|method| case.field >= method.field);
    let mut contenders: Contenders = methods.map(|method| carom(method, &one)).collect();
    contenders.push(parry(mesh, &points, &truth));
    if let Some(peers) = peers {
        contenders.extend(peers.start(case.field, mesh, &points, &truth)?);
    }
    session.measure(&name, contenders, &plan)
}
