//! The report of `carom run` at its end: a table, then plain lines with the most important results.

use carom::io::{group_thousands, six_significant_digits};
use carom::run::event_driven::{Run, Summary};
use carom::run::{Ending, Runner, Timing};
use carom::scene::Scene;
use carom::scene::scene::BoundaryCondition;
use std::path::Path;

/// A run with a report for people.
pub trait RunReport<const D: usize>: Runner<D> {
    /// The text of the report.
    fn report(&self, scene: &Scene<D>, summary: &Self::Summary, folder: &Path) -> String;
}

impl<const D: usize> RunReport<D> for Run<D> {
    fn report(&self, scene: &Scene<D>, summary: &Summary, folder: &Path) -> String {
        let mut lines = summary_lines(summary);
        lines.push(format!("  results         {}", folder.display()));
        lines.extend(energy_conservation_line(scene, summary));
        if summary.collisions_since_resume > 0 {
            let rate = summary.collisions_per_second() as u64;
            lines.push(format!("{} collisions per second", group_thousands(rate)));
        }
        lines.extend(largest_displacement_line(scene, self));
        lines.push(output_file_line(scene, summary.ending, folder));
        lines.join("\n") + "\n"
    }
}

/// The file to look at first.
pub fn output_file_line<const D: usize>(scene: &Scene<D>, ending: Ending, folder: &Path) -> String {
    let drawn = scene.output.picture && ending != Ending::Stopped;
    let (what, file) = if drawn { ("picture", "picture.png") } else { ("log", "log.csv") };
    format!("the {what} is {}", folder.join(file).display())
}

/// Wall-clock time by phase.
pub fn timing_line(timing: &Timing) -> String {
    format!(
        "  time            {:.2} s to start, {:.2} s running, {:.2} s measuring, {:.2} s writing",
        timing.initialization.as_secs_f64(),
        timing.running.as_secs_f64(),
        timing.measuring.as_secs_f64(),
        timing.output.as_secs_f64()
    )
}

fn summary_lines(summary: &Summary) -> Vec<String> {
    let kind = if summary.dimension == 2 { "discs" } else { "spheres" };
    let mut lines = vec![
        format!(
            "{} {kind} to time {}; ended {}",
            group_thousands(summary.bodies as u64),
            six_significant_digits(summary.time),
            summary.reason()
        ),
        format!("  collisions      {}", group_thousands(summary.collisions)),
        format!("  packing         {}", six_significant_digits(summary.packing_fraction)),
        format!("  temperature     {} at the end", six_significant_digits(summary.temperature)),
    ];
    lines.extend(pressure_line(
        "last row",
        summary.last_row.map(|row| (row.pressure, row.reduced_pressure)),
    ));
    let mean = Some((summary.pressure, summary.reduced_pressure));
    lines.extend(pressure_line("whole run", mean).map(|line| {
        format!("{line}, temperature {} as means", six_significant_digits(summary.mean_temperature))
    }));
    if summary.mean_free_path.is_finite() {
        let path = six_significant_digits(summary.mean_free_path);
        lines.push(format!("  mean free path  {path} over the whole run"));
    }
    lines.extend(smallest_gap_line(summary.smallest_gap));
    if summary.dissipated > 0.0 {
        lines.push(format!("  energy lost     {}", six_significant_digits(summary.dissipated)));
    }
    if let Some(square) = summary.mean_square_displacement {
        lines.push(format!("  displacement    {} mean square", six_significant_digits(square)));
    }
    let structure = &summary.structure;
    lines.push(format!("  neighbors       {}: {}", structure.name, structure.reason));
    lines.extend(triangulation_line(summary));
    lines.push(timing_line(&summary.timing));
    lines
}

/// Work of a triangulation per collision, if the neighbor structure is one.
fn triangulation_line(summary: &Summary) -> Option<String> {
    let count = |what| summary.structure_count(what);
    let (flips, bounded) = (count("flips")?, count("certificates bounded")?);
    let (solved, rebuilds) = (count("certificates solved")?, count("rebuilds")?);
    let collisions = Some(summary.collisions_since_resume).filter(|&collisions| collisions > 0)?;
    let each = |count: u64| format!("{:.2}", count as f64 / collisions as f64);
    let [flips, bounded, solved] = [flips, bounded, solved].map(each);
    let line = format!(
        "  triangulation   {flips} flips, {bounded} certificates bounded and {solved} solved per \
         collision"
    );
    Some(match rebuilds {
        0 => line,
        1 => line + "; rebuilt once",
        _ => format!("{line}; rebuilt {} times", group_thousands(rebuilds)),
    })
}

/// Pressure and reduced pressure over a period of time, if finite.
fn pressure_line(stretch: &str, values: Option<(f64, f64)>) -> Option<String> {
    let (pressure, reduced) = values.filter(|(pressure, _)| pressure.is_finite())?;
    let reduced = match reduced.is_finite() {
        true => format!(", PV/NkT {}", six_significant_digits(reduced)),
        false => String::new(),
    };
    Some(format!("  {stretch:<14}  pressure {}{reduced}", six_significant_digits(pressure)))
}

/// Overlaps up to this fraction of a radius are attributed to rounding.
const ROUNDING: f64 = 1e-9;

/// The smallest gap at a collision; none if there was no collision.
fn smallest_gap_line(smallest: f64) -> Option<String> {
    let verdict = match smallest {
        gap if !gap.is_finite() => return None,
        gap if gap > -ROUNDING => "none below rounding",
        _ => "bodies overlapped",
    };
    Some(format!("  smallest gap    {verdict} ({smallest:.1e} of a radius)"))
}

/// The fraction of energy kept; only where nothing but collisions changes the energy.
fn energy_conservation_line<const D: usize>(scene: &Scene<D>, summary: &Summary) -> Option<String> {
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

/// The body that moved farthest; only where there is no periodic axis.
fn largest_displacement_line<const D: usize>(scene: &Scene<D>, run: &Run<D>) -> Option<String> {
    if scene.region.boundary_conditions.contains(&BoundaryCondition::Periodic) {
        return None;
    }
    let displacement =
        |body: usize| (run.simulation().position(body) - scene.bodies[body].position).norm();
    let ways = (0..scene.bodies.len()).map(|body| (body, displacement(body)));
    let (body, farthest) = ways.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!(
        "body {body} was thrown farthest, {} from its start",
        six_significant_digits(farthest)
    ))
}
