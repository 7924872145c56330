//! `carom-bench steps`: settled beds of spheres and of polyhedra in steps of time, spheres beside LAMMPS and
//! LIGGGHTS if asked for, polyhedra beside rapier.
//!
//! The unit of work is a step of one body; the result is bodies times steps per second of the processor,
//! the cost of a contact, and memory per body. Programs that round otherwise cannot come to the same
//! bits: what they are held to is the number of contacts, and of polyhedra that the bed stays at rest.

mod bed;
pub mod contender;
mod kept;
mod peers;
mod polyhedra;
pub mod race;
mod rapier;
pub mod readme;
pub mod results;
mod verdict;
mod workload;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use bed::{Bed, Recipe, Sizes};
use contender::{Carom, Start};
use peers::{Peer, Program};
use race::{Contender, Timing, race};
use rapier::{Manner, Rapier};
use rayon::{ThreadPool, ThreadPoolBuilder};
use results::{Row, set_ratios};
use std::path::{Path, PathBuf};
use workload::{Case, Filling, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Beds that have hardly settled and a few steps; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these laws and beds, such as hertz-mindlin or polyhedra-20; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// LAMMPS and LIGGGHTS too, where they are installed; the table is dem_peers.csv
    #[arg(long)]
    peers: bool,
    /// Folder in which settled beds are kept; those of an earlier run are used again
    #[arg(long, value_name = "DIR", default_value = "target/beds")]
    beds: PathBuf,
    /// Folder for dem.csv and dem_polyhedra.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Threads of the rows by the wall clock.
const THREADS: [usize; 2] = [1, 2];

/// Measures, prints a line per contender and case, and writes the tables.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let programs = if settings.peers { peers::installed() } else { Vec::new() };
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let wanted = |case: &Case| settings.only.is_empty() || settings.only.contains(&case.workload);
    let mut made: Option<(Sizes, Bed)> = None;
    let (mut spheres, mut polyhedra) = (Vec::new(), Vec::new());
    for case in cases.into_iter().filter(wanted) {
        let sizes = match case.workload.filling() {
            Filling::Spheres(sizes) => sizes,
            Filling::Polyhedra(faces) => {
                polyhedra.extend(measure_polyhedra(&case, &settings.polyhedra(faces)?)?);
                continue;
            }
        };
        let bed = match made.take() {
            Some((kept, bed)) if kept == sizes => bed,
            _ => settings.bed(sizes)?,
        };
        let (_, bed) = made.insert((sizes, bed));
        spheres.extend(measure(&case, &bed.repeated(case.copies), &programs)?);
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&spheres, &polyhedra)));
    }
    let Some(folder) = settings.folder() else { return Ok(()) };
    let of_spheres = if settings.peers { "dem_peers.csv" } else { "dem.csv" };
    for (name, rows) in [(of_spheres, spheres), ("dem_polyhedra.csv", polyhedra)] {
        if !rows.is_empty() {
            let origin = machine::origin(&settings.command(&programs));
            Table { origin, rows }.write(&folder.join(name))?;
        }
    }
    Ok(())
}

impl Settings {
    fn folder(&self) -> Option<PathBuf> {
        let whole = !self.tiny && self.only.is_empty();
        table::folder(&self.out, whole)
    }

    /// The command as typed, but for the folders.
    fn command(&self, programs: &[Program]) -> String {
        let command = table::command("dem", self.tiny, &self.only);
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

    fn polyhedra(&self, faces: usize) -> Result<polyhedra::Bed, Error> {
        let file = self.beds.join(format!("polyhedra-{faces}.csv"));
        match self.tiny {
            true => polyhedra::Recipe::tiny(faces).settle(),
            false => polyhedra::Recipe::full(faces).kept(&file),
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
    let start =
        Start { bodies: bed.bodies(), settings: bed::settings(case.workload.law(), bed.width) };
    let carom = |pool, timing| -> Result<Box<dyn Contender + '_>, Error> {
        Ok(Box::new(Carom::new(case, &start, pool, timing)?))
    };
    let mut contenders = Vec::new();
    if case.on_threads {
        for (pool, threads) in pools.iter().zip(THREADS) {
            contenders.push(carom(pool, Timing::Wall(threads))?);
        }
        return report(case, bed.spheres.len(), contenders);
    }
    contenders.push(carom(&pools[0], Timing::Processor)?);
    if case.workload.filling() == Filling::Spheres(Sizes::Equal) {
        for &program in programs {
            let peer = Peer::new(program, case, bed)?;
            contenders.extend(peer.map(|peer| -> Box<dyn Contender> { Box::new(peer) }));
        }
    }
    report(case, bed.spheres.len(), contenders)
}

fn measure_polyhedra(case: &Case, bed: &polyhedra::Bed) -> Result<Vec<Row>, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let start = Start { bodies: bed.bodies()?, settings: bed.settings()? };
    let carom = Carom::new(case, &start, &pool, Timing::Processor)?;
    let mut contenders: Vec<Box<dyn Contender + '_>> = vec![Box::new(carom)];
    for manner in Manner::ALL {
        contenders.push(Box::new(Rapier::new(manner, case, bed)?));
    }
    report(case, bed.places.len(), contenders)
}

fn report(
    case: &Case,
    bodies: usize,
    mut contenders: Vec<Box<dyn Contender + '_>>,
) -> Result<Vec<Row>, Error> {
    let best = race(&mut contenders, case.rounds)?;
    let measured = contenders.iter().zip(&best);
    let mut rows: Vec<Row> = measured
        .map(|(contender, best)| Row::new(case, bodies, &contender.label(), best))
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
