//! `carom-bench contacts --venv DIR`: carom against Python libraries, which run in a process of their own.

use super::{Case, FULL, Field, PairSet, Search, TINY, carom_alone, threads};
use crate::error::Error;
use crate::process::Process;
use crate::python::PythonProgram;
use crate::questions::{write_file, write_floats};
use crate::race::{Plan, named};
use crate::session::{Session, SessionSettings};
use carom::Sphere;
use carom::scene::generate::PaperCase;
use rayon::ThreadPool;
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
    let threads = threads(1)?;
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
    threads: &ThreadPool,
    plan: &Plan,
) -> Result<(), Error> {
    let spheres = case.spheres::<D>()?;
    let path = program.path("particles.bin");
    let numbers = spheres.iter().flat_map(coordinates_and_radius);
    write_file(&path, |file| write_floats(file, numbers))?;
    let mut contenders = carom_alone(&spheres, threads);
    for name in LIBRARIES {
        let mut process = start(program, name, D)?;
        let (particles, cap) = (spheres.len(), plan.cap);
        contenders.push(named(name, move || {
            let answer = process.ask(name, cap)?;
            let search = parse(&answer);
            let search =
                search.ok_or_else(|| process.failed(format!("it answered \"{answer}\"")))?;
            Ok(search.run(particles))
        }));
    }
    session.measure(&case.name(), contenders, plan)
}

fn start(
    program: &PythonProgram,
    library: &'static str,
    dimension: usize,
) -> Result<Process, Error> {
    let mut command = program.command();
    command.arg(program.path("particles.bin")).arg(dimension.to_string());
    Process::start(library, &mut command)
}

/// The numbers x, y, z, r of a particle in the file; discs have `z = 0`.
fn coordinates_and_radius<const D: usize>(sphere: &Sphere<D>) -> [f64; 4] {
    let coordinate = |axis: usize| sphere.center.get(axis).copied().unwrap_or(0.0);
    [coordinate(0), coordinate(1), coordinate(2), sphere.radius]
}

/// Reads `seconds pairs hash extra_bytes`; memory that was not measured is negative.
fn parse(answer: &str) -> Option<Search> {
    let fields: Vec<&str> = answer.split_whitespace().collect();
    let &[seconds, count, hash, extra] = &fields[..] else { return None };
    Some(Search {
        elapsed: Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?,
        pairs: PairSet { count: count.parse().ok()?, hash: hash.parse().ok()? },
        extra_bytes: usize::try_from(extra.parse::<i64>().ok()?).ok(),
    })
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

    #[test]
    fn an_answer_is_four_numbers() {
        let search = parse("0.25 3 18446744073709551615 4096").unwrap();
        assert_eq!(search.elapsed, Duration::from_millis(250));
        assert_eq!(search.pairs, PairSet { count: 3, hash: u64::MAX });
        assert_eq!(search.extra_bytes, Some(4096));
        assert_eq!(parse("0.25 3 7 -1").unwrap().extra_bytes, None);
        assert!(parse("Traceback").is_none());
    }
}
