//! Forces that act on every body: gravity, drag and a harmonic trap.

use super::bounds::{NotNegative, Positive};
use super::problem::ValidationResult;
use super::values::{LocatedValue, OneOrEach, POSITIVE};
use carom_geometry::Vector;
use carom_simulate::{DragAndTrapField, HarmonicTrap};
use schemars::JsonSchema;
use serde::Deserialize;

/// Uniform acceleration of all bodies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Gravity")]
pub(super) struct WrittenGravity {
    /// Acceleration, one component per axis, in length / time²; with an angular velocity, that at the start.
    acceleration: LocatedValue<Vec<f64>>,
    /// Angular velocity of its direction, in radians / time: one number in 2D, one per axis in 3D (engine dem); 0 if
    /// left out.
    pub angular_velocity: Option<LocatedValue<OneOrEach<f64>>>,
}

impl WrittenGravity {
    pub(super) fn check<const D: usize>(&self) -> ValidationResult<Vector<D>> {
        self.acceleration.vector()
    }

    /// Returns the angular velocity of its direction about each axis.
    pub(super) fn angular_velocity<const D: usize>(&self) -> ValidationResult<Vector<3>> {
        self.angular_velocity.as_ref().map_or(Ok(Vector::zeros()), LocatedValue::axial_vector::<D>)
    }
}

/// Drag and a harmonic trap; motion is ballistic between the instants at which they are evaluated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Field")]
pub(super) struct WrittenField {
    /// Time between two evaluations for one body.
    #[schemars(with = "Positive")]
    period: LocatedValue<f64>,
    /// Drag coefficient, in 1 / time: deceleration per velocity; 0 if left out.
    #[schemars(with = "Option<NotNegative>")]
    drag: Option<LocatedValue<f64>>,
    /// Harmonic trap: a spring toward a point.
    trap: Option<WrittenTrap>,
}

/// A harmonic trap: a spring toward a point.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Trap")]
pub(super) struct WrittenTrap {
    /// Acceleration per distance from the center, in 1 / time².
    #[schemars(with = "NotNegative")]
    stiffness: LocatedValue<f64>,
    /// Point at which the acceleration vanishes, one coordinate per axis, in length.
    center: LocatedValue<Vec<f64>>,
}

impl WrittenField {
    pub(super) fn check<const D: usize>(
        field: &LocatedValue<Self>,
    ) -> ValidationResult<DragAndTrapField<D>> {
        let written = &field.value;
        if written.drag.is_none() && written.trap.is_none() {
            return Err(field.refuse("it has no effect; give it a drag, a trap or both"));
        }
        let period = written.period.positive(POSITIVE)?;
        let drag = written.drag.as_ref().map_or(Ok(0.0), LocatedValue::not_negative)?;
        let trap = written.trap.as_ref().map(WrittenTrap::check).transpose()?;
        Ok(DragAndTrapField { period, drag, trap })
    }
}

impl WrittenTrap {
    fn check<const D: usize>(&self) -> ValidationResult<HarmonicTrap<D>> {
        let stiffness = self.stiffness.not_negative()?;
        Ok(HarmonicTrap { stiffness, center: self.center.vector()? })
    }
}
