//! CGAL and Python libraries, as far as they can be had.

use super::contender::{Promise, answered};
use crate::cases::Field;
use crate::cpp_driver;
use crate::error::Error;
use crate::process::{ANY_TIME, Process, skip};
use crate::python::{PythonPeers, PythonProgram};
use crate::questions::Questions;
use crate::race::{Contender, Contenders};
use carom::detect::inside::Containment;
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const SOURCE: &str = include_str!("cgal.cpp");
const PROGRAM: &str = include_str!("../../python/inside.py");
const CGAL: &str = "CGAL";
/// The library of expansions.
const FMM: &str = "fmm3dpy";

/// Python libraries, and what pip installs for them.
const LIBRARIES: [(&str, &str); 4] = [
    ("open3d", "open3d==0.20.0"),
    ("libigl", "libigl==2.6.3"),
    ("trimesh", "trimesh==5.2.0 embreex==4.4.0.post1"),
    (FMM, "fmm3dpy==2.1.0"),
];
/// Packages that all peers need.
const NUMPY: &str = "numpy==2.4.6";

/// Returns the versions, for the results.
pub fn versions() -> String {
    let packages = LIBRARIES.map(|(_, packages)| packages).join(" ");
    format!("CGAL as installed, {packages} {NUMPY}")
}

/// Returns the peers that work on this machine.
pub struct Peers {
    cgal: Option<PathBuf>,
    python: PythonPeers,
}

impl Peers {
    /// Compiles and installs what can be had; a line says why a library is skipped.
    pub fn prepare(venv: &Path) -> Result<Self, Error> {
        let cgal = cpp_driver::compile_with_cgal(SOURCE).map_err(|reason| skip(CGAL, &reason)).ok();
        let try_out = |program: &PythonProgram, library: &'static str| {
            let (mesh, mut command) = (octahedron_sphere(0), program.command());
            start(library, command.arg(library), &mesh, &[Vector::zeros()], &[]).map(|_| ())
        };
        let python = PythonPeers::prepare(venv, NUMPY, PROGRAM, &LIBRARIES, try_out)?;
        Ok(Peers { cgal, python })
    }

    /// Starts all that take part on their questions.
    pub fn start<'a>(
        &self,
        field: Field,
        mesh: &TriangleMesh,
        points: &[Vector<3>],
        truth: &'a [Containment],
    ) -> Result<Contenders<'a>, Error> {
        let mut contenders: Contenders = Vec::new();
        if let Some(driver) = &self.cgal {
            contenders.push(start(CGAL, &mut Command::new(driver), mesh, points, truth)?);
        }
        for &library in &self.python.names {
            if library != FMM || field >= Field::Expansions {
                let mut command = self.python.program.command();
                contenders.push(start(library, command.arg(library), mesh, points, truth)?);
            }
        }
        Ok(contenders)
    }
}

/// Starts a process on its questions, which reports nanoseconds for preparing and for answering.
fn start<'a>(
    name: &'static str,
    command: &mut Command,
    mesh: &TriangleMesh,
    points: &[Vector<3>],
    truth: &'a [Containment],
) -> Result<Contender<'a>, Error> {
    let coordinates = points.iter().flat_map(|point| point.iter().copied());
    let questions = Questions::write(mesh.vertices(), mesh.triangles(), points.len(), coordinates)?;
    command.args([questions.path(), questions.answers()]);
    let mut process = Process::start(name, command)?;
    let triangles = mesh.triangles().len();
    let promise = if name == CGAL { Promise::Exact } else { Promise::Rounded };
    Ok(Contender::new(name, move || {
        let times = process.ask_numbers("again", ANY_TIME)?.map(Duration::from_nanos);
        let codes = questions.read_answers()?;
        let found: Option<Vec<Containment>> = codes.into_iter().map(side).collect();
        let found = found.ok_or_else(|| process.failed("an answer is neither 0, 1 nor 2"))?;
        answered(name, promise, times, triangles, &found, truth)
    }))
}

fn side(code: u8) -> Option<Containment> {
    match code {
        0 => Some(Containment::Outside),
        1 => Some(Containment::Inside),
        2 => Some(Containment::Surface),
        _ => None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_driver_reports_two_times_and_a_byte_for_each_point() {
        let script = "echo ready; read line; printf '\\001\\002' > \"$2\"; echo 7 9; read line";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]);
        let truth = [Containment::Inside, Containment::Surface];
        let (mesh, points) = (octahedron_sphere(0), [Vector::zeros(), Vector::x()]);
        let mut peer = start("peer", &mut command, &mesh, &points, &truth).unwrap();
        let run = peer.run().unwrap();
        assert_eq!(run.elapsed.as_nanos(), 7 + 9);
        assert_eq!(run.number("points on the surface"), Some(1.0));
        assert_eq!(run.number("wrong answers"), Some(0.0));
    }
}
