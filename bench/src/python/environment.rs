//! A virtual environment with the libraries, and the files their program reads.

use crate::error::Error;
use carom::Sphere;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = include_str!("../../python/contacts.py");
const REQUIREMENTS: &str = include_str!("../../python/requirements.txt");

/// Where Python, the program and the particles are.
pub struct Environment {
    /// The interpreter of the virtual environment.
    pub python: PathBuf,
    /// Removed with its files at the end.
    folder: TempDir,
}

impl Environment {
    /// Makes the virtual environment in `venv` unless it is there, and installs the libraries.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let environment = Environment { python: install(venv, REQUIREMENTS)?, folder };
        environment.write("contacts.py", PROGRAM)?;
        Ok(environment)
    }

    /// The program that calls the libraries.
    pub fn program(&self) -> PathBuf {
        self.path("contacts.py")
    }

    /// The particles last written.
    pub fn particles(&self) -> PathBuf {
        self.path("particles.bin")
    }

    /// Writes x, y, z, r of every particle as little-endian floats; discs have `z = 0`.
    pub fn write_particles<const D: usize>(&self, spheres: &[Sphere<D>]) -> Result<(), Error> {
        let path = self.particles();
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(std::fs::File::create(&path)?);
            for sphere in spheres {
                for value in record(sphere) {
                    file.write_all(&value.to_le_bytes())?;
                }
            }
            file.flush()
        };
        write().map_err(Error::in_file(&path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path(name);
        std::fs::write(&path, text).map_err(Error::in_file(path))
    }
}

/// The interpreter of the virtual environment in `venv`, which is made unless it is there, with the
/// required libraries installed.
pub fn install(venv: &Path, requirements: &str) -> Result<PathBuf, Error> {
    let python = interpreter_in(venv);
    if !python.exists() {
        let mut make = Command::new("python3");
        must_succeed(
            make.args(["-m", "venv"]).arg(venv),
            "python3 with its module venv is needed to compare with Python libraries",
        )?;
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    must_succeed(
        install.args(requirements.split_whitespace()),
        "the Python libraries could not be installed; is there a network?",
    )?;
    Ok(python)
}

fn interpreter_in(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts/python.exe") } else { venv.join("bin/python") }
}

fn record<const D: usize>(sphere: &Sphere<D>) -> [f64; 4] {
    let coordinate = |axis: usize| sphere.center.get(axis).copied().unwrap_or(0.0);
    [coordinate(0), coordinate(1), coordinate(2), sphere.radius]
}

/// Runs a command; what it says on failure follows `sentence`.
fn must_succeed(command: &mut Command, sentence: &str) -> Result<(), Error> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::Python(format!("{sentence} ({error})")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message");
    Err(Error::Python(format!("{sentence} ({})", last.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_lie_in_the_plane() {
        assert_eq!(record(&Sphere::new([1.0, 2.0], 0.5)), [1.0, 2.0, 0.0, 0.5]);
        assert_eq!(record(&Sphere::new([1.0, 2.0, 3.0], 0.5)), [1.0, 2.0, 3.0, 0.5]);
    }

    #[test]
    fn a_failed_command_is_one_sentence_with_its_last_words() {
        let error = must_succeed(&mut Command::new("no-such-program"), "it is needed").unwrap_err();
        assert!(error.to_string().starts_with("it is needed ("));
    }
}
