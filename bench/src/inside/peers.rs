//! CGAL and Python libraries, as far as they can be had.

use super::driven::{Driven, Questions};
use super::race::{Contender, Promise};
use super::workload::Field;
use crate::cgal;
use crate::error::Error;
use crate::process::skip;
use crate::python::{ONE_THREAD, install};
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = include_str!("cgal.cpp");
const PROGRAM: &str = include_str!("../../python/inside.py");
/// The name of CGAL.
pub const CGAL: &str = "CGAL";
/// The name of the library of expansions.
pub const FMM: &str = "fmm3dpy";

/// A Python library, and what pip installs for it.
struct Library {
    name: &'static str,
    packages: &'static str,
}

const LIBRARIES: [Library; 4] = [
    Library { name: "open3d", packages: "open3d==0.20.0" },
    Library { name: "libigl", packages: "libigl==2.6.3" },
    Library { name: "trimesh", packages: "trimesh==5.2.0 embreex==4.4.0.post1" },
    Library { name: FMM, packages: "fmm3dpy==2.1.0" },
];
/// What all of them need.
const NUMPY: &str = "numpy==2.4.6";

/// The versions, for the table.
pub fn versions() -> String {
    let packages = LIBRARIES.map(|library| library.packages).join(" ");
    format!("CGAL as installed, {packages} {NUMPY}")
}

/// Those that work here.
pub struct Peers {
    cgal: Option<PathBuf>,
    /// The interpreter of the virtual environment.
    python: PathBuf,
    libraries: Vec<&'static str>,
    /// With the Python program; removed at the end.
    folder: TempDir,
}

impl Peers {
    /// Compiles and installs what can be had; a line tells why someone is skipped.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let python = install(venv, NUMPY)?;
        let cgal = cgal::driver(SOURCE).map_err(|reason| skip(CGAL, &reason)).ok();
        let mut peers = Peers { cgal, python, libraries: Vec::new(), folder };
        std::fs::write(peers.program(), PROGRAM).map_err(Error::in_file(peers.program()))?;
        for library in &LIBRARIES {
            match peers.try_out(library, venv) {
                Ok(()) => peers.libraries.push(library.name),
                Err(reason) => skip(library.name, &reason.to_string()),
            }
        }
        Ok(peers)
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("inside.py")
    }

    /// Installs a library and sees whether it loads.
    fn try_out(&self, library: &Library, venv: &Path) -> Result<(), Error> {
        install(venv, library.packages)?;
        let questions = Questions::write(&octahedron_sphere(0), &[Vector::zeros()])?;
        self.call(library.name, &questions).map(|_| ())
    }

    fn call(&self, library: &'static str, questions: &Questions) -> Result<Driven, Error> {
        let mut command = Command::new(&self.python);
        command.arg(self.program()).arg(library).envs(ONE_THREAD.map(|name| (name, "1")));
        Driven::start(library, Promise::Rounded, &mut command, questions)
    }

    /// All that take part, with their questions read.
    pub fn start(
        &self,
        field: Field,
        mesh: &TriangleMesh,
        points: &[Vector<3>],
    ) -> Result<Started, Error> {
        let questions = Questions::write(mesh, points)?;
        let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
        if let Some(driver) = &self.cgal {
            let mut command = Command::new(driver);
            let driven = Driven::start(CGAL, Promise::Exact, &mut command, &questions)?;
            contenders.push(Box::new(driven));
        }
        for &library in &self.libraries {
            if library != FMM || field >= Field::Expansions {
                contenders.push(Box::new(self.call(library, &questions)?));
            }
        }
        Ok(Started { contenders, _questions: questions })
    }
}

/// Peers that wait for their turn; their files go away with it.
pub struct Started {
    /// The peers.
    pub contenders: Vec<Box<dyn Contender>>,
    _questions: Questions,
}
