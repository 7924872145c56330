use super::stiffness::{self, ContactLoad, StiffnessChoice};
use super::{Run, laws, setup};
use crate::run::{OutputInterval, OutputSchedule};
use carom_scene::scene::BoundaryCondition;
use carom_scene::{Scene, group_thousands, six_significant_digits};
use carom_simulate::dem::{
    Body, NormalForceLaw, Settings, Simulation, TimeStepChoice, choose_time_step,
};

/// What a scene in steps of time will do, as far as one can tell without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Part of the box that is covered.
    pub packing_fraction: f64,
    /// The length of a step.
    pub step: f64,
    /// The step that the stiffest contact asks for, and why.
    pub choice: TimeStepChoice,
    /// The names of the materials of that contact.
    pub materials: [String; 2],
    /// The stiffness that carom chose, if bodies touch with it, and why.
    pub stiffness: Option<StiffnessChoice>,
    /// The mass of all bodies, those to come included.
    pub mass: f64,
    /// The fastest speed at the start.
    pub speed: f64,
    /// The speed of a fall through the box; zero without gravity.
    pub falling_speed: f64,
    /// The overlap to be expected at the foot of a heap at rest, in parts of a radius; none without gravity.
    pub overlap_at_rest: Option<f64>,
    /// Steps to the end.
    pub steps: u64,
    /// What would make the run shorter, if contacts are stiffer than they need be.
    pub softer_stiffness: Option<SofterStiffness>,
    /// Bytes for bodies and neighbors at the start.
    pub memory: usize,
    /// When rows and frames are due.
    pub output_schedule: OutputSchedule,
    /// What may not be meant, in sentences.
    pub warnings: Vec<String>,
    /// Frames that will be written, if there is a pace.
    frames: Option<f64>,
}

/// A stiffness that would do, and what it would save.
#[derive(Clone, Debug, PartialEq)]
pub struct SofterStiffness {
    /// The name of the material.
    pub material: String,
    /// With this stiffness, overlaps at rest stay below a hundredth of a radius and those of the fastest
    /// collision below a twentieth.
    pub stiffness: f64,
    /// Steps to the end with it.
    pub steps: u64,
}

/// Softer contacts are suggested for a run that takes longer, in seconds.
const LONG: f64 = 600.0;
/// What a body costs in a step on one core, roughly, in seconds: a ball, and a body with a shape.
const SECONDS_PER_STEP: [f64; 2] = [1e-7, 2e-6];
/// Fewer steps are suggested only if they are less than this part.
const WORTH_IT: f64 = 0.5;

/// A step of more than this part of the shortest collision makes losses wrong.
const COARSE: f64 = 0.1;
const MOST_FRAMES: f64 = 1e7;
const MOST_STEPS: u64 = 1_000_000_000_000;

impl Estimate {
    /// Looks at the start of a run.
    pub fn of<const D: usize>(scene: &Scene<D>, run: &Run<D>) -> Self {
        let (simulation, until) = (run.simulation(), scene.limits.until.unwrap_or(0.0));
        let bodies = setup::all_bodies(scene);
        let choice = choose_time_step(&bodies, simulation.settings());
        let load = ContactLoad::of(scene);
        let chosen = bodies.iter().any(|body| laws::is_stiffness_chosen(scene, body.material));
        let name = |material: u32| {
            let known = scene.materials.get(material as usize);
            known.map_or("a wall".to_owned(), |material| material.name.clone())
        };
        let (step, output_schedule) = (simulation.time_step(), run.measured.output_schedule);
        let frames = output_schedule.frames.map(|interval| until / interval);
        let mut warnings = warnings(scene, simulation);
        if step > COARSE * choice.collision_duration {
            warnings.push(format!(
                "step is {step:e}, but the shortest collision takes {:.3e}: with less than ten steps \
                 for it, collisions lose more or less than asked for",
                choice.collision_duration
            ));
        }
        let rows = match output_schedule.log {
            OutputInterval::Time(interval) => until / interval,
            OutputInterval::Collisions(_) => 0.0,
        };
        for (what, count, most, key) in [
            ("rows of the log", rows, 1e8, "output.log_interval"),
            ("frames", frames.unwrap_or(0.0), 1e6, "output.interval"),
        ] {
            if count > most {
                warnings.push(format!(
                    "about {count:.1e} {what} will be written; is {key} meant to be that short?"
                ));
            }
        }
        let steps = (until / step).ceil() as u64;
        let softer_stiffness = softer(scene, (&load, &choice), simulation.settings(), steps);
        let shaped = bodies.iter().any(|body| body.shape.is_some());
        let work = steps as f64 * bodies.len() as f64 * SECONDS_PER_STEP[usize::from(shaped)];
        warnings
            .extend(softer_stiffness.as_ref().filter(|_| work > LONG).map(|it| it.advice(steps)));
        Estimate {
            stiffness: chosen.then(|| stiffness::choose(scene)),
            mass: bodies.iter().map(|body| body.mass).sum(),
            speed: load.speed,
            falling_speed: load.fall_speed,
            overlap_at_rest: (load.force_at_base > 0.0)
                .then(|| load.overlap_at_rest(&bodies, simulation.settings())),
            softer_stiffness,
            packing_fraction: scene.packing_fraction(),
            step,
            materials: choice.materials.map(name),
            choice,
            steps,
            memory: simulation.bytes(),
            output_schedule,
            warnings,
            frames,
        }
    }

