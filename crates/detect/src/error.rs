use thiserror::Error;

/// Largest absolute value a coordinate or radius may have, so that no square or volume overflows.
pub const LARGEST_NUMBER: f64 = 1e100;

/// Largest absolute value a coordinate or radius may have in a triangulation, where products of five
/// of them decide.
pub const LARGEST_COORDINATE: f64 = 1e60;

/// Largest ratio of two periods of a box that is triangulated: beyond, exact signs take thousands of bits
/// and say nothing of neighbors.
pub const LARGEST_RATIO: f64 = 1e9;

/// Why a search was refused; always a mistake in its input.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A coordinate or radius is not a number of usable size.
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
    /// A number so large that products of five overflow.
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
    /// A radius below zero.
    #[error("sphere {index} has radius {radius:?}; a radius must not be negative")]
    NegativeRadius {
        /// Position of the sphere in the input.
        index: usize,
        /// The value found.
        radius: f64,
    },
    /// With such a sphere two images of one pair could touch at once.
    #[error(
        "sphere {index} has diameter {diameter:?}, more than half the period {period:?} of axis {axis}; \
         enlarge the box or make that axis open"
    )]
    LargerThanHalfTheBox {
        /// Position of the sphere in the input.
        index: usize,
        /// Twice its radius.
        diameter: f64,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Length of the box along that axis.
        period: f64,
    },
    /// So far away, a coordinate has no digits left for its place within a period.
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
    /// A box so long along one periodic axis that nothing in it is near along the others.
    #[error(
        "the box is {period:?} long on the periodic axis {axis}, more than {LARGEST_RATIO:e} times its \
         shortest period {shortest:?}; to be triangulated it must be shorter, or open on that axis"
    )]
    PeriodTooLong {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Length of the box along that axis.
        period: f64,
        /// The shortest length of the box along a periodic axis.
        shortest: f64,
    },
    /// Indices are 32 bits wide.
    #[error("{count} spheres; at most {} can be searched at once", u32::MAX)]
    TooMany {
        /// How many were given.
        count: usize,
    },
    /// Facets of simplices are numbered with 32 bits.
    #[error("{count} spheres; at most {most} can be triangulated")]
    TooManyToTriangulate {
        /// How many were given.
        count: usize,
        /// How many would have been accepted.
        most: usize,
    },
    /// A box whose corners cannot be used.
    #[error(
        "box {index} reaches from {low:?} to {high:?} along {axis}; both must be between \
         -{LARGEST_NUMBER:e} and {LARGEST_NUMBER:e}, the first not above the second"
    )]
    BoxNotUsable {
        /// Its number.
        index: usize,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Its low end.
        low: f64,
        /// Its high end.
        high: f64,
    },
    /// A box that nearly meets its own images.
    #[error(
        "box {index} is {width:?} wide along {axis}, more than 0.6 of the period {period:?}; \
         enlarge the period or make that axis open"
    )]
    BoxTooWide {
        /// Its number.
        index: usize,
        /// Its width.
        width: f64,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Length of the box along that axis.
        period: f64,
    },
    /// Boxes are numbered together with their images in 32 bits.
    #[error("{count} boxes; at most {most} can be kept sorted")]
    TooManyBoxes {
        /// How many there would be.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A body that was never inserted, or was removed.
    #[error("there is no box {body}; it was never inserted, or it was removed")]
    NoSuchBox {
        /// The number that was given.
        body: u32,
    },
    /// A setting of a method makes no sense.
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
