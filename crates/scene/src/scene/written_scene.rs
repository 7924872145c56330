//! A scene as it is written: the keys of the file, and the JSON schema made from them.

use super::body::WrittenBody;
use super::bounds::{NotNegative, Positive};
use super::contact_parameters::{ContactParameters, WrittenContact};
use super::field::{WrittenField, WrittenGravity};
use super::generator::WrittenGenerator;
use super::growth_and_thermostat::{WrittenGrowth, WrittenThermostat};
use super::material::{Material, Restitution, WrittenMaterial};
use super::neighbors::WrittenNeighbors;
use super::output::{WrittenObserve, WrittenOutput};
use super::pour::WrittenPour;
use super::problem::{SceneValidationError, ValidationResult};
use super::reading::one_of;
use super::region::WrittenBox;
use super::shape::WrittenShape;
use super::solid::WrittenSolid;
use super::values::{Dimension, LocatedValue, WholeNumber, optional_positive};
use super::wall::WrittenWall;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Which engine runs a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Engine {
    /// Event-driven: hard discs or spheres that fly freely between instantaneous collisions.
    EventDriven,
    /// Time-stepped (DEM): discs, spheres and bodies with shapes that overlap a little and push each
    /// other.
    Dem,
    /// Time-stepped: solids of particles that springs join, which deform, collide and break.
    Bonded,
}

/// A system of bodies and what is to be done with it. Units are the user's own, as long as they fit
/// together.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "carom scene")]
pub(super) struct WrittenScene {
    /// Which engine runs the scene.
    #[schemars(with = "Engine")]
    engine: LocatedValue<String>,
    /// 2 for discs in the plane, 3 for spheres in space.
    #[schemars(range(min = 2, max = 3))]
    dimension: LocatedValue<Dimension>,
    /// Equal seeds give equal runs; 1 if left out.
    #[schemars(range(max = 9223372036854775807i64))]
    seed: Option<LocatedValue<WholeNumber>>,
    /// Length of a step in time (engines dem and bonded); left out, the stiffest contact or spring decides.
    #[schemars(with = "Option<Positive>")]
    step: Option<LocatedValue<f64>>,
    /// Simulated time at which the run ends.
    #[schemars(with = "Option<NotNegative>")]
    until: Option<LocatedValue<f64>>,
    /// Number of collisions after which the run ends.
    collisions: Option<LocatedValue<WholeNumber>>,
    /// The region where bodies live.
    #[serde(rename = "box", default)]
    pub region: WrittenBox,
    /// The same acceleration everywhere.
    pub gravity: Option<WrittenGravity>,
    /// A general force field.
    pub field: Option<LocatedValue<WrittenField>>,
    /// What bodies are made of, by name; the one called default is that of bodies that name none.
    #[serde(default)]
    pub materials: BTreeMap<String, LocatedValue<WrittenMaterial>>,
    /// How two materials touch, where that does not follow from each of them (engine dem).
    #[serde(default)]
    pub contacts: Vec<LocatedValue<WrittenContact>>,
    /// Walls beside the sides of the box (engine dem).
    #[serde(default)]
    pub walls: Vec<LocatedValue<WrittenWall>>,
    /// Shapes that bodies may have, by name (engine dem).
    #[serde(default)]
    pub shapes: BTreeMap<String, LocatedValue<WrittenShape>>,
    /// Bodies one by one, or from files.
    #[serde(default)]
    pub bodies: Vec<LocatedValue<WrittenBody>>,
    /// Bodies made by a rule.
    #[serde(default)]
    pub generate: Vec<LocatedValue<WrittenGenerator>>,
    /// Bodies that come in over time (engine dem).
    #[serde(default)]
    pub pour: Vec<LocatedValue<WrittenPour>>,
    /// Bodies of particles and springs, which deform and break (engine bonded).
    #[serde(default)]
    pub solids: Vec<LocatedValue<WrittenSolid>>,
    /// Growth of all bodies.
    pub growth: Option<LocatedValue<WrittenGrowth>>,
    /// Holds a temperature.
    pub thermostat: Option<LocatedValue<WrittenThermostat>>,
    /// Against endless collisions of bodies that come to rest upon each other.
    #[serde(default)]
    pub collapse: WrittenCollapse,
    /// How neighbors are found.
    #[serde(default)]
    pub neighbors: WrittenNeighbors,
    /// What is measured.
    #[serde(default)]
    pub observe: WrittenObserve,
    /// What is written.
    #[serde(default)]
    pub output: WrittenOutput,
}

