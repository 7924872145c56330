//! coal (the former hpp-fcl), compiled against the library of its Python package, and FCL as its Python
//! package offers it, each in a process of its own.
//!
//! Every line of its standard input asks a process for all distances, and a line gives the nanoseconds
//! of the processor that took.

use super::contender::{answered, triangles};
use crate::cpp_driver;
use crate::error::Error;
use crate::process::{ANY_TIME, Process};
use crate::python::{PythonProgram, install};
use crate::questions::Questions;
use crate::race::{Contender, Contenders};
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const COAL: &str = include_str!("coal.cpp");
const FCL: &str = include_str!("../../python/convex_fcl.py");
const REQUIREMENTS: &str = include_str!("../../python/convex.txt");
/// Folders of the packages' headers and libraries.
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
    coal: PathBuf,
    fcl: PythonProgram,
}

impl Peers {
    /// Installs both in the virtual environment, which is made if it is not there, and compiles.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let fcl = PythonProgram::prepare(venv, REQUIREMENTS, FCL)?;
        let python = install(venv, REQUIREMENTS)?;
        let report = Command::new(&python).args(["-c", PREFIX]).output();
        let report = report.map_err(Error::in_file(&python))?;
        let prefix = String::from_utf8_lossy(&report.stdout).trim().to_string();
        let arguments = [
            format!("-I{prefix}/include"),
            format!("-I{prefix}/include/eigen3"),
            format!("-L{prefix}/lib"),
            format!("-Wl,-rpath,{prefix}/lib"),
            "-lcoal".into(),
        ];
        let coal = cpp_driver::compile(COAL, &arguments);
        let coal = coal.map_err(|problem| Error::Peer { name: "coal", problem })?;
        Ok(Peers { coal, fcl })
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
                _ => Command::new(&self.coal),
            };
            command.args([questions.path(), questions.answers()]);
            let mut process = Process::start(name, &mut command)?;
            started.push(Contender::new(name, move || {
                let [elapsed] = process.ask_numbers(word, ANY_TIME)?.map(Duration::from_nanos);
                let bytes = questions.read_answers()?;
                let (numbers, _) = bytes.as_chunks::<8>();
                let found: Vec<f64> = numbers.iter().copied().map(f64::from_le_bytes).collect();
                answered(name, elapsed, &found, truth)
            }));
        }
        Ok(started)
    }
}
