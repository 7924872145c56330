//! Deserialization of tables into the written form of a scene, with the errors of serde in a user's words.

use super::former_names;
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::source::SceneSource;
use carom_io::excerpt;
use serde::de::DeserializeOwned;
use toml::de::{Deserializer, Error};

/// Returns the scene as written: every key is known and every value of the right type.
pub(super) fn read<T: DeserializeOwned>(source: &SceneSource) -> ValidationResult<T> {
    let tables = source.tables()?;
    T::deserialize(Deserializer::from(tables)).map_err(|error| translated(source, &error))
}

/// Translates the error; what serde says is only available as a sentence.
fn translated(source: &SceneSource, error: &Error) -> SceneValidationError {
    // The user's words may hold anything, so ours are searched behind the last comma.
    let (found, expected) =
        error.message().rsplit_once(", expected ").unwrap_or((error.message(), ""));
    let (kind, word) = found.split_once('`').unwrap_or((found, ""));
    let word = word.strip_suffix('`').unwrap_or(word);
    let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let span = error.span().unwrap_or_default();
    match kind.trim_end() {
        "unknown field" => SceneValidationError::at(&span, unknown_key(word, &names)),
        "unknown variant" => {
            SceneValidationError::Value { span, rule: one_of(word, &names).into() }
        }
        "missing field" => missing(source, word, error),
        _ => SceneValidationError::Value { span, rule: wrong_kind(found, expected).into() },
    }
}

fn wrong_kind(found: &str, expected: &str) -> String {
    match expected {
        "" if found.starts_with("wanted string") => "it must be a word in quotes".to_owned(),
        "" => excerpt::escape_control_characters(found),
        _ => format!("it must be {}", plain_words(expected)),
    }
}

fn unknown_key(key: &str, allowed: &[&str]) -> SceneProblem {
    SceneProblem::UnknownKey {
        key: excerpt::value(key.as_bytes()),
        nearest: nearest_name(key, allowed).map(str::to_owned),
        allowed: allowed.iter().map(|&name| name.to_owned()).collect(),
    }
}

/// Returns the name that was probably meant: the present name of a former one, or the most similar.
fn nearest_name<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let today = former_names::name_of_today(word, names);
    today.or_else(|| excerpt::nearest_name(word, names.iter().copied()))
}

/// Returns "did you mean z? it must be one of …" for a word that is none of `names`.
pub(super) fn one_of(word: &str, names: &[&str]) -> String {
    let guess =
        nearest_name(word, names).map(|name| format!("did you mean {name}? ")).unwrap_or_default();
    format!("{guess}it must be one of {}", names.join(", "))
}

fn missing(source: &SceneSource, key: &str, error: &Error) -> SceneValidationError {
    // The scene itself has an empty span.
    let span = error.span().filter(|span| !span.is_empty());
    let table = span.as_ref().and_then(|span| source.key(span));
    let table = table.unwrap_or_else(|| "the scene".to_owned());
    let problem = SceneProblem::Missing { table, key: key.to_owned(), remedy: "add it".into() };
    SceneValidationError::Problem { span, problem: Box::new(problem) }
}

/// Returns the type that serde names, in plain words.
fn plain_words(expected: &str) -> String {
    let words = match expected {
        "f64" => "a number",
        "u32" | "u64" | "usize" => "a whole number, zero or more",
        "a boolean" => "true or false",
        "a string" => "a text in quotes",
        "a sequence" => "a list, such as [1, 2] or several [[tables]]",
        "a map" => "a table",
        // Names of Rust types are for programmers.
        name if name.starts_with("enum ") => "a word in quotes",
        name if ["struct ", "newtype ", "unit ", "tuple "]
            .iter()
            .any(|it| name.starts_with(it)) =>
        {
            "a table"
        }
        other => return excerpt::escape_control_characters(other),
    };
    words.to_owned()
}
