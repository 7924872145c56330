//! Arguments that are one of several names.

use crate::errors;
use carom::io::excerpt::nearest_name;
use pyo3::prelude::*;

/// Returns the sentence for a name that is none of `names`, for errors of the Python part of the package.
#[pyfunction]
#[pyo3(name = "_unknown_name")]
pub fn unknown_name(py: Python<'_>, argument: &str, text: &str, names: Vec<String>) -> String {
    unknown(py, argument, text, names.iter().map(String::as_str)).value(py).to_string()
}

/// Returns the error for a name that is none of `names`, with the nearest right one.
pub fn unknown<'a>(
    py: Python<'_>,
    argument: &str,
    text: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> PyErr {
    let guess = nearest_name(text, names.clone());
    let guess = guess.map(|name| format!("did you mean {name:?}? ")).unwrap_or_default();
    let names: Vec<String> = names.into_iter().map(|name| format!("{name:?}")).collect();
    errors::INPUT
        .with(py, format!("{argument} is {text:?}; {guess}it must be one of {}", names.join(", ")))
}
