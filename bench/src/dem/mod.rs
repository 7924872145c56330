//! `carom-bench dem`: settled beds of spheres and of polyhedra in steps of time, spheres beside LAMMPS and
//! LIGGGHTS if asked for, polyhedra beside rapier.
//!
//! The unit of work is a step of one body; the result is bodies times steps per second of the processor,
//! the cost of a contact, and memory per body. Programs that round otherwise cannot come to the same
//! bits: what they are compared by is the number of contacts, and of polyhedra that the bed stays at rest.

mod bed;
pub mod contender;
mod peers;
mod polyhedra;
mod rapier;
mod spheres;
mod workload;

use crate::error::Error;
use crate::race::{Contender, Contenders, Plan};
use crate::session::{self, Session};
use crate::timing::TimedPool;
use bed::{Bed, Recipe};
use contender::carom;
use peers::Program;
use rapier::{MANNERS, Rapier};
use spheres::Sizes;
use std::path::PathBuf;
use workload::{Case, Filling, WORKLOADS};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    #[command(flatten)]
    session: session::SessionSettings,
    /// LAMMPS and LIGGGHTS too, where they are installed; the results are dem_peers.csv
    #[arg(long)]
    peers: bool,
    /// Folder in which settled beds are kept; those of an earlier run are used again
    #[arg(long, value_name = "DIR", default_value = "target/beds")]
    beds: PathBuf,
}

/// Measures every case.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let names = WORKLOADS.map(|workload| workload.name);
    let mut spheres = Session::new("dem", &settings.session, &names)?;
    let mut polyhedra = Session::new("dem/polyhedra", &settings.session, &names)?;
    let programs = if settings.peers { peers::installed() } else { Vec::new() };
    let cases = if settings.session.tiny { workload::tiny() } else { workload::full() };
    let mut made: Option<(Filling, Bed)> = None;
    for case in cases {
        if !spheres.wants(case.workload.name) {
            continue;
        }
        let filling = case.workload.filling;
        let bed = match made.take() {
            Some((kept, bed)) if kept == filling => bed,
            _ if settings.session.tiny => Recipe::tiny(filling).settle()?,
            _ => Recipe::full(filling).kept(&settings.beds)?,
        };
        let (_, bed) = made.insert((filling, bed));
        match filling {
            Filling::Spheres(_) => {
                measure(&mut spheres, &case, &bed.repeated(case.copies), &programs)?;
            }
            Filling::Polyhedra(faces) => measure_polyhedra(&mut polyhedra, &case, faces, bed)?,
        }
    }
    let (file, detail) = match settings.peers {
        true => ("dem_peers", format!(" --peers; {}", peers::versions(&programs))),
        false => ("dem", String::new()),
    };
    spheres.finish(file, &detail)?;
    polyhedra.finish("dem_polyhedra", &detail)
}

fn measure(
    session: &mut Session,
    case: &Case,
    bed: &Bed,
    programs: &[Program],
) -> Result<(), Error> {
    let (one, wall) = (TimedPool::processor()?, TimedPool::one_and_two()?);
    let settings = spheres::settings(case.workload.law, bed.width);
    let carom = |pool| carom(case, &bed.bodies, &settings, pool);
    let mut contenders: Contenders = Vec::new();
    if case.on_threads {
        for pool in &wall {
            contenders.push(carom(pool)?);
        }
    } else {
        contenders.push(carom(&one)?);
        let has_peers = case.workload.filling == Filling::Spheres(Sizes::Equal);
        for &program in programs.iter().filter(|_| has_peers) {
            contenders.extend(peers::contender(program, case, bed)?);
        }
    }
    session.measure(&case.name(bed.bodies.len()), contenders, &Plan::warm(case.rounds))
}

fn measure_polyhedra(
    session: &mut Session,
    case: &Case,
    faces: usize,
    bed: &Bed,
) -> Result<(), Error> {
    let (pool, hull) = (TimedPool::processor()?, polyhedra::hull(faces)?);
    let settings = polyhedra::settings(&hull, bed.width)?;
    let mut contenders: Contenders = vec![carom(case, &bed.bodies, &settings, &pool)?];
    for manner in MANNERS {
        let mut rapier = Rapier::new(manner, case, bed, &hull)?;
        contenders.push(Contender::new(manner.name, move || Ok(rapier.run())));
    }
    session.measure(&case.name(bed.bodies.len()), contenders, &Plan::warm(case.rounds))
}