    /// Why the scene had better not be run at all, if there is a reason.
    pub fn refusal(&self) -> Option<String> {
        if self.steps > MOST_STEPS {
            return Some(format!(
                "a step takes {:e}, so that the run has about {:.1e} steps; at most 1e12 are made: take a \
                 longer step, softer or heavier bodies, or an earlier end",
                self.step, self.steps as f64
            ));
        }
        let (frames, interval) = (self.frames?, self.output_schedule.frames?);
        (frames > MOST_FRAMES).then(|| {
            format!(
                "output.interval is {interval:?}, which would give about {frames:.1e} frames; at most \
                 1e7 are written: take a longer interval"
            )
        })
    }
}

impl SofterStiffness {
    /// What to write, and how many of `steps` it saves.
    pub fn advice(&self, steps: u64) -> String {
        format!(
            "the run has {} steps because its contacts are stiff; [materials.{}] stiffness = {} would \
             keep overlaps at rest below 1 % of a radius, those of the fastest collision below 5 %, and \
             make them {}",
            group_thousands(steps),
            self.material,
            six_significant_digits(self.stiffness),
            group_thousands(self.steps)
        )
    }
}

/// A softer stiffness for the contacts that make the step short, if it would save much.
fn softer<const D: usize>(
    scene: &Scene<D>,
    (load, choice): (&ContactLoad, &TimeStepChoice),
    settings: &Settings,
    steps: u64,
) -> Option<SofterStiffness> {
    let [one, two] = choice.materials.map(|material| material as usize);
    let NormalForceLaw::Spring { stiffness: given } =
        settings.contact_laws[one * settings.material_count + two].normal
    else {
        return None;
    };
    let stiffness = load.softest_stiffness();
    let part = (stiffness / given).sqrt();
    let usable = scene.step.is_none() && stiffness > 0.0 && part < WORTH_IT;
    let material = scene.materials.get(one.min(two)).filter(|_| usable)?;
    Some(SofterStiffness {
        material: material.name.clone(),
        stiffness,
        steps: (steps as f64 * part).ceil() as u64,
    })
}

fn warnings<const D: usize>(scene: &Scene<D>, simulation: &Simulation) -> Vec<String> {
    let mut warnings = scene.warnings();
    let goes_on = scene.run_sources.iter().any(|source| source.checkpoint.is_some());
    if goes_on && scene.bodies.iter().any(|body| laws::is_stiffness_chosen(scene, body.material)) {
        warnings.push(format!(
            "materials without a stiffness get {:.3e} here, which may not be what they had in the run that bodies come \
             from: write down what carom check tells of the scene.toml of that run, or contacts will jump",
            stiffness::choose(scene).stiffness
        ));
    }
    let pull = scene.maximum_gravity();
    for axis in (0..D).filter(|&axis| pull[axis] != 0.0) {
        let name = ["x", "y", "z"][axis];
        match scene.region.boundary_conditions[axis] {
            BoundaryCondition::Periodic => warnings.push(format!(
                "gravity acts along the periodic axis {name}: bodies fall for ever, faster and faster"
            )),
            // Other walls may hold them.
            BoundaryCondition::Open if !scene.walls.is_empty() => {}
            BoundaryCondition::Open => warnings.push(format!(
                "gravity acts along the open axis {name}: bodies fall out of sight"
            )),
            BoundaryCondition::Wall { .. } => {}
        }
    }
    let moves = |body: &Body| body.velocity.norm() > 0.0 || body.angular_velocity.norm() > 0.0;
    let driven = simulation.settings().walls.iter().any(|wall| wall.drive.moves());
    let touching = simulation.step_totals().contacts + simulation.step_totals().wall_contacts;
    let acts = pull.norm() > 0.0 || driven || touching > 0;
    if !acts && !setup::all_bodies(scene).iter().any(moves) {
        warnings.push("no body moves and nothing acts on them: nothing will happen".to_owned());
    }
    warnings
}
