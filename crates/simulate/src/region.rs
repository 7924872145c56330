//! The box: its size and boundary conditions.

use crate::{Error, Wall};
use carom_geometry::{Boundary, Vector};

/// The region `[0, size)` with boundary conditions on every axis.
///
/// ```
/// use carom_simulate::Region;
/// let region = Region::periodic([10.0, 20.0]);
/// assert_eq!((region.volume(), region.boundary()?.period(1)), (200.0, Some(20.0)));
/// let walled = Region::walled([10.0, 20.0]);
/// assert!(!walled.is_periodic(0) && !walled.boundary()?.is_periodic());
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(remote = "Self", rename_all = "snake_case", deny_unknown_fields)
)]
pub struct Region<const D: usize> {
    /// Edge lengths, all greater than zero.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
    pub size: Vector<D>,
    /// Boundary condition at both sides, per axis.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::of_axes"))]
    pub boundary_conditions: [BoundaryCondition; D],
}

/// The boundary condition of an axis.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
/// use carom_simulate::{BoundaryCondition, Region};
/// // Periodic along x, walls that take half of the speed along y.
/// let wall = BoundaryCondition::Wall { restitution: Some(0.5) };
/// let boundary_conditions = [BoundaryCondition::Periodic, wall];
/// let region = Region { size: [10.0, 10.0].into(), boundary_conditions };
/// let bodies = [BodyStart::new([5.0, 2.0], [3.0, -1.0], 1.0)];
/// let mut simulation = Simulation::new(&bodies, Settings::new(region))?;
/// simulation.advance(2.0, u64::MAX);
/// assert_eq!(simulation.velocity(0), Vector::from([3.0, 0.5]));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BoundaryCondition {
    /// A body that leaves on one side enters on the other.
    Periodic,
    /// Bodies bounce off.
    Wall {
        /// Coefficient of restitution of collisions with this wall; `None` for that of the body's material.
        restitution: Option<f64>,
    },
    /// Bodies leave the box and continue.
    Open,
}

impl<const D: usize> Region<D> {
    /// Returns a box that is periodic on every axis.
    pub fn periodic(size: impl Into<Vector<D>>) -> Self {
        Region { size: size.into(), boundary_conditions: [BoundaryCondition::Periodic; D] }
    }

    /// Returns a box with walls on every axis.
    pub fn walled(size: impl Into<Vector<D>>) -> Self {
        Region {
            size: size.into(),
            boundary_conditions: [BoundaryCondition::Wall { restitution: None }; D],
        }
    }

    /// Returns the periods for distances between bodies; walls count as open. Errors if the period of an axis is not
    /// between 1e-100 and 1e100.
    ///
    /// ```
    /// use carom_simulate::Region;
    /// let refused = Region::periodic([10.0, f64::NAN]).boundary();
    /// assert_eq!(
    ///     refused.err().map(|error| error.to_string()).as_deref(),
    ///     Some("the period of axis y is NaN; it must be between 1e-100 and 1e100")
    /// );
    /// ```
    pub fn boundary(&self) -> Result<Boundary<D>, Error> {
        let period = |axis: usize| self.is_periodic(axis).then_some(self.size[axis]);
        Ok(Boundary::periodic(std::array::from_fn(period))?)
    }

    /// Whether an axis is periodic.
    pub fn is_periodic(&self, axis: usize) -> bool {
        self.boundary_conditions[axis] == BoundaryCondition::Periodic
    }

    /// Returns the walls at both ends of an axis, the lower end first; none if its boundary condition is another.
    ///
    /// ```
    /// use carom_simulate::{Region, Wall};
    /// let walls = [Wall::plane([0.0, 1.0, 0.0], 0.0), Wall::plane([0.0, -1.0, 0.0], -20.0)];
    /// assert_eq!(Region::walled([10.0, 20.0]).walls(1), Some(walls));
    /// assert!(Region::periodic([10.0, 20.0]).walls(1).is_none());
    /// ```
    pub fn walls(&self, axis: usize) -> Option<[Wall; 2]> {
        let BoundaryCondition::Wall { .. } = self.boundary_conditions[axis] else { return None };
        let normal = |sign| Vector::<3>::from_fn(|other, _| if other == axis { sign } else { 0.0 });
        Some([Wall::plane(normal(1.0), 0.0), Wall::plane(normal(-1.0), -self.size[axis])])
    }

    /// Returns the volume (3D) or the area (2D).
    pub fn volume(&self) -> f64 {
        self.size.product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_that_is_no_length_is_refused_on_any_axis() {
        for wrong in [f64::NAN, f64::INFINITY, 0.0, -1.0, 1e-200] {
            for axis in 0..3 {
                let mut region = Region::<3>::periodic([10.0; 3]);
                region.size[axis] = wrong;
                let error = region.boundary().unwrap_err().to_string();
                let start = format!("the period of axis {} is {wrong:?}; ", ["x", "y", "z"][axis]);
                assert!(error.starts_with(&start), "{error}");
                // Where the axis is not periodic there is no period.
                region.boundary_conditions[axis] = BoundaryCondition::Open;
                assert!(region.boundary().is_ok());
            }
        }
    }
}
