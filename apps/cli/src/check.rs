//! `carom check` and `carom schema`.

use crate::arguments::{Check, Common};
use crate::failure::{Failure, print};
use crate::{check_estimate, check_mesh, scene};
use carom::run::events::{Forecast, Run};
use carom::run::{Course, Every, deform, steps};
use carom::scene::files::MeshFormat;
use carom::scene::scene::{Engine, Limits, Side};
use carom::scene::{Scene, SceneOf};
use carom::scene::{grouped, six_digits};

pub fn run(options: &Check, common: &Common) -> Result<(), Failure> {
    if MeshFormat::of_name(&options.file).is_some() {
        return check_mesh::run(options);
    }
    match scene::read(&options.file, &options.set, common)? {
        Scene::Plane(scene) => check(options, &scene),
        Scene::Space(scene) => check(options, &scene),
    }
}

/// The JSON schema of scenes.
pub fn schema() -> Result<(), Failure> {
    print(&format!("{:#}\n", carom::scene::scene::schema()))
}

fn check<const D: usize>(options: &Check, scene: &SceneOf<D>) -> Result<(), Failure> {
    match scene.engine {
        Engine::Steps => check_steps(options, scene),
        Engine::Deform => check_deform(options, scene),
        _ => check_events(options, scene),
    }
}

fn check_steps<const D: usize>(options: &Check, scene: &SceneOf<D>) -> Result<(), Failure> {
    let name = options.file.display().to_string();
    let run = steps::Run::new(scene).map_err(|error| Failure::of_scene(&name, error))?;
    let forecast = steps::Forecast::of(scene, &run);
    if let Some(refusal) = forecast.refusal() {
        return Err(Failure::input(format!("{name}: {refusal}")));
    }
    let estimate = check_estimate::of(run, scene)?;
    if options.json {
        let told = check_estimate::with_json(steps_json(scene, &forecast), &estimate);
        return print(&format!("{told:#}\n"));
    }
    print(&check_estimate::with_text(steps_text(options, scene, &forecast), &estimate))
}

fn steps_json<const D: usize>(scene: &SceneOf<D>, forecast: &steps::Forecast) -> serde_json::Value {
    serde_json::json!({
        "engine": "steps",
        "bodies": scene.bodies.len(),
        "dimension": D,
        "box": scene.region.size.as_slice(),
        "packing_fraction": forecast.packing_fraction,
        "step": forecast.step,
        "shortest_collision": forecast.choice.collision,
        "steps": forecast.steps,
        "mass": forecast.mass,
        "speed": forecast.speed,
        "falling_speed": forecast.falling_speed,
        "stiffness": forecast.stiffness.map(|choice| choice.stiffness),
        "stiffness_reason": forecast.stiffness.map(|choice| choice.reason()),
        "overlap_at_rest": forecast.overlap_at_rest,
        "softer": forecast.softer.as_ref().map(|softer| serde_json::json!({
            "material": softer.material,
            "stiffness": softer.stiffness,
            "steps": softer.steps,
        })),
        "memory": forecast.memory,
        "warnings": forecast.warnings,
    })
}

