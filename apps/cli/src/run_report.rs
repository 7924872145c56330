//! The report of `carom run` at its end: a line of what it was, the quantities by name, and where the results are.

use carom::io::{group_thousands, six_significant_digits};
use carom::run::{Ending, Run, Summary};
use carom::scene::Scene;
use carom::scene::scene::BoundaryCondition;
use carom::simulate::{Quantity, Value, quantity};
use serde_json::Value as Json;
use std::path::Path;

/// The text of the report.
pub fn report<const D: usize>(
    scene: &Scene<D>,
    run: &Run<D>,
    summary: &Summary,
    folder: &Path,
) -> String {
    let content = summary.json();
    let mut lines = vec![headline::<D>(summary, &content)];
    lines.extend(quantity_lines(run));
    lines.extend(pressure_line(summary));
    lines.extend(stage_lines(&content));
    lines.extend(neighbor_lines(&content));
    lines.extend(solid_lines(&content));
    lines.push(time_line(summary));
    lines.push(line("results", &folder.display().to_string()));
    lines.extend(energy_conservation_line(scene, summary));
    lines.extend(speed_line(&content));
    lines.extend(largest_displacement_line(scene, run));
    lines.push(output_file_line(scene, summary.ending, folder));
    lines.join("\n") + "\n"
}

/// A line of the table; the longest label is that of the granular temperature.
fn line(label: &str, words: &str) -> String {
    format!("  {label:<20}  {words}")
}

/// What ran, until when, and why it ended.
fn headline<const D: usize>(summary: &Summary, content: &Json) -> String {
    let count = |name: &str| group_thousands(content[name].as_u64().unwrap_or_default());
    let what = match (content["engine"].as_str(), D) {
        (Some("bonded"), _) => match content["solids"].as_array().map_or(0, Vec::len) {
            1 => format!("1 solid of {} particles", count("particles")),
            solids => format!("{solids} solids of {} particles", count("particles")),
        },
        (Some("dem"), _) => format!("{} bodies", count("bodies")),
        (_, 2) => format!("{} discs", count("bodies")),
        _ => format!("{} spheres", count("bodies")),
    };
    let time = six_significant_digits(summary.number("time").unwrap_or_default());
    let reason = summary.text("reason").unwrap_or(summary.ending.reason());
    format!("{what} to time {time}; ended {reason}")
}

