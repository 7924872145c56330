//! Errors as the exceptions of `carom.errors`.

use carom::{io, render};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::any::Any;

/// An exception class of the package, imported when it is first raised.
pub struct ExceptionClass {
    name: &'static str,
    class: PyOnceLock<Py<PyType>>,
}

/// Bad input.
pub static INPUT: ExceptionClass = ExceptionClass::named("Error");
/// A mistake in a scene.
pub static SCENE: ExceptionClass = ExceptionClass::named("SceneError");
/// A file that cannot be read or written, or that breaks a rule of its format.
pub static FILE: ExceptionClass = ExceptionClass::named("FileError");
/// Work that failed on its way.
pub static RUN: ExceptionClass = ExceptionClass::named("RunError");
/// A fault of carom's own.
pub static INTERNAL: ExceptionClass = ExceptionClass::named("InternalError");

impl ExceptionClass {
    const fn named(name: &'static str) -> Self {
        ExceptionClass { name, class: PyOnceLock::new() }
    }

    /// Returns the exception with this sentence.
    pub fn with(&self, py: Python<'_>, sentence: impl ToString) -> PyErr {
        match self.class.import(py, "carom.errors", self.name) {
            Ok(class) => PyErr::from_type(class.clone(), (sentence.to_string(),)),
            Err(error) => error,
        }
    }
}

/// Returns the exception for a file that is refused, or for what else keeps its content from being made.
pub fn file(py: Python<'_>, error: impl Into<render::Error>) -> PyErr {
    match error.into() {
        render::Error::Io(error) if !matches!(error, io::Error::Memory { .. }) => {
            FILE.with(py, error)
        }
        other => INPUT.with(py, other),
    }
}

/// Returns the exception for what a panic carried.
pub fn panic(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    INTERNAL.with(
        py,
        format!("this is a fault of carom, please report it: {}", text.unwrap_or("no message")),
    )
}
