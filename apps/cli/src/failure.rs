//! How a command ends without success: the exit code and the sentence on standard error.

use crate::closed_output::standard_output_was_closed;
use carom::io::Error;
use carom::io::excerpt::escape_control_characters;
use carom::{detect, render, run, scene};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Why the program stops, by exit code.
#[derive(Debug)]
pub enum CommandFailure {
    /// The reader of our output has closed it: exit code 0.
    BrokenPipe,
    /// Something outside failed while running: exit code 1.
    Running(String),
    /// Bad input or usage: exit code 2.
    Input(String),
    /// Stopped by a signal or a limit, with a checkpoint written: exit code 3.
    Stopped(String),
}

impl CommandFailure {
    /// Bad input, in one sentence.
    pub fn input(sentence: impl Into<String>) -> Self {
        CommandFailure::Input(sentence.into())
    }

    /// The engine refused a scene of this name, or the scene could not be run.
    pub fn from_scene(name: &str, error: run::Error) -> Self {
        match error {
            error @ (run::Error::Simulation(_) | run::Error::InWall { .. }) => {
                CommandFailure::Input(format!("{name}: {error}"))
            }
            other => other.into(),
        }
    }

    /// A run failed on its way: writing failed, or bodies were lost.
    pub fn during_run(error: run::Error) -> Self {
        match error {
            run::Error::Simulation(error) => CommandFailure::Running(error.to_string()),
            run::Error::Io(error @ Error::CannotWrite { .. })
            | run::Error::Scene(scene::Error::Io(error @ Error::CannotWrite { .. }))
            | run::Error::Render(render::Error::Io(error @ Error::CannotWrite { .. })) => {
                CommandFailure::Running(error.to_string())
            }
            other => other.into(),
        }
    }

    /// A search refused input from `source`.
    pub fn search(source: &Path, error: &detect::Error) -> Self {
        match error {
            detect::Error::Setting { .. } => CommandFailure::Input(error.to_string()),
            _ => CommandFailure::Input(format!("{}: {error}", source.display())),
        }
    }
}

impl From<Error> for CommandFailure {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::BrokenPipe { .. } => CommandFailure::BrokenPipe,
            Error::CannotRead { .. } | Error::CannotWrite { .. } if !error.is_of_path() => {
                CommandFailure::Running(sentence)
            }
            _ => CommandFailure::Input(sentence),
        }
    }
}

impl From<scene::Error> for CommandFailure {
    fn from(error: scene::Error) -> Self {
        match error {
            scene::Error::Io(error) => error.into(),
            other => CommandFailure::Input(other.to_string()),
        }
    }
}

impl From<render::Error> for CommandFailure {
    fn from(error: render::Error) -> Self {
        match error {
            render::Error::Io(error) => error.into(),
            other => CommandFailure::Input(other.to_string()),
        }
    }
}

impl From<run::Error> for CommandFailure {
    fn from(error: run::Error) -> Self {
        let sentence = error.to_string();
        match error {
            run::Error::Scene(error) => error.into(),
            run::Error::Io(error) => error.into(),
            run::Error::Render(error) => error.into(),
            run::Error::Simulation(_)
            | run::Error::InWall { .. }
            | run::Error::Refused { .. }
            | run::Error::Folder { .. } => CommandFailure::Input(sentence),
            _ => CommandFailure::Running(sentence),
        }
    }
}

impl From<carom_view::Error> for CommandFailure {
    fn from(error: carom_view::Error) -> Self {
        match error {
            carom_view::Error::Io(error) => error.into(),
            error @ carom_view::Error::Thread { .. } => CommandFailure::Running(error.to_string()),
            other => CommandFailure::Input(other.to_string()),
        }
    }
}

/// Prints a line for people to standard error; errors are ignored.
pub fn print_stderr(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{}", without_escapes(&line.to_string()));
}

/// Writes to standard output through `write`, buffered.
pub fn to_stdout(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandFailure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_unless_closed(|| write(&mut out).and_then(|()| out.flush()))
}

/// Calls `write`, which writes to standard output by itself.
pub fn to_terminal(write: impl FnOnce() -> io::Result<()>) -> Result<(), CommandFailure> {
    write_unless_closed(|| write().and_then(|()| io::stdout().flush()))
}

/// Writes to standard output, unless it was closed from the start.
fn write_unless_closed(write: impl FnOnce() -> io::Result<()>) -> Result<(), CommandFailure> {
    if standard_output_was_closed() {
        return Err(CommandFailure::Running(
            "standard output cannot be written: it is closed".to_owned(),
        ));
    }
    write().map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => CommandFailure::BrokenPipe,
        _ => CommandFailure::Running(format!("standard output cannot be written: {error}")),
    })
}

/// Escapes all control characters but line ends: names and files of others must not control a terminal.
fn without_escapes(text: &str) -> String {
    text.split('\n').map(escape_control_characters).collect::<Vec<_>>().join("\n")
}

/// Prints `text` to standard output.
pub fn print(text: &str) -> Result<(), CommandFailure> {
    to_stdout(|out| out.write_all(without_escapes(text).as_bytes()))
}
