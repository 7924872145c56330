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
use crate::race::{Contenders, Plan};
use crate::session::{self, Session};
use crate::timing::TimedPool;
use bed::Bed;
use contender::Carom;
use peers::{Peer, Program};
use rapier::{Manner, Rapier};
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
    let mut made: Option<(Sizes, Bed)> = None;
    for case in cases {
        if !spheres.wants(case.workload.name) {
            continue;
        }
        let sizes = match case.workload.filling {
            Filling::Spheres(sizes) => sizes,
            Filling::Polyhedra(faces) => {
                measure_polyhedra(&mut polyhedra, &case, faces, &settings.polyhedra(faces)?)?;
                continue;
            }
        };
        let bed = match made.take() {
            Some((kept, bed)) if kept == sizes => bed,
            _ => settings.spheres(sizes)?,
        };
        let (_, bed) = made.insert((sizes, bed));
        measure(&mut spheres, &case, &bed.repeated(case.copies), &programs)?;
    }
    let (file, detail) = match settings.peers {
        true => ("dem_peers", format!(" --peers; {}", peers::versions(&programs))),
        false => ("dem", String::new()),
    };
    spheres.finish(file, &detail)?;
    polyhedra.finish("dem_polyhedra", &detail)
}

impl Settings {
    fn spheres(&self, sizes: Sizes) -> Result<Bed, Error> {
        let file =
            if sizes == Sizes::Equal { "equal-spheres.csv" } else { "one-to-ten-spheres.csv" };
        match self.session.tiny {
            true => spheres::Recipe::tiny(sizes).settle(),
            false => spheres::Recipe::full(sizes).kept(&self.beds.join(file)),
        }
    }

    fn polyhedra(&self, faces: usize) -> Result<Bed, Error> {
        let file = self.beds.join(format!("polyhedra-{faces}.csv"));
        match self.session.tiny {
            true => polyhedra::Recipe::tiny(faces).settle(),
            false => polyhedra::Recipe::full(faces).kept(&file),
        }
    }
}

fn measure(
    session: &mut Session,
    case: &Case,
    bed: &Bed,
    programs: &[Program],
) -> Result<(), Error> {
    let (one, wall) = (TimedPool::processor()?, TimedPool::wall()?);
    let settings = spheres::settings(case.workload.law, bed.width);
    let carom = |pool| Carom::new(case, &bed.bodies, &settings, pool);
    let mut contenders: Contenders = Vec::new();
    if case.on_threads {
        for pool in &wall {
            contenders.push(Box::new(carom(pool)?));
        }
    } else {
        contenders.push(Box::new(carom(&one)?));
        let has_peers = case.workload.filling == Filling::Spheres(Sizes::Equal);
        for &program in programs.iter().filter(|_| has_peers) {
            if let Some(peer) = Peer::new(program, case, bed)? {
                contenders.push(Box::new(peer));
            }
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
    let mut contenders: Contenders =
        vec![Box::new(Carom::new(case, &bed.bodies, &settings, &pool)?)];
    for manner in Manner::ALL {
        contenders.push(Box::new(Rapier::new(manner, case, bed, &hull)?));
    }
    session.measure(&case.name(bed.bodies.len()), contenders, &Plan::warm(case.rounds))
}
