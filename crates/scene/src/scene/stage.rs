//! Stages: parts of a run, each with an end and with what it changes of the scene.
//!
//! In a stage the tables of the scene hold, with those of the stage merged in: tables key by key, lists as a whole. What
//! one stage changes does not last into the next. The merged tables have the places of their values in the text, so that
//! they are read and checked as any scene is.

use super::bounds::{NotNegative, Positive};
use super::contact_parameters::WrittenContact;
use super::field::{WrittenField, WrittenGravity};
use super::force::WrittenForce;
use super::growth_and_thermostat::{WrittenGrowth, WrittenThermostat};
use super::material::WrittenMaterial;
use super::output::WrittenObserve;
use super::problem::ValidationResult;
use super::solid::WrittenSolid;
use super::values::{LocatedValue, OneOrEach, WholeNumber};
use super::wall::WrittenWall;
use super::written_scene::Engine;
use super::{Scene, check_name};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// A part of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage<const D: usize> {
    /// Name of the stage, as in messages and in the summary.
    pub name: String,
    /// The scene in this stage, without bodies, solids and shapes. Its limits count from the start of the stage.
    pub scene: Scene<D>,
    /// Numbers of the solids whose held particles are let go when it begins.
    pub release: Vec<u32>,
}

/// A part of a run, with what it changes of the scene. What is not named here stays as the scene has it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Stage")]
#[expect(dead_code, reason = "most keys are read from the merged tables")]
pub(super) struct WrittenStage {
    /// Name of the stage, of letters, digits and _.
    name: LocatedValue<String>,
    /// Duration of the stage, in time.
    #[schemars(with = "Option<Positive>")]
    duration: Option<LocatedValue<f64>>,
    /// Number of collisions after which it ends (engine event-driven).
    collisions: Option<LocatedValue<WholeNumber>>,
    /// Gravity in this stage.
    #[schemars(with = "Option<WrittenGravity>")]
    gravity: Option<IgnoredAny>,
    /// Drag and trap in this stage (engine event-driven).
    #[schemars(with = "Option<WrittenField>")]
    field: Option<IgnoredAny>,
    /// Changed keys of materials, by their names.
    #[serde(default)]
    materials: BTreeMap<String, LocatedValue<WrittenMaterial>>,
    /// Contact laws of two materials in this stage (engine dem).
    #[serde(default)]
    contacts: Vec<LocatedValue<WrittenContact>>,
    /// Changed keys of walls, by their names (engine dem).
    #[serde(default)]
    walls: BTreeMap<String, LocatedValue<WrittenStageWall>>,
    /// Names of the walls that are not there in this stage (engine dem).
    #[serde(default)]
    without_walls: Vec<LocatedValue<String>>,
    /// Numbers of the solids, from zero, whose fixed or held particles are let go when this stage begins (engine bonded).
    #[serde(default)]
    release: Vec<LocatedValue<u32>>,
    /// Forces in this stage.
    #[serde(default)]
    forces: Vec<LocatedValue<WrittenForce>>,
    /// Growth in this stage (engine event-driven).
    #[schemars(with = "Option<WrittenGrowth>")]
    growth: Option<IgnoredAny>,
    /// Thermostat in this stage (engine event-driven).
    #[schemars(with = "Option<WrittenThermostat>")]
    thermostat: Option<IgnoredAny>,
    /// Quantities that are measured in this stage.
    #[serde(default)]
    observe: WrittenObserve,
    /// Output intervals of this stage.
    #[serde(default)]
    output: WrittenStageOutput,
}

/// Changes of a wall by a stage.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "StageWall")]
#[expect(dead_code, reason = "they are read from the merged tables")]
struct WrittenStageWall {
    /// Name of a material.
    material: Option<LocatedValue<String>>,
    /// Constant velocity, one component per axis, in length / time.
    velocity: Option<LocatedValue<Vec<f64>>>,
    /// Amplitude of an oscillation about where the wall is, one component per axis, in length.
    amplitude: Option<LocatedValue<Vec<f64>>>,
    /// Frequency of the oscillation, in cycles / time.
    #[schemars(with = "Option<NotNegative>")]
    frequency: Option<LocatedValue<f64>>,
    /// Angular velocity, in radians / time: one number in 2D, one per axis in 3D.
    angular_velocity: Option<LocatedValue<OneOrEach<f64>>>,
    /// A point on the axis of rotation where the wall was at the start of the run, in length.
    center: Option<LocatedValue<Vec<f64>>>,
}

/// Output intervals of a stage.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "StageOutput")]
#[expect(dead_code, reason = "they are read from the merged tables")]
struct WrittenStageOutput {
    /// Time between two frames.
    #[schemars(with = "Option<Positive>")]
    interval: Option<LocatedValue<f64>>,
    /// Time between two rows of the log.
    #[schemars(with = "Option<Positive>")]
    log_interval: Option<LocatedValue<f64>>,
    /// Number of collisions between two rows of the log (engine event-driven).
    log_collisions: Option<LocatedValue<WholeNumber>>,
}

/// Each stage costs a copy of the scene and a place in every checkpoint.
const MOST_STAGES: usize = 100;

