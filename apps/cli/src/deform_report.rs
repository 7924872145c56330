//! What `carom run` prints at the end of a run of bodies that deform.

use crate::run_report::{Told, times, where_to_look};
use carom::run::deform::{Run, Summary};
use carom::scene::SceneOf;
use carom::scene::{grouped, six_digits};
use std::path::Path;

impl<const D: usize> Told<D> for Run<D> {
    fn report(&self, scene: &SceneOf<D>, summary: &Summary, folder: &Path) -> String {
        let mut lines = figures(summary);
        lines.push(format!("  results         {}", folder.display()));
        if summary.steps_here > 0 {
            let rate = summary.springs_per_second() as u64;
            lines.push(format!("{} springs a second", grouped(rate)));
        }
        lines.push(where_to_look(scene, summary.ending, folder));
        lines.join("\n") + "\n"
    }
}

fn figures(summary: &Summary) -> Vec<String> {
    let energy = &summary.energy;
    let solids = summary.solids.len() as u64;
    let noun = if solids == 1 { "solid" } else { "solids" };
    let mut lines = vec![
        format!(
            "{} {noun} of {} particles to time {}; ended {}",
            grouped(solids),
            grouped(summary.particles as u64),
            six_digits(summary.time),
            summary.ending.reason()
        ),
        format!(
            "  steps           {} of {}, the shortest {}",
            grouped(summary.steps),
            six_digits(summary.step[0]),
            six_digits(summary.step[1])
        ),
        format!(
            "  springs         {}, of which {} have broken; {} pieces",
            grouped(summary.springs),
            grouped(summary.broken),
            grouped(summary.fragments)
        ),
        format!(
            "  energy          motion {}, springs {}, contacts {}, height {}",
            six_digits(energy.moving),
            six_digits(energy.stretched),
            six_digits(energy.touching),
            six_digits(energy.lifted)
        ),
        format!(
            "  energy spent    breaking {}, yielding {}, damping {}, friction {}; given to what is held {}",
            six_digits(energy.fractured),
            six_digits(energy.yielded),
            six_digits(energy.damped),
            six_digits(energy.rubbed),
            six_digits(energy.held)
        ),
        format!("  waves           have reached {:.1} % of all particles", 100.0 * summary.reached),
    ];
    for (number, solid) in summary.solids.iter().enumerate().take(8) {
        let velocity: Vec<String> = solid.velocity.iter().map(|&part| six_digits(part)).collect();
        lines.push(format!(
            "  solid {number:<10}velocity {}, {} pieces, the largest {:.1} % of it",
            velocity.join(" "),
            grouped(solid.fragments),
            100.0 * solid.largest
        ));
    }
    lines.push(times(&summary.timing));
    lines
}
