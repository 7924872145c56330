use thiserror::Error;

/// Why points have no hull with an inside. Points are numbered from zero.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HullError {
    /// A body with flat faces has at least four corners.
    #[error("a convex hull needs at least four points, but there are {count}; give more points")]
    TooFew {
        /// How many points there are.
        count: usize,
    },
    /// Numbers of points and faces have 32 bits.
    #[error("there are {count} points; a convex hull takes at most {most}", most = super::MAX_POINTS)]
    TooMany {
        /// How many points there are.
        count: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("point {point} has the coordinate {value}; every coordinate must be a finite number")]
    NotFinite {
        /// The number of the point.
        point: usize,
        /// The coordinate.
        value: f64,
    },
    /// A coordinate is outside the range in which volumes can be told.
    #[error(
        "point {point} has the coordinate {value:e}; coordinates must lie between -1e60 and 1e60"
    )]
    TooLarge {
        /// The number of the point.
        point: usize,
        /// The coordinate.
        value: f64,
    },
    /// All points are one.
    #[error(
        "all points lie within {extent:e} of one point, which is no more than rounding or less than 1e-60; \
         a hull needs points that are apart in three directions"
    )]
    Coincident {
        /// The largest edge of the box around the points.
        extent: f64,
    },
    /// All points lie on a line.
    #[error(
        "all points lie on one line to within {thickness:e}, which is no more than rounding; \
         a hull needs points that are apart in three directions"
    )]
    Collinear {
        /// The largest distance of a point from the line.
        thickness: f64,
    },
    /// All points lie in a plane.
    #[error(
        "all points lie in one plane to within {thickness:e}, which is no more than rounding; \
         a hull needs points that are apart in three directions"
    )]
    Coplanar {
        /// How far the points are apart across the plane.
        thickness: f64,
    },
}
