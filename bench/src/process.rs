//! A peer in a process of its own, which says that it is ready and then answers a line with a line.

use crate::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Loading libraries from a cold disk and compiling kernels may take this long.
const TIME_TO_START: Duration = Duration::from_secs(600);

/// A year: as good as no limit.
pub const ANY_TIME: Duration = Duration::from_secs(365 * 86_400);

/// A process that waits for its turn; it is ended with this.
pub struct Process {
    name: &'static str,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a process; it must say that it is ready, or why not.
    pub fn start(name: &'static str, command: &mut Command) -> Result<Self, Error> {
        let failed = |problem: String| Error::Peer { name, problem };
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed("it has no pipes".to_owned()))?;
        let process = Process { name, child, input, lines: lines_of(output) };
        match process.lines.recv_timeout(TIME_TO_START) {
            Ok(line) if line.trim() == "ready" => Ok(process),
            Ok(reason) => Err(process.failed(reason.trim())),
            Err(_) => Err(process.failed("it did not get ready; its message is above")),
        }
    }

    /// Lets it do its work once more and returns what it says of it; too slow if that takes longer
    /// than `cap`, after which it can be asked no more.
    fn ask(&mut self, word: &str, cap: Duration) -> Result<String, Error> {
        writeln!(self.input, "{word}").map_err(|error| self.failed(error))?;
        self.lines.recv_timeout(cap).map_err(|error| match error {
            RecvTimeoutError::Timeout => Error::TooSlow { seconds: cap.as_secs_f64() },
            RecvTimeoutError::Disconnected => self.failed("it ended; its message is above"),
        })
    }

    /// The same, and returns the numbers that it answers with.
    pub fn ask_numbers<T: FromStr, const N: usize>(
        &mut self,
        word: &str,
        cap: Duration,
    ) -> Result<[T; N], Error> {
        let line = self.ask(word, cap)?;
        let numbers: Option<Vec<T>> =
            line.split_whitespace().map(|number| number.parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| <[T; N]>::try_from(numbers).ok());
        numbers.ok_or_else(|| self.failed(format!("it answered {line:?}, not with {N} numbers")))
    }

    /// Returns the error that it did not do its work.
    pub fn failed(&self, problem: impl ToString) -> Error {
        Error::Peer { name: self.name, problem: problem.to_string() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a pipe, read by a thread of their own so that waiting for one can be given up.
fn lines_of(pipe: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Prints why a peer does not take part.
pub fn skip(name: &str, reason: &str) {
    println!("{name} is skipped: {reason}");
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn started(script: &str) -> Result<Process, Error> {
        Process::start("peer", Command::new("sh").args(["-c", script]))
    }

    #[test]
    fn a_process_that_is_not_ready_says_why() {
        let problem = started("echo libusb is missing").err().unwrap().to_string();
        assert_eq!(problem, "peer failed: libusb is missing");
    }

    #[test]
    fn a_line_is_answered_with_numbers() {
        let mut process = started("echo ready; read line; echo 7 9; read line; echo x").unwrap();
        assert_eq!(process.ask_numbers::<u64, 2>("again", ANY_TIME).unwrap(), [7, 9]);
        let problem = process.ask_numbers::<u64, 2>("again", ANY_TIME).unwrap_err().to_string();
        assert_eq!(problem, "peer failed: it answered \"x\", not with 2 numbers");
    }

    #[test]
    fn waiting_can_be_given_up() {
        let mut process = started("echo ready; read line; sleep 60").unwrap();
        let error = process.ask("again", Duration::from_millis(1)).unwrap_err();
        assert!(matches!(error, Error::TooSlow { .. }));
    }
}
