//! What can be chosen when a surface is prepared.

use super::solid_harmonics::HIGHEST_DEGREE;
use carom_geometry::Aabb;
use thiserror::Error;

/// How a [`Multipole`](super::Multipole) is prepared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultipoleOptions {
    /// How good the values are.
    pub accuracy: MultipoleAccuracy,
    /// How finely space is divided.
    pub depth: OctreeDepth,
    /// The parameter `d` of equation 16: a cluster is far from a place if their middles are farther
    /// apart than `d + 1` radii of the larger. More than 1, at most 4.
    pub separation: f64,
    /// Where most points are asked for; the box around the surface if none is given. Points elsewhere
    /// are answered as well, but slower.
    pub domain: Option<Aabb<3>>,
}

/// How good the values of a [`Multipole`](super::Multipole) are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MultipoleAccuracy {
    /// No value is farther from the truth than this. Real errors are much smaller, see
    /// [`Multipole`](super::Multipole).
    Error(f64),
    /// Expansions have this degree.
    Degree(usize),
}

/// How finely a [`Multipole`](super::Multipole) divides space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OctreeDepth {
    /// From the number of triangles alone (the paper's "pre-chosen").
    Triangles,
    /// So that preparing and asking for so many points is quickest (the paper's "well chosen").
    TrianglesAndPoints(usize),
    /// So many divisions in halves.
    Levels(usize),
}

impl Default for MultipoleOptions {
    fn default() -> Self {
        MultipoleOptions {
            accuracy: MultipoleAccuracy::Error(0.3),
            depth: OctreeDepth::Triangles,
            separation: 1.5,
            domain: None,
        }
    }
}

/// Why a [`Multipole`](super::Multipole) cannot be prepared.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MultipoleError {
    /// Not a size of an error.
    #[error("the wanted error is {0:?}; it must be greater than zero")]
    InvalidErrorTarget(f64),
    /// Not even the highest degree is good enough.
    #[error(
        "the wanted error is {wanted:?}, but with separation {separation:?} even the degree \
         {HIGHEST_DEGREE} has the bound {bound:?}; take a larger separation or DoubleLayer"
    )]
    UnreachableError {
        /// The error that was asked for.
        wanted: f64,
        /// The separation that was asked for.
        separation: f64,
        /// What is reached.
        bound: f64,
    },
    /// No such expansion.
    #[error("the degree is {0}; it must be from 1 to {HIGHEST_DEGREE}")]
    Degree(usize),
    /// Expansions would not converge, or nothing would be far.
    #[error("the separation is {0:?}; it must be more than 1 and at most 4")]
    Separation(f64),
    /// A box that holds nothing.
    #[error("the domain is not a box: {} must be finite and its low corner below its high one", coordinates(.0))]
    Domain(Aabb<3>),
}

fn coordinates(domain: &Aabb<3>) -> String {
    format!("{:?} to {:?}", domain.low.as_slice(), domain.high.as_slice())
}

impl MultipoleOptions {
    pub(super) fn check(&self) -> Result<(), MultipoleError> {
        match self.accuracy {
            MultipoleAccuracy::Error(error) if error.is_nan() || error <= 0.0 => {
                return Err(MultipoleError::InvalidErrorTarget(error));
            }
            MultipoleAccuracy::Degree(degree) if !(1..=HIGHEST_DEGREE).contains(&degree) => {
                return Err(MultipoleError::Degree(degree));
            }
            _ => {}
        }
        if !(self.separation > 1.0 && self.separation <= 4.0) {
            return Err(MultipoleError::Separation(self.separation));
        }
        let is_box = |domain: &Aabb<3>| {
            let limit = 1e100;
            (0..3).all(|axis| {
                let (low, high) = (domain.low[axis], domain.high[axis]);
                low.abs() <= limit && high.abs() <= limit && low < high
            })
        };
        match self.domain {
            Some(domain) if !is_box(&domain) => Err(MultipoleError::Domain(domain)),
            _ => Ok(()),
        }
    }
}
