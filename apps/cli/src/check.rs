//! `carom check` and `carom schema`.

use crate::arguments::{CheckArguments, CommonArguments};
use crate::failure::{CommandFailure, print};
use crate::{check_estimate, check_mesh, scene};
use carom::io::{MeshFormat, group_thousands, six_significant_digits};
use carom::run::event_driven::{Estimate, Run};
use carom::run::{OutputInterval, Runner, bonded, dem};
use carom::scene::scene::{BoundaryCondition, Engine, Limits};
use carom::scene::{AnyScene, Scene};

pub fn run(options: &CheckArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    if MeshFormat::of_name(&options.file).is_some() {
        return check_mesh::run(options);
    }
    match scene::read(&options.file, &options.set, common)? {
        AnyScene::TwoD(scene) => check(options, &scene),
        AnyScene::ThreeD(scene) => check(options, &scene),
    }
}

/// The JSON schema of scenes.
pub fn schema() -> Result<(), CommandFailure> {
    print(&format!("{:#}\n", carom::scene::scene::schema()))
}

fn check<const D: usize>(options: &CheckArguments, scene: &Scene<D>) -> Result<(), CommandFailure> {
    match scene.engine {
        Engine::Dem => check_dem(options, scene),
        Engine::Bonded => check_bonded(options, scene),
        _ => check_event_driven(options, scene),
    }
}

fn check_dem<const D: usize>(
    options: &CheckArguments,
    scene: &Scene<D>,
) -> Result<(), CommandFailure> {
    let name = options.file.display().to_string();
    let run = dem::Run::new(scene).map_err(|error| CommandFailure::from_scene(&name, error))?;
    let estimate = dem::Estimate::of(scene, &run);
    if let Some(refusal) = estimate.refusal() {
        return Err(CommandFailure::input(format!("{name}: {refusal}")));
    }
    let cost = check_estimate::estimate_by_trial(run, scene)?;
    if options.json {
        let report = check_estimate::with_json(dem_json(scene, &estimate), &cost);
        return print(&format!("{report:#}\n"));
    }
    print(&check_estimate::with_text(dem_text(options, scene, &estimate), &cost))
}

fn dem_json<const D: usize>(scene: &Scene<D>, estimate: &dem::Estimate) -> serde_json::Value {
    serde_json::json!({
        "engine": "dem",
        "bodies": scene.bodies.len(),
        "dimension": D,
        "box": scene.region.size.as_slice(),
        "packing_fraction": estimate.packing_fraction,
        "step": estimate.step,
        "shortest_collision": estimate.choice.collision_duration,
        "steps": estimate.steps,
        "mass": estimate.mass,
        "speed": estimate.speed,
        "falling_speed": estimate.falling_speed,
        "stiffness": estimate.stiffness.map(|choice| choice.stiffness),
        "stiffness_reason": estimate.stiffness.map(|choice| choice.reason()),
        "overlap_at_rest": estimate.overlap_at_rest,
        "softer": estimate.softer_stiffness.as_ref().map(|softer| serde_json::json!({
            "material": softer.material,
            "stiffness": softer.stiffness,
            "steps": softer.steps,
        })),
        "memory": estimate.memory,
        "warnings": estimate.warnings,
    })
}

