//! What `carom run` prints at its end: the figures, then in plain lines what to remember.

use carom::run::events::{Run, Summary};
use carom::run::{Course, Ending, Timing};
use carom::scene::SceneOf;
use carom::scene::scene::Side;
use carom::scene::{grouped, six_digits};
use std::path::Path;

/// A run of which people are told.
pub trait Told<const D: usize>: Course<D> {
    /// The text for people.
    fn report(&self, scene: &SceneOf<D>, summary: &Self::Summary, folder: &Path) -> String;
}

impl<const D: usize> Told<D> for Run<D> {
    fn report(&self, scene: &SceneOf<D>, summary: &Summary, folder: &Path) -> String {
        let mut lines = figures(summary);
        lines.push(format!("  results         {}", folder.display()));
        lines.extend(energy_kept(scene, summary));
        if summary.collisions_here > 0 {
            let rate = summary.collisions_per_second() as u64;
            lines.push(format!("{} collisions a second", grouped(rate)));
        }
        lines.extend(farthest_thrown(scene, self));
        lines.push(where_to_look(scene, summary.ending, folder));
        lines.join("\n") + "\n"
    }
}

/// The file to look at first.
pub fn where_to_look<const D: usize>(scene: &SceneOf<D>, ending: Ending, folder: &Path) -> String {
    let drawn = scene.output.picture && ending != Ending::Stopped;
    let (what, file) = if drawn { ("picture", "picture.png") } else { ("log", "log.csv") };
    format!("the {what} is {}", folder.join(file).display())
}

/// Where the time on the clock went.
pub fn times(timing: &Timing) -> String {
    format!(
        "  time            {:.2} s to start, {:.2} s running, {:.2} s measuring, {:.2} s writing",
        timing.initialisation.as_secs_f64(),
        timing.running.as_secs_f64(),
        timing.measuring.as_secs_f64(),
        timing.output.as_secs_f64()
    )
}

fn figures(summary: &Summary) -> Vec<String> {
    let kind = if summary.dimension == 2 { "discs" } else { "spheres" };
    let mut lines = vec![
        format!(
            "{} {kind} to time {}; ended {}",
            grouped(summary.bodies as u64),
            six_digits(summary.time),
            summary.reason()
        ),
        format!("  collisions      {}", grouped(summary.collisions)),
        format!("  packing         {}", six_digits(summary.packing_fraction)),
        format!("  temperature     {} at the end", six_digits(summary.temperature)),
    ];
    lines.extend(rates(
        "last row",
        summary.last_row.map(|row| (row.pressure, row.reduced_pressure)),
    ));
    let mean = Some((summary.pressure, summary.reduced_pressure));
    lines.extend(rates("whole run", mean).map(|line| {
        format!("{line}, temperature {} as means", six_digits(summary.mean_temperature))
    }));
    if summary.mean_free_path.is_finite() {
        let path = six_digits(summary.mean_free_path);
        lines.push(format!("  mean free path  {path} over the whole run"));
    }
    lines.extend(gap(summary.smallest_gap));
    if summary.dissipated > 0.0 {
        lines.push(format!("  energy lost     {}", six_digits(summary.dissipated)));
    }
    if let Some(square) = summary.mean_square_displacement {
        lines.push(format!("  displacement    {} mean square", six_digits(square)));
    }
    let structure = &summary.structure;
    lines.push(format!("  neighbours      {}: {}", structure.name, structure.reason));
    lines.extend(triangulation(summary));
    lines.push(times(&summary.timing));
    lines
}

/// What it took to keep a triangulation true, if the structure is one.
fn triangulation(summary: &Summary) -> Option<String> {
    let count = |what| summary.structure_count(what);
    let (flips, bounded) = (count("flips")?, count("certificates bounded")?);
    let (solved, rebuilds) = (count("certificates solved")?, count("rebuilds")?);
    let collisions = Some(summary.collisions_here).filter(|&collisions| collisions > 0)?;
    let each = |count: u64| format!("{:.2}", count as f64 / collisions as f64);
    let [flips, bounded, solved] = [flips, bounded, solved].map(each);
    let line = format!(
        "  triangulation   {flips} flips, {bounded} certificates bounded and {solved} solved per \
         collision"
    );
    Some(match rebuilds {
        0 => line,
        1 => line + "; made anew once",
        _ => format!("{line}; made anew {} times", grouped(rebuilds)),
    })
}

/// Pressure and reduced pressure over a stretch of time, as far as they exist.
fn rates(stretch: &str, values: Option<(f64, f64)>) -> Option<String> {
    let (pressure, reduced) = values.filter(|(pressure, _)| pressure.is_finite())?;
    let reduced = match reduced.is_finite() {
        true => format!(", PV/NkT {}", six_digits(reduced)),
        false => String::new(),
    };
    Some(format!("  {stretch:<14}  pressure {}{reduced}", six_digits(pressure)))
}

/// Overlaps up to this part of a radius are put down to rounding.
const ROUNDING: f64 = 1e-9;

/// Nothing if no bodies have met.
fn gap(smallest: f64) -> Option<String> {
    let verdict = match smallest {
        gap if !gap.is_finite() => return None,
        gap if gap > -ROUNDING => "none below rounding",
        _ => "bodies overlapped",
    };
    Some(format!("  smallest gap    {verdict} ({smallest:.1e} of a radius)"))
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
    Some(format!("body {body} was thrown farthest, {} from its start", six_digits(farthest)))
}
