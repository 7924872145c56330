//! What `carom run` prints at the end of a run in steps of time.

use crate::run_report::{Told, times, where_to_look};
use carom::run::steps::{Run, Summary};
use carom::scene::SceneOf;
use carom::scene::{grouped, six_digits};
use std::path::Path;

impl<const D: usize> Told<D> for Run<D> {
    fn report(&self, scene: &SceneOf<D>, summary: &Summary, folder: &Path) -> String {
        let mut lines = figures(summary);
        lines.push(format!("  results         {}", folder.display()));
        if summary.steps_here > 0 {
            let rate = summary.body_steps_per_second() as u64;
            lines.push(format!("{} steps of a body a second", grouped(rate)));
        }
        lines.push(where_to_look(scene, summary.ending, folder));
        lines.join("\n") + "\n"
    }
}

fn figures(summary: &Summary) -> Vec<String> {
    let energy = &summary.energy;
    vec![
        format!(
            "{} bodies to time {}; ended {}",
            grouped(summary.bodies as u64),
            six_digits(summary.time),
            summary.ending.reason()
        ),
        format!("  steps           {} of {}", grouped(summary.steps), six_digits(summary.step)),
        format!(
            "  contacts        {} of bodies ({:.2} a body), {} with walls, the deepest {:.2} % of a \
             radius",
            grouped(summary.contacts),
            summary.coordination(),
            grouped(summary.wall_contacts),
            100.0 * summary.deepest
        ),
        format!(
            "  energy          motion {}, turning {}, height {}, contacts {}",
            six_digits(energy.moving),
            six_digits(energy.turning),
            six_digits(energy.height),
            six_digits(energy.stored)
        ),
        format!(
            "  energy lost     damping {}, friction {}; brought in by walls and with bodies {}",
            six_digits(energy.damped),
            six_digits(energy.rubbed),
            six_digits(energy.driven)
        ),
        format!(
            "  neighbours      {} pairs looked at in a step, searched {} times",
            grouped(summary.pairs as u64),
            grouped(summary.searches_here)
        ),
        times(&summary.timing),
    ]
}
