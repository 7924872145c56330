//! Forces and accelerations as expressions of position, velocity and time.

use super::bounds::Positive;
use super::expression::{Expression, ExpressionVariables};
use super::material::Materials;
use super::problem::{SceneValidationError, ValidationResult};
use super::values::{LocatedValue, POSITIVE};
use super::written_scene::Engine;
use carom_geometry::{Vector, embed_in_3d};
use schemars::JsonSchema;
use serde::Deserialize;

/// A force or an acceleration of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceExpression<const D: usize> {
    /// One expression for the component of the force along each axis.
    pub components: [Expression; D],
    /// Whether they give an acceleration, which is multiplied by the mass of a body, and not a force.
    pub is_acceleration: bool,
    /// Index of the material whose bodies are pushed; all bodies if there is none.
    pub material: Option<u32>,
    /// Time between two evaluations for one body in an event-driven run.
    pub period: f64,
}

impl<const D: usize> ForceExpression<D> {
    /// Returns the force or acceleration at a place, with a velocity, at a time, for a body of this mass and radius.
    pub fn value(
        &self,
        position: &Vector<D>,
        velocity: &Vector<D>,
        time: f64,
        mass: f64,
        radius: f64,
    ) -> Vector<D> {
        let in_space = |vector: &Vector<D>| embed_in_3d(vector).into();
        let (position, velocity) = (in_space(position), in_space(velocity));
        let variables = ExpressionVariables { position, velocity, time, mass, radius };
        Vector::from_fn(|axis, _| self.components[axis].value(&variables))
    }
}

/// A force on bodies: a force or an acceleration, with one number or expression per axis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Force")]
pub(super) struct WrittenForce {
    /// Force on every body, one number or expression per axis, such as "-0.1 * vx + sin(2 * pi * t)".
    force: Option<LocatedValue<Vec<LocatedValue<WrittenTerm>>>>,
    /// Acceleration of every body instead, one number or expression per axis.
    acceleration: Option<LocatedValue<Vec<LocatedValue<WrittenTerm>>>>,
    /// Name of the material whose bodies are pushed; bodies of all materials if left out.
    material: Option<LocatedValue<String>>,
    /// Time between two evaluations for one body, ballistic in between (engine event-driven, which needs it).
    #[schemars(with = "Option<Positive>")]
    period: Option<LocatedValue<f64>>,
}

/// A number, or an expression of x, y, z, vx, vy, vz, t, m (mass) and r (radius).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "it must be a number or an expression in quotes")]
#[schemars(rename = "Expression")]
pub(super) enum WrittenTerm {
    Number(f64),
    Text(String),
}

impl WrittenForce {
    pub(super) fn check_all<const D: usize>(
        tables: &[LocatedValue<Self>],
        engine: Engine,
        materials: &Materials,
    ) -> ValidationResult<Vec<ForceExpression<D>>> {
        tables.iter().map(|table| table.check(engine, materials)).collect()
    }
}

impl LocatedValue<WrittenForce> {
    fn check<const D: usize>(
        &self,
        engine: Engine,
        materials: &Materials,
    ) -> ValidationResult<ForceExpression<D>> {
        let table = &self.value;
        if engine == Engine::Bonded {
            return Err(self.refuse("engine = \"bonded\" has no forces from outside"));
        }
        let (list, is_acceleration) = match (&table.force, &table.acceleration) {
            (Some(list), None) => (list, false),
            (None, Some(list)) => (list, true),
            (None, None) => return Err(self.refuse("it must have a force or an acceleration")),
            (Some(_), Some(acceleration)) => {
                return Err(acceleration.refuse("there is a force already; give one of both"));
            }
        };
        let components = list.value.iter().map(check_term::<D>).collect::<Result<Vec<_>, _>>()?;
        let components: [Expression; D] = components.try_into().map_err(|_| {
            list.refuse(format!("in {D} dimensions it must hold {D} entries, one per axis"))
        })?;
        let hard = engine == Engine::EventDriven;
        let material = match &table.material {
            Some(name) => Some(materials.find(Some(name))?),
            None => None,
        };
        let period = match (&table.period, hard) {
            (Some(period), true) => period.positive(POSITIVE)?,
            (Some(period), false) => {
                return Err(period.refuse("only engine = \"event-driven\" has it"));
            }
            (None, true) => {
                return Err(self.refuse(
                    "engine = \"event-driven\" needs a period, the time between two evaluations",
                ));
            }
            (None, false) => 0.0,
        };
        Ok(ForceExpression { components, is_acceleration, material, period })
    }
}

fn check_term<const D: usize>(
    term: &LocatedValue<WrittenTerm>,
) -> Result<Expression, SceneValidationError> {
    let expression = match &term.value {
        WrittenTerm::Number(number) => Expression::constant(*number),
        WrittenTerm::Text(text) => Expression::parse(text).map_err(|rule| term.refuse(rule))?,
    };
    if let (2, Some(name)) = (D, expression.third_axis_variable()) {
        return Err(term.refuse(format!("in 2 dimensions there is no {name}")));
    }
    match expression.constant_value() {
        Some(number) if !number.is_finite() => Err(term.refuse("it must be finite")),
        _ => Ok(expression),
    }
}
