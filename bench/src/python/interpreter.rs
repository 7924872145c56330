//! A Python process that searches when asked to, and is ended if it takes too long.

use super::environment::Environment;
use crate::error::Error;
use crate::measure::{Found, Run};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Loading the libraries from a cold disk may take this long.
const TIME_TO_START: Duration = Duration::from_secs(120);
/// Libraries that share work among threads by themselves are held to one.
pub const ONE_THREAD: [&str; 4] =
    ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"];

/// The process, started again after it had to be ended.
pub struct Interpreter<'a> {
    environment: &'a Environment,
    dimension: usize,
    cap: Duration,
    process: Process,
}

struct Process {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl<'a> Interpreter<'a> {
    /// Starts Python on the particles last written; `cap` is the longest a search may take.
    pub fn start(
        environment: &'a Environment,
        dimension: usize,
        cap: Duration,
    ) -> Result<Self, Error> {
        let process = Process::start(environment, dimension)?;
        Ok(Interpreter { environment, dimension, cap, process })
    }

    /// One search with the library.
    pub fn search(&mut self, library: &str) -> Result<Run, Error> {
        writeln!(self.process.questions, "{library}")
            .map_err(|error| Error::Python(format!("Python ended before {library}: {error}")))?;
        match self.process.answers.recv_timeout(self.cap) {
            Ok(answer) => parse(&answer)
                .ok_or_else(|| Error::Python(format!("{library} answered \"{answer}\""))),
            Err(RecvTimeoutError::Timeout) => {
                self.process = Process::start(self.environment, self.dimension)?;
                Err(Error::TooSlow { seconds: self.cap.as_secs_f64() })
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(Error::Python(format!("Python ended during {library}; its message is above")))
            }
        }
    }
}

impl Process {
    fn start(environment: &Environment, dimension: usize) -> Result<Self, Error> {
        let failed = |what: &str| Error::Python(format!("Python could not be started: {what}"));
        let mut child = Command::new(&environment.python)
            .arg(environment.program())
            .arg(environment.particles())
            .arg(dimension.to_string())
            .envs(ONE_THREAD.map(|name| (name, "1")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error.to_string()))?;
        let questions = child.stdin.take().expect("the input was asked for as a pipe");
        let answers = lines_of(child.stdout.take().expect("the output was asked for as a pipe"));
        let process = Process { child, questions, answers };
        match process.answers.recv_timeout(TIME_TO_START) {
            Ok(line) if line == "ready" => Ok(process),
            Ok(line) => Err(failed(&line)),
            Err(_) => Err(failed("it did not get ready; its message is above")),
        }
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

/// Reads `seconds pairs hash extra_bytes`; memory that was not measured is negative.
fn parse(answer: &str) -> Option<Run> {
    let fields: Vec<&str> = answer.split_whitespace().collect();
    let &[seconds, pairs, hash, extra] = &fields[..] else { return None };
    Some(Run {
        elapsed: Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?,
        found: Found { pairs: pairs.parse().ok()?, hash: hash.parse().ok()? },
        extra_bytes: usize::try_from(extra.parse::<i64>().ok()?).ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_four_numbers() {
        let run = parse("0.25 3 18446744073709551615 4096").unwrap();
        assert_eq!(run.elapsed, Duration::from_millis(250));
        assert_eq!(run.found, Found { pairs: 3, hash: u64::MAX });
        assert_eq!(run.extra_bytes, Some(4096));
        assert_eq!(parse("0.25 3 7 -1").unwrap().extra_bytes, None);
        assert!(parse("Traceback").is_none());
    }
}
