//! The errors of the 1989 method.

/// Why a data file of the thesis cannot be read, or its collision cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Koti1989Error {
    /// The data file cannot be read.
    #[error(transparent)]
    File(#[from] carom::io::Error),
    /// The collision without prescribed forces, beside that of the thesis, cannot be run.
    #[error(transparent)]
    Simulation(#[from] carom::simulate::Error),
    /// A field of a data file breaks a rule.
    #[error("{file}:{line}: {field} is \"{value}\"; {rule}")]
    Field {
        /// Name of the file.
        file: String,
        /// Line of the field, from one.
        line: usize,
        /// Field and the object it belongs to.
        field: String,
        /// Content of the field.
        value: String,
        /// Rule for the content.
        rule: &'static str,
    },
    /// A data file ends too early.
    #[error("{file}:{line}: the file ends before {field}; add it")]
    MissingField {
        /// Name of the file.
        file: String,
        /// Last line of the file, from one.
        line: usize,
        /// Field that is missing.
        field: String,
    },
    /// A property of an object breaks a rule.
    #[error("body {object} has {what} {value}; {rule}")]
    Object {
        /// Index of the object, from zero.
        object: usize,
        /// Name of the property.
        what: &'static str,
        /// Value of the property.
        value: String,
        /// Rule for the value.
        rule: &'static str,
    },
    /// A constant, or a field of the whole scene, breaks a rule.
    #[error("{what} is {value}; {rule}")]
    Setting {
        /// Name of the constant or field.
        what: &'static str,
        /// The value found.
        value: String,
        /// Rule for the value.
        rule: &'static str,
    },
}