/// Against endless collisions of bodies that come to rest upon each other.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Collapse")]
pub(super) struct WrittenCollapse {
    /// A collision of a body sooner than this after its last one loses no energy; 0 turns the rule
    /// off, left out the engine chooses.
    #[schemars(with = "Option<NotNegative>")]
    contact_time: Option<LocatedValue<f64>>,
}

impl WrittenCollapse {
    pub(super) fn check(&self) -> ValidationResult<Option<f64>> {
        self.contact_time.as_ref().map(LocatedValue::not_negative).transpose()
    }
}

const ROTATING_GRAVITY: &str = "only engine = \"dem\" knows gravity that turns";

/// When a run ends; whichever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Simulated time.
    pub until: Option<f64>,
    /// Number of collisions.
    pub collisions: Option<u64>,
}

impl WrittenScene {
    pub(super) fn engine(&self) -> ValidationResult<Engine> {
        match self.engine.value.as_str() {
            "event-driven" => Ok(Engine::EventDriven),
            "dem" => Ok(Engine::Dem),
            "bonded" => Ok(Engine::Bonded),
            other => Err(self.engine.refuse(one_of(other, &["event-driven", "dem", "bonded"]))),
        }
    }

    /// 2 or 3.
    pub(super) fn dimension(&self) -> ValidationResult<usize> {
        match self.dimension.value.0 {
            dimension @ (2 | 3) => Ok(dimension as usize),
            _ => Err(self.dimension.refuse("it must be 2 or 3")),
        }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed.as_ref().map_or(1, |seed| seed.value.0)
    }

    pub(super) fn limits(&self) -> ValidationResult<Limits> {
        let until = self.until.as_ref().map(LocatedValue::not_negative).transpose()?;
        Ok(Limits { until, collisions: self.collisions.as_ref().map(|count| count.value.0) })
    }

    pub(super) fn step(&self) -> ValidationResult<Option<f64>> {
        optional_positive(&self.step)
    }

    /// Refuses what the engine has no use for, so that nobody waits for what will not happen.
    pub(super) fn check_engine(
        &self,
        engine: Engine,
        materials: &[Material],
    ) -> ValidationResult<()> {
        match engine {
            Engine::EventDriven => self.check_event_driven(materials),
            Engine::Dem => self.check_dem(materials),
            Engine::Bonded => self.check_bonded(),
        }
    }

    fn check_event_driven(&self, materials: &[Material]) -> ValidationResult<()> {
        self.check_without_solids()?;
        let only = "only engine = \"dem\" or \"bonded\" has one";
        if let Some(step) = &self.step {
            return Err(step.refuse(only));
        }
        if let Some(wall) = self.walls.first() {
            return Err(wall.refuse("only engine = \"dem\" has walls beside those of the box"));
        }
        if let Some(contact) = self.contacts.first() {
            return Err(contact.refuse("only engine = \"dem\" knows contacts that last"));
        }
        if let Some(shape) = self.shapes.values().next() {
            return Err(shape.refuse("only engine = \"dem\" has bodies with shapes"));
        }
        self.bodies.iter().try_for_each(|body| body.value.check_event_driven())?;
        self.generate.iter().try_for_each(|table| table.value.check_event_driven())?;
        if let Some(pour) = self.pour.first() {
            return Err(pour.refuse("only engine = \"dem\" takes bodies in while it runs"));
        }
        if let Some(spin) =
            self.gravity.as_ref().and_then(|gravity| gravity.angular_velocity.as_ref())
        {
            return Err(spin.refuse(ROTATING_GRAVITY));
        }
        self.neighbors.check_event_driven()?;
        self.observe.check_event_driven()?;
        for material in materials {
            let ContactParameters { friction, rolling_friction, adhesion, damping, .. } =
                material.contact;
            let rubs = [friction, rolling_friction, adhesion, damping];
            if rubs.into_iter().flatten().any(|number| number > 0.0) {
                return Err(self.materials[&material.name].refuse(
                    "friction, rolling_friction, adhesion and damping need contacts that last: \
                     take engine = \"dem\"",
                ));
            }
        }
        Ok(())
    }

