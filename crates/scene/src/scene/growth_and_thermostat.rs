//! Growth of the bodies (Lubachevsky-Stillinger compression) and thermostats of event-driven runs.

use super::bounds::{OpenFraction, Positive};
use super::problem::{SceneProblem, SceneValidationError, ValidationResult};
use super::values::{LocatedValue, POSITIVE, optional_positive};
use carom_geometry::math;
use carom_simulate::event_driven::{GrowthTarget, LubachevskyStillingerGrowth, Thermostat};
use schemars::JsonSchema;
use serde::Deserialize;

/// All radii grow by one factor 1 + rate t (Lubachevsky-Stillinger compression). Growth heats the bodies: without a
/// thermostat all velocities are rescaled to the initial temperature after every ten collisions per body and when
/// growth ends. Growth also ends where bodies jam before the target.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Growth")]
pub(super) struct WrittenGrowth {
    /// Growth rate of the factor, in 1 / time.
    #[schemars(with = "Positive")]
    rate: LocatedValue<f64>,
    /// The run ends when the packing fraction reaches this value.
    #[schemars(with = "Option<OpenFraction>")]
    until_packing_fraction: Option<LocatedValue<f64>>,
    /// The run ends when the reduced pressure PV/NkT reaches this value.
    #[schemars(with = "Option<Positive>")]
    until_pressure: Option<LocatedValue<f64>>,
}

impl WrittenGrowth {
    pub(super) fn check(
        growth: &LocatedValue<Self>,
    ) -> ValidationResult<LubachevskyStillingerGrowth> {
        let written = &growth.value;
        let rate = written.rate.positive(POSITIVE)?;
        let pressure = optional_positive(&written.until_pressure)?;
        let fraction = written.until_packing_fraction.as_ref().map(check_fraction).transpose()?;
        let until = match (fraction, pressure) {
            (Some(_), Some(_)) => return Err(both_targets(growth)),
            (Some(fraction), None) => Some(GrowthTarget::PackingFraction(fraction)),
            (None, pressure) => pressure.map(GrowthTarget::Pressure),
        };
        Ok(LubachevskyStillingerGrowth { rate, until })
    }

    /// Returns the factor by which radii grow to reach the target from the packing fraction at the start.
    pub(super) fn factor<const D: usize>(&self, start: f64) -> ValidationResult<f64> {
        let Some(target) = &self.until_packing_fraction else { return Ok(1.0) };
        if target.value <= start {
            return Err(target.refuse(format!(
                "the bodies cover {start:.6} of the box at the start already; grow further or \
                 start from less"
            )));
        }
        let factor = target.value / start;
        Ok(if D == 2 { factor.sqrt() } else { math::cbrt(factor) })
    }
}

fn check_fraction(fraction: &LocatedValue<f64>) -> ValidationResult<f64> {
    let value = fraction.positive(POSITIVE)?;
    if value < 1.0 { Ok(value) } else { Err(fraction.refuse("it must be below 1")) }
}

fn both_targets(growth: &LocatedValue<WrittenGrowth>) -> SceneValidationError {
    let problem = SceneProblem::Conflict {
        table: "growth".to_owned(),
        first: "until_packing_fraction",
        second: "until_pressure",
        remedy: "keep one of them",
    };
    SceneValidationError::at(&growth.span, problem)
}

/// Holds a temperature.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Thermostat")]
pub(super) struct WrittenThermostat {
    /// The kind of thermostat.
    kind: ThermostatKind,
    /// Temperature kT, in energy.
    #[schemars(with = "Positive")]
    temperature: LocatedValue<f64>,
    /// For rescale: time from one rescaling to the next.
    #[schemars(with = "Option<Positive>")]
    interval: Option<LocatedValue<f64>>,
    /// For kicks: mean number of kicks of one body per time.
    #[schemars(with = "Option<Positive>")]
    rate: Option<LocatedValue<f64>>,
}

/// A thermostat, which keeps the temperature at a given value.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ThermostatKind {
    /// All velocities are rescaled to the temperature at regular intervals.
    Rescale,
    /// Andersen thermostat: at random times a body gets a new velocity from the Maxwell distribution.
    Kicks,
}

impl WrittenThermostat {
    pub(super) fn check(thermostat: &LocatedValue<Self>) -> ValidationResult<Thermostat> {
        let written = &thermostat.value;
        let temperature = written.temperature.positive(POSITIVE)?;
        match written.kind {
            ThermostatKind::Rescale => {
                unused(&written.rate, "only kicks have a rate; rescale has an interval")?;
                let interval = needed(&written.interval, thermostat, "interval")?;
                Ok(Thermostat::Rescale { temperature, interval })
            }
            ThermostatKind::Kicks => {
                unused(&written.interval, "only rescale has an interval; kicks have a rate")?;
                let rate = needed(&written.rate, thermostat, "rate")?;
                Ok(Thermostat::Kicks { temperature, rate })
            }
        }
    }
}

fn unused(number: &Option<LocatedValue<f64>>, rule: &'static str) -> ValidationResult<()> {
    number.as_ref().map_or(Ok(()), |number| Err(number.refuse(rule)))
}

fn needed(
    number: &Option<LocatedValue<f64>>,
    thermostat: &LocatedValue<WrittenThermostat>,
    key: &'static str,
) -> ValidationResult<f64> {
    let Some(number) = number else {
        let (table, remedy) = ("thermostat".to_owned(), "add it".into());
        let problem = SceneProblem::Missing { table, key: key.to_owned(), remedy };
        return Err(SceneValidationError::at(&thermostat.span, problem));
    };
    number.positive(POSITIVE)
}
