//! Forces that act on every body: gravity, drag and a trap.

use super::bounds::{NotNegative, Positive};
use super::problem::Checked;
use super::values::{At, OneOrEach, POSITIVE};
use carom_geometry::Vector;
use schemars::JsonSchema;
use serde::Deserialize;

/// A force field in which bodies move on pieces of parabolas.
///
/// At the start of each piece a body takes its acceleration, `-drag v - stiffness (x - center)`,
/// and keeps it for `period`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<const D: usize> {
    /// How long an acceleration is kept.
    pub period: f64,
    /// Acceleration per velocity, against it.
    pub drag: f64,
    /// A spring towards a point.
    pub trap: Option<Trap<D>>,
}

/// A spring towards a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Trap<const D: usize> {
    /// Acceleration per distance from the centre.
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
    acceleration: At<Vec<f64>>,
    /// How fast its direction turns, in radians per time: one number in the plane, one per axis in
    /// space (engine steps); left out, it does not.
    pub spin: Option<At<OneOrEach<f64>>>,
}

impl WrittenGravity {
    pub(super) fn check<const D: usize>(&self) -> Checked<Vector<D>> {
        self.acceleration.vector()
    }

    /// How fast it turns about each axis.
    pub(super) fn spin<const D: usize>(&self) -> Checked<Vector<3>> {
        self.spin.as_ref().map_or(Ok(Vector::zeros()), At::spin::<D>)
    }
}

/// A general force field; motion is ballistic between the instants at which it is evaluated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Field")]
pub(super) struct WrittenField {
    /// Time between two evaluations for one body.
    #[schemars(with = "Positive")]
    period: At<f64>,
    /// Acceleration per velocity, against it; 0 if left out.
    #[schemars(with = "Option<NotNegative>")]
    drag: Option<At<f64>>,
    /// A spring towards a point.
    trap: Option<WrittenTrap>,
}

/// A spring towards a point.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Trap")]
pub(super) struct WrittenTrap {
    /// Acceleration per distance from the centre.
    #[schemars(with = "NotNegative")]
    stiffness: At<f64>,
    /// Where the pull vanishes.
    center: At<Vec<f64>>,
}

impl WrittenField {
    pub(super) fn check<const D: usize>(field: &At<Self>) -> Checked<Field<D>> {
        let written = &field.value;
        if written.drag.is_none() && written.trap.is_none() {
            return Err(field.refuse("it does nothing; give it a drag, a trap or both"));
        }
        let period = written.period.positive(POSITIVE)?;
        let drag = written.drag.as_ref().map_or(Ok(0.0), At::not_negative)?;
        let trap = written.trap.as_ref().map(WrittenTrap::check).transpose()?;
        Ok(Field { period, drag, trap })
    }
}

impl WrittenTrap {
    fn check<const D: usize>(&self) -> Checked<Trap<D>> {
        let stiffness = self.stiffness.not_negative()?;
        Ok(Trap { stiffness, center: self.center.vector()? })
    }
}
