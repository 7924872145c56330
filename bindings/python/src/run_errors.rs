//! Errors of scenes and runs as exceptions.

use crate::errors;
use carom::{io, run, scene};
use pyo3::prelude::*;
use scene::scene::{ScenePlace, SceneProblem};

/// How messages name a scene.
#[derive(Clone)]
pub struct SceneName {
    pub name: String,
    /// Whether its lines are those of a file or text of the user.
    has_lines: bool,
}

impl SceneName {
    /// The name of a file, or of a text that the user has.
    pub fn of_file(name: &str) -> Self {
        SceneName { name: name.to_owned(), has_lines: true }
    }

    /// The name of a scene that a program has built of tables.
    pub fn of_tables(name: &str) -> Self {
        SceneName { name: name.to_owned(), has_lines: false }
    }
}

/// Where a mistake of a scene is.
#[derive(Default)]
struct Place {
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    key: Option<String>,
}

/// Returns the exception for a scene that is refused.
pub fn scene(py: Python<'_>, error: scene::Error, name: &SceneName) -> PyErr {
    match error {
        scene::Error::Io(error) => file(py, error),
        scene::Error::Scene { .. } | scene::Error::SceneProblems { .. } => {
            let (sentence, place) = located(&error, name);
            with_place(py, &sentence, place)
        }
        other => with_place(py, &format!("{}: {other}", name.name), Place::default()),
    }
}

/// The sentences of an error, and the place of the first.
fn located(error: &scene::Error, name: &SceneName) -> (String, Place) {
    match error {
        scene::Error::Scene { place, key, problem } => {
            let mut found =
                Place { key: key.clone(), file: Some(name.name.clone()), ..Place::default() };
            if let SceneProblem::Value { key, .. } = problem.as_ref() {
                found.key.get_or_insert(key.clone());
            }
            match place {
                ScenePlace::Line { .. } if name.has_lines => {
                    (found.line, found.column) = (place.line(), place.column());
                    (error.to_string(), found)
                }
                _ => (format!("{}: {problem}", name.name), found),
            }
        }
        scene::Error::SceneProblems { problems, more } => {
            let located: Vec<_> = problems.iter().map(|error| located(error, name)).collect();
            let mut sentences: Vec<String> = located.iter().map(|one| one.0.clone()).collect();
            sentences.extend((*more > 0).then(|| format!("and {more} more")));
            let place = located.into_iter().next().map(|one| one.1);
            (sentences.join("\n"), place.unwrap_or_default())
        }
        other => (other.to_string(), Place::default()),
    }
}

fn with_place(py: Python<'_>, sentence: &str, place: Place) -> PyErr {
    let error = errors::SCENE.with(py, sentence);
    let value = error.value(py);
    let set = || -> PyResult<()> {
        value.setattr("file", place.file)?;
        value.setattr("line", place.line)?;
        value.setattr("column", place.column)?;
        value.setattr("key", place.key)
    };
    match set() {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Returns the exception for a run that cannot start.
pub fn start(py: Python<'_>, error: run::Error, name: &SceneName) -> PyErr {
    match error {
        run::Error::Scene(error) => scene(py, error, name),
        run::Error::Simulation(_) | run::Error::InWall { .. } => {
            let place = Place { file: Some(name.name.clone()), ..Place::default() };
            with_place(py, &format!("{}: {error}", name.name), place)
        }
        run::Error::Refused { refusal, .. } => {
            let place = Place { file: Some(name.name.clone()), ..Place::default() };
            with_place(py, &format!("{}: {refusal}", name.name), place)
        }
        other => during(py, other),
    }
}

/// Returns the exception for a run that fails on its way.
pub fn during(py: Python<'_>, error: run::Error) -> PyErr {
    match error {
        run::Error::Scene(error) => scene(py, error, &SceneName::of_file("the scene")),
        run::Error::Io(error) => file(py, error),
        run::Error::Render(error) => errors::file(py, error),
        run::Error::Folder { .. } => errors::INPUT.with(py, with_arguments(&error.to_string())),
        run::Error::Simulation(carom::simulate::Error::Setting { .. }) => {
            errors::INPUT.with(py, with_arguments(&error.to_string()))
        }
        run::Error::Structure { .. } => errors::INTERNAL.with(py, error),
        other => errors::RUN.with(py, with_arguments(&other.to_string())),
    }
}

/// Returns the exception for a file, or for a disk that is full.
pub fn file(py: Python<'_>, error: io::Error) -> PyErr {
    let is_failure = matches!(error, io::Error::CannotRead { .. } | io::Error::CannotWrite { .. })
        && !error.is_of_path();
    match error {
        _ if is_failure => errors::RUN.with(py, error),
        io::Error::Memory { .. } => errors::INPUT.with(py, with_arguments(&error.to_string())),
        other => errors::FILE.with(py, with_arguments(&other.to_string())),
    }
}

/// Returns the exception for a change that a simulation refuses.
pub fn change(py: Python<'_>, error: carom::simulate::Error) -> PyErr {
    errors::INPUT.with(py, error)
}

/// Returns the exception for a sweep that cannot be made.
pub fn sweep(py: Python<'_>, error: carom::sweep::Error, name: &SceneName) -> PyErr {
    use carom::sweep::Error;
    match error {
        Error::Source(error) => scene(py, error, name),
        Error::Scene { .. } => {
            let place = Place { file: Some(name.name.clone()), ..Place::default() };
            with_place(py, &error.to_string(), place)
        }
        Error::Io(error) => file(py, error),
        Error::Run(error) => start(py, error, name),
        other => errors::INPUT.with(py, with_arguments(&other.to_string())),
    }
}

/// The sentence with the arguments of functions in place of the options of commands.
fn with_arguments(sentence: &str) -> String {
    let names = [
        ("such as --over seed=1..20", "such as {\"seed\": range(1, 21)}"),
        ("allow more by --memory", "allow more by carom.set_memory"),
        ("--resume --new-folder", "resume=True and new_folder"),
        ("without --resume", "without resume"),
        ("--resume", "resume=True"),
        ("--force-energy", "force_energy=True"),
        ("--force", "force=True"),
        ("by --out", "by out"),
        ("--out", "out"),
    ];
    names
        .iter()
        .fold(sentence.to_owned(), |text, (option, argument)| text.replace(option, argument))
}
