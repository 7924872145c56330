//! A peer in a process of its own, which says that it is ready and then answers a line with a line.

use crate::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that waits for its turn; it is ended with this.
pub struct Process {
    name: &'static str,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a driver; it must say that it is ready, or why not.
    pub fn start(name: &'static str, command: &mut Command) -> Result<Self, Error> {
        let failed = |problem: String| Error::Peer { name, problem };
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed("it has no pipes".to_owned()))?;
        let mut process = Process { name, child, input, output: BufReader::new(output) };
        match process.line().map_err(|error| process.failed(error))?.trim() {
            "ready" => Ok(process),
            "" => Err(process.failed("it ended at once; its message is above")),
            reason => Err(process.failed(reason)),
        }
    }

    /// Who it is.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Lets it do its work once more, and tells what it says of it.
    pub fn again(&mut self) -> Result<String, Error> {
        let asked = self.input.write_all(b"again\n").and_then(|()| self.input.flush());
        asked.and_then(|()| self.line()).map_err(|error| self.failed(error))
    }

    /// The error that it did not do its work.
    pub fn failed(&self, problem: impl ToString) -> Error {
        Error::Peer { name: self.name, problem: problem.to_string() }
    }

    fn line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It waits for nothing but its next turn.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tells why someone does not take part.
pub fn skip(name: &str, reason: &str) {
    println!("{name} is skipped: {reason}");
}
