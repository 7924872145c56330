//! What is known of a run before it begins, for any engine.

use super::engine_run::EngineRun;
use super::output_schedule::{OutputInterval, OutputSchedule};
use carom_io::{group_thousands, six_significant_digits};
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, Limits};
use serde_json::Value;

/// What a scene will do, as far as can be known without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What is known, in the order in which people want to read it.
    pub facts: Vec<Fact>,
    /// Warnings about what may not be intended, in sentences.
    pub warnings: Vec<String>,
    /// Reason why the scene should not be run, if there is one.
    pub refusal: Option<String>,
    schedule: OutputSchedule,
    time_step: Option<f64>,
}

/// Something that is known of a run before it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Key in JSON.
    pub name: &'static str,
    /// Value in JSON.
    pub value: Value,
    /// Label and text of its line in the report, if it has one.
    pub line: Option<(&'static str, String)>,
}

/// Largest number of frames.
const MOST_FRAMES: f64 = 1e7;
/// Largest number of log rows: some hundred gigabytes.
const MOST_ROWS: f64 = 1e9;
/// Largest number of time steps.
const MOST_STEPS: f64 = 1e12;

/// A key of the output with its value.
type Key = (&'static str, f64);

/// Rows and frames of a run or of one of its stages, as far as they can be known.
struct OutputOfPart {
    rows: Option<f64>,
    frames: Option<f64>,
    log: Key,
    frame_interval: f64,
}

impl OutputOfPart {
    fn of(schedule: OutputSchedule, duration: Option<f64>, collisions: Option<u64>) -> Self {
        let (rows, log) = match schedule.log {
            OutputInterval::Time(interval) => {
                (duration.map(|time| time / interval), ("output.log_interval", interval))
            }
            OutputInterval::Collisions(count) => (
                collisions.map(|most| most as f64 / count as f64),
                ("output.log_collisions", count as f64),
            ),
        };
        let frames = match schedule.frames {
            Some(interval) => duration.map(|time| time / interval),
            None => None,
        };
        OutputOfPart { rows, frames, log, frame_interval: schedule.frames.unwrap_or(0.0) }
    }
}

impl Estimate {
    pub(super) fn of<const D: usize>(
        scene: &Scene<D>,
        schedule: OutputSchedule,
        engine: &dyn EngineRun<D>,
    ) -> Self {
        let (facts, warnings) = (Vec::new(), scene.warnings());
        let time_step = engine.time_step();
        let mut estimate = Estimate { facts, warnings, refusal: None, schedule, time_step };
        estimate.push("engine", engine.engine().name());
        estimate.push("dimension", D);
        engine.estimate(scene, &mut estimate);
        let sides = &scene.region.boundary_conditions;
        let is_periodic = sides.iter().all(|side| *side == BoundaryCondition::Periodic);
        if scene.observe.radial_distribution.is_some() && !is_periodic {
            estimate.warnings.push(
                "the radial distribution is compared with a box without ends; beside walls it falls short of one"
                    .to_owned(),
            );
        }
        estimate
    }

    /// Adds what is not worth a line.
    pub(super) fn push(&mut self, name: &'static str, value: impl Into<Value>) {
        self.facts.push(Fact { name, value: value.into(), line: None });
    }

    /// Adds what is worth a line.
    pub(super) fn push_line(
        &mut self,
        name: &'static str,
        value: impl Into<Value>,
        label: &'static str,
        words: impl Into<String>,
    ) {
        self.facts.push(Fact { name, value: value.into(), line: Some((label, words.into())) });
    }

    /// Adds the box and the end of a scene.
    pub(super) fn push_box_and_end<const D: usize>(&mut self, scene: &Scene<D>) {
        let end = end_condition(scene);
        self.push_line("box", scene.region.size.as_slice().to_vec(), "box", region(scene));
        self.push_line("end", end.clone(), "end", end);
    }

    /// Adds the memory, in bytes, and the interval of log rows.
    pub(super) fn push_memory_and_log(&mut self, bytes: usize) {
        self.push_line("memory", bytes, "memory", format!("{:.1} MB", bytes as f64 / 1e6));
        let words = match self.schedule.log {
            OutputInterval::Time(interval) => format!("a row every {interval} of time"),
            OutputInterval::Collisions(count) => {
                format!("a row every {} collisions", group_thousands(count))
            }
        };
        self.push_line("log", words.clone(), "log", words);
    }

    /// Warns of many rows and frames, and refuses too many. `duration` gives that of a scene, which may be one of the
    /// stages of the run, if it is known.
    pub(super) fn check_output<const D: usize>(
        &mut self,
        scene: &Scene<D>,
        duration: impl Fn(&Scene<D>) -> Option<f64>,
    ) {
        let mut parts: Vec<OutputOfPart> = Vec::new();
        let mut left = scene.latest_end.unwrap_or(f64::INFINITY);
        for stage in &scene.stages {
            let duration = duration(&stage.scene).map(|duration| duration.min(left));
            left -= duration.unwrap_or(0.0);
            let schedule = OutputSchedule::for_steps_of(
                &stage.scene,
                self.time_step,
                Some(scene.packing_fraction()),
            );
            let schedule = schedule.unwrap_or(self.schedule);
            let limits = &stage.scene.limits;
            parts.push(OutputOfPart::of(schedule, duration, limits.collisions));
        }
        if parts.is_empty() {
            let limits = &scene.limits;
            parts.push(OutputOfPart::of(self.schedule, duration(scene), limits.collisions));
        }
        self.push("rows", parts.iter().map(|part| part.rows).sum::<Option<f64>>());
        self.push("frames", parts.iter().map(|part| part.frames).sum::<Option<f64>>());
        let mut check = |what,
                         warned,
                         most,
                         count: fn(&OutputOfPart) -> f64,
                         key: fn(&OutputOfPart) -> Key| {
            let sum: f64 = parts.iter().map(count).sum();
            let largest = parts.iter().max_by(|one, two| count(one).total_cmp(&count(two)));
            let Some((key, interval)) = largest.map(key).filter(|_| sum > warned) else { return };
            self.warnings.push(format!(
                "about {sum:.1e} {what} will be written; is {key} meant to be that short?"
            ));
            if sum > most {
                self.refusal = Some(format!(
                    "{key} is {interval:?}, which would give about {sum:.1e} {what}; at most {most:e} are written: \
                     take a longer interval"
                ));
            }
        };
        check("rows of the log", 1e8, MOST_ROWS, |part| part.rows.unwrap_or(0.0), |part| part.log);
        check(
            "frames",
            1e6,
            MOST_FRAMES,
            |part| part.frames.unwrap_or(0.0),
            |part| ("output.interval", part.frame_interval),
        );
    }

    /// Refuses more steps than a machine can make, and fewer than one.
    pub(super) fn check_steps(&mut self, steps: f64, step: f64) {
        if steps > MOST_STEPS {
            self.refusal = Some(format!(
                "a step takes {step:e}, so that the run has about {steps:.1e} steps; at most 1e12 are made: take a \
                 longer step, softer or heavier bodies, or an earlier end"
            ));
        } else if steps > 0.0 && steps < 1.0 - 1e-6 {
            self.refusal = Some(format!(
                "a step takes {step:e}, longer than the whole run: take a later end, or a shorter step"
            ));
        }
    }

    /// Warns where gravity pulls bodies along an axis without a floor.
    pub(super) fn check_gravity<const D: usize>(&mut self, scene: &Scene<D>, is_floored: bool) {
        let maximum_gravity = scene.maximum_gravity();
        for axis in (0..D).filter(|&axis| maximum_gravity[axis] != 0.0) {
            let name = ["x", "y", "z"][axis];
            match scene.region.boundary_conditions[axis] {
                BoundaryCondition::Periodic => self.warnings.push(format!(
                    "gravity acts along the periodic axis {name}: bodies fall for ever, faster and faster"
                )),
                BoundaryCondition::Open if !is_floored => self.warnings.push(format!(
                    "gravity acts along the open axis {name}: bodies fall out of sight"
                )),
                _ => {}
            }
        }
    }

    /// Returns the number of a name.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.facts.iter().find(|fact| fact.name == name)?.value.as_f64()
    }

    /// Returns all facts and warnings as JSON.
    pub fn json(&self) -> Value {
        let facts = self.facts.iter().map(|fact| (fact.name.to_owned(), fact.value.clone()));
        let warnings = ("warnings".to_owned(), self.warnings.clone().into());
        Value::Object(facts.chain([warnings]).collect())
    }
}

