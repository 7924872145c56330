//! What `carom run` prints at its end: the figures, then in plain lines what to remember.

use carom::run::{Ending, Run, Summary};
use carom::scene::SceneOf;
use carom::scene::grouped;
use carom::scene::scene::Side;
use std::path::Path;

/// The text for people.
pub fn text<const D: usize>(
    scene: &SceneOf<D>,
    run: &Run<D>,
    summary: &Summary,
    folder: &Path,
) -> String {
    let mut lines = figures(summary);
    lines.push(format!("  results         {}", folder.display()));
    lines.extend(energy_kept(scene, summary));
    lines.push(format!("{} collisions a second", grouped(summary.collisions_per_second() as u64)));
    lines.extend(farthest_thrown(scene, run));
    let drawn = scene.output.picture && summary.ending != Ending::Stopped;
    let (what, file) = if drawn { ("picture", "picture.png") } else { ("log", "log.csv") };
    lines.push(format!("the {what} is {}", folder.join(file).display()));
    lines.join("\n") + "\n"
}

fn figures(summary: &Summary) -> Vec<String> {
    let kind = if summary.dimension == 2 { "discs" } else { "spheres" };
    let timing = &summary.timing;
    let mut lines = vec![
        format!(
            "{} {kind} to time {:.6}; ended {}",
            grouped(summary.bodies as u64),
            summary.time,
            summary.ending.reason()
        ),
        format!("  collisions      {}", grouped(summary.collisions)),
        format!("  temperature     {:.6}", summary.temperature),
        format!(
            "  pressure        {:.6}, PV/NkT {:.4}",
            summary.pressure, summary.reduced_pressure
        ),
        format!("  mean free path  {:.6}", summary.mean_free_path),
        format!("  packing         {:.6}", summary.packing_fraction),
        format!("  smallest gap    {:.2e} of a radius", summary.smallest_gap),
    ];
    if summary.dissipated > 0.0 {
        lines.push(format!("  energy lost     {:.6}", summary.dissipated));
    }
    if let Some(square) = summary.mean_square_displacement {
        lines.push(format!("  displacement    {square:.6} mean square"));
    }
    let structure = &summary.structure;
    lines.push(format!("  neighbours      {}: {}", structure.name, structure.reason));
    lines.push(format!(
        "  time            {:.2} s to start, {:.2} s running, {:.2} s writing",
        timing.initialisation.as_secs_f64(),
        timing.running.as_secs_f64(),
        timing.output.as_secs_f64()
    ));
    lines
}

/// Only where nothing but collisions changes the energy.
fn energy_kept<const D: usize>(scene: &SceneOf<D>, summary: &Summary) -> Option<String> {
    let free = scene.gravity.norm() == 0.0
        && scene.field.is_none()
        && scene.thermostat.is_none()
        && scene.growth.is_none();
    let energy =
        |body: &carom::scene::scene::Body<D>| 0.5 * body.mass * body.velocity.norm_squared();
    let start: f64 = scene.bodies.iter().map(energy).sum();
    (free && start > 0.0)
        .then(|| format!("{:.1} % of the energy is kept", 100.0 * summary.kinetic_energy / start))
}

/// Only where no body passes through a side and comes back at the other.
fn farthest_thrown<const D: usize>(scene: &SceneOf<D>, run: &Run<D>) -> Option<String> {
    if scene.region.sides.contains(&Side::Periodic) {
        return None;
    }
    let way = |body: usize| (run.simulation().position(body) - scene.bodies[body].position).norm();
    let ways = (0..scene.bodies.len()).map(|body| (body, way(body)));
    let (body, farthest) = ways.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!("body {body} was thrown farthest, {farthest:.4} from its start"))
}
