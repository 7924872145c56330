//! The options of a multipole preparation.

use super::solid_harmonics::HIGHEST_DEGREE;
use carom_geometry::Aabb;
use thiserror::Error;

/// The options of a [`Multipole`](super::Multipole) preparation.
///
/// ```
/// use carom_detect::inside::{FillRule, Multipole, MultipoleAccuracy, MultipoleOptions};
/// use carom_geometry::{Vector, mesh::octahedron_sphere};
/// let options = MultipoleOptions {
///     accuracy: MultipoleAccuracy::Error(0.01),
///     separation: 2.0,
///     ..MultipoleOptions::default()
/// };
/// let sphere = Multipole::new(&octahedron_sphere(4), FillRule::Winding, &options)?;
/// assert!(sphere.error_bound() < 0.010_001);
/// assert!((sphere.winding_number(&Vector::from([0.5, 0.0, 0.0])) - 1.0).abs() < 0.01);
/// # Ok::<(), carom_detect::inside::MultipoleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultipoleOptions {
    /// The accuracy of the winding numbers.
    pub accuracy: MultipoleAccuracy,
    /// The depth of the octrees.
    pub depth: OctreeDepth,
    /// The separation parameter `d` of equation 16: a cluster is in the far field of a box if their centers are
    /// farther apart than `d + 1` radii of the larger. More than 1, at most 4.
    pub separation: f64,
    /// The box that holds most query points; the box around the surface by default. Points elsewhere are answered as
    /// well, but slower.
    pub domain: Option<Aabb<3>>,
}

/// The accuracy of a [`Multipole`](super::Multipole).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MultipoleAccuracy {
    /// The largest error of a winding number. Actual errors are much smaller, see [`Multipole`](super::Multipole).
    Error(f64),
    /// The degree of the multipole expansions.
    Degree(usize),
}

/// The depth of the octrees of a [`Multipole`](super::Multipole).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OctreeDepth {
    /// Chosen by the number of triangles alone (the paper's "pre-chosen").
    Triangles,
    /// Chosen so that preparation and this many points together are fastest (the paper's "well chosen").
    TrianglesAndPoints(usize),
    /// This number of levels.
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

/// Options with which a [`Multipole`](super::Multipole) cannot be prepared.
///
/// ```
/// use carom_detect::inside::{FillRule, Multipole, MultipoleError, MultipoleOptions};
/// use carom_geometry::mesh::octahedron_sphere;
/// let options = MultipoleOptions { separation: 0.5, ..MultipoleOptions::default() };
/// let refused = Multipole::new(&octahedron_sphere(2), FillRule::Winding, &options);
/// assert_eq!(refused.err(), Some(MultipoleError::Separation(0.5)));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MultipoleError {
    /// The requested error is not a positive number.
    #[error("the wanted error is {0:?}; it must be greater than zero")]
    InvalidErrorTarget(f64),
    /// The error bound of the highest degree exceeds the requested error.
    #[error(
        "the wanted error is {wanted:?}, but with separation {separation:?} even the degree \
         {HIGHEST_DEGREE} has the bound {bound:?}; take a larger separation or DoubleLayer"
    )]
    UnreachableError {
        /// The requested error.
        wanted: f64,
        /// The requested separation.
        separation: f64,
        /// The bound of the highest degree.
        bound: f64,
    },
    /// The degree is out of range.
    #[error("the degree is {0}; it must be from 1 to {HIGHEST_DEGREE}")]
    Degree(usize),
    /// The separation is out of range: expansions would not converge, or there would be no far field.
    #[error("the separation is {0:?}; it must be more than 1 and at most 4")]
    Separation(f64),
    /// The domain is empty or not finite.
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