    fn check_without_solids(&self) -> ValidationResult<()> {
        if let Some(solid) = self.solids.first() {
            return Err(solid.refuse("only engine = \"bonded\" has solids"));
        }
        self.materials.values().try_for_each(|material| material.value.check_without_springs())
    }

    fn check_dem(&self, materials: &[Material]) -> ValidationResult<()> {
        self.check_without_solids()?;
        for material in materials {
            if matches!(material.restitution, Restitution::Speed { .. }) {
                let rule = "its restitution falls with the speed, which only engine = \"event-driven\" \
                            knows; give a number";
                return Err(self.materials[&material.name].refuse(rule));
            }
        }
        self.check_time_stepped()?;
        self.neighbors.check_dem()?;
        self.observe.check_dem()
    }

    fn check_bonded(&self) -> ValidationResult<()> {
        self.check_time_stepped()?;
        let solids = "engine = \"bonded\" has [[solids]] instead";
        let tables = [
            self.bodies.first().map(|table| (&table.span, solids)),
            self.generate.first().map(|table| (&table.span, solids)),
            self.pour.first().map(|table| (&table.span, solids)),
            self.shapes.values().next().map(|table| (&table.span, solids)),
            self.walls.first().map(|table| {
                (&table.span, "only engine = \"dem\" has walls; take a solid with fixed = true")
            }),
            self.contacts.first().map(|table| {
                (&table.span, "only engine = \"dem\" has it; solids rub by their materials")
            }),
        ];
        if let Some((span, rule)) = tables.into_iter().flatten().next() {
            return Err(SceneValidationError::Value { span: span.clone(), rule: rule.into() });
        }
        if let Some(spin) =
            self.gravity.as_ref().and_then(|gravity| gravity.angular_velocity.as_ref())
        {
            return Err(spin.refuse(ROTATING_GRAVITY));
        }
        self.materials.values().try_for_each(|material| material.value.check_bonded())?;
        self.neighbors.check_bonded()?;
        self.observe.check_bonded()?;
        if self.solids.is_empty() {
            return Err(SceneValidationError::whole("the scene has no solids; add [[solids]]"));
        }
        Ok(())
    }

    /// Refuses what only an event-driven run has.
    fn check_time_stepped(&self) -> ValidationResult<()> {
        const ONLY: &str = "only engine = \"event-driven\" has it";
        if let Some(count) = &self.collisions {
            return Err(count.refuse("contacts last in steps of time; give until instead"));
        }
        let tables = [
            self.field.as_ref().map(|table| &table.span),
            self.growth.as_ref().map(|table| &table.span),
            self.thermostat.as_ref().map(|table| &table.span),
        ];
        if let Some(span) = tables.into_iter().flatten().next() {
            return Err(SceneValidationError::Value { span: span.clone(), rule: ONLY.into() });
        }
        if let Some(time) = &self.collapse.contact_time {
            return Err(time.refuse(ONLY));
        }
        self.output.check_dem()
    }

    /// How many bodies the tables ask for; a file counts as one.
    pub(super) fn body_count(&self) -> u64 {
        let generated = self.generate.iter().map(|table| table.value.count.value.0);
        let poured = self.pour.iter().map(|table| table.value.count.value.0);
        let given = (self.bodies.len() + self.solids.len()) as u64;
        generated.chain(poured).fold(given, u64::saturating_add)
    }
}

/// The JSON schema of scenes, for editors that complete and check TOML.
///
/// ```
/// let schema = carom_scene::scene::schema();
/// assert_eq!(schema["additionalProperties"], false);
/// assert!(schema["properties"]["until"]["description"].as_str().unwrap().contains("time"));
/// ```
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(WrittenScene).into()
}
