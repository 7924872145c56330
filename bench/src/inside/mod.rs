//! `carom-bench inside`: which points are inside of a mesh, on one thread, beside parry, and CGAL and
//! Python libraries if asked for.
//!
//! The unit of work is to prepare a mesh and to answer for all points of a grid. Those that are exact must
//! give the same answers; other answers of the rest are counted.

mod contender;
mod peers;
mod workload;

use crate::error::Error;
use crate::race::{Contenders, Plan};
use crate::session::{self, Session};
use crate::timing::TimedPool;
use carom::geometry::mesh::TriangleMesh;
use contender::{Carom, Method, Parry, truth};
use peers::Peers;
use std::path::PathBuf;
use std::time::Duration;
use workload::{Case, Field, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    #[command(flatten)]
    session: session::Settings,
    /// Folder of a virtual environment, made if it is not there, in which Python libraries are
    /// installed: then these and CGAL are measured too, and the results are inside_peers.csv
    #[arg(long, value_name = "DIR")]
    venv: Option<PathBuf>,
}

/// Whoever takes longer than this has one more turn only.
const SLOW: Duration = Duration::from_secs(4);

/// Measures every case.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let mut session =
        Session::new("inside", &settings.session, &Workload::ALL.map(Workload::name))?;
    let cases = if settings.session.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    let mut made: Option<(Workload, TriangleMesh)> = None;
    for case in cases {
        if !session.wants(case.workload.name()) {
            continue;
        }
        let mesh = match made.take() {
            Some((workload, mesh)) if workload == case.workload => mesh,
            _ => case.workload.mesh()?,
        };
        let (_, mesh) = made.insert((case.workload, mesh));
        measure(&mut session, &case, mesh, peers.as_ref())?;
    }
    match peers {
        Some(_) => session.finish("inside_peers", &format!(" --venv; {}", peers::versions())),
        None => session.finish("inside", ""),
    }
}

fn measure(
    session: &mut Session,
    case: &Case,
    mesh: &TriangleMesh,
    peers: Option<&Peers>,
) -> Result<(), Error> {
    let points = case.points();
    let truth = truth(mesh, &points);
    let plan = Plan { slow: SLOW, ..Plan::rounds(case.rounds) };
    let (one, wall) = (TimedPool::processor()?, TimedPool::wall()?);
    let carom = |method, pool| Carom { method, mesh, points: &points, truth: &truth, pool };
    let mut contenders: Contenders = Vec::new();
    if case.field == Field::Threads {
        for pool in &wall {
            contenders.push(Box::new(carom(Method::Cells, pool)));
        }
        return session.measure(&case.name(), contenders, &plan);
    }
    for (method, least) in Method::ALL {
        if case.field >= least {
            contenders.push(Box::new(carom(method, &one)));
        }
    }
    contenders.push(Box::new(Parry::new(mesh, &points, &truth)));
    if let Some(peers) = peers {
        contenders.extend(peers.start(case.field, mesh, &points, &truth)?);
    }
    session.measure(&case.name(), contenders, &plan)
}
