//! What a DEM run will cost, where its time step comes from, and which stiffness would save time.

use super::stiffness::{self, ContactLoad};
use super::{laws, setup};
use crate::run::Estimate;
use carom_io::{group_thousands, six_significant_digits};
use carom_scene::Scene;
use carom_scene::scene::RunSource;
use carom_simulate::dem::{
    Body, ContactLaw, NormalForceLaw, Settings, Simulation, TimeStepChoice, choose_time_step,
};

/// Estimates a DEM run from its start.
pub(super) fn estimate<const D: usize, L: ContactLaw>(
    scene: &Scene<D>,
    simulation: &Simulation<D, L>,
    estimate: &mut Estimate,
) {
    let (bodies, until) = (setup::all_bodies(scene), scene.duration().unwrap_or(0.0));
    let (step, choice) = (simulation.time_step(), choose_time_step(&bodies, simulation.settings()));
    let (load, steps) = (ContactLoad::of(scene), (until / step).ceil() as u64);
    let softer = softer(scene, (&load, &choice), simulation.settings(), steps);
    let count = scene.bodies.len();
    estimate.push_line("bodies", count, "bodies", group_thousands(count as u64));
    estimate.push_box_and_end(scene);
    let fraction = scene.packing_fraction();
    let number = six_significant_digits(fraction);
    estimate.push_line("packing_fraction", fraction, "packing", number);
    estimate.push_line("step", step, "step", step_words(scene, step, &choice));
    estimate.push("shortest_collision", choice.collision_duration);
    estimate.push_line("steps", steps, "steps", group_thousands(steps));
    let mass: f64 = bodies.iter().map(|body| body.mass).sum();
    estimate.push_line("mass", mass, "mass", format!("{} in all", six_significant_digits(mass)));
    estimate.push_line("speed", load.speed, "largest speed", speed_words(&load));
    estimate.push("falling_speed", load.fall_speed);
    estimate.push_memory_and_log(simulation.bytes());
    let is_chosen = is_built_in(simulation.settings())
        && bodies.iter().any(|body| laws::is_stiffness_chosen(scene, body.material));
    if is_chosen {
        let choice = stiffness::choose(scene);
        let (number, reason) = (six_significant_digits(choice.stiffness), choice.reason());
        let words = format!("{number}, chosen so that {reason}");
        estimate.push_line("stiffness", choice.stiffness, "stiffness", words);
        estimate.push("stiffness_reason", reason);
    }
    if let Some(overlap) =
        load.overlap_at_rest(&bodies, simulation.settings()).filter(|_| load.force_at_base > 0.0)
    {
        let words = format!(
            "about {} % of a radius at the base of a heap",
            two_significant_digits(100.0 * overlap)
        );
        estimate.push_line("overlap_at_rest", overlap, "overlap at rest", words);
    }
    if let Some(softer) = &softer {
        let words = format!(
            "[materials.{}] stiffness = {} would suffice, with {} steps",
            softer.material,
            six_significant_digits(softer.stiffness),
            group_thousands(softer.steps)
        );
        let value = serde_json::json!({
            "material": softer.material,
            "stiffness": softer.stiffness,
            "steps": softer.steps,
        });
        estimate.push_line("softer", value, "softer", words);
    }
    estimate.check_gravity(scene, !scene.walls.is_empty());
    estimate.warnings.extend(warnings(scene, simulation));
    if step > COARSE * choice.collision_duration {
        estimate.warnings.push(format!(
            "step is {step:e}, but the shortest collision takes {:.3e}: with less than ten steps for it, collisions \
             lose more or less energy than asked for",
            choice.collision_duration
        ));
    }
    let shaped = bodies.iter().any(|body| body.shape.is_some());
    let work = steps as f64 * bodies.len() as f64 * SECONDS_PER_STEP[usize::from(shaped)];
    let advice = softer.filter(|_| work > LONG).map(|softer| softer.advice(steps));
    estimate.warnings.extend(advice);
    estimate.check_output(scene, Scene::duration);
    estimate.check_steps(until / step, step);
}

