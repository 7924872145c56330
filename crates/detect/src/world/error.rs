//! Why the world refuses a body or a query.

use crate::inside::ContainmentError;
use thiserror::Error;

/// Largest absolute value of a coordinate, radius or distance: products of four of them are finite.
pub(super) const LARGEST_LENGTH: f64 = 1e60;

/// Why a body or a query was refused; the message is one sentence.
///
/// ```
/// use carom_detect::world::{BodyShape, World, WorldError};
/// use carom_geometry::{Pose, Vector};
/// let error = BodyShape::sphere(-0.5).unwrap_err();
/// assert_eq!(error.to_string(), "the radius is -0.5; it must be between 0 and 1e60");
/// let error = World::new().nearest(&Vector::from([0.0, f64::NAN, 0.0])).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the point has the coordinate NaN; it must be between -1e60 and 1e60"
/// );
/// assert_eq!(World::new().remove(3), Err(WorldError::NoSuchBody { body: 3 }));
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum WorldError {
    /// A body was never inserted, or it has been removed.
    #[error("there is no body {body}; it was never inserted, or it was removed")]
    NoSuchBody {
        /// The number that was given.
        body: u32,
    },
    /// The distance of a body from itself was requested.
    #[error("the distance of body {body} from itself was requested; name two different bodies")]
    SameBody {
        /// The number that was given twice.
        body: u32,
    },
    /// There are more bodies than 32-bit indices can number.
    #[error("there are {} bodies already; no more can be numbered", u32::MAX)]
    TooMany,
    /// A length is not a number, negative or too large.
    #[error("the {what} is {value:?}; it must be between 0 and {}", if *is_bounded { "1e60" } else { "infinity" })]
    Length {
        /// `radius`, `distance` or `reach`.
        what: &'static str,
        /// The value found.
        value: f64,
        /// Whether it must be finite.
        is_bounded: bool,
    },
    /// A coordinate of a query is not finite or too large.
    #[error("the {what} has the coordinate {value:?}; it must be between -1e60 and 1e60")]
    Coordinate {
        /// `point`, `origin` or `box`.
        what: &'static str,
        /// The value found.
        value: f64,
    },
    /// The corners of a box are exchanged.
    #[error(
        "the box reaches from {low:?} to {high:?} along {axis}; the first must not be above the second"
    )]
    BoxExchanged {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Lower bound along that axis.
        low: f64,
        /// Upper bound along that axis.
        high: f64,
    },
    /// A ray has no direction.
    #[error("the direction of the ray is {direction:?}; it must be finite and not zero")]
    Direction {
        /// The direction found.
        direction: [f64; 3],
    },
    /// The position of a body is not finite or too large.
    #[error(
        "the position of body {body} has the coordinate {value:?}; it must be between -1e60 and 1e60"
    )]
    Position {
        /// The body.
        body: u32,
        /// The value found.
        value: f64,
    },
    /// The matrix of a pose is no rotation.
    #[error(
        "the rotation matrix of body {body} is not a rotation; its columns must be orthogonal unit vectors, and its determinant 1"
    )]
    NotARotation {
        /// The body.
        body: u32,
    },
    /// A polyhedron is flat.
    #[error("the polyhedron has no volume; a body must have one")]
    Flat,
    /// A vertex of a shape is too far from its origin.
    #[error("the shape has a vertex {distance:e} from its origin; it must be at most 1e60")]
    TooLarge {
        /// The distance found.
        distance: f64,
    },
    /// A mesh has no inside.
    #[error("the mesh has no inside, so it cannot be a body: {0}")]
    NoInside(#[from] ContainmentError),
}
