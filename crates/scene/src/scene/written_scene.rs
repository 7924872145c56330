//! A scene as written: the keys of the file, and the JSON schema derived from them.

use super::body::WrittenBody;
use super::bounds::{NotNegative, Positive};
use super::contact_parameters::WrittenContact;
use super::field::{WrittenField, WrittenGravity};
use super::force::WrittenForce;
use super::generator::WrittenGenerator;
use super::growth_and_thermostat::{WrittenGrowth, WrittenThermostat};
use super::material::WrittenMaterial;
use super::neighbors::WrittenNeighbors;
use super::outlet::WrittenOutlet;
use super::output::{WrittenObserve, WrittenOutput};
use super::pour::WrittenPour;
use super::problem::{SceneValidationError, ValidationResult};
use super::reading::one_of;
use super::region::WrittenBox;
use super::shape::WrittenShape;
use super::solid::WrittenSolid;
use super::solid_start::WrittenStart;
use super::stage::WrittenStage;
use super::values::{Dimension, LocatedValue, WholeNumber, optional_positive};
use super::wall::WrittenWall;
use super::{Material, Restitution};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The engine that runs a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Engine {
    /// Event-driven: hard discs or spheres that move freely between instantaneous collisions.
    EventDriven,
    /// Discrete element method (DEM), time-stepped: discs, spheres and bodies with shapes that overlap a little and
    /// repel each other.
    Dem,
    /// Bonded particles, time-stepped: lattice solids of particles and springs that deform, collide and break.
    Bonded,
}

impl Engine {
    /// Returns the name that scenes give it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::EventDriven => "event-driven",
            Engine::Dem => "dem",
            Engine::Bonded => "bonded",
        }
    }
}

/// A system of bodies, the engine that runs it and its output. Units are the user's own and must be consistent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "carom scene")]
pub(super) struct WrittenScene {
    /// Engine that runs the scene.
    #[schemars(with = "Engine")]
    engine: LocatedValue<String>,
    /// Dimension: 2 for discs in the plane, 3 for spheres in space.
    #[schemars(range(min = 2, max = 3))]
    dimension: LocatedValue<Dimension>,
    /// Seed of all random numbers; equal seeds give equal runs. 1 if left out.
    #[schemars(range(max = 9223372036854775807i64))]
    seed: Option<LocatedValue<WholeNumber>>,
    /// Time step (engines dem and bonded); if left out, it follows from the stiffest contact or spring.
    #[schemars(with = "Option<Positive>")]
    step: Option<LocatedValue<f64>>,
    /// Simulated time at which the run ends.
    #[schemars(with = "Option<NotNegative>")]
    until: Option<LocatedValue<f64>>,
    /// Number of collisions after which the run ends (engine event-driven).
    collisions: Option<LocatedValue<WholeNumber>>,
    /// The box and its boundary conditions.
    #[serde(rename = "box", default)]
    pub region: WrittenBox,
    /// Uniform acceleration of all bodies.
    pub gravity: Option<WrittenGravity>,
    /// Drag and a harmonic trap (engine event-driven).
    pub field: Option<LocatedValue<WrittenField>>,
    /// Materials by name; the one called default is that of bodies that name none.
    #[serde(default)]
    pub materials: BTreeMap<String, LocatedValue<WrittenMaterial>>,
    /// Contact laws of two materials, in place of what follows from each of them (engine dem).
    #[serde(default)]
    pub contacts: Vec<LocatedValue<WrittenContact>>,
    /// Walls besides the sides of the box (engine dem).
    #[serde(default)]
    pub walls: Vec<LocatedValue<WrittenWall>>,
    /// Shapes that bodies may have, by name (engine dem).
    #[serde(default)]
    pub shapes: BTreeMap<String, LocatedValue<WrittenShape>>,
    /// Bodies one by one, or from files.
    #[serde(default)]
    pub bodies: Vec<LocatedValue<WrittenBody>>,
    /// Generated bodies.
    #[serde(default)]
    pub generate: Vec<LocatedValue<WrittenGenerator>>,
    /// Bodies that are poured in over time (engine dem).
    #[serde(default)]
    pub pour: Vec<LocatedValue<WrittenPour>>,
    /// Outlets, where bodies leave (engine dem).
    #[serde(default)]
    pub outlets: Vec<LocatedValue<WrittenOutlet>>,
    /// Forces and accelerations of bodies as expressions of position, velocity and time (engines dem and event-driven).
    #[serde(default)]
    pub forces: Vec<LocatedValue<WrittenForce>>,
    /// Bonded solids, lattices of particles and springs that deform and break (engine bonded).
    #[serde(default)]
    pub solids: Vec<LocatedValue<WrittenSolid>>,
    /// Another run, as at whose end the solids start (engine bonded).
    pub start: Option<LocatedValue<WrittenStart>>,
    /// Growth of all bodies (engine event-driven).
    pub growth: Option<LocatedValue<WrittenGrowth>>,
    /// Thermostat, which holds a temperature (engine event-driven).
    pub thermostat: Option<LocatedValue<WrittenThermostat>>,
    /// Rule against inelastic collapse, endless collisions of bodies at rest upon each other (engine event-driven).
    #[serde(default)]
    pub collapse: WrittenCollapse,
    /// Settings of the neighbor search; they change the speed and nothing else.
    #[serde(default)]
    pub neighbors: WrittenNeighbors,
    /// Parts of the run, one after the other, each with an end and with what it changes of the scene.
    #[serde(default)]
    pub stages: Vec<LocatedValue<WrittenStage>>,
    /// Quantities that are measured.
    #[serde(default)]
    pub observe: WrittenObserve,
    /// Files that are written.
    #[serde(default)]
    pub output: WrittenOutput,
}