impl WrittenStage {
    /// Checks what does not follow from the merged tables, and returns the names of the stages.
    pub(super) fn check_all(
        stages: &[LocatedValue<Self>],
        engine: Engine,
        materials: &BTreeMap<String, LocatedValue<WrittenMaterial>>,
        walls: &[LocatedValue<WrittenWall>],
        solids: &[LocatedValue<WrittenSolid>],
    ) -> ValidationResult<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        if let Some(first_beyond) = stages.get(MOST_STAGES) {
            return Err(first_beyond.refuse(format!("a scene has at most {MOST_STAGES} stages")));
        }
        for stage in stages {
            let name = &stage.value.name;
            check_name(name)?;
            if names.contains(&name.value) {
                return Err(name.refuse("another stage has this name"));
            }
            names.push(name.value.clone());
            if let Some(none) = stage.value.collisions.as_ref().filter(|it| it.value.0 == 0) {
                return Err(none.refuse("it must be at least 1"));
            }
            if let Some(duration) = &stage.value.duration {
                duration.positive(super::values::POSITIVE)?;
            }
            if let (Engine::Bonded, Some(material)) =
                (engine, stage.value.materials.values().next())
            {
                return Err(material.refuse("springs keep the material of the scene; leave it out"));
            }
            for (name, material) in &stage.value.materials {
                if let Some(density) = material.value.written_density() {
                    return Err(density.refuse("bodies keep their masses; leave it out"));
                }
                if name != "default" && !materials.contains_key(name) {
                    return Err(material.refuse("the scene has no material of this name"));
                }
            }
            stage.value.check_release(engine, solids)?;
            let has_wall = |name: &str| walls.iter().any(|wall| wall.value.is_named(name));
            for name in &stage.value.without_walls {
                if !has_wall(&name.value) {
                    return Err(name.refuse("no wall of the scene has this name"));
                }
            }
            if let Some(wall) = stage.value.walls.keys().find(|&name| !has_wall(name)) {
                let rule =
                    format!("no wall of the scene has the name {wall}; give it one by walls.name");
                return Err(stage.refuse(rule));
            }
        }
        Ok(names)
    }

    /// Numbers of the solids whose held particles are let go.
    pub(super) fn release(&self) -> Vec<u32> {
        self.release.iter().map(|solid| solid.value).collect()
    }

    fn check_release(
        &self,
        engine: Engine,
        solids: &[LocatedValue<WrittenSolid>],
    ) -> ValidationResult<()> {
        for solid in &self.release {
            if engine != Engine::Bonded {
                return Err(solid.refuse("only engine = \"bonded\" has solids"));
            }
            let Some(of_scene) = solids.get(solid.value as usize) else {
                return Err(solid.refuse(format!(
                    "the scene has {} solids; their numbers begin at zero",
                    solids.len()
                )));
            };
            if !of_scene.value.has_held_particles() {
                return Err(solid.refuse("this solid is neither fixed nor has it held parts"));
            }
        }
        Ok(())
    }
}

/// Merges a stage into the tables of a scene, in which no stage is left then.
pub(super) fn merge(tables: &mut DeTable, number: usize) {
    let Some(DeValue::Array(stages)) = tables.remove("stages").map(Spanned::into_inner) else {
        return;
    };
    let stage = stages.into_iter().nth(number).map(Spanned::into_inner);
    let Some(DeValue::Table(mut stage)) = stage else { return };
    stage.remove("name");
    stage.remove("release");
    tables.remove("until");
    if let Some(duration) = stage.remove("duration") {
        tables.insert(key("until", &duration.span()), duration);
    }
    let absent = stage.remove("without_walls").map(Spanned::into_inner);
    let changes = stage.remove("walls").map(Spanned::into_inner);
    if let Some(DeValue::Array(walls)) = tables.get_mut("walls").map(Spanned::get_mut) {
        if let Some(DeValue::Table(changes)) = changes {
            change_walls(walls, changes);
        }
        if let Some(DeValue::Array(absent)) = absent {
            let is_absent = |wall: &Spanned<DeValue>| {
                let own = name_of(wall);
                own.is_some() && absent.iter().any(|name| text(name) == own)
            };
            let present = std::mem::replace(walls, DeArray::new()).into_iter();
            *walls = present.filter(|wall| !is_absent(wall)).collect();
        }
    }
    merge_tables(tables, stage);
}

fn key<'a>(name: &'static str, span: &Range<usize>) -> Spanned<Cow<'a, str>> {
    Spanned::new(span.clone(), Cow::Borrowed(name))
}

fn text<'v>(value: &'v Spanned<DeValue>) -> Option<&'v str> {
    match value.get_ref() {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

/// The name of a wall.
fn name_of<'v>(wall: &'v Spanned<DeValue>) -> Option<&'v str> {
    match wall.get_ref() {
        DeValue::Table(wall) => text(wall.get("name")?),
        _ => None,
    }
}

fn change_walls<'b>(walls: &mut DeArray<'b>, changes: DeTable<'b>) {
    for (name, change) in changes {
        let wall = walls.iter_mut().find(|wall| name_of(wall) == Some(name.get_ref()));
        let (Some(wall), DeValue::Table(change)) = (wall, change.into_inner()) else { continue };
        if let DeValue::Table(wall) = wall.get_mut() {
            merge_tables(wall, change);
        }
    }
}

fn merge_tables<'b>(tables: &mut DeTable<'b>, changes: DeTable<'b>) {
    for (name, change) in changes {
        let old = tables.get_mut(name.get_ref().as_ref()).map(Spanned::get_mut);
        match (old, change.get_ref()) {
            (Some(DeValue::Table(old)), DeValue::Table(_)) => {
                if let DeValue::Table(change) = change.into_inner() {
                    merge_tables(old, change);
                }
            }
            _ => {
                tables.insert(name, change);
            }
        }
    }
}