/// Quantities of the end: energies and losses on a line each, every other one on its own.
fn quantity_lines<const D: usize>(run: &Run<D>) -> Vec<String> {
    let values = run.quantities();
    // Components of vectors and what there is one of for each solid or outlet are in the summary.
    let is_single = |known: &&'static Quantity| !known.name.contains(char::is_uppercase);
    let known = values.iter().filter_map(|(name, value)| {
        let known = quantity(name).filter(is_single)?;
        (known.name != "time" && value.number().is_finite()).then_some((known.name, value))
    });
    let (mut energies, mut losses, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in known {
        let text = match value {
            Value::Number(number) => six_significant_digits(number),
            Value::Count(count) => group_thousands(count),
        };
        if let Some(kind) = name.strip_suffix("_energy") {
            energies.push(format!("{kind} {text}"));
        } else if let Some(kind) = name.strip_suffix("_loss") {
            losses.push(format!("{kind} {text}"));
        } else if name == "external_work" {
            losses.push(format!("brought in from outside {text}"));
        } else {
            lines.push(line(&name.replace('_', " "), &text));
        }
    }
    for (label, parts) in [("energy", energies), ("energy lost", losses)] {
        if !parts.is_empty() {
            lines.push(line(label, &parts.join(", ")));
        }
    }
    lines
}

/// Pressure over the last row and over the whole run, where collisions give it.
fn pressure_line(summary: &Summary) -> Option<String> {
    let number = |name: &str| summary.number(name).map(six_significant_digits);
    let mut words = format!("{} over the whole run", number("pressure")?);
    if let Some(last) = number("last_pressure") {
        words += &format!(", {last} up to the last row");
    }
    if let Some(reduced) = number("reduced_pressure") {
        words += &format!("; PV/NkT {reduced}");
    }
    Some(line("pressure", &words))
}

/// Begin and end of every stage.
fn stage_lines(content: &Json) -> Vec<String> {
    let stages = content["stages"].as_array().map_or(&[][..], Vec::as_slice);
    let stage_line = |stage: &Json| {
        let time = |name: &str| six_significant_digits(stage[name].as_f64().unwrap_or_default());
        let name = stage["name"].as_str().unwrap_or_default();
        line(&format!("stage {name}"), &format!("from {} to {}", time("begin"), time("end")))
    };
    stages.iter().map(stage_line).collect()
}

/// The neighbor structure of an event-driven run and, if it is a triangulation, its work per collision.
fn neighbor_lines(content: &Json) -> Vec<String> {
    let neighbors = &content["neighbors"];
    let Some(structure) = neighbors["structure"].as_str() else { return Vec::new() };
    let reason = neighbors["reason"].as_str().unwrap_or_default();
    let mut lines = vec![line("neighbors", &format!("{structure}: {reason}"))];
    let collisions = content["work"]["collisions"].as_f64().filter(|&count| count > 0.0);
    let each = |what: &str| Some(format!("{:.2}", neighbors["work"][what].as_f64()? / collisions?));
    if let (Some(flips), Some(bounded), Some(solved)) =
        (each("flips"), each("certificates_bounded"), each("certificates_solved"))
    {
        let rebuilt = match neighbors["work"]["rebuilds"].as_u64() {
            None | Some(0) => String::new(),
            Some(1) => "; rebuilt once".to_owned(),
            Some(rebuilds) => format!("; rebuilt {} times", group_thousands(rebuilds)),
        };
        let work = format!(
            "{flips} flips, {bounded} certificates bounded and {solved} solved per collision{rebuilt}"
        );
        lines.push(line("triangulation", &work));
    }
    lines
}

/// Velocity and fragments of the first solids.
fn solid_lines(content: &Json) -> Vec<String> {
    let solids = content["solids"].as_array().map_or(&[][..], Vec::as_slice);
    let solid_line = |(number, solid): (usize, &Json)| {
        let parts = solid["velocity"].as_array().map_or(&[][..], Vec::as_slice);
        let velocity: Vec<String> =
            parts.iter().filter_map(Json::as_f64).map(six_significant_digits).collect();
        let words = format!(
            "velocity {}, {} fragments, the largest {:.1} % of it",
            velocity.join(" "),
            group_thousands(solid["fragments"].as_u64().unwrap_or_default()),
            100.0 * solid["largest_fragment"].as_f64().unwrap_or_default()
        );
        line(&format!("solid {number}"), &words)
    };
    solids.iter().enumerate().take(8).map(solid_line).collect()
}

/// Wall-clock time by phase.
fn time_line(summary: &Summary) -> String {
    let timing = &summary.timing;
    let words = format!(
        "{:.2} s to start, {:.2} s running, {:.2} s measuring, {:.2} s writing",
        timing.initialization.as_secs_f64(),
        timing.running.as_secs_f64(),
        timing.measuring.as_secs_f64(),
        timing.output.as_secs_f64()
    );
    line("time", &words)
}

/// Collisions, body steps or springs per second.
fn speed_line(content: &Json) -> Option<String> {
    let work = content["work"].as_object()?;
    let (name, speed) = work.iter().find(|(name, _)| name.ends_with("_per_second"))?;
    let speed = speed.as_f64().filter(|&speed| speed > 0.0)? as u64;
    Some(format!("{} {}", group_thousands(speed), name.replace('_', " ")))
}

/// The file to look at first.
fn output_file_line<const D: usize>(scene: &Scene<D>, ending: Ending, folder: &Path) -> String {
    let drawn = scene.output.picture && ending != Ending::Stopped;
    let (what, file) = if drawn { ("picture", "picture.png") } else { ("log", "log.csv") };
    format!("the {what} is {}", folder.join(file).display())
}

/// The fraction of energy kept; only where nothing but collisions changes the energy.
fn energy_conservation_line<const D: usize>(scene: &Scene<D>, summary: &Summary) -> Option<String> {
    let free = scene.engine == carom::scene::scene::Engine::EventDriven
        && scene.stages.is_empty()
        && scene.gravity.norm() == 0.0
        && scene.field.is_none()
        && scene.thermostat.is_none()
        && scene.growth.is_none();
    let energy =
        |body: &carom::scene::scene::Body<D>| 0.5 * body.mass * body.velocity.norm_squared();
    let start: f64 = scene.bodies.iter().map(energy).sum();
    let end = summary.number("kinetic_energy").filter(|_| free && start > 0.0)?;
    Some(format!("{:.1} % of the energy is kept", 100.0 * end / start))
}

/// The body that moved farthest in an event-driven run; only where there is no periodic axis.
fn largest_displacement_line<const D: usize>(scene: &Scene<D>, run: &Run<D>) -> Option<String> {
    if scene.engine != carom::scene::scene::Engine::EventDriven
        || scene.region.boundary_conditions.contains(&BoundaryCondition::Periodic)
    {
        return None;
    }
    let positions = run.engine().state().positions;
    let displacement = |body: usize| (positions[body] - scene.bodies[body].position).norm();
    let ways = (0..scene.bodies.len()).map(|body| (body, displacement(body)));
    let (body, farthest) = ways.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!(
        "body {body} was thrown farthest, {} from its start",
        six_significant_digits(farthest)
    ))
}