fn steps_text<const D: usize>(
    options: &Check,
    scene: &SceneOf<D>,
    forecast: &steps::Forecast,
) -> String {
    let [one, two] = &forecast.materials;
    let why = match scene.step {
        Some(_) => "as asked for; the shortest collision",
        None => "a fiftieth of the shortest collision, which",
    };
    let mut lines = vec![
        format!("{} is a scene that runs", options.file.display()),
        format!("  bodies          {}", grouped(scene.bodies.len() as u64)),
        format!("  box             {}", region(scene)),
        format!("  packing         {}", six_digits(forecast.packing_fraction)),
        format!("  end             {}", end(&scene.limits, false)),
        format!(
            "  step            {}, {why} takes {} between {one} and {two}",
            six_digits(forecast.step),
            six_digits(forecast.choice.collision)
        ),
        format!("  steps           {}", grouped(forecast.steps)),
        format!("  mass            {} in all", six_digits(forecast.mass)),
        format!("  largest speed   {}", speeds(forecast)),
        format!("  memory          {:.1} MB", forecast.memory as f64 / 1e6),
        format!("  log             {}", log(forecast.pace.log)),
    ];
    if let Some(choice) = forecast.stiffness {
        let reason = choice.reason();
        let stiffness = six_digits(choice.stiffness);
        lines.push(format!("  stiffness       {stiffness}, chosen so that {reason}"));
    }
    if let Some(overlap) = forecast.overlap_at_rest {
        let percent = two_digits(100.0 * overlap);
        lines
            .push(format!("  overlap at rest about {percent} % of a radius at the foot of a heap"));
    }
    if let Some(softer) = &forecast.softer {
        lines.push(format!(
            "  softer          [materials.{}] stiffness = {} would do, and need {} steps",
            softer.material,
            six_digits(softer.stiffness),
            grouped(softer.steps)
        ));
    }
    lines.extend(forecast.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}

/// A number that is known roughly.
fn two_digits(number: f64) -> String {
    six_digits(format!("{number:.1e}").parse().unwrap_or(number))
}

fn speeds(forecast: &steps::Forecast) -> String {
    let start = six_digits(forecast.speed);
    match forecast.falling_speed > 0.0 {
        true => format!(
            "{start} at the start, {:.3} after a fall through the box",
            forecast.falling_speed
        ),
        false => format!("{start} at the start"),
    }
}

fn check_deform<const D: usize>(options: &Check, scene: &SceneOf<D>) -> Result<(), Failure> {
    let name = options.file.display().to_string();
    let run = deform::Run::new(scene).map_err(|error| Failure::of_scene(&name, error))?;
    let forecast = deform::Forecast::of(scene, &run);
    if let Some(refusal) = forecast.refusal() {
        return Err(Failure::input(format!("{name}: {refusal}")));
    }
    let estimate = check_estimate::of(run, scene)?;
    if options.json {
        let told = check_estimate::with_json(deform_json(scene, &forecast), &estimate);
        return print(&format!("{told:#}\n"));
    }
    print(&check_estimate::with_text(deform_text(options, scene, &forecast), &estimate))
}

fn deform_json<const D: usize>(
    scene: &SceneOf<D>,
    forecast: &deform::Forecast,
) -> serde_json::Value {
    serde_json::json!({
        "engine": "deform",
        "solids": scene.solids.len(),
        "particles": forecast.particles,
        "springs": forecast.springs,
        "dimension": D,
        "box": scene.region.size.as_slice(),
        "step": forecast.step,
        "longest_stable_step": forecast.longest.0,
        "steps": forecast.steps.ceil(),
        "memory": forecast.memory,
        "warnings": forecast.warnings,
    })
}

fn deform_text<const D: usize>(
    options: &Check,
    scene: &SceneOf<D>,
    forecast: &deform::Forecast,
) -> String {
    let (longest, solid) = forecast.longest;
    let mut lines = vec![
        format!("{} is a scene that runs", options.file.display()),
        format!("  solids          {}", grouped(scene.solids.len() as u64)),
        format!(
            "  particles       {}, joined by {} springs",
            grouped(forecast.particles as u64),
            grouped(forecast.springs)
        ),
        format!("  box             {}", region(scene)),
        format!("  end             {}", end(&scene.limits, false)),
        format!(
            "  step            {}; beyond {} springs of solid {solid} would not be stable",
            six_digits(forecast.step),
            six_digits(longest)
        ),
        format!("  steps           {}, more where some are halved", grouped(forecast.steps as u64)),
        format!("  memory          {:.1} MB", forecast.memory as f64 / 1e6),
        format!("  log             {}", log(forecast.pace.log)),
    ];
    lines.extend(forecast.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}

fn check_events<const D: usize>(options: &Check, scene: &SceneOf<D>) -> Result<(), Failure> {
    let name = options.file.display().to_string();
    let run = Run::new(scene).map_err(|error| Failure::of_scene(&name, error))?;
    let forecast = Forecast::of(scene, &run);
    if let Some(refusal) = forecast.refusal() {
        return Err(Failure::input(format!("{name}: {refusal}")));
    }
    let estimate = check_estimate::of(run, scene)?;
    if options.json {
        let told = check_estimate::with_json(json(scene, &forecast), &estimate);
        return print(&format!("{told:#}\n"));
    }
    print(&check_estimate::with_text(text(options, scene, &forecast), &estimate))
}

fn json<const D: usize>(scene: &SceneOf<D>, forecast: &Forecast) -> serde_json::Value {
    serde_json::json!({
        "bodies": scene.bodies.len(),
        "dimension": D,
        "box": scene.region.size.as_slice(),
        "packing_fraction": forecast.packing_fraction,
        "temperature": forecast.temperature,
        "structure": forecast.structure.name,
        "reason": forecast.structure.reason,
        "memory": forecast.memory,
        "contact_time": forecast.contact_time,
        "collisions_per_time": forecast.collisions_per_time,
        "reduced_pressure": forecast.reduced_pressure,
        "rows": forecast.rows,
        "frames": forecast.frames,
        "warnings": forecast.warnings,
    })
}

fn text<const D: usize>(options: &Check, scene: &SceneOf<D>, forecast: &Forecast) -> String {
    let kind = if D == 2 { "discs" } else { "spheres" };
    let mut lines = vec![
        format!("{} is a scene that runs", options.file.display()),
        format!("  bodies          {} {kind}", grouped(scene.bodies.len() as u64)),
        format!("  box             {}", region(scene)),
        format!("  packing         {}", six_digits(forecast.packing_fraction)),
        format!("  temperature     {}", six_digits(forecast.temperature)),
        format!("  end             {}", end(&scene.limits, scene.growth.is_some())),
        format!("  neighbours      {}: {}", forecast.structure.name, forecast.structure.reason),
        format!("  memory          {:.1} MB", forecast.memory as f64 / 1e6),
        format!("  log             {}", log(forecast.pace.log)),
    ];
    if scene.growth.is_some() && scene.thermostat.is_none() {
        lines.push(
            "  growth          velocities are scaled back to the start's temperature after ten \
             collisions per body, again and again, and when growth ends"
                .to_owned(),
        );
    }
    if let Some(rate) = forecast.collisions_per_time {
        lines.push(format!("  collisions      about {rate:.3e} per time as a fluid (Enskog)"));
    }
    if let Some(pressure) = forecast.reduced_pressure {
        lines.push(format!("  pressure        PV/NkT about {pressure:.3} as a fluid"));
    }
    if forecast.contact_time > 0.0 {
        lines.push(format!(
            "  contact time    {:.3e}; collisions of a body sooner after its last lose nothing",
            forecast.contact_time
        ));
    }
    lines.extend(forecast.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}

fn region<const D: usize>(scene: &SceneOf<D>) -> String {
    let axis = |axis: usize| {
        let kind = match scene.region.sides[axis] {
            Side::Periodic => "periodic",
            Side::Wall { .. } => "walls",
            Side::Open => "open",
        };
        format!("{} ({kind})", six_digits(scene.region.size[axis]))
    };
    (0..D).map(axis).collect::<Vec<_>>().join(" x ")
}

fn end(limits: &Limits, grows: bool) -> String {
    let until = limits.until.map(|until| format!("time {until}"));
    let collisions =
        limits.collisions.map(|collisions| format!("{} collisions", grouped(collisions)));
    let growth = grows.then(|| "the end of growth".to_owned());
    let ends: Vec<String> = [until, collisions, growth].into_iter().flatten().collect();
    ends.join(" or ")
}

fn log(every: Every) -> String {
    match every {
        Every::Time(interval) => format!("a row every {interval} of time"),
        Every::Collisions(count) => format!("a row every {} collisions", grouped(count)),
    }
}
