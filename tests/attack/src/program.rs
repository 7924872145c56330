//! The program under attack: started with limits, watched, and judged by how it ends.

use crate::outcome::AttemptOutcome;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Limit of the address space; it keeps a mistake from taking the machine down.
const ADDRESS_SPACE: u64 = 6_000_000;
/// Largest number of bytes of the program's output that are kept.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// The program `carom` at a path.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
}

/// The end of one start of the program.
#[derive(Debug)]
pub struct ProgramExit {
    /// Exit code or signal; `None` if it was killed because it did not end in time.
    pub status: Option<ExitStatus>,
    /// Content of standard error.
    pub stderr: String,
}

impl Program {
    /// Creates the program at this path.
    pub fn new(path: PathBuf) -> Self {
        Program { path }
    }

    /// Starts it in a folder, under shell commands such as `ulimit -f 10` that come first.
    pub fn start(
        &self,
        folder: &Path,
        limits: &str,
        arguments: &[&OsStr],
        output: &ProgramOutput,
    ) -> io::Result<Child> {
        let mut command = Command::new("sh");
        let limits = if limits.is_empty() {
            format!("ulimit -v {ADDRESS_SPACE}")
        } else {
            limits.to_owned()
        };
        command
            .arg("-c")
            .arg(format!("{limits}; exec \"$@\""))
            .arg("sh")
            .arg(&self.path)
            .args(arguments);
        command.current_dir(folder).stdin(Stdio::null());
        command.stdout(output.stdout.reopen()?).stderr(output.stderr.reopen()?);
        command.spawn()
    }

    /// Runs it to its end, or kills it when it takes longer than `patience`.
    pub fn run(
        &self,
        folder: &Path,
        limits: &str,
        arguments: &[&str],
        patience: Duration,
    ) -> io::Result<ProgramExit> {
        let output = ProgramOutput::new()?;
        let words: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        let mut child = self.start(folder, limits, &words, &output)?;
        let status = wait(&mut child, patience)?;
        output.ended(status)
    }
}

/// The output of a child: files, so that it never waits for a reader.
#[derive(Debug)]
pub struct ProgramOutput {
    /// Standard output.
    pub stdout: tempfile::NamedTempFile,
    /// Standard error.
    pub stderr: tempfile::NamedTempFile,
}

impl ProgramOutput {
    /// Creates two empty files.
    pub fn new() -> io::Result<Self> {
        Ok(ProgramOutput {
            stdout: tempfile::NamedTempFile::new()?,
            stderr: tempfile::NamedTempFile::new()?,
        })
    }

    /// Returns what a child left behind.
    pub fn ended(&self, status: Option<ExitStatus>) -> io::Result<ProgramExit> {
        let stderr = String::from_utf8_lossy(&beginning(self.stderr.path())?).into_owned();
        Ok(ProgramExit { status, stderr })
    }
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_OUTPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Waits for the end of a child; one that does not end in time is killed, and `None` is returned.
pub fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + patience;
    let mut pause = Duration::from_micros(300);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Returns the command as a shell takes it.
pub fn shown(limits: &str, arguments: &[&str]) -> String {
    let quoted: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    let limits = if limits.is_empty() { String::new() } else { format!("{limits}; ") };
    format!("{limits}carom {}", quoted.join(" "))
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:+".contains(letter);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

impl ProgramExit {
    /// Returns how the program ended, or why that is a finding.
    pub fn outcome(&self) -> Result<AttemptOutcome, String> {
        let Some(status) = self.status else { return Err("it did not end in time".into()) };
        if self.stderr.contains("panicked") {
            return Err(format!("it panicked: {}", first_lines(&self.stderr)));
        }
        if let Some(signal) = status.signal() {
            return Err(format!("it died of signal {signal}: {}", first_lines(&self.stderr)));
        }
        let outcome = match status.code() {
            Some(0) => return Ok(AttemptOutcome::Accepted),
            Some(1) => AttemptOutcome::Failed,
            Some(2) => AttemptOutcome::Refused,
            Some(3) => AttemptOutcome::Stopped,
            code => {
                return Err(format!(
                    "it ended with exit code {code:?}: {}",
                    first_lines(&self.stderr)
                ));
            }
        };
        if self.stderr.trim().is_empty() {
            return Err(format!("it ended with {status} and without a word"));
        }
        let control = self.stderr.chars().find(|&letter| letter.is_control() && letter != '\n');
        match control {
            Some(letter) => Err(format!(
                "it wrote the control character {letter:?}: {}",
                first_lines(&self.stderr)
            )),
            None => Ok(outcome),
        }
    }
}

fn first_lines(text: &str) -> String {
    let text: String = text.chars().take(600).collect();
    text.replace('\n', " | ")
}
