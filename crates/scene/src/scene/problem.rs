//! What can be wrong with a scene, and where.

use crate::Error;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use thiserror::Error as ThisError;

/// Where a scene breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScenePlace {
    /// A line of the scene file.
    Line {
        /// The file as the user named it.
        file: String,
        /// The line, from one.
        line: usize,
    },
    /// The file as a whole.
    File {
        /// The file as the user named it.
        file: String,
    },
    /// A setting given beside the file, such as `--set seed=3`.
    Setting {
        /// The setting, `key=value`.
        setting: String,
    },
}

impl ScenePlace {
    /// The line of the scene file, if it is one.
    pub fn line(&self) -> Option<usize> {
        match self {
            ScenePlace::Line { line, .. } => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for ScenePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ScenePlace::Line { file, line } => write!(formatter, "{file}:{line}"),
            ScenePlace::File { file } => formatter.write_str(file),
            ScenePlace::Setting { setting } => write!(formatter, "--set {setting}"),
        }
    }
}

/// Which rule a scene breaks; values from the file are shortened and escaped.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum SceneProblem {
    /// The file is no TOML.
    #[error("this is not valid TOML: {message}")]
    Syntax {
        /// What the reader of TOML says.
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
        /// The key with its tables, such as `bodies.0.radius`.
        key: String,
        /// The value as it is written.
        value: String,
        /// What it must be.
        rule: Cow<'static, str>,
    },
    /// A key that means nothing.
    #[error("unknown key \"{key}\"; {}", suggestion(nearest, allowed))]
    UnknownKey {
        /// The key found.
        key: String,
        /// The key that was probably meant.
        nearest: Option<String>,
        /// The keys that have a meaning there.
        allowed: Vec<String>,
    },
    /// A key that is needed is not there.
    #[error("{table} has no \"{key}\"; {remedy}")]
    Missing {
        /// The table that lacks it.
        table: String,
        /// The key.
        key: String,
        /// What to write.
        remedy: Cow<'static, str>,
    },
    /// Two keys exclude each other.
    #[error("{table} has \"{first}\" and \"{second}\"; {remedy}")]
    Conflict {
        /// The table that has both.
        table: String,
        /// One key.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// Which to keep.
        remedy: &'static str,
    },
    /// A setting beside the file cannot be applied.
    #[error("{rule}")]
    Setting {
        /// What it must be.
        rule: Cow<'static, str>,
    },
    /// The scene as a whole lacks something.
    #[error("{rule}")]
    Whole {
        /// What is missing and what to write.
        rule: &'static str,
    },
    /// A body has a size that cannot be used.
    #[error("body {body}{} has {what} {value:?}; {rule}", from(particle))]
    Size {
        /// The body, from zero.
        body: usize,
        /// Radius or mass.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it must be.
        rule: &'static str,
        /// Where it comes from, if from a file.
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
        /// The first body, from zero.
        first: u32,
        /// The second body.
        second: u32,
        /// Where they come from, if from files.
        particles: [Option<ParticleFileLine>; 2],
        /// How deep.
        overlap: f64,
        /// How many pairs overlap.
        pairs: usize,
        /// How much they may.
        most: &'static str,
    },
    /// A body is not in the box.
    #[error("body {body}{} has {axis} {position:?}; {rule} {low:?} and {high:?}", from(particle))]
    Outside {
        /// The body, from zero.
        body: usize,
        /// Where it comes from, if from a file.
        particle: Option<ParticleFileLine>,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Its coordinate on that axis.
        position: f64,
        /// Between which bounds it must be, and why.
        rule: &'static str,
        /// The lowest coordinate allowed.
        low: f64,
        /// The first coordinate that is too high.
        high: f64,
    },
    /// A body may meet two images of another at once.
    #[error(
        "the box is {period:?} long on the periodic axis {axis}, but the largest diameter {} is \
         {diameter:?}; a period must exceed twice that: enlarge the box or take smaller bodies",
        if *grown { "after growth" } else { "of a body" }
    )]
    ShortPeriod {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Length of the box along it.
        period: f64,
        /// The largest diameter.
        diameter: f64,
        /// Whether that is the diameter at the end of growth.
        grown: bool,
    },
    /// Bodies cannot be placed without overlap.
    #[error("{placed} of {count} bodies found a place without overlap in {region}; {remedy}")]
    DoesNotFit {
        /// How many could be placed.
        placed: usize,
        /// How many were asked for.
        count: usize,
        /// Where, in words.
        region: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A particle file is of the other dimension.
    #[error("{file} has {is} dimensions, but the scene has {asked}")]
    FileDimension {
        /// The particle file.
        file: String,
        /// Its dimension.
        is: usize,
        /// That of the scene.
        asked: usize,
    },
}

/// A particle of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParticleFileLine {
    /// The file as the user named it.
    pub file: String,
    /// Its line there, from one.
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
    /// Anything else, with its place if it has one.
    Problem { span: Option<Range<usize>>, problem: Box<SceneProblem> },
    /// A failure that names its own place, such as that of a particle file, and the key that led there.
    Elsewhere { span: Option<Range<usize>>, error: Box<Error> },
}

/// What a check gives.
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
    /// Where it stands in the text, if it stands anywhere.
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
