//! What a run of solids will cost, and warnings about lattices too coarse for what they are to show.

use crate::run::Estimate;
use carom_io::{group_thousands, six_significant_digits};
use carom_scene::Scene;
use carom_simulate::bonded::Simulation;

/// A solid that is thinner than this many spacings does not bend or carry waves as its material would.
const THIN: f64 = 3.0;

/// Estimates a run of solids from its start.
pub(super) fn estimate<const D: usize>(
    scene: &Scene<D>,
    simulation: &Simulation<D>,
    estimate: &mut Estimate,
) {
    let (bodies, until) = (simulation.bodies(), scene.duration().unwrap_or(0.0));
    let stable = bodies.iter().map(|body| body.longest_stable_step()).zip(0..);
    let (longest, solid) = stable.min_by(|one, two| one.0.total_cmp(&two.0)).unwrap_or((0.0, 0));
    let solids = scene.solids.len();
    estimate.push_line("solids", solids, "solids", group_thousands(solids as u64));
    let particles: usize = bodies.iter().map(|body| body.particle_count()).sum();
    let springs: u64 = bodies.iter().map(|body| body.spring_count()).sum();
    let words = format!(
        "{}, joined by {} springs",
        group_thousands(particles as u64),
        group_thousands(springs)
    );
    estimate.push_line("particles", particles, "particles", words);
    estimate.push("springs", springs);
    estimate.push_box_and_end(scene);
    let step = simulation.time_step();
    let words = format!(
        "{}; springs of solid {solid} are stable up to {}",
        six_significant_digits(step),
        six_significant_digits(longest)
    );
    estimate.push_line("step", step, "step", words);
    estimate.push("longest_stable_step", longest);
    let steps = until / step;
    let words = format!("{}, more where some are halved", group_thousands(steps as u64));
    estimate.push_line("steps", steps.ceil(), "steps", words);
    estimate.push_memory_and_log(bodies.iter().map(|body| body.bytes()).sum());
    estimate.check_gravity(scene, scene.solids.iter().any(|solid| solid.fixed));
    estimate.warnings.extend(warnings(scene, simulation));
    estimate.check_output(scene, Scene::duration);
    estimate.check_steps(steps, step);
}

fn warnings<const D: usize>(scene: &Scene<D>, simulation: &Simulation<D>) -> Vec<String> {
    let mut warnings = Vec::new();
    let still = |solid: &carom_scene::scene::Solid<D>| {
        let held = solid.velocity_constraints.iter().all(|hold| hold.velocity.norm() == 0.0);
        solid.velocity.norm() == 0.0 && solid.angular_velocity.norm() == 0.0 && held
    };
    let rests = scene.run_sources.is_empty() && scene.solids.iter().all(still);
    if scene.maximum_gravity().norm() == 0.0 && rests {
        warnings.push("no solid moves and nothing acts on them: nothing will happen".to_owned());
    }
    for (number, (solid, body)) in scene.solids.iter().zip(simulation.bodies()).enumerate() {
        let extent = solid.shape.bounds().size().min() / solid.spacing;
        if extent < THIN {
            warnings.push(format!(
                "solid {number} is only {extent:.1} spacings thick: it will not bend as its material would"
            ));
        }
        let rim = 0.5 * solid.angular_velocity.norm() * solid.shape.bounds().size().max();
        let speed = (solid.velocity.norm() + rim) / body.wave_speed();
        if speed > 0.5 {
            warnings.push(format!(
                "solid {number} moves with {speed:.3e} of the speed of its own waves: springs will be crushed before \
                 their neighbors feel it"
            ));
        }
        let pieces = body.fragments().list.len();
        if pieces > 1 && scene.run_sources.is_empty() {
            warnings.push(format!(
                "solid {number} has {pieces} pieces at the start that no spring joins"
            ));
        }
    }
    warnings
}
