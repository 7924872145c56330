//! Libraries of other languages, each in a process of its own that reads the same questions.

use super::race::{Contender, Label, Promise, Run, Timing};
use crate::error::Error;
use crate::process::Process;
use crate::results::Kind;
use carom::detect::inside::Containment;
use carom::geometry::Vector;
use carom::geometry::mesh::TriangleMesh;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A mesh and points in a file, removed at the end.
pub struct Questions {
    folder: TempDir,
}

impl Questions {
    /// Writes them as the drivers read them.
    pub fn write(mesh: &TriangleMesh, points: &[Vector<3>]) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let questions = Questions { folder };
        let path = questions.path();
        write(&path, mesh, points).map_err(Error::in_file(&path))?;
        Ok(questions)
    }

    /// Where they are.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("questions")
    }

    /// Where someone puts answers.
    pub fn answers(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("answers-{name}"))
    }
}

fn write(path: &Path, mesh: &TriangleMesh, points: &[Vector<3>]) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for count in [mesh.vertices().len(), mesh.triangles().len(), points.len()] {
        file.write_all(&(count as u64).to_le_bytes())?;
    }
    for value in mesh.vertices().iter().flat_map(|vertex| vertex.iter()) {
        file.write_all(&value.to_le_bytes())?;
    }
    for corner in mesh.triangles().as_flattened() {
        file.write_all(&corner.to_le_bytes())?;
    }
    for value in points.iter().flat_map(|point| point.iter()) {
        file.write_all(&value.to_le_bytes())?;
    }
    file.flush()
}

/// A process with its questions read.
pub struct Driven {
    process: Process,
    promise: Promise,
    answers: PathBuf,
}

impl Driven {
    /// Starts a driver on some questions; it must say that it is ready.
    pub fn start(
        name: &'static str,
        promise: Promise,
        command: &mut Command,
        questions: &Questions,
    ) -> Result<Self, Error> {
        let answers = questions.answers(name);
        let process = Process::start(name, command.args([&questions.path(), &answers]))?;
        Ok(Driven { process, promise, answers })
    }
}

/// Reads nanoseconds for preparing and for answering.
fn parse(line: &str) -> Option<[Duration; 2]> {
    let numbers: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
    let [build, query] = numbers.ok()?[..] else { return None };
    Some([build, query].map(Duration::from_nanos))
}

fn side(code: u8) -> Option<Containment> {
    match code {
        0 => Some(Containment::Outside),
        1 => Some(Containment::Inside),
        2 => Some(Containment::Surface),
        _ => None,
    }
}

impl Contender for Driven {
    fn label(&self) -> Label {
        let (promise, timing) = (self.promise, Timing::Processor);
        Label { name: self.process.name(), kind: Kind::Peer, promise, timing }
    }

    fn run(&mut self, sides: &mut Vec<Containment>) -> Result<Run, Error> {
        let line = self.process.again()?;
        let [build, query] =
            parse(&line).ok_or_else(|| self.process.failed(format!("it answered {line:?}")))?;
        let codes = std::fs::read(&self.answers).map_err(Error::in_file(&self.answers))?;
        let report: Option<Vec<Containment>> = codes.into_iter().map(side).collect();
        *sides = report.ok_or_else(|| self.process.failed("an answer is neither 0, 1 nor 2"))?;
        Ok(Run { build, query, memory: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::geometry::mesh::octahedron_sphere;

    fn questions() -> Questions {
        Questions::write(&octahedron_sphere(0), &[Vector::zeros(), Vector::repeat(1.0)]).unwrap()
    }

    fn driven(script: &str) -> Result<Driven, Error> {
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]);
        Driven::start("made", Promise::Rounded, &mut command, &questions())
    }

    #[test]
    fn questions_hold_counts_vertices_triangles_and_points() {
        let bytes = std::fs::read(questions().path()).unwrap();
        assert_eq!(bytes.len(), 3 * 8 + 6 * 24 + 8 * 12 + 2 * 24);
        assert_eq!(bytes[..24], [6u64, 8, 2].map(u64::to_le_bytes).concat());
        assert_eq!(bytes[bytes.len() - 8..], 1f64.to_le_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn a_driver_tells_two_times_and_a_byte_for_each_point() {
        let questions = questions();
        let mut command = Command::new("sh");
        let script = "echo ready; read line; printf '\\001\\002' > \"$2\"; echo 7 9; read line";
        command.args(["-c", script, "sh"]);
        let mut made = Driven::start("made", Promise::Rounded, &mut command, &questions).unwrap();
        let mut sides = Vec::new();
        let run = made.run(&mut sides).unwrap();
        assert_eq!([run.build, run.query].map(|time| time.as_nanos()), [7, 9]);
        assert_eq!(sides, [Containment::Inside, Containment::Surface]);
    }

    #[cfg(unix)]
    #[test]
    fn a_driver_that_is_not_ready_says_why() {
        let problem = driven("echo libusb is missing").err().unwrap().to_string();
        assert_eq!(problem, "made failed: libusb is missing");
    }
}
