//! FCL, called from Python as its package offers it.

use super::coal::REQUIREMENTS;
use super::driven::Driven;
use crate::error::Error;
use crate::python::install;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const PROGRAM: &str = include_str!("../../python/convex_fcl.py");

/// The interpreter and the program; removed at the end.
pub struct Fcl {
    python: PathBuf,
    folder: TempDir,
}

impl Fcl {
    /// Installs it in the virtual environment, which is made if it is not there.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let python = install(venv, REQUIREMENTS)?;
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let fcl = Fcl { python, folder };
        std::fs::write(fcl.program(), PROGRAM).map_err(Error::in_file(fcl.program()))?;
        Ok(fcl)
    }

    /// Starts it on a body and its poses.
    pub fn start(&self, body: &ConvexPolyhedron, poses: &[[Pose; 2]]) -> Result<Driven, Error> {
        let mut command = Command::new(&self.python);
        command.arg(self.program());
        Driven::start(command, ["python-fcl", "all"], body, poses)
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("convex_fcl.py")
    }
}
