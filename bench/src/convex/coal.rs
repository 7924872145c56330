//! coal (the former hpp-fcl), in a process of its own that is compiled against the library of its Python
//! package when it is first needed.

use super::race::{Contender, Run};
use crate::error::Error;
use crate::python::install;
use crate::results::Kind;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
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
        let told = Command::new(&python).args(["-c", PREFIX]).output();
        let told = told.map_err(Error::in_file(&python))?;
        let prefix = PathBuf::from(String::from_utf8_lossy(&told.stdout).trim());
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let driver = Driver { folder };
        driver.compile(&prefix)?;
        Ok(driver)
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
    /// Along the line between the centres of the boxes: its fastest start without memory.
    Centres,
    /// With the direction and the corners found last.
    Last,
}

/// The driver with its questions read.
pub struct Coal {
    begin: Begin,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Questions and answers; goes away with it.
    folder: TempDir,
}

impl Coal {
    /// Starts the driver on the same body and poses.
    pub fn start(
        driver: &Driver,
        body: &ConvexPolyhedron,
        poses: &[[Pose; 2]],
        begin: Begin,
    ) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
        let questions = folder.path().join("questions");
        write_questions(&questions, body, poses).map_err(Error::in_file(&questions))?;
        let mut command = Command::new(driver.path());
        command.args([questions, folder.path().join("answers")]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(Error::in_file(driver.path()))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed("it has no pipes"))?;
        Ok(Coal { begin, child, input, output: BufReader::new(output), folder })
    }

    fn ask(&mut self) -> std::io::Result<String> {
        let begin = match self.begin {
            Begin::Centres => "centres",
            Begin::Last => "last",
        };
        writeln!(self.input, "{begin}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
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

fn failed(problem: impl ToString) -> Error {
    Error::Peer { name: "coal", problem: problem.to_string() }
}

impl Contender for Coal {
    fn name(&self) -> &'static str {
        match self.begin {
            Begin::Centres => "coal",
            Begin::Last => "coal warm",
        }
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn run(&mut self, distances: &mut Vec<f64>) -> Result<Run, Error> {
        let line = self.ask().map_err(failed)?;
        let nanoseconds = line.trim().parse();
        let nanoseconds = nanoseconds.map_err(|_| failed(format!("it answered {line:?}")))?;
        let answers = self.folder.path().join("answers");
        let bytes = std::fs::read(&answers).map_err(Error::in_file(answers))?;
        let (numbers, _) = bytes.as_chunks::<8>();
        distances.extend(numbers.iter().map(|&number| f64::from_le_bytes(number)));
        Ok(Run { elapsed: Duration::from_nanos(nanoseconds) })
    }
}

impl Drop for Coal {
    fn drop(&mut self) {
        // It waits for nothing but its next turn.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
