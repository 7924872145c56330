//! The report of `carom run` at the end of a DEM run.

use crate::run_report::{RunReport, output_file_line, timing_line};
use carom::io::{group_thousands, six_significant_digits};
use carom::run::dem::{Run, Summary};
use carom::scene::Scene;
use std::path::Path;

impl<const D: usize> RunReport<D> for Run<D> {
    fn report(&self, scene: &Scene<D>, summary: &Summary, folder: &Path) -> String {
        let mut lines = summary_lines(summary);
        lines.push(format!("  results         {}", folder.display()));
        if summary.steps_since_resume > 0 {
            let rate = summary.body_steps_per_second() as u64;
            lines.push(format!("{} body steps per second", group_thousands(rate)));
        }
        lines.push(output_file_line(scene, summary.ending, folder));
        lines.join("\n") + "\n"
    }
}

fn summary_lines(summary: &Summary) -> Vec<String> {
    let energy = &summary.energy;
    vec![
        format!(
            "{} bodies to time {}; ended {}",
            group_thousands(summary.bodies as u64),
            six_significant_digits(summary.time),
            summary.ending.reason()
        ),
        format!(
            "  steps           {} of {}",
            group_thousands(summary.steps),
            six_significant_digits(summary.step)
        ),
        format!(
            "  contacts        {} of bodies ({:.2} a body), {} with walls, the deepest {:.2} % of a \
             radius",
            group_thousands(summary.contacts),
            summary.mean_coordination_number(),
            group_thousands(summary.wall_contacts),
            100.0 * summary.deepest_overlap
        ),
        format!(
            "  energy          kinetic {}, rotational {}, potential {}, contact {}",
            six_significant_digits(energy.kinetic_energy),
            six_significant_digits(energy.rotational_energy),
            six_significant_digits(energy.potential_energy),
            six_significant_digits(energy.contact_energy)
        ),
        format!(
            "  energy lost     damping {}, friction {}; brought in by walls and with bodies {}",
            six_significant_digits(energy.damping_loss),
            six_significant_digits(energy.friction_loss),
            six_significant_digits(energy.external_work)
        ),
        format!(
            "  neighbors       {} pairs in the neighbor list, searched {} times",
            group_thousands(summary.pairs as u64),
            group_thousands(summary.searches_since_resume)
        ),
        timing_line(&summary.timing),
    ]
}