/// Rule against inelastic collapse, endless collisions of bodies at rest upon each other.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Collapse")]
pub(super) struct WrittenCollapse {
    /// Contact time of the TC model: a collision of a body sooner than this after its last one loses no energy; 0 turns
    /// the rule off, if left out the engine chooses.
    #[schemars(with = "Option<NotNegative>")]
    contact_time: Option<LocatedValue<f64>>,
}

impl WrittenCollapse {
    pub(super) fn check(&self) -> ValidationResult<Option<f64>> {
        self.contact_time.as_ref().map(LocatedValue::not_negative).transpose()
    }
}

const ROTATING_GRAVITY: &str = "only engine = \"dem\" has rotating gravity";

/// The end of a run, whichever comes first.
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

    /// Returns 2 or 3.
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

    /// Checks what the merged tables of stages do not show, and returns the names of the stages.
    pub(super) fn stage_names(&self) -> ValidationResult<Vec<String>> {
        if let (Some(collisions), false) = (&self.collisions, self.stages.is_empty()) {
            return Err(collisions.refuse("each of the stages has its end; leave it out"));
        }
        if let (Some(growth), false) = (&self.growth, self.stages.is_empty()) {
            return Err(growth.refuse("give it to the stage in which bodies grow"));
        }
        let engine = self.engine()?;
        WrittenStage::check_all(&self.stages, engine, &self.materials, &self.walls, &self.solids)
    }

    pub(super) fn step(&self) -> ValidationResult<Option<f64>> {
        optional_positive(&self.step)
    }

    /// Refuses keys that the engine does not use, so that nobody waits for what will not happen.
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
            return Err(contact.refuse("only engine = \"dem\" has lasting contacts"));
        }
        if let Some(shape) = self.shapes.values().next() {
            return Err(shape.refuse("only engine = \"dem\" has bodies with shapes"));
        }
        self.bodies.iter().try_for_each(|body| body.value.check_event_driven())?;
        self.generate.iter().try_for_each(|table| table.value.check_event_driven())?;
        if let Some(pour) = self.pour.first() {
            return Err(pour.refuse("only engine = \"dem\" inserts bodies during a run"));
        }
        if let Some(outlet) = self.outlets.first() {
            return Err(outlet.refuse("only engine = \"dem\" removes bodies during a run"));
        }
        if let Some(angular_velocity) =
            self.gravity.as_ref().and_then(|gravity| gravity.angular_velocity.as_ref())
        {
            return Err(angular_velocity.refuse(ROTATING_GRAVITY));
        }
        self.neighbors.check_event_driven()?;
        for material in materials {
            if material.needs_lasting_contacts() {
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
        if let Some(start) = &self.start {
            return Err(start.refuse("only engine = \"bonded\" has solids; take bodies by file"));
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
        self.neighbors.check_dem()
    }

    fn check_bonded(&self) -> ValidationResult<()> {
        self.check_time_stepped()?;
        let solids = "engine = \"bonded\" has [[solids]] instead";
        let tables = [
            self.bodies.first().map(|table| (&table.span, solids)),
            self.generate.first().map(|table| (&table.span, solids)),
            self.pour.first().map(|table| (&table.span, solids)),
            self.outlets.first().map(|table| (&table.span, "particles of solids do not leave")),
            self.shapes.values().next().map(|table| (&table.span, solids)),
            self.walls.first().map(|table| {
                (&table.span, "only engine = \"dem\" has walls; take a solid with fixed = true")
            }),
            self.contacts.first().map(|table| {
                (
                    &table.span,
                    "only engine = \"dem\" has it; friction of solids is that of their materials",
                )
            }),
        ];
        if let Some((span, rule)) = tables.into_iter().flatten().next() {
            return Err(SceneValidationError::Value { span: span.clone(), rule: rule.into() });
        }
        if let Some(angular_velocity) =
            self.gravity.as_ref().and_then(|gravity| gravity.angular_velocity.as_ref())
        {
            return Err(angular_velocity.refuse(ROTATING_GRAVITY));
        }
        self.materials.values().try_for_each(|material| material.value.check_bonded())?;
        self.neighbors.check_bonded()?;
        if self.solids.is_empty() {
            return Err(SceneValidationError::whole("the scene has no solids; add [[solids]]"));
        }
        Ok(())
    }

    /// Refuses keys that only an event-driven run has.
    fn check_time_stepped(&self) -> ValidationResult<()> {
        const ONLY: &str = "only engine = \"event-driven\" has it";
        if let Some(count) = &self.collisions {
            return Err(count.refuse("contacts last in a time-stepped run; give until instead"));
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

    /// Returns the number of bodies that the tables ask for; a file counts as one.
    pub(super) fn body_count(&self) -> u64 {
        let generated = self.generate.iter().map(|table| table.value.count.value.0);
        let poured = self.pour.iter().map(|table| table.value.count.value.0);
        let given = (self.bodies.len() + self.solids.len()) as u64;
        generated.chain(poured).fold(given, u64::saturating_add)
    }
}

/// Returns the JSON schema of scenes, for editors that complete and check TOML.
///
/// ```
/// let schema = carom_scene::scene::schema();
/// assert_eq!(schema["additionalProperties"], false);
/// assert!(schema["properties"]["until"]["description"].as_str().unwrap().contains("time"));
/// ```
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(WrittenScene).into()
}
