//! `carom-bench contacts --venv DIR`: carom against Python libraries, which run in a process of their own.

use super::{Case, FULL, Field, PairSet, Search, TINY, carom_alone};
use crate::error::Error;
use crate::process::Process;
use crate::python::PythonProgram;
use crate::questions::{write_file, write_floats};
use crate::race::{Contender, Plan};
use crate::session::{Session, SessionSettings};
use crate::timing::TimedPool;
use carom::Sphere;
use carom::scene::generate::PaperCase;
use std::path::Path;
use std::time::Duration;

const LIBRARIES: [&str; 3] = ["scipy", "freud", "vesin"];
const PROGRAM: &str = include_str!("../../python/contacts.py");
const REQUIREMENTS: &str = include_str!("../../python/requirements.txt");

/// The cases that the Python libraries take part in.
fn cases(tiny: bool) -> Vec<Case> {
    let (few, many) = if tiny { (1000, 1000) } else { (100_000, 1_000_000) };
    let mut cases = vec![
        (PaperCase::ThreeB, few),
        (PaperCase::ThreeB, many),
        (PaperCase::TwoB, many),
        (PaperCase::LogNormal, few),
    ];
    cases.dedup();
    cases
        .into_iter()
        .map(|(workload, count)| Case::new(workload, count, Field::CaromOnly))
        .collect()
}

/// Measures every case.
pub fn run(settings: &SessionSettings, venv: &Path) -> Result<(), Error> {
    let plan = if settings.tiny { TINY } else { FULL };
    let names = [PaperCase::ThreeB, PaperCase::TwoB, PaperCase::LogNormal].map(PaperCase::name);
    let mut session = Session::new("contacts/python", settings, &names)?;
    let program = PythonProgram::prepare(venv, REQUIREMENTS, PROGRAM)?;
    let threads = TimedPool::wall(1)?;
    for case in cases(settings.tiny) {
        match case.workload.dimension() {
            _ if !session.wants(case.workload.name()) => {}
            2 => measure::<2>(&mut session, &case, &program, &threads, &plan)?,
            _ => measure::<3>(&mut session, &case, &program, &threads, &plan)?,
        }
    }
    let libraries: Vec<&str> = REQUIREMENTS.split_whitespace().collect();
    session.finish_with_peers("contacts", Some(libraries.join(" ")))
}

fn measure<const D: usize>(
    session: &mut Session,
    case: &Case,
    program: &PythonProgram,
    threads: &TimedPool,
    plan: &Plan,
) -> Result<(), Error> {
    let spheres = case.spheres::<D>()?;
    let path = program.path("particles.bin");
    let numbers = spheres.iter().flat_map(coordinates_and_radius);
    write_file(&path, |file| write_floats(file, numbers))?;
    let mut contenders = carom_alone(&spheres, threads);
    for name in LIBRARIES {
        let mut command = program.command();
        command.arg(&path).arg(D.to_string());
        let mut process = Process::start(name, &mut command)?;
        let (particles, cap) = (spheres.len(), plan.cap);
        contenders.push(Contender::new(name, move || {
            let [nanoseconds, count, hash, extra] = process.ask_numbers::<i128, 4>(name, cap)?;
            let elapsed = Duration::from_nanos(nanoseconds as u64);
            let pairs = PairSet { count: count as usize, hash: hash as u64 };
            // Memory that was not measured is negative.
            let extra_bytes = usize::try_from(extra).ok();
            Ok(Search { elapsed, pairs, extra_bytes }.run(particles))
        }));
    }
    session.measure(&case.name(), contenders, plan)
}

/// The numbers x, y, z, r of a particle in the file; discs have `z = 0`.
fn coordinates_and_radius<const D: usize>(sphere: &Sphere<D>) -> [f64; 4] {
    let coordinate = |axis: usize| sphere.center.get(axis).copied().unwrap_or(0.0);
    [coordinate(0), coordinate(1), coordinate(2), sphere.radius]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_lie_in_the_plane() {
        let disc = coordinates_and_radius(&Sphere::new([1.0, 2.0], 0.5));
        assert_eq!(disc, [1.0, 2.0, 0.0, 0.5]);
        let sphere = coordinates_and_radius(&Sphere::new([1.0, 2.0, 3.0], 0.5));
        assert_eq!(sphere, [1.0, 2.0, 3.0, 0.5]);
    }
}
