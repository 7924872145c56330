//! The errors of contact searches and triangulations, and the numbers that they accept.

use thiserror::Error;

/// Largest absolute value a coordinate or radius may have, so that no square or volume overflows.
pub const LARGEST_NUMBER: f64 = 1e100;

/// Largest absolute value a coordinate or radius may have in a triangulation, whose predicates take the
/// signs of products of five of them.
pub const LARGEST_COORDINATE: f64 = 1e60;

/// Largest ratio of two periods of a box that is triangulated: beyond it, exact signs take thousands of
/// bits, and the triangulation says nothing about neighbors.
pub const LARGEST_RATIO: f64 = 1e9;

/// Why a search was refused; always a mistake in its input.
///
/// ```
/// use carom_detect::{BroadPhaseMethod, ContactSearch, Error};
/// use carom_geometry::{Boundary, Sphere};
/// let discs = [Sphere::new([0.0, 0.0], 1.0), Sphere::new([3.0, 0.0], -0.5)];
/// let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
/// let error = search.find(&discs, &Boundary::open()).unwrap_err();
/// assert_eq!(error, Error::NegativeRadius { index: 1, radius: -0.5 });
/// assert_eq!(error.to_string(), "sphere 1 has radius -0.5; a radius must not be negative");
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A coordinate or radius is not finite or is larger than [`LARGEST_NUMBER`].
    #[error(
        "sphere {index} has {what} {value:?}; it must be finite and between -{LARGEST_NUMBER:e} and {LARGEST_NUMBER:e}"
    )]
    NotUsable {
        /// Position of the sphere in the input.
        index: usize,
        /// `x`, `y`, `z` or `radius`.
        what: &'static str,
        /// The value found.
        value: f64,
    },
    /// A coordinate or radius is so large that the predicates of a triangulation would overflow.
    #[error(
        "sphere {index} has {what} {value:?}; to be triangulated it must be between -{LARGEST_COORDINATE:e} and {LARGEST_COORDINATE:e}"
    )]
    TooLargeForPowers {
        /// Position of the sphere in the input.
        index: usize,
        /// `x`, `y`, `z` or `radius`.
        what: &'static str,
        /// The value found.
        value: f64,
    },
    /// A broad phase of a program's own listed a candidate pair that does not exist.
    #[error(
        "the candidate pair of spheres {first} and {second} is not valid; it must name two different ones of {count} spheres"
    )]
    WrongCandidate {
        /// Index of one sphere.
        first: u32,
        /// Index of the other.
        second: u32,
        /// Number of spheres.
        count: usize,
    },
    /// A radius is negative.
    #[error("sphere {index} has radius {radius:?}; a radius must not be negative")]
    NegativeRadius {
        /// Position of the sphere in the input.
        index: usize,
        /// The value found.
        radius: f64,
    },
    /// A sphere is so large that two periodic images of one pair could touch at once.
    #[error(
        "sphere {index} has diameter {diameter:?}, more than half the period {period:?} of axis {axis}; \
         enlarge the box or make that axis open"
    )]
    LargerThanHalfTheBox {
        /// Position of the sphere in the input.
        index: usize,
        /// Diameter of the sphere.
        diameter: f64,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Length of the box along that axis.
        period: f64,
    },
    /// A coordinate is so large that rounding leaves no digits for its position within a period.
    #[error(
        "sphere {index} has {axis} {value:?}, more than 1e12 periods of {period:?} away from the box; \
         wrap it into the box first"
    )]
    TooFarFromTheBox {
        /// Position of the sphere in the input.
        index: usize,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// The coordinate found.
        value: f64,
        /// Length of the box along that axis.
        period: f64,
    },
    /// The ratio of two periods is larger than a triangulation accepts.
    #[error(
        "the box is {period:?} long on the periodic axis {axis}, more than {LARGEST_RATIO:e} times its \
         shortest period {shortest:?}; to be triangulated it must be shorter, or open on that axis"
    )]
    PeriodTooLong {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Length of the box along that axis.
        period: f64,
        /// Shortest period of the box.
        shortest: f64,
    },
    /// There are more spheres than 32-bit indices can number.
    #[error("{count} spheres; at most {} can be searched at once", u32::MAX)]
    TooMany {
        /// Number of spheres given.
        count: usize,
    },
    /// There are more spheres, images included, than facets of simplices can be numbered for in 32 bits.
    #[error("{count} spheres; at most {most} can be triangulated")]
    TooManyToTriangulate {
        /// Number of spheres, images included.
        count: usize,
        /// Largest number that is accepted.
        most: usize,
    },
    /// A bounding box is not finite, too large, or has its corners exchanged.
    #[error(
        "box {index} reaches from {low:?} to {high:?} along {axis}; both must be between \
         -{LARGEST_NUMBER:e} and {LARGEST_NUMBER:e}, the first not above the second"
    )]
    BoxNotUsable {
        /// Number of the bounding box.
        index: usize,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Lower bound along that axis.
        low: f64,
        /// Upper bound along that axis.
        high: f64,
    },
    /// A bounding box is so wide that it nearly meets its own periodic images.
    #[error(
        "box {index} is {width:?} wide along {axis}, more than 0.6 of the period {period:?}; \
         enlarge the period or make that axis open"
    )]
    BoxTooWide {
        /// Number of the bounding box.
        index: usize,
        /// Width of the box along that axis.
        width: f64,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Period of that axis.
        period: f64,
    },
    /// There are more bounding boxes than can be numbered, together with their images, in 32 bits.
    #[error("{count} boxes, periodic images included; at most {most} can be sorted")]
    TooManyBoxes {
        /// Number of boxes there would be.
        count: usize,
        /// Largest number that is accepted.
        most: usize,
    },
    /// A bounding box was never inserted, or has been removed.
    #[error("box {body} does not exist; it was never inserted, or it was removed")]
    NoSuchBox {
        /// The number that was given.
        body: u32,
    },
    /// A setting of a method is out of range.
    #[error("{what} is {value:?}; {rule}")]
    Setting {
        /// The setting's name.
        what: &'static str,
        /// The value found.
        value: f64,
        /// What is allowed.
        rule: &'static str,
    },
}

/// Names of the axes, for messages.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];
