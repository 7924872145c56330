//! How many collisions an event-driven run will have, by kinetic theory.

use crate::run::Estimate;
use crate::run::output_schedule::growth_duration;
use carom_io::{group_thousands, six_significant_digits};
use carom_scene::Scene;
use carom_scene::scene::BoundaryCondition;
use carom_simulate::event_driven::Simulation;
use carom_simulate::observe::ThermodynamicSnapshot;

/// Estimates an event-driven run from its start.
pub(super) fn estimate<const D: usize>(
    scene: &Scene<D>,
    simulation: &Simulation<D>,
    estimate: &mut Estimate,
) {
    let snapshot = ThermodynamicSnapshot::of(simulation);
    let (fraction, temperature) = (snapshot.packing_fraction, snapshot.temperature);
    let fluid = fraction < if D == 2 { 0.69 } else { 0.49 } && temperature > 0.0;
    let alike = scene.bodies.iter().all(|body| body.radius == scene.bodies[0].radius);
    let free = scene.gravity.norm() == 0.0 && scene.field.is_none() && scene.growth.is_none();
    let lossless = scene.materials.iter().all(|material| material.restitution.is_elastic());
    let kind = if D == 2 { "discs" } else { "spheres" };
    let count = group_thousands(scene.bodies.len() as u64);
    estimate.push_line("bodies", scene.bodies.len(), "bodies", format!("{count} {kind}"));
    estimate.push_box_and_end(scene);
    let number = six_significant_digits(fraction);
    estimate.push_line("packing_fraction", fraction, "packing", number);
    let number = six_significant_digits(temperature);
    estimate.push_line("temperature", temperature, "temperature", number);
    let (structure, reason) = simulation.structure();
    let words = format!("{}: {reason}", structure.name());
    estimate.push_line("structure", structure.name(), "neighbors", words);
    estimate.push("reason", reason);
    estimate.push_memory_and_log(simulation.memory().total());
    if scene.growth.is_some() && scene.thermostat.is_none() {
        let words = "velocities are scaled back to the start's temperature after ten collisions per body, again and \
                     again, and when growth ends";
        estimate.push_line("growth_scales_velocities", true, "growth", words);
    }
    let rate = fluid.then(|| enskog_collision_rate(scene, fraction, temperature));
    match rate {
        Some(rate) => estimate.push_line(
            "collisions_per_time",
            rate,
            "collisions",
            format!("about {rate:.3e} per time as a fluid (Enskog)"),
        ),
        None => estimate.push("collisions_per_time", None::<f64>),
    }
    match (fluid && alike && free && lossless).then(|| reduced_pressure(D, fraction)) {
        Some(pressure) => estimate.push_line(
            "reduced_pressure",
            pressure,
            "pressure",
            format!("PV/NkT about {pressure:.3} as a fluid"),
        ),
        None => estimate.push("reduced_pressure", None::<f64>),
    }
    let contact_time = simulation.contact_time();
    if contact_time > 0.0 {
        let words =
            format!("{contact_time:.3e}; collisions of a body sooner after its last lose nothing");
        estimate.push_line("contact_time", contact_time, "contact time", words);
    } else {
        estimate.push("contact_time", contact_time);
    }
    estimate.check_gravity(scene, false);
    estimate.warnings.extend(warnings(scene, snapshot.kinetic_energy));
    let start = scene.packing_fraction();
    estimate.check_output(scene, |part| expected_duration(part, start, rate));
}

/// Collisions of all bodies per time in a dilute gas at the current temperature.
pub(super) fn dilute_gas_collision_rate<const D: usize>(
    scene: &Scene<D>,
    simulation: &Simulation<D>,
) -> f64 {
    let temperature = ThermodynamicSnapshot::of(simulation).temperature;
    if temperature > 0.0 { enskog_collision_rate(scene, 0.0, temperature) } else { 0.0 }
}

/// Expected simulated time of a scene or of one of its stages, if it can be known.
fn expected_duration<const D: usize>(
    scene: &Scene<D>,
    packing_fraction: f64,
    collisions_per_time: Option<f64>,
) -> Option<f64> {
    let collisions = scene.limits.collisions.map(|collisions| collisions as f64);
    let by_collisions = collisions.zip(collisions_per_time).map(|(count, rate)| count / rate);
    let ends = [scene.duration(), growth_duration(scene, Some(packing_fraction)), by_collisions];
    ends.into_iter().flatten().reduce(f64::min)
}

/// Collision rate by Enskog's theory: number density times cross-section times mean relative speed, times the pair
/// correlation function at contact, for half of the bodies. For unequal bodies means are taken.
fn enskog_collision_rate<const D: usize>(scene: &Scene<D>, fraction: f64, temperature: f64) -> f64 {
    use std::f64::consts::PI;
    let count = scene.bodies.len() as f64;
    let mean = |of: &dyn Fn(&carom_scene::scene::Body<D>) -> f64| {
        scene.bodies.iter().map(of).sum::<f64>() / count
    };
    let (radius, square) = (mean(&|body| body.radius), mean(&|body| body.radius * body.radius));
    let inverse_reduced_mass = 2.0 * mean(&|body| 1.0 / body.mass);
    let (section, speed, contact) = if D == 2 {
        let speed = (0.5 * PI * temperature * inverse_reduced_mass).sqrt();
        (4.0 * radius, speed, (1.0 - 7.0 / 16.0 * fraction) / (1.0 - fraction).powi(2))
    } else {
        let section = PI * 2.0 * (square + radius * radius);
        let speed = (8.0 / PI * temperature * inverse_reduced_mass).sqrt();
        (section, speed, (1.0 - 0.5 * fraction) / (1.0 - fraction).powi(3))
    };
    0.5 * count * count / scene.region.volume() * section * speed * contact
}

fn reduced_pressure(dimension: usize, f: f64) -> f64 {
    match dimension {
        2 => (1.0 + f * f / 8.0) / (1.0 - f).powi(2),
        _ => (1.0 + f + f * f - f * f * f) / (1.0 - f).powi(3),
    }
}

fn warnings<const D: usize>(scene: &Scene<D>, kinetic_energy: f64) -> Vec<String> {
    let mut warnings = Vec::new();
    let forced = scene.gravity.norm() > 0.0 || scene.field.is_some();
    if scene.stages.is_empty()
        && kinetic_energy == 0.0
        && !forced
        && scene.growth.is_none()
        && scene.thermostat.is_none()
    {
        warnings.push("no body moves and nothing acts on them: nothing will happen".to_owned());
    }
    let open = scene.region.boundary_conditions.iter().all(|side| *side == BoundaryCondition::Open);
    let held = scene.field.as_ref().is_some_and(|field| field.trap.is_some());
    if open && !held && scene.limits.until.is_none() {
        warnings.push(
            "all axes are open and the run has no end in time: bodies may fly apart before the \
             collisions are reached, and the run then ends at rest"
                .to_owned(),
        );
    }
    warnings
}
