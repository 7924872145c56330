//! `carom-bench steps`: settled beds of spheres in steps of time, beside LAMMPS and LIGGGHTS if asked for.
//!
//! The unit of work is a step of one sphere; the result is spheres times steps per second of the processor,
//! the cost of a contact, and memory per sphere. Programs that round otherwise cannot come to the same
//! bits: what they are held to is the number of contacts.

mod bed;
mod contender;
mod peers;
mod race;
pub mod readme;
pub mod results;
mod verdict;
mod workload;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use bed::{Bed, Recipe, Sizes};
use contender::Carom;
use peers::{Peer, Program};
use race::{Contender, Timing, race};
use rayon::{ThreadPool, ThreadPoolBuilder};
use results::{Row, set_ratios};
use std::path::{Path, PathBuf};
use workload::{Case, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Beds that have hardly settled and a few steps; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these laws and beds, such as hertz-mindlin; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// LAMMPS and LIGGGHTS too, where they are installed; the table is steps_peers.csv
    #[arg(long)]
    peers: bool,
    /// Folder in which settled beds are kept; those of an earlier run are used again
    #[arg(long, value_name = "DIR", default_value = "target/beds")]
    beds: PathBuf,
    /// Folder for steps.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Threads of the rows by the wall clock.
const THREADS: [usize; 2] = [1, 2];

/// Measures, prints a line per contender and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let programs = if settings.peers { peers::installed() } else { Vec::new() };
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let wanted = |case: &Case| settings.only.is_empty() || settings.only.contains(&case.workload);
    let mut made: Option<(Sizes, Bed)> = None;
    let mut rows = Vec::new();
    for case in cases.into_iter().filter(wanted) {
        let sizes = case.workload.sizes();
        let bed = match made.take() {
            Some((kept, bed)) if kept == sizes => bed,
            _ => settings.bed(sizes)?,
        };
        let (_, bed) = made.insert((sizes, bed));
        rows.extend(measure(&case, &bed.repeated(case.copies), &programs)?);
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    let name = if settings.peers { "steps_peers.csv" } else { "steps.csv" };
    match settings.folder() {
        Some(folder) => Table { origin: machine::origin(&settings.command(&programs)), rows }
            .write(&folder.join(name)),
        None => Ok(()),
    }
}

impl Settings {
    fn folder(&self) -> Option<PathBuf> {
        let whole = !self.tiny && self.only.is_empty();
        table::folder(&self.out, whole)
    }

    /// The command as typed, but for the folders.
    fn command(&self, programs: &[Program]) -> String {
        let command = table::command("steps", self.tiny, &self.only);
        match self.peers {
            true => format!("{command} --peers; {}", peers::versions(programs)),
            false => command,
        }
    }

    fn bed(&self, sizes: Sizes) -> Result<Bed, Error> {
        match self.tiny {
            true => Recipe::tiny(sizes).settle(),
            false => Recipe::full(sizes).kept(&self.beds.join(file(sizes))),
        }
    }
}

/// The name of a bed's file.
fn file(sizes: Sizes) -> &'static Path {
    Path::new(match sizes {
        Sizes::Equal => "equal.csv",
        Sizes::Mixed => "one-to-ten.csv",
    })
}

fn measure(case: &Case, bed: &Bed, programs: &[Program]) -> Result<Vec<Row>, Error> {
    let [one, two] = THREADS.map(|threads| ThreadPoolBuilder::new().num_threads(threads).build());
    let pools: [ThreadPool; 2] = [one?, two?];
    let carom = |pool, timing| -> Result<Box<dyn Contender + '_>, Error> {
        Ok(Box::new(Carom::new(case, bed, pool, timing)?))
    };
    let mut contenders = Vec::new();
    if case.on_threads {
        for (pool, threads) in pools.iter().zip(THREADS) {
            contenders.push(carom(pool, Timing::Wall(threads))?);
        }
        return report(case, bed, contenders);
    }
    contenders.push(carom(&pools[0], Timing::Processor)?);
    if case.workload.sizes() == Sizes::Equal {
        for &program in programs {
            let peer = Peer::new(program, case, bed)?;
            contenders.extend(peer.map(|peer| -> Box<dyn Contender> { Box::new(peer) }));
        }
    }
    report(case, bed, contenders)
}

fn report(
    case: &Case,
    bed: &Bed,
    mut contenders: Vec<Box<dyn Contender + '_>>,
) -> Result<Vec<Row>, Error> {
    let best = race(&mut contenders, case.rounds)?;
    let measured = contenders.iter().zip(&best);
    let mut rows: Vec<Row> = measured
        .map(|(contender, best)| Row::new(case, bed.spheres.len(), &contender.label(), best))
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
        let settings = |tiny, only: &[Workload]| {
            let beds = "target/beds".into();
            Settings { tiny, only: only.to_vec(), peers: false, beds, out: None }
        };
        assert_eq!(settings(false, &[]).folder(), Some(PathBuf::from("bench/results")));
        assert_eq!(settings(true, &[]).folder(), None);
        let one = settings(false, &[Workload::Mixed]);
        assert_eq!(one.folder(), None);
        assert_eq!(one.command(&[]), "carom-bench steps --only linear-1:10");
    }
}