fn region<const D: usize>(scene: &Scene<D>) -> String {
    let axis = |axis: usize| {
        let kind = match scene.region.boundary_conditions[axis] {
            BoundaryCondition::Periodic => "periodic",
            BoundaryCondition::Wall { .. } => "walls",
            BoundaryCondition::Open => "open",
        };
        format!("{} ({kind})", six_significant_digits(scene.region.size[axis]))
    };
    (0..D).map(axis).collect::<Vec<_>>().join(" x ")
}

fn end_condition<const D: usize>(scene: &Scene<D>) -> String {
    if !scene.stages.is_empty() {
        let stages = scene.stages.iter();
        let stages: Vec<String> = stages
            .map(|stage| format!("{}: {}", stage.name, end_condition(&stage.scene)))
            .collect();
        let latest = scene.latest_end.map(|end| format!("; at the latest at time {end}"));
        return stages.join(", then ") + &latest.unwrap_or_default();
    }
    let (limits, grows): (&Limits, _) = (&scene.limits, scene.growth.is_some());
    let until = limits.until.map(|until| format!("time {until}"));
    let collisions =
        limits.collisions.map(|collisions| format!("{} collisions", group_thousands(collisions)));
    let growth = grows.then(|| "the end of growth".to_owned());
    let ends: Vec<String> = [until, collisions, growth].into_iter().flatten().collect();
    ends.join(" or ")
}
