//! A peer in a process of its own, which reads a body and its poses once and is asked for all distances
//! again and again.
//!
//! Its two arguments are the file with the questions and the file for the answers. Every line of its
//! standard input asks for all of them, and a line tells the nanoseconds of the processor that took.

use super::race::{Contender, Run};
use crate::error::Error;
use crate::results::Kind;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A process with its questions read.
pub struct Driven {
    name: &'static str,
    /// What it is asked with.
    word: &'static str,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Questions and answers; goes away with it.
    folder: TempDir,
}

impl Driven {
    /// Starts a program on the body and the poses.
    pub fn start(
        mut command: Command,
        [name, word]: [&'static str; 2],
        body: &ConvexPolyhedron,
        poses: &[[Pose; 2]],
    ) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let questions = folder.path().join("questions");
        write_questions(&questions, body, poses).map_err(Error::in_file(&questions))?;
        command.args([questions, folder.path().join("answers")]);
        let failed = |problem: String| Error::Peer { name, problem };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(format!("it cannot be started: {error}")))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed("it has no pipes".to_owned()))?;
        Ok(Driven { name, word, child, input, output: BufReader::new(output), folder })
    }

    fn ask(&mut self) -> std::io::Result<String> {
        writeln!(self.input, "{}", self.word)?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }

    fn failed(&self, problem: impl ToString) -> Error {
        Error::Peer { name: self.name, problem: problem.to_string() }
    }
}

/// As the driver reads them; polygons as fans of triangles.
fn write_questions(
    path: &Path,
    body: &ConvexPolyhedron,
    poses: &[[Pose; 2]],
) -> std::io::Result<()> {
    let triangles = super::contender::triangles(body);
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for count in [body.vertices().len(), triangles.len(), poses.len()] {
        file.write_all(&(count as u64).to_le_bytes())?;
    }
    for value in body.vertices().iter().flat_map(|vertex| vertex.iter()) {
        file.write_all(&value.to_le_bytes())?;
    }
    for corner in triangles.as_flattened() {
        file.write_all(&corner.to_le_bytes())?;
    }
    for pose in poses.as_flattened() {
        // Matrices are stored by columns.
        let rotation = pose.rotation.transpose();
        for value in rotation.iter().chain(pose.position.iter()) {
            file.write_all(&value.to_le_bytes())?;
        }
    }
    file.flush()
}

impl Contender for Driven {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn run(&mut self, distances: &mut Vec<f64>) -> Result<Run, Error> {
        let line = self.ask().map_err(|error| self.failed(error))?;
        let nanoseconds = line.trim().parse();
        let nanoseconds = nanoseconds.map_err(|_| self.failed(format!("it answered {line:?}")))?;
        let answers = self.folder.path().join("answers");
        let bytes = std::fs::read(&answers).map_err(Error::in_file(answers))?;
        let (numbers, _) = bytes.as_chunks::<8>();
        distances.extend(numbers.iter().map(|&number| f64::from_le_bytes(number)));
        Ok(Run { elapsed: Duration::from_nanos(nanoseconds) })
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        // It waits for nothing but its next turn.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
