//! Python libraries in a virtual environment, and the programs that call them.

use crate::error::Error;
use crate::process::skip;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Libraries that share work among threads by themselves are held to one.
const ONE_THREAD: [&str; 4] =
    ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"];

/// A Python program of ours and the interpreter of the virtual environment.
pub struct PythonProgram {
    python: PathBuf,
    /// With the program and its files; removed at the end.
    folder: TempDir,
}

impl PythonProgram {
    /// Installs the required packages in `venv` and writes the program.
    pub fn prepare(venv: &Path, requirements: &str, source: &str) -> Result<Self, Error> {
        let python = install(venv, requirements)?;
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let program = PythonProgram { python, folder };
        let path = program.path("program.py");
        std::fs::write(&path, source).map_err(Error::in_file(path))?;
        Ok(program)
    }

    /// Returns the command that runs the program on one thread.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(self.path("program.py")).envs(ONE_THREAD.map(|name| (name, "1")));
        command
    }

    /// Returns the path of a file beside the program.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Libraries that one Python program calls, as far as they can be had.
pub struct PythonPeers {
    /// The program.
    pub program: PythonProgram,
    /// The libraries that work here.
    pub names: Vec<&'static str>,
}

impl PythonPeers {
    /// Prepares the program with what it needs itself, and installs libraries, each with its packages, and tries them
    /// out; a line says why one is skipped.
    pub fn prepare(
        venv: &Path,
        needed: &str,
        source: &str,
        libraries: &[(&'static str, &str)],
        try_out: impl Fn(&PythonProgram, &'static str) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let program = PythonProgram::prepare(venv, needed, source)?;
        let mut names = Vec::new();
        for &(name, packages) in libraries {
            match install(venv, packages).and_then(|_| try_out(&program, name)) {
                Ok(()) => names.push(name),
                Err(reason) => skip(name, &reason.to_string()),
            }
        }
        Ok(PythonPeers { program, names })
    }
}

/// Installs packages in the virtual environment in `venv`, which is made unless it is there, and
/// returns its interpreter.
pub fn install(venv: &Path, requirements: &str) -> Result<PathBuf, Error> {
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        must_succeed(
            Command::new("python3").args(["-m", "venv"]).arg(venv),
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
    fn a_failed_command_is_one_sentence_with_its_last_words() {
        let error = must_succeed(&mut Command::new("no-such-program"), "it is needed").unwrap_err();
        assert!(error.to_string().starts_with("it is needed ("));
    }
}
