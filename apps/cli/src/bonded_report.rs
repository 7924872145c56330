//! The report of `carom run` at the end of a run of bonded particles.

use crate::run_report::{RunReport, output_file_line, timing_line};
use carom::io::{group_thousands, six_significant_digits};
use carom::run::bonded::{Run, Summary};
use carom::scene::Scene;
use std::path::Path;

impl<const D: usize> RunReport<D> for Run<D> {
    fn report(&self, scene: &Scene<D>, summary: &Summary, folder: &Path) -> String {
        let mut lines = summary_lines(summary);
        lines.push(format!("  results         {}", folder.display()));
        if summary.steps_since_resume > 0 {
            let rate = summary.springs_per_second() as u64;
            lines.push(format!("{} springs per second", group_thousands(rate)));
        }
        lines.push(output_file_line(scene, summary.ending, folder));
        lines.join("\n") + "\n"
    }
}

fn summary_lines(summary: &Summary) -> Vec<String> {
    let energy = &summary.energy;
    let solids = summary.solids.len() as u64;
    let noun = if solids == 1 { "solid" } else { "solids" };
    let mut lines = vec![
        format!(
            "{} {noun} of {} particles to time {}; ended {}",
            group_thousands(solids),
            group_thousands(summary.particles as u64),
            six_significant_digits(summary.time),
            summary.ending.reason()
        ),
        format!(
            "  steps           {} of {}, the shortest {}",
            group_thousands(summary.steps),
            six_significant_digits(summary.step),
            six_significant_digits(summary.shortest_step)
        ),
        format!(
            "  springs         {}, of which {} have broken; {} fragments",
            group_thousands(summary.springs),
            group_thousands(summary.broken_springs),
            group_thousands(summary.fragments)
        ),
        format!(
            "  energy          kinetic {}, bond {}, contact {}, potential {}",
            six_significant_digits(energy.kinetic_energy),
            six_significant_digits(energy.bond_energy),
            six_significant_digits(energy.contact_energy),
            six_significant_digits(energy.potential_energy)
        ),
        format!(
            "  energy lost     fracture {}, plastic {}, damping {}, friction {}; to held particles {}",
            six_significant_digits(energy.fracture_loss),
            six_significant_digits(energy.plastic_loss),
            six_significant_digits(energy.damping_loss),
            six_significant_digits(energy.friction_loss),
            six_significant_digits(energy.constraint_loss)
        ),
        format!("  waves           have reached {:.1} % of all particles", 100.0 * summary.reached),
    ];
    for (number, solid) in summary.solids.iter().enumerate().take(8) {
        let velocity: Vec<String> =
            solid.velocity.iter().map(|&part| six_significant_digits(part)).collect();
        lines.push(format!(
            "  solid {number:<10}velocity {}, {} fragments, the largest {:.1} % of it",
            velocity.join(" "),
            group_thousands(solid.fragments),
            100.0 * solid.largest_fragment
        ));
    }
    lines.push(timing_line(&summary.timing));
    lines
}
