//! `carom-bench inside`: which points are inside of a mesh, on one thread, beside parry, and CGAL and
//! Python libraries if asked for.
//!
//! The unit of work is to prepare a mesh and to answer for all points of a grid. Those that are exact must
//! give the same answers; other answers of the rest are counted.

mod contender;
mod driven;
mod peers;
mod race;
pub mod readme;
mod results;
mod verdict;
mod workload;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;
use contender::{Carom, Method, Parry};
use peers::Peers;
use race::{Contender, Timing, race};
use rayon::{ThreadPool, ThreadPoolBuilder};
use results::{Row, set_ratios};
use std::path::PathBuf;
use workload::{Case, Field, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// A thousand points and one round; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these meshes, such as foam-490k; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// Folder of a virtual environment, made if it is not there, in which Python libraries are
    /// installed: then these and CGAL are measured too, and the table is inside_peers.csv
    #[arg(long, value_name = "DIR")]
    venv: Option<PathBuf>,
    /// Folder for inside.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Threads of the rows by the wall clock.
const THREADS: [usize; 2] = [1, 2];

/// Measures, prints a line per contender and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let wanted = |case: &Case| settings.only.is_empty() || settings.only.contains(&case.workload);
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    let mut made: Option<(Workload, TriangleMesh)> = None;
    let mut rows = Vec::new();
    for case in cases.into_iter().filter(wanted) {
        let mesh = match made.take() {
            Some((workload, mesh)) if workload == case.workload => mesh,
            _ => case.workload.mesh()?,
        };
        let (_, mesh) = made.insert((case.workload, mesh));
        rows.extend(measure(&case, mesh, peers.as_ref())?);
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    let name = if peers.is_some() { "inside_peers.csv" } else { "inside.csv" };
    match settings.folder() {
        Some(folder) => {
            Table { origin: machine::origin(&settings.command()), rows }.write(&folder.join(name))
        }
        None => Ok(()),
    }
}

impl Settings {
    fn folder(&self) -> Option<PathBuf> {
        let whole = !self.tiny && self.only.is_empty();
        table::folder(&self.out, whole)
    }

    /// The command as typed, but for the folders.
    fn command(&self) -> String {
        let command = table::command("inside", self.tiny, &self.only);
        match self.venv {
            Some(_) => format!("{command} --venv; {}", peers::versions()),
            None => command,
        }
    }
}

fn measure(case: &Case, mesh: &TriangleMesh, peers: Option<&Peers>) -> Result<Vec<Row>, Error> {
    let points = case.points();
    if case.field == Field::Threads {
        return on_threads(case, mesh, &points);
    }
    let pool = pool(1)?;
    let carom = |method| -> Box<dyn Contender + '_> {
        let timing = Timing::Processor;
        Box::new(Carom { method, mesh, points: &points, pool: &pool, timing })
    };
    let mut contenders = vec![carom(Method::Cells), carom(Method::Ray)];
    if case.field >= Field::Expansions {
        contenders.push(carom(Method::Multipole));
    }
    if case.field >= Field::Everyone {
        contenders.push(carom(Method::DoubleLayer));
    }
    contenders.push(Box::new(Parry::new(mesh, &points)));
    // The files must outlive the race.
    let mut started = peers.map(|peers| peers.start(case.field, mesh, &points)).transpose()?;
    if let Some(started) = &mut started {
        contenders.extend(started.contenders.drain(..).map(|peer| -> Box<dyn Contender> { peer }));
    }
    report(case, mesh, contenders)
}

fn on_threads(case: &Case, mesh: &TriangleMesh, points: &[Vector<3>]) -> Result<Vec<Row>, Error> {
    let [one, two] = THREADS.map(pool);
    let pools = [one?, two?];
    let carom = |(pool, threads)| -> Box<dyn Contender + '_> {
        let timing = Timing::Wall(threads);
        Box::new(Carom { method: Method::Cells, mesh, points, pool, timing })
    };
    report(case, mesh, pools.iter().zip(THREADS).map(carom).collect())
}

fn pool(threads: usize) -> Result<ThreadPool, Error> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn report(
    case: &Case,
    mesh: &TriangleMesh,
    mut contenders: Vec<Box<dyn Contender + '_>>,
) -> Result<Vec<Row>, Error> {
    let best = race(&mut contenders, case.rounds)?;
    let triangles = mesh.triangles().len();
    let measured = contenders.iter().zip(&best);
    let mut rows: Vec<Row> = measured
        .map(|(contender, best)| Row::new(case, triangles, &contender.label(), best))
        .collect();
    set_ratios(&mut rows);
    rows.iter().for_each(|row| println!("{row}"));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_benchmark_replaces_the_kept_results() {
        let settings =
            |tiny, only: &[Workload]| Settings { tiny, only: only.to_vec(), venv: None, out: None };
        assert_eq!(settings(false, &[]).folder(), Some(PathBuf::from("bench/results")));
        assert_eq!(settings(true, &[]).folder(), None);
        let one = settings(false, &[Workload::Foam490]);
        assert_eq!(one.folder(), None);
        assert_eq!(one.command(), "carom-bench inside --only foam-490k");
    }
}
