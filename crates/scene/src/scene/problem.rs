//! The rules that a scene may break, and the places where it does.

use crate::Error;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use thiserror::Error as ThisError;

/// The place where a scene breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScenePlace {
    /// A line of the scene file.
    Line {
        /// The file as the user named it.
        file: String,
        /// Line number, from one.
        line: usize,
        /// Number of the letter in the line, from one.
        column: usize,
    },
    /// The file as a whole.
    File {
        /// The file as the user named it.
        file: String,
    },
    /// A setting given besides the file, such as `--set seed=3`.
    Setting {
        /// The setting, `key=value`.
        setting: String,
    },
}

impl ScenePlace {
    /// Returns the line of the scene file, if it is one.
    pub fn line(&self) -> Option<usize> {
        match self {
            ScenePlace::Line { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// Returns the number of the letter in the line of the scene file, from one, if it is one.
    pub fn column(&self) -> Option<usize> {
        match self {
            ScenePlace::Line { column, .. } => Some(*column),
            _ => None,
        }
    }

    /// Returns the scene file as the user named it; none for a setting.
    pub fn file(&self) -> Option<&str> {
        match self {
            ScenePlace::Line { file, .. } | ScenePlace::File { file } => Some(file),
            ScenePlace::Setting { .. } => None,
        }
    }
}

impl fmt::Display for ScenePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ScenePlace::Line { file, line, .. } => write!(formatter, "{file}:{line}"),
            ScenePlace::File { file } => formatter.write_str(file),
            ScenePlace::Setting { setting } => write!(formatter, "--set {setting}"),
        }
    }
}

/// The rule that a scene breaks; values from the file are shortened and escaped.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum SceneProblem {
    /// The file is not TOML.
    #[error("this is not valid TOML: {message}")]
    Syntax {
        /// Message of the TOML parser.
        message: String,
    },
    /// The file is not text.
    #[error("this does not look like text; a scene is TOML in UTF-8")]
    NotText,
    /// The file is too long to be a scene.
    #[error(
        "this is longer than 64 MB; put many bodies into a CSV file and name it under [[bodies]]"
    )]
    TooLong,
    /// A value breaks a rule.
    #[error("{key} is {value}; {rule}")]
    Value {
        /// Key with its tables, such as `bodies.0.radius`.
        key: String,
        /// Value as written.
        value: String,
        /// Rule for the value.
        rule: Cow<'static, str>,
    },
    /// A key is unknown.
    #[error("unknown key \"{key}\"; {}", suggestion(nearest, allowed))]
    UnknownKey {
        /// Unknown key.
        key: String,
        /// Key that was probably meant.
        nearest: Option<String>,
        /// Keys that are known there.
        allowed: Vec<String>,
    },
    /// A required key is missing.
    #[error("{table} has no \"{key}\"; {remedy}")]
    Missing {
        /// Table that lacks it.
        table: String,
        /// Missing key.
        key: String,
        /// What to write.
        remedy: Cow<'static, str>,
    },
    /// Two keys exclude each other.
    #[error("{table} has \"{first}\" and \"{second}\"; {remedy}")]
    Conflict {
        /// Table that has both.
        table: String,
        /// One key.
        first: &'static str,
        /// The other key.
        second: &'static str,
        /// Which of them to keep.
        remedy: &'static str,
    },
    /// A setting besides the file cannot be applied.
    #[error("{rule}")]
    Setting {
        /// Rule for the setting.
        rule: Cow<'static, str>,
    },
    /// The scene as a whole lacks something.
    #[error("{rule}")]
    Whole {
        /// What is missing and what to write.
        rule: &'static str,
    },
    /// A body has a radius or a mass that cannot be used.
    #[error("body {body}{} has {what} {value:?}; {rule}", from(particle))]
    Size {
        /// Index of the body, from zero.
        body: usize,
        /// Radius or mass.
        what: &'static str,
        /// The value found.
        value: f64,
        /// Rule for the value.
        rule: &'static str,
        /// Line of the particle file that it comes from, if any.
        particle: Option<ParticleFileLine>,
    },
    /// Two bodies overlap at the start.
    #[error(
        "bodies {first}{} and {second}{} overlap by {overlap:?} at the start{}; {most}: move them \
         apart or make them smaller",
        from(&particles[0]),
        from(&particles[1]),
        others(*pairs)
    )]
    Overlap {
        /// Index of the first body, from zero.
        first: u32,
        /// Index of the second body.
        second: u32,
        /// Lines of the particle files that they come from, if any.
        particles: [Option<ParticleFileLine>; 2],
        /// Penetration depth.
        overlap: f64,
        /// Number of pairs that overlap.
        pairs: usize,
        /// Allowed overlap, in words.
        most: &'static str,
    },
    /// A body is not in the box.
    #[error("body {body}{} has {axis} {position:?}; {rule} {low:?} and {high:?}", from(particle))]
    Outside {
        /// Index of the body, from zero.
        body: usize,
        /// Line of the particle file that it comes from, if any.
        particle: Option<ParticleFileLine>,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Coordinate on that axis.
        position: f64,
        /// Between which bounds it must be, and why.
        rule: &'static str,
        /// Lowest coordinate allowed.
        low: f64,
        /// First coordinate that is too high.
        high: f64,
    },
    /// The box is so short that a body may collide with two images of another at once.
    #[error(
        "the box is {period:?} long on the periodic axis {axis}, but the largest diameter {} is \
         {diameter:?}; a period must exceed twice that: enlarge the box or take smaller bodies",
        if *grown { "after growth" } else { "of a body" }
    )]
    ShortPeriod {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Period: length of the box along that axis.
        period: f64,
        /// Largest diameter.
        diameter: f64,
        /// Whether that is the diameter at the end of growth.
        grown: bool,
    },
    /// Bodies cannot be placed without overlap.
    #[error("{placed} of {count} bodies found a place without overlap in {region}; {remedy}")]
    DoesNotFit {
        /// Number of bodies that were placed.
        placed: usize,
        /// Requested number of bodies.
        count: usize,
        /// Region, in words.
        region: String,
        /// What to change.
        remedy: &'static str,
    },
    /// A particle file is of the other dimension.
    #[error("{file} has {is} dimensions, but the scene has {asked}")]
    FileDimension {
        /// Particle file.
        file: String,
        /// Dimension of the file.
        is: usize,
        /// Dimension of the scene.
        asked: usize,
    },
}

