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

use crate::cases::{Case, Field};
use crate::error::Error;
use crate::race::{Contender, Contenders, Plan};
use crate::session::{self, Session};
use crate::timing::TimedPool;
use bed::{Bed, Recipe};
use contender::carom;
use peers::Program;
use rapier::{MANNERS, Rapier};
use std::path::PathBuf;
use workload::{Filling, Law, Workload};

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
    let mut spheres = Session::new("dem", &settings.session)?;
    let mut polyhedra = Session::new("dem/polyhedra", &settings.session)?;
    let programs = if settings.peers { peers::installed() } else { Vec::new() };
    let mut made: Option<(Filling, Bed)> = None;
    for case in spheres.cases().into_iter().chain(polyhedra.cases()) {
        let Workload { filling, law, .. } = Workload::of(&case);
        let bed = match made.take() {
            Some((kept, bed)) if kept == filling => bed,
            _ if settings.session.tiny => Recipe::tiny(filling).settle()?,
            _ => Recipe::full(filling).kept(&settings.beds)?,
        };
        let (_, bed) = made.insert((filling, bed));
        match filling {
            Filling::Spheres(_) => {
                measure(&mut spheres, &case, law, &bed.repeated(case.size), &programs)?;
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
    law: Law,
    bed: &Bed,
    programs: &[Program],
) -> Result<(), Error> {
    let pools = match case.field {
        Field::Threads => TimedPool::one_and_two()?.into(),
        _ => vec![TimedPool::processor()?],
    };
    let settings = spheres::settings(law, bed.width);
    let own = pools.iter().map(|pool| carom(case, &bed.bodies, &settings, pool));
    let mut contenders = own.collect::<Result<Contenders, Error>>()?;
    if case.field != Field::Threads {
        for &program in programs {
            contenders.extend(peers::contender(program, case, bed)?);
        }
    }
    let name = format!("{} {}", case.workload, bed.bodies.len());
    session.measure(&name, contenders, &Plan::warm(case.rounds))
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
    let name = format!("{} {}", case.workload, bed.bodies.len());
    session.measure(&name, contenders, &Plan::warm(case.rounds))
}
