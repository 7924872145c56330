//! coal (the former hpp-fcl), compiled against the library of its Python package, and FCL as its Python
//! package offers it, each in a process of its own.
//!
//! Every line of its standard input asks a process for all distances, and a line tells the nanoseconds
//! of the processor that took.

use super::contender::{Distances, triangles};
use crate::error::Error;
use crate::process::Process;
use crate::python::{PythonProgram, install};
use crate::questions::{Questions, read_answers};
use crate::race::{Contender, Contenders, Run};
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const COAL: &str = include_str!("coal.cpp");
const FCL: &str = include_str!("../../python/convex_fcl.py");
const REQUIREMENTS: &str = include_str!("../../python/convex.txt");
const FLAGS: [&str; 3] = ["-std=c++17", "-O3", "-DNDEBUG"];
/// Where the packages have their headers and libraries.
const PREFIX: &str = "import sysconfig; print(sysconfig.get_path('purelib') + '/cmeel.prefix')";

/// Names, and the words that ask for a search from the centers of the boxes, which is coal's fastest
/// start without memory, or from what was found last.
const PEERS: [(&str, &str); 3] =
    [("coal", "centers"), ("coal warm", "last"), ("python-fcl", "all")];

/// Returns the versions, for the results.
pub fn versions() -> String {
    REQUIREMENTS.trim().replace('\n', " ")
}

/// Both peers, ready to be started.
pub struct Peers {
    /// With the compiled driver of coal; removed at the end.
    folder: TempDir,
    fcl: PythonProgram,
}

impl Peers {
    /// Installs both in the virtual environment, which is made if it is not there, and compiles.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let fcl = PythonProgram::prepare(venv, REQUIREMENTS, FCL)?;
        let python = install(venv, REQUIREMENTS)?;
        let report = Command::new(&python).args(["-c", PREFIX]).output();
        let report = report.map_err(Error::in_file(&python))?;
        let prefix = PathBuf::from(String::from_utf8_lossy(&report.stdout).trim());
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let peers = Peers { folder, fcl };
        peers.compile(&prefix)?;
        Ok(peers)
    }

    /// Starts everyone on a body and its poses, whose true distances are given.
    pub fn start<'a>(
        &self,
        body: &ConvexPolyhedron,
        poses: &[[Pose; 2]],
        truth: &'a [f64],
    ) -> Result<Contenders<'a>, Error> {
        let mut started: Contenders = Vec::new();
        for (name, word) in PEERS {
            // Matrices are stored by columns.
            let numbers = |pose: &Pose| {
                let rotation = pose.rotation.transpose();
                rotation.iter().chain(pose.position.iter()).copied().collect::<Vec<_>>()
            };
            let floats = poses.as_flattened().iter().flat_map(numbers);
            let questions =
                Questions::write(body.vertices(), &triangles(body), poses.len(), floats)?;
            let mut command = match name {
                "python-fcl" => self.fcl.command(),
                _ => Command::new(self.driver()),
            };
            command.args([questions.path(), questions.answers(name)]);
            let process = Process::start(name, &mut command)?;
            started.push(Box::new(Peer { process, word, questions, truth }));
        }
        Ok(started)
    }

    fn driver(&self) -> PathBuf {
        self.folder.path().join("coal")
    }

    fn compile(&self, prefix: &Path) -> Result<(), Error> {
        let failed = |problem| Error::Peer { name: "coal", problem };
        let source = self.folder.path().join("coal.cpp");
        std::fs::write(&source, COAL).map_err(Error::in_file(&source))?;
        let (include, library) = (prefix.join("include"), prefix.join("lib"));
        let output = Command::new("g++")
            .args(FLAGS)
            .arg("-I")
            .arg(&include)
            .arg("-I")
            .arg(include.join("eigen3"))
            .arg("-o")
            .args([self.driver(), source])
            .arg("-L")
            .arg(&library)
            .arg(format!("-Wl,-rpath,{}", library.display()))
            .arg("-lcoal")
            .output()
            .map_err(|error| failed(format!("g++ cannot be started: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
        Err(failed(format!("g++ cannot compile with it: {first}")))
    }
}

/// A process with its questions read.
struct Peer<'a> {
    process: Process,
    word: &'static str,
    questions: Questions,
    truth: &'a [f64],
}

impl Contender for Peer<'_> {
    fn name(&self) -> String {
        self.process.name().into()
    }

    fn run(&mut self) -> Result<Run, Error> {
        let [nanoseconds] = self.process.ask_numbers(self.word)?;
        let bytes = read_answers(&self.questions.answers(self.process.name()))?;
        let (numbers, _) = bytes.as_chunks::<8>();
        let found: Vec<f64> = numbers.iter().map(|&number| f64::from_le_bytes(number)).collect();
        let elapsed = Duration::from_nanos(nanoseconds);
        Distances { elapsed, found: &found, truth: self.truth }.run(&self.name())
    }
}
