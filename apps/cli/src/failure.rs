use carom::{detect, run, scene};
use std::io::{ErrorKind, Write};

/// Why the program stops, by exit code.
#[derive(Debug)]
pub enum Failure {
    /// The reader of our output has seen enough: exit code 0.
    BrokenPipe,
    /// Something outside failed while running: exit code 1.
    Running(String),
    /// Bad input or usage: exit code 2.
    Input(String),
    /// Stopped by a signal or a limit, with a checkpoint written: exit code 3.
    Stopped(String),
}

impl Failure {
    /// Bad input, in one sentence.
    pub fn input(sentence: impl Into<String>) -> Self {
        Failure::Input(sentence.into())
    }

    /// The engine refused a scene of this name, or the scene could not be run.
    pub fn of_scene(name: &str, error: run::Error) -> Self {
        match error {
            error @ (run::Error::Simulation(_) | run::Error::InWall { .. }) => {
                Failure::Input(format!("{name}: {error}"))
            }
            other => other.into(),
        }
    }

    /// A run failed on its way: what could be written at its start no longer can, or bodies got lost.
    pub fn on_the_way(error: run::Error) -> Self {
        match error {
            run::Error::Simulation(error) => Failure::Running(error.to_string()),
            run::Error::Scene(error @ scene::Error::CannotWrite { .. }) => {
                Failure::Running(error.to_string())
            }
            other => other.into(),
        }
    }

    /// A search refused what came from `source`.
    pub fn search(source: &str, error: &detect::Error) -> Self {
        match error {
            detect::Error::Setting { .. } => Failure::Input(error.to_string()),
            _ => Failure::Input(format!("{source}: {error}")),
        }
    }
}

impl From<scene::Error> for Failure {
    fn from(error: scene::Error) -> Self {
        let sentence = error.to_string();
        match error {
            scene::Error::BrokenPipe { .. } => Failure::BrokenPipe,
            scene::Error::CannotRead { source, .. } | scene::Error::CannotWrite { source, .. }
                if !is_a_matter_of_names(source.kind()) =>
            {
                Failure::Running(sentence)
            }
            _ => Failure::Input(sentence),
        }
    }
}

impl From<run::Error> for Failure {
    fn from(error: run::Error) -> Self {
        let sentence = error.to_string();
        match error {
            run::Error::Scene(error) => error.into(),
            run::Error::Simulation(_) | run::Error::InWall { .. } | run::Error::Folder { .. } => {
                Failure::Input(sentence)
            }
            _ => Failure::Running(sentence),
        }
    }
}

impl From<carom_view::Error> for Failure {
    fn from(error: carom_view::Error) -> Self {
        match error {
            carom_view::Error::Scene(error) => error.into(),
            error @ carom_view::Error::Thread { .. } => Failure::Running(error.to_string()),
            other => Failure::Input(other.to_string()),
        }
    }
}

/// Whether another path or other rights would mend it, rather than another machine.
fn is_a_matter_of_names(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
    )
}

/// Tells a line to people, on standard error. Where nobody can hear it, it is lost.
pub fn say(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Writes to standard output through `write`, buffered.
pub fn to_stdout(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::Running(format!("standard output cannot be written: {error}")),
    })
}

/// Prints `text` to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    to_stdout(|out| out.write_all(text.as_bytes()))
}