fn step_words<const D: usize>(scene: &Scene<D>, step: f64, choice: &TimeStepChoice) -> String {
    let name = |material: u32| {
        let known = scene.materials.get(material as usize);
        known.map_or("a wall".to_owned(), |material| material.name.clone())
    };
    let [one, two] = choice.materials.map(name);
    let why = match scene.step {
        Some(_) => "as asked for; the shortest collision",
        None => "a fiftieth of the shortest collision, which",
    };
    format!(
        "{}, {why} takes {} between {one} and {two}",
        six_significant_digits(step),
        six_significant_digits(choice.collision_duration)
    )
}

fn speed_words(load: &ContactLoad) -> String {
    let start = six_significant_digits(load.speed);
    match load.fall_speed > 0.0 {
        true => {
            format!("{start} at the start, {:.3} after a fall through the box", load.fall_speed)
        }
        false => format!("{start} at the start"),
    }
}

/// Formats a number that is known roughly.
fn two_significant_digits(number: f64) -> String {
    six_significant_digits(format!("{number:.1e}").parse().unwrap_or(number))
}

/// A stiffness that would suffice, and what it would save.
#[derive(Clone, Debug, PartialEq)]
struct SofterStiffness {
    /// Name of the material.
    material: String,
    /// Stiffness with which overlaps at rest stay below a hundredth of a radius and those of the fastest collision
    /// below a twentieth.
    stiffness: f64,
    /// Number of time steps to the end with it.
    steps: u64,
}

/// A softer stiffness is suggested for runs that take longer than this, in seconds.
const LONG: f64 = 600.0;
/// Cost of a body per time step on one core, roughly, in seconds: of a sphere, and of a body with a shape.
const SECONDS_PER_STEP: [f64; 2] = [1e-7, 2e-6];
/// A softer stiffness is suggested only if it leaves less than this fraction of the time steps.
const WORTH_IT: f64 = 0.5;

/// Above this fraction of the shortest collision, a time step makes collision losses wrong.
const COARSE: f64 = 0.1;
impl SofterStiffness {
    /// The suggestion in words, with the number of steps that it leaves.
    fn advice(&self, steps: u64) -> String {
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
fn softer<const D: usize, L: ContactLaw>(
    scene: &Scene<D>,
    (load, choice): (&ContactLoad, &TimeStepChoice),
    settings: &Settings<D, L>,
    steps: u64,
) -> Option<SofterStiffness> {
    let [one, two] = choice.materials.map(|material| material as usize);
    let NormalForceLaw::Spring { stiffness: given } =
        settings.contact_laws[one * settings.material_count + two].as_composite()?.normal
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

/// Whether all contacts have the built-in law, which has the stiffness of the materials.
fn is_built_in<const D: usize, L: ContactLaw>(settings: &Settings<D, L>) -> bool {
    settings.contact_laws.iter().all(|law| law.as_composite().is_some())
}

fn warnings<const D: usize, L: ContactLaw>(
    scene: &Scene<D>,
    simulation: &Simulation<D, L>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let has_contacts = |source: &RunSource| {
        source.checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.arrays.engine == "dem")
    };
    let goes_on = scene.run_sources.iter().any(has_contacts);
    let is_chosen = is_built_in(simulation.settings())
        && scene.bodies.iter().any(|body| laws::is_stiffness_chosen(scene, body.material));
    if goes_on && is_chosen {
        warnings.push(format!(
            "materials without a stiffness get {:.3e} here, which may not be what they had in the run that bodies come \
             from: give the stiffness that carom check reports for the scene.toml of that run, or forces will jump",
            stiffness::choose(scene).stiffness
        ));
    }
    let maximum_gravity = scene.maximum_gravity();
    let moves = |body: &Body<D>| body.velocity.norm() > 0.0 || body.angular_velocity.norm() > 0.0;
    let driven = simulation.settings().walls.iter().any(|wall| wall.motion.moves());
    let touching = simulation.step_totals().contacts + simulation.step_totals().wall_contacts;
    let acts = maximum_gravity.norm() > 0.0 || driven || touching > 0;
    let is_still = scene.stages.is_empty() && !acts;
    if is_still && !setup::all_bodies(scene).iter().any(moves) {
        warnings.push("no body moves and nothing acts on them: nothing will happen".to_owned());
    }
    warnings
}
