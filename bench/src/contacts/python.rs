//! `carom-bench contacts --venv DIR`: carom against Python libraries, which run in a process of their own.

use super::{PairSet, searched};
use crate::error::Error;
use crate::process::Process;
use crate::python::PythonProgram;
use crate::questions::{write_file, write_floats};
use crate::race::{Contender, Contenders};
use carom::Sphere;
use std::path::Path;
use std::time::Duration;

const LIBRARIES: [&str; 3] = ["scipy", "freud", "vesin"];
const PROGRAM: &str = include_str!("../../python/contacts.py");
const REQUIREMENTS: &str = include_str!("../../python/requirements.txt");

/// Returns the versions, for the results.
pub fn versions() -> String {
    REQUIREMENTS.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Installs the libraries.
pub fn prepare(venv: &Path) -> Result<PythonProgram, Error> {
    PythonProgram::prepare(venv, REQUIREMENTS, PROGRAM)
}

/// Starts all of them on some particles.
pub fn contenders<const D: usize>(
    program: &PythonProgram,
    spheres: &[Sphere<D>],
    cap: Duration,
) -> Result<Contenders<'static>, Error> {
    let path = program.path("particles.bin");
    let numbers = spheres.iter().flat_map(coordinates_and_radius);
    write_file(&path, |file| write_floats(file, numbers))?;
    let particles = spheres.len();
    let start = |name: &'static str| -> Result<Contender<'static>, Error> {
        let mut command = program.command();
        command.arg(&path).arg(D.to_string());
        let mut process = Process::start(name, &mut command)?;
        Ok(Contender::new(name, move || {
            let [nanoseconds, count, hash, extra] = process.ask_numbers::<i128, 4>(name, cap)?;
            let elapsed = Duration::from_nanos(nanoseconds as u64);
            let pairs = PairSet { count: count as usize, hash: hash as u64 };
            // Memory that was not measured is negative.
            let extra_bytes = usize::try_from(extra).ok();
            Ok(searched(elapsed, pairs, extra_bytes, particles))
        }))
    };
    LIBRARIES.into_iter().map(start).collect()
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
