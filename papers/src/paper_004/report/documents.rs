//! The report as Markdown, and the summary as plain text.

use super::sheets;
use crate::Settings;
use crate::finding::Finding;
use crate::paper_004::DeformationResults;
use crate::paper_004::balls::{LONGEST, SPEED};
use crate::paper_004::cone::VISIBLE;

/// Width of the summary's lines.
const WIDTH: usize = 96;

pub(super) fn markdown(
    results: &DeformationResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let found: String = findings.iter().map(Finding::markdown).collect();
    [
        introduction(settings),
        format!("## Findings\n\n{found}"),
        figures(results),
        format!(
            "## Intervals of an impact\n\n![Energy gained over the number of intervals](intervals.svg)\n\n\
             Figure 2 with other grids. Energy gained is that at the end of the impact, less that at its start and \
             the work of the prescribed force, in parts of that work. The fewest intervals tried from \
             which on the gain stays below a bound:\n\n{}\n{}",
            sheets::fewest(&results.intervals).markdown(),
            sheets::intervals(&results.intervals).markdown()
        ),
        format!(
            "## Chapter 4: in space\n\nTwo balls of lattices, turned against each other, meet head-on at {SPEED} of the \
             speed of longitudinal waves; nothing is prescribed, and runs end {LONGEST} durations of H. Hertz's \
             theory after the first touch. With six neighbors nothing resists shear; that theory is then taken with a \
             Poisson's ratio of 0.\n\n{}",
            sheets::balls(&results.balls).markdown()
        ),
        format!(
            "## Equations 2.1 and 2.4\n\nIn seconds and newtons; integrated by velocity Verlet in 20,000 steps.\n\n{}",
            sheets::hertz(&results.hertz).markdown()
        ),
        format!("## The boundary\n\n{}", sheets::boundary(&results.faults).markdown()),
    ]
    .join("\n")
}

fn introduction(settings: &Settings) -> String {
    let (command, note) = if settings.quick {
        ("carom reproduce 004 --quick", "\nA quick run: coarse grids and small balls.\n")
    } else {
        ("carom reproduce 004", "")
    };
    format!(
        "# Paper 004: deformation of colliding objects\n\nS. R. Koti, thesis, Montana State University, 1989.\n\n\
         Made by `{command}`; everything is the same on every run. The data files of the thesis are not known: \
         those used are in its format and fit its figures.\n{note}"
    )
}

fn figures(results: &DeformationResults) -> String {
    format!(
        "## Figures 2 and 3\n\n![Head-on collision](figure2.svg)\n\n![Collision at an angle](figure3.svg)\n\n\
         Discs of the same particles. In the way of the thesis: four neighbors, duration and force prescribed, \
         unstable update. In the right way: eight neighbors, contact of surfaces, velocity Verlet. Lines of the table: \
         figure 2 first. Energies are in energies of the relative motion, momentum in reduced mass times relative \
         speed.\n\n{}\nParticles of figure 2 whose velocity has changed by {VISIBLE} of the largest change, by depth: \
         `cone.csv`. Force and energies over the time: `figure2.csv`, `figure3.csv`.\n",
        sheets::encounters(&results.collisions).markdown()
    )
}

pub(super) fn summary(
    results: &DeformationResults,
    findings: &[Finding],
    settings: &Settings,
) -> String {
    let mut text = String::from("Paper 004: deformation of colliding objects");
    text += if settings.quick { " (quick run)\n" } else { "\n" };
    let tables = [
        ("Figures 2 (first) and 3 (second)", sheets::encounters(&results.collisions)),
        ("Intervals that an impact needs", sheets::fewest(&results.intervals)),
        ("Balls in space", sheets::balls(&results.balls)),
        ("Equations 2.1 and 2.4", sheets::hertz(&results.hertz)),
    ];
    for (title, table) in tables {
        text += &format!("\n{title}\n{}", table.text());
    }
    text += "\nFindings\n";
    text + &findings.iter().map(|finding| finding.text(WIDTH)).collect::<String>()
}