fn dem_text<const D: usize>(
    options: &CheckArguments,
    scene: &Scene<D>,
    estimate: &dem::Estimate,
) -> String {
    let [one, two] = &estimate.materials;
    let why = match scene.step {
        Some(_) => "as asked for; the shortest collision",
        None => "a fiftieth of the shortest collision, which",
    };
    let mut lines = vec![
        format!("{} is a scene that runs", options.file.display()),
        format!("  bodies          {}", group_thousands(scene.bodies.len() as u64)),
        format!("  box             {}", region(scene)),
        format!("  packing         {}", six_significant_digits(estimate.packing_fraction)),
        format!("  end             {}", end_condition(&scene.limits, false)),
        format!(
            "  step            {}, {why} takes {} between {one} and {two}",
            six_significant_digits(estimate.step),
            six_significant_digits(estimate.choice.collision_duration)
        ),
        format!("  steps           {}", group_thousands(estimate.steps)),
        format!("  mass            {} in all", six_significant_digits(estimate.mass)),
        format!("  largest speed   {}", speeds(estimate)),
        format!("  memory          {:.1} MB", estimate.memory as f64 / 1e6),
        format!("  log             {}", log(estimate.output_schedule.log)),
    ];
    if let Some(choice) = estimate.stiffness {
        let reason = choice.reason();
        let stiffness = six_significant_digits(choice.stiffness);
        lines.push(format!("  stiffness       {stiffness}, chosen so that {reason}"));
    }
    if let Some(overlap) = estimate.overlap_at_rest {
        let percent = two_digits(100.0 * overlap);
        lines
            .push(format!("  overlap at rest about {percent} % of a radius at the base of a heap"));
    }
    if let Some(softer) = &estimate.softer_stiffness {
        lines.push(format!(
            "  softer          [materials.{}] stiffness = {} would suffice, with {} steps",
            softer.material,
            six_significant_digits(softer.stiffness),
            group_thousands(softer.steps)
        ));
    }
    lines.extend(estimate.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}

/// Formats a number that is known roughly.
fn two_digits(number: f64) -> String {
    six_significant_digits(format!("{number:.1e}").parse().unwrap_or(number))
}

fn speeds(estimate: &dem::Estimate) -> String {
    let start = six_significant_digits(estimate.speed);
    match estimate.falling_speed > 0.0 {
        true => format!(
            "{start} at the start, {:.3} after a fall through the box",
            estimate.falling_speed
        ),
        false => format!("{start} at the start"),
    }
}

fn check_bonded<const D: usize>(
    options: &CheckArguments,
    scene: &Scene<D>,
) -> Result<(), CommandFailure> {
    let name = options.file.display().to_string();
    let run = bonded::Run::new(scene).map_err(|error| CommandFailure::from_scene(&name, error))?;
    let estimate = bonded::Estimate::of(scene, &run);
    if let Some(refusal) = estimate.refusal() {
        return Err(CommandFailure::input(format!("{name}: {refusal}")));
    }
    let cost = check_estimate::estimate_by_trial(run, scene)?;
    if options.json {
        let report = check_estimate::with_json(bonded_json(scene, &estimate), &cost);
        return print(&format!("{report:#}\n"));
    }
    print(&check_estimate::with_text(bonded_text(options, scene, &estimate), &cost))
}

fn bonded_json<const D: usize>(scene: &Scene<D>, estimate: &bonded::Estimate) -> serde_json::Value {
    serde_json::json!({
        "engine": "bonded",
        "solids": scene.solids.len(),
        "particles": estimate.particles,
        "springs": estimate.springs,
        "dimension": D,
        "box": scene.region.size.as_slice(),
        "step": estimate.step,
        "longest_stable_step": estimate.longest_stable_step.0,
        "steps": estimate.steps.ceil(),
        "memory": estimate.memory,
        "warnings": estimate.warnings,
    })
}

fn bonded_text<const D: usize>(
    options: &CheckArguments,
    scene: &Scene<D>,
    estimate: &bonded::Estimate,
) -> String {
    let (longest, solid) = estimate.longest_stable_step;
    let mut lines = vec![
        format!("{} is a scene that runs", options.file.display()),
        format!("  solids          {}", group_thousands(scene.solids.len() as u64)),
        format!(
            "  particles       {}, joined by {} springs",
            group_thousands(estimate.particles as u64),
            group_thousands(estimate.springs)
        ),
        format!("  box             {}", region(scene)),
        format!("  end             {}", end_condition(&scene.limits, false)),
        format!(
            "  step            {}; springs of solid {solid} are stable up to {}",
            six_significant_digits(estimate.step),
            six_significant_digits(longest)
        ),
        format!(
            "  steps           {}, more where some are halved",
            group_thousands(estimate.steps as u64)
        ),
        format!("  memory          {:.1} MB", estimate.memory as f64 / 1e6),
        format!("  log             {}", log(estimate.output_schedule.log)),
    ];
    lines.extend(estimate.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}

fn check_event_driven<const D: usize>(
    options: &CheckArguments,
    scene: &Scene<D>,
) -> Result<(), CommandFailure> {
    let name = options.file.display().to_string();
    let run = Run::new(scene).map_err(|error| CommandFailure::from_scene(&name, error))?;
    let estimate = Estimate::of(scene, &run);
    if let Some(refusal) = estimate.refusal() {
        return Err(CommandFailure::input(format!("{name}: {refusal}")));
    }
    let cost = check_estimate::estimate_by_trial(run, scene)?;
    if options.json {
        let report = check_estimate::with_json(event_driven_json(scene, &estimate), &cost);
        return print(&format!("{report:#}\n"));
    }
    print(&check_estimate::with_text(event_driven_text(options, scene, &estimate), &cost))
}

fn event_driven_json<const D: usize>(scene: &Scene<D>, estimate: &Estimate) -> serde_json::Value {
    serde_json::json!({
        "bodies": scene.bodies.len(),
        "dimension": D,
        "box": scene.region.size.as_slice(),
        "packing_fraction": estimate.packing_fraction,
        "temperature": estimate.temperature,
        "structure": estimate.structure.name,
        "reason": estimate.structure.reason,
        "memory": estimate.memory,
        "contact_time": estimate.contact_time,
        "collisions_per_time": estimate.collisions_per_time,
        "reduced_pressure": estimate.reduced_pressure,
        "rows": estimate.rows,
        "frames": estimate.frames,
        "warnings": estimate.warnings,
    })
}

fn event_driven_text<const D: usize>(
    options: &CheckArguments,
    scene: &Scene<D>,
    estimate: &Estimate,
) -> String {
    let kind = if D == 2 { "discs" } else { "spheres" };
    let mut lines = vec![
        format!("{} is a scene that runs", options.file.display()),
        format!("  bodies          {} {kind}", group_thousands(scene.bodies.len() as u64)),
        format!("  box             {}", region(scene)),
        format!("  packing         {}", six_significant_digits(estimate.packing_fraction)),
        format!("  temperature     {}", six_significant_digits(estimate.temperature)),
        format!("  end             {}", end_condition(&scene.limits, scene.growth.is_some())),
        format!("  neighbors       {}: {}", estimate.structure.name, estimate.structure.reason),
        format!("  memory          {:.1} MB", estimate.memory as f64 / 1e6),
        format!("  log             {}", log(estimate.output_schedule.log)),
    ];
    if scene.growth.is_some() && scene.thermostat.is_none() {
        lines.push(
            "  growth          velocities are scaled back to the start's temperature after ten \
             collisions per body, again and again, and when growth ends"
                .to_owned(),
        );
    }
    if let Some(rate) = estimate.collisions_per_time {
        lines.push(format!("  collisions      about {rate:.3e} per time as a fluid (Enskog)"));
    }
    if let Some(pressure) = estimate.reduced_pressure {
        lines.push(format!("  pressure        PV/NkT about {pressure:.3} as a fluid"));
    }
    if estimate.contact_time > 0.0 {
        lines.push(format!(
            "  contact time    {:.3e}; collisions of a body sooner after its last lose nothing",
            estimate.contact_time
        ));
    }
    lines.extend(estimate.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
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

fn end_condition(limits: &Limits, grows: bool) -> String {
    let until = limits.until.map(|until| format!("time {until}"));
    let collisions =
        limits.collisions.map(|collisions| format!("{} collisions", group_thousands(collisions)));
    let growth = grows.then(|| "the end of growth".to_owned());
    let ends: Vec<String> = [until, collisions, growth].into_iter().flatten().collect();
    ends.join(" or ")
}

fn log(every: OutputInterval) -> String {
    match every {
        OutputInterval::Time(interval) => format!("a row every {interval} of time"),
        OutputInterval::Collisions(count) => {
            format!("a row every {} collisions", group_thousands(count))
        }
    }
}