/// A particle of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParticleFileLine {
    /// The file as the user named it.
    pub file: String,
    /// Line number of the particle, from one.
    pub line: usize,
}

fn from(particle: &Option<ParticleFileLine>) -> String {
    let name = |it: &ParticleFileLine| format!(", line {} of {},", it.line, it.file);
    particle.as_ref().map(name).unwrap_or_default()
}

fn suggestion(nearest: &Option<String>, allowed: &[String]) -> String {
    match nearest {
        Some(name) => format!("did you mean {name}?"),
        None => format!("possible here: {}", allowed.join(", ")),
    }
}

fn others(pairs: usize) -> String {
    match pairs {
        0 | 1 => String::new(),
        2 => " (and one more pair)".to_owned(),
        _ => format!(" (and {} more pairs)", pairs - 1),
    }
}

/// A broken rule before its place is known in lines and keys.
#[derive(Debug)]
pub(super) enum SceneValidationError {
    /// The value written there breaks a rule.
    Value { span: Range<usize>, rule: Cow<'static, str> },
    /// Any other problem, with its place if it has one.
    Problem { span: Option<Range<usize>>, problem: Box<SceneProblem> },
    /// A failure that names its own place, such as that of a particle file, and the key that led there.
    Elsewhere { span: Option<Range<usize>>, error: Box<Error> },
}

/// Result of a check.
pub(super) type ValidationResult<T> = Result<T, SceneValidationError>;

impl SceneValidationError {
    pub(super) fn at(span: &Range<usize>, problem: SceneProblem) -> Self {
        SceneValidationError::Problem { span: Some(span.clone()), problem: Box::new(problem) }
    }

    pub(super) fn whole(rule: &'static str) -> Self {
        SceneValidationError::Problem {
            span: None,
            problem: Box::new(SceneProblem::Whole { rule }),
        }
    }
}

impl SceneValidationError {
    /// Returns its place in the text, if it has one.
    pub(super) fn span(&self) -> Option<&Range<usize>> {
        match self {
            SceneValidationError::Value { span, .. } => Some(span),
            SceneValidationError::Problem { span, .. }
            | SceneValidationError::Elsewhere { span, .. } => span.as_ref(),
        }
    }
}

impl From<Error> for SceneValidationError {
    fn from(error: Error) -> Self {
        SceneValidationError::Elsewhere { span: None, error: Box::new(error) }
    }
}

impl From<carom_io::Error> for SceneValidationError {
    fn from(error: carom_io::Error) -> Self {
        Error::from(error).into()
    }
}
