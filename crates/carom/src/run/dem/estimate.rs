use super::stiffness::{self, ContactLoad, StiffnessChoice};
use super::{Run, laws, setup};
use crate::run::{OutputInterval, OutputSchedule};
use carom_io::{group_thousands, six_significant_digits};
use carom_scene::Scene;
use carom_scene::scene::BoundaryCondition;
use carom_simulate::dem::{
    Body, NormalForceLaw, Settings, Simulation, TimeStepChoice, choose_time_step,
};

/// What a DEM scene will do, as far as can be known without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Packing fraction.
    pub packing_fraction: f64,
    /// Time step.
    pub step: f64,
    /// The time step that the stiffest contact requires, and why.
    pub choice: TimeStepChoice,
    /// Names of the materials of that contact.
    pub materials: [String; 2],
    /// The stiffness that carom chose, if bodies touch with it, and its reason.
    pub stiffness: Option<StiffnessChoice>,
    /// Mass of all bodies, those to be poured included.
    pub mass: f64,
    /// Fastest speed at the start.
    pub speed: f64,
    /// Speed of a fall through the box; zero without gravity.
    pub falling_speed: f64,
    /// Overlap expected at the base of a heap at rest, over a radius; none without gravity.
    pub overlap_at_rest: Option<f64>,
    /// Number of time steps to the end.
    pub steps: u64,
    /// A softer stiffness that would shorten the run, if contacts are stiffer than needed.
    pub softer_stiffness: Option<SofterStiffness>,
    /// Memory of bodies and neighbor list at the start, in bytes.
    pub memory: usize,
    /// When rows and frames are due.
    pub output_schedule: OutputSchedule,
    /// Warnings about what may not be intended, in sentences.
    pub warnings: Vec<String>,
    /// Number of frames that will be written, if there is an interval.
    frames: Option<f64>,
}

/// A stiffness that would suffice, and what it would save.
#[derive(Clone, Debug, PartialEq)]
pub struct SofterStiffness {
    /// Name of the material.
    pub material: String,
    /// Stiffness with which overlaps at rest stay below a hundredth of a radius and those of the fastest collision
    /// below a twentieth.
    pub stiffness: f64,
    /// Number of time steps to the end with it.
    pub steps: u64,
}

/// A softer stiffness is suggested for runs that take longer than this, in seconds.
const LONG: f64 = 600.0;
/// Cost of a body per time step on one core, roughly, in seconds: of a sphere, and of a body with a shape.
const SECONDS_PER_STEP: [f64; 2] = [1e-7, 2e-6];
/// A softer stiffness is suggested only if it leaves less than this fraction of the time steps.
const WORTH_IT: f64 = 0.5;

/// Above this fraction of the shortest collision, a time step makes collision losses wrong.
const COARSE: f64 = 0.1;
const MOST_FRAMES: f64 = 1e7;
const MOST_STEPS: u64 = 1_000_000_000_000;

impl Estimate {
    /// Estimates a run from its start.
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
                 for it, collisions lose more or less energy than asked for",
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

    /// The reason why the scene should not be run, if there is one.
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
    /// The suggestion in words, with the number of steps that it leaves.
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

/// A softer stiffness for the contacts that make the time step short, if it would save much.
fn softer<const D: usize>(
    scene: &Scene<D>,
    (load, choice): (&ContactLoad, &TimeStepChoice),
    settings: &Settings<D>,
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

fn warnings<const D: usize>(scene: &Scene<D>, simulation: &Simulation<D>) -> Vec<String> {
    let mut warnings = scene.warnings();
    let goes_on = scene.run_sources.iter().any(|source| source.checkpoint.is_some());
    if goes_on && scene.bodies.iter().any(|body| laws::is_stiffness_chosen(scene, body.material)) {
        warnings.push(format!(
            "materials without a stiffness get {:.3e} here, which may not be what they had in the run that bodies come \
             from: give the stiffness that carom check reports for the scene.toml of that run, or forces will jump",
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
            // Other walls may hold the bodies.
            BoundaryCondition::Open if !scene.walls.is_empty() => {}
            BoundaryCondition::Open => warnings.push(format!(
                "gravity acts along the open axis {name}: bodies fall out of sight"
            )),
            BoundaryCondition::Wall { .. } => {}
        }
    }
    let moves = |body: &Body<D>| body.velocity.norm() > 0.0 || body.angular_velocity.norm() > 0.0;
    let driven = simulation.settings().walls.iter().any(|wall| wall.drive.moves());
    let touching = simulation.step_totals().contacts + simulation.step_totals().wall_contacts;
    let acts = pull.norm() > 0.0 || driven || touching > 0;
    if !acts && !setup::all_bodies(scene).iter().any(moves) {
        warnings.push("no body moves and nothing acts on them: nothing will happen".to_owned());
    }
    warnings
}
