//! CGAL's `Regular_triangulation_3`, in a process of its own that is compiled when it is first needed.

use super::race::{Contender, Run, Size};
use crate::cgal;
use crate::error::Error;
use crate::results::Kind;
use carom::Sphere;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const SOURCE: &str = include_str!("cgal.cpp");
/// The compiled driver; an error says in one line why there is none.
pub fn driver() -> Result<PathBuf, String> {
    cgal::driver(SOURCE)
}

/// The driver with its points read.
pub struct Cgal {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The file of points goes away with it.
    _points: tempfile::NamedTempFile,
}

impl Cgal {
    /// Starts the driver on some spheres.
    pub fn start(driver: &Path, spheres: &[Sphere<3>]) -> Result<Self, Error> {
        let points =
            tempfile::NamedTempFile::new().map_err(Error::in_file(std::env::temp_dir()))?;
        let path = points.path().to_owned();
        let mut out = BufWriter::new(points.as_file());
        for Sphere { center, radius } in spheres {
            for value in [center[0], center[1], center[2], radius * radius] {
                out.write_all(&value.to_le_bytes()).map_err(Error::in_file(&path))?;
            }
        }
        out.flush().map_err(Error::in_file(&path))?;
        drop(out);
        let mut command = Command::new(driver);
        command.arg(&path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(Error::in_file(driver))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed("it has no pipes"))?;
        Ok(Cgal { child, input, output: BufReader::new(output), _points: points })
    }

    fn ask(&mut self) -> std::io::Result<String> {
        self.input.write_all(b"again\n")?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }
}

fn failed(problem: impl ToString) -> Error {
    Error::Peer { name: "CGAL", problem: problem.to_string() }
}

impl Contender for Cgal {
    fn name(&self) -> &'static str {
        "CGAL"
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn run(&mut self) -> Result<Run, Error> {
        let line = self.ask().map_err(failed)?;
        let numbers: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
        let [nanoseconds, simplices, vertices, held] = numbers.unwrap_or_default()[..] else {
            return Err(failed(format!("it answered {line:?}, not with four numbers")));
        };
        Ok(Run {
            elapsed: Duration::from_nanos(nanoseconds),
            size: Size { simplices: simplices as usize, vertices: vertices as usize },
            held: held as usize,
            peak: None,
        })
    }
}

impl Drop for Cgal {
    fn drop(&mut self) {
        // It waits for nothing but its next turn.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
