//! coal (the former hpp-fcl), in a process of its own that is compiled against the library of its Python
//! package when it is first needed.

use super::driven::Driven;
use crate::error::Error;
use crate::python::install;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = include_str!("coal.cpp");
/// The packages, as pip reads them.
pub const REQUIREMENTS: &str = include_str!("../../python/convex.txt");
const FLAGS: [&str; 3] = ["-std=c++17", "-O3", "-DNDEBUG"];
/// Where the packages have their headers and libraries.
const PREFIX: &str = "import sysconfig; print(sysconfig.get_path('purelib') + '/cmeel.prefix')";

/// The compiled driver; removed at the end.
pub struct Driver {
    folder: TempDir,
}

impl Driver {
    /// Installs coal in the virtual environment, which is made if it is not there, and compiles.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let python = install(venv, REQUIREMENTS)?;
        let report = Command::new(&python).args(["-c", PREFIX]).output();
        let report = report.map_err(Error::in_file(&python))?;
        let prefix = PathBuf::from(String::from_utf8_lossy(&report.stdout).trim());
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let driver = Driver { folder };
        driver.compile(&prefix)?;
        Ok(driver)
    }

    /// Starts it on a body and its poses.
    pub fn start(
        &self,
        body: &ConvexPolyhedron,
        poses: &[[Pose; 2]],
        begin: Begin,
    ) -> Result<Driven, Error> {
        let [name, word] = match begin {
            Begin::Centers => ["coal", "centers"],
            Begin::Last => ["coal warm", "last"],
        };
        Driven::start(Command::new(self.path()), [name, word], body, poses)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("coal")
    }

    fn compile(&self, prefix: &Path) -> Result<(), Error> {
        let source = self.folder.path().join("coal.cpp");
        std::fs::write(&source, SOURCE).map_err(Error::in_file(&source))?;
        let (include, library) = (prefix.join("include"), prefix.join("lib"));
        let output = Command::new("g++")
            .args(FLAGS)
            .arg("-I")
            .arg(&include)
            .arg("-I")
            .arg(include.join("eigen3"))
            .arg("-o")
            .args([self.path(), source])
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

/// How a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Along the line between the centers of the boxes: its fastest start without memory.
    Centers,
    /// With the direction and the corners found last.
    Last,
}

fn failed(problem: impl ToString) -> Error {
    Error::Peer { name: "coal", problem: problem.to_string() }
}
