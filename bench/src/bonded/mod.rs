//! `carom-bench deform`: bodies of springs that break, beside LAMMPS BPM and Taichi if asked for.
//!
//! The unit of work is a step of one spring, counted once though carom and Taichi look at it from both ends; the
//! result is springs times steps per second. Everyone must have the same springs. Taichi has the same law and
//! comes to the same motion; LAMMPS's springs are as stiff when pushed as when pulled, so that its motion differs.

mod contender;
mod peers;
pub mod readme;
mod results;
mod verdict;
mod workload;

use crate::dem::race::{self, Timing, race};
use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use contender::{Alone, Carom, Extent, Hit, Seen};
use peers::Peers;
use rayon::{ThreadPool, ThreadPoolBuilder};
use results::{Row, set_ratios};
use std::path::PathBuf;
use workload::{Case, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Small bodies and a few steps; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these bodies, such as cubic-18; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// Folder of a virtual environment, made if it is not there, in which LAMMPS and Taichi are
    /// installed: then these are measured too, and the table is bonded_peers.csv
    #[arg(long, value_name = "DIR")]
    venv: Option<PathBuf>,
    /// Folder for bonded.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Everyone's steps before anything is timed.
const WARM_UP: u64 = 2;

type Contender<'a> = Box<dyn race::Contender<Seen> + 'a>;

/// Measures, prints a line per contender and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let wanted = |case: &Case| settings.only.is_empty() || settings.only.contains(&case.workload);
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    let mut rows = Vec::new();
    for case in cases.into_iter().filter(wanted) {
        rows.extend(measure(&case, peers.as_ref())?);
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    let name = if peers.is_some() { "bonded_peers.csv" } else { "bonded.csv" };
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
        let command = table::command("bonded", self.tiny, &self.only);
        match self.venv {
            Some(_) => format!("{command} --venv; {}", peers::versions()),
            None => command,
        }
    }
}

fn measure(case: &Case, peers: Option<&Peers>) -> Result<Vec<Row>, Error> {
    match case.workload {
        Workload::Square4 | Workload::Square8 => lattice::<2>(case, peers),
        Workload::Cubic18 => lattice::<3>(case, peers),
        Workload::Blocks => {
            let pool = pool(1)?;
            let blocks = case.blocks()?;
            let particles = blocks.iter().map(|block| block.particle_count()).sum();
            let carom = Carom::new(case, blocks, &pool, Timing::Processor)?;
            let alone = Alone::new(case, &pool)?;
            report(case, particles, vec![Box::new(carom), Box::new(alone)])
        }
        Workload::Front => {
            let pool = pool(1)?;
            let particles = case.hit()?.iter().map(|block| block.particle_count()).sum();
            let hit = |extent| -> Contender<'_> { Box::new(Hit { case, extent, pool: &pool }) };
            report(case, particles, [Extent::Reached, Extent::Whole].map(hit).into())
        }
    }
}

fn lattice<const D: usize>(case: &Case, peers: Option<&Peers>) -> Result<Vec<Row>, Error> {
    let pools = [pool(1)?, pool(2)?];
    let particles = (case.side as usize).pow(D as u32);
    let carom = |pool, timing| -> Result<Contender<'_>, Error> {
        Ok(Box::new(Carom::<D>::new(case, vec![case.lattice()?], pool, timing)?))
    };
    if case.on_threads {
        let [one, two] = &pools;
        let contenders = vec![carom(one, Timing::Wall(1))?, carom(two, Timing::Wall(2))?];
        return report(case, particles, contenders);
    }
    let mut contenders = vec![carom(&pools[0], Timing::Processor)?];
    if let Some(peers) = peers {
        let started = peers.start::<D>(case)?.into_iter();
        contenders.extend(started.map(|peer| -> Contender<'_> { Box::new(peer) }));
    }
    report(case, particles, contenders)
}

fn pool(threads: usize) -> Result<ThreadPool, Error> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn report(
    case: &Case,
    particles: usize,
    mut contenders: Vec<Contender<'_>>,
) -> Result<Vec<Row>, Error> {
    let best = race(&mut contenders, case.rounds)?;
    let measured = contenders.iter().zip(&best);
    let mut rows: Vec<Row> = measured
        .map(|(contender, best)| Row::new(case, particles, &contender.label(), best))
        .collect();
    for (contender, row) in contenders.iter().zip(&rows) {
        if row.springs != rows[0].springs {
            let problem = format!("it has {} springs, carom {}", row.springs, rows[0].springs);
            return Err(Error::Peer { name: contender.label().name, problem });
        }
    }
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
        let one = settings(false, &[Workload::Cubic18]);
        assert_eq!(one.folder(), None);
        assert_eq!(one.command(), "carom-bench deform --only cubic-18");
    }
}
