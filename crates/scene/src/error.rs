//! The errors of scenes.

use crate::scene::{ScenePlace, SceneProblem};
use thiserror::Error;

/// Why a scene, a file of it or a setting was refused; the message is one sentence on one line, or several lines for a
/// scene with several mistakes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file is refused, or more memory is needed than is available.
    #[error(transparent)]
    Io(#[from] carom_io::Error),
    /// A scene breaks a rule.
    #[error("{place}: {problem}")]
    Scene {
        /// Line or setting.
        place: ScenePlace,
        /// Key with its tables, such as `bodies.0.radius`, if the problem is one of a key.
        key: Option<String>,
        /// Rule that is broken there.
        problem: Box<SceneProblem>,
    },
    /// A scene breaks several rules; the message has a line for each.
    #[error("{}", lines(problems, *more))]
    SceneProblems {
        /// First of the problems, in the order of their lines.
        problems: Vec<Error>,
        /// Number of the others.
        more: usize,
    },
    /// A setting of a generator breaks a rule.
    #[error("{what} is {value}; {rule}")]
    Setting {
        /// Name of the setting.
        what: &'static str,
        /// Value of the setting.
        value: String,
        /// Rule for the value.
        rule: &'static str,
    },
    /// Something in 2D was asked for in 3D, or the other way round.
    #[error("{what} has {is} dimensions, but {asked} were asked for")]
    Dimension {
        /// Case or lattice.
        what: &'static str,
        /// Dimension that it has.
        is: usize,
        /// Dimension that was asked for.
        asked: usize,
    },
    /// The points of a generated polyhedron have no convex hull.
    #[error(transparent)]
    Hull(#[from] carom_geometry::mesh::HullError),
}

/// Formats a line for each problem, and one that counts the rest.
fn lines(problems: &[Error], more: usize) -> String {
    let rest = (more > 0).then(|| format!("and {more} more"));
    problems.iter().map(Error::to_string).chain(rest).collect::<Vec<_>>().join("\n")
}
