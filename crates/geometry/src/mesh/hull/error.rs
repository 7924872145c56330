//! The errors of convex hulls.

use thiserror::Error;

/// Why points have no convex hull with a volume. Points are numbered from zero.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HullError {
    /// There are fewer than four points.
    #[error("a convex hull needs at least four points, but there are {count}; give more points")]
    TooFew {
        /// Number of points.
        count: usize,
    },
    /// There are more points than can be numbered with their half edges in 32 bits.
    #[error("there are {count} points; a convex hull takes at most {most}", most = super::MAX_POINTS)]
    TooMany {
        /// Number of points.
        count: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("point {point} has the coordinate {value}; every coordinate must be a finite number")]
    NotFinite {
        /// Index of the point.
        point: usize,
        /// The coordinate found.
        value: f64,
    },
    /// A coordinate is outside the range in which volumes can be computed.
    #[error(
        "point {point} has the coordinate {value:e}; coordinates must lie between -1e60 and 1e60"
    )]
    TooLarge {
        /// Index of the point.
        point: usize,
        /// The coordinate found.
        value: f64,
    },
    /// All points coincide to within rounding.
    #[error(
        "all points lie within {extent:e} of one point, which is no more than rounding or less than 1e-60; \
         a hull needs points that are apart in three directions"
    )]
    Coincident {
        /// Longest edge of the bounding box of the points.
        extent: f64,
    },
    /// All points lie on a line to within rounding.
    #[error(
        "all points lie on one line to within {thickness:e}, which is no more than rounding; \
         a hull needs points that are apart in three directions"
    )]
    Collinear {
        /// Largest distance of a point from the line.
        thickness: f64,
    },
    /// All points lie in a plane to within rounding.
    #[error(
        "all points lie in one plane to within {thickness:e}, which is no more than rounding; \
         a hull needs points that are apart in three directions"
    )]
    Coplanar {
        /// Extent of the points perpendicular to the plane.
        thickness: f64,
    },
}
