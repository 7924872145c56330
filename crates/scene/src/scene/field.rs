//! Forces that act on every body: gravity, drag and a trap.

use super::bounds::{NotNegative, Positive};
use super::problem::ValidationResult;
use super::values::{LocatedValue, OneOrEach, POSITIVE};
use carom_geometry::Vector;
use schemars::JsonSchema;
use serde::Deserialize;

/// A force field in which bodies move on pieces of parabolas.
///
/// At the start of each piece a body takes its acceleration, `-drag v - stiffness (x - center)`,
/// and keeps it for `period`.
#[derive(Clone, Debug, PartialEq)]
pub struct DragAndTrapField<const D: usize> {
    /// How long an acceleration is kept.
    pub period: f64,
    /// Acceleration per velocity, against it.
    pub drag: f64,
    /// A spring towards a point.
    pub trap: Option<HarmonicTrap<D>>,
}

/// A spring towards a point.
#[derive(Clone, Debug, PartialEq)]
pub struct HarmonicTrap<const D: usize> {
    /// Acceleration per distance from the center.
    pub stiffness: f64,
    /// Where the pull vanishes.
    pub center: Vector<D>,
}

/// The same acceleration everywhere.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Gravity")]
pub(super) struct WrittenGravity {
    /// One number per axis; with a spin, at the start.
    acceleration: LocatedValue<Vec<f64>>,
    /// How fast its direction turns, in radians per time: one number in the plane, one per axis in
    /// space (engine dem); left out, it does not.
    pub angular_velocity: Option<LocatedValue<OneOrEach<f64>>>,
}

impl WrittenGravity {
    pub(super) fn check<const D: usize>(&self) -> ValidationResult<Vector<D>> {
        self.acceleration.vector()
    }

    /// How fast it turns about each axis.
    pub(super) fn angular_velocity<const D: usize>(&self) -> ValidationResult<Vector<3>> {
        self.angular_velocity.as_ref().map_or(Ok(Vector::zeros()), LocatedValue::axial_vector::<D>)
    }
}

/// A general force field; motion is ballistic between the instants at which it is evaluated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Field")]
pub(super) struct WrittenField {
    /// Time between two evaluations for one body.
    #[schemars(with = "Positive")]
    period: LocatedValue<f64>,
    /// Acceleration per velocity, against it; 0 if left out.
    #[schemars(with = "Option<NotNegative>")]
    drag: Option<LocatedValue<f64>>,
    /// A spring towards a point.
    trap: Option<WrittenTrap>,
}

/// A spring towards a point.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Trap")]
pub(super) struct WrittenTrap {
    /// Acceleration per distance from the center.
    #[schemars(with = "NotNegative")]
    stiffness: LocatedValue<f64>,
    /// Where the pull vanishes.
    center: LocatedValue<Vec<f64>>,
}

impl WrittenField {
    pub(super) fn check<const D: usize>(
        field: &LocatedValue<Self>,
    ) -> ValidationResult<DragAndTrapField<D>> {
        let written = &field.value;
        if written.drag.is_none() && written.trap.is_none() {
            return Err(field.refuse("it does nothing; give it a drag, a trap or both"));
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
