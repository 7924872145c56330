//! Which method is faster on which particles.

use super::listed;
use crate::digits::significant;
use crate::finding::{Finding, Verdict};
use crate::paper_002::figure_2::{Line, Panel, Point};
use crate::paper_002::particles::Test;
use crate::paper_002::tables::TableRun;
use carom::scene::grouped;

pub(super) fn findings(panels: &[Panel; 2]) -> Vec<Finding> {
    vec![
        ascending(
            panels,
            &[1, 5, 10].map(Line::LinkedCells),
            "the fewer particles in a cell, the faster are linked cells",
        ),
        ascending(
            panels,
            &[Test::C, Test::B, Test::A].map(Line::DistanceSort),
            "the smaller the particles, the faster is the distance sort",
        ),
        against_cells(panels, Test::A, "linked cells are faster on dense particles (test A)"),
        against_cells(
            panels,
            Test::C,
            "the distance sort is faster than linked cells on sparse particles (test C)",
        ),
    ]
}

/// Whether the times of `lines` ascend at the largest number of particles.
fn ascending(panels: &[Panel; 2], lines: &[Line], claim: &str) -> Finding {
    let mut figures = Vec::new();
    let mut holds = Vec::new();
    for panel in panels {
        let times: Vec<_> =
            lines.iter().filter_map(|&line| Some((line, last_time(panel, line)?))).collect();
        holds.push(times.is_sorted_by(|a, b| a.1 < b.1));
        let texts: Vec<_> =
            times.iter().map(|(line, time)| format!("{line} {}", significant(*time, 3))).collect();
        figures.push(format!("{} in {}D", listed(&texts), panel.dimension));
    }
    Finding {
        verdict: Verdict::of_all(holds),
        claim: claim.into(),
        evidence: format!("Milliseconds at the largest N: {}.", figures.join("; ")),
    }
}

/// The distance sort against the fastest linked cells at every number of particles.
fn against_cells(panels: &[Panel; 2], test: Test, claim: &str) -> Finding {
    let mut figures = Vec::new();
    let mut holds = Vec::new();
    for panel in panels {
        let ratios = ratios_to_cells(panel, test);
        // Dense: cells should win; sparse: the sort should.
        holds.extend(ratios.iter().map(|&(_, ratio)| (ratio > 1.0) == (test == Test::A)));
        figures.push(format!("in {}D {}", panel.dimension, told(&ratios)));
    }
    let verdict = Verdict::of_all(holds);
    let why = match (verdict, test) {
        (Verdict::InPart, _) => {
            " It is a matter of number rather than of density: sorting is cheap for few particles, \
             but a shell around the origin holds ever more of them and a cell does not."
        }
        _ => "",
    };
    Finding {
        verdict,
        claim: claim.into(),
        evidence: format!(
            "Time of the distance sort over that of the fastest of LCM 1, 5 and 10: {}.{why}",
            figures.join("; ")
        ),
    }
}

fn told(ratios: &[(usize, f64)]) -> String {
    let texts: Vec<_> = ratios
        .iter()
        .filter(|(count, _)| count.ilog10() as f64 == (*count as f64).log10())
        .map(|(count, ratio)| {
            format!("{} at N = {}", significant(*ratio, 2), grouped(*count as u64))
        })
        .collect();
    listed(&texts)
}

/// At each number of particles, the time of the distance sort over the fastest linked cells.
fn ratios_to_cells(panel: &Panel, test: Test) -> Vec<(usize, f64)> {
    let Some(sort) = panel.curve(Line::DistanceSort(test)) else { return Vec::new() };
    let cells = [1, 5, 10].map(|mean| panel.curve(Line::LinkedCells(mean)));
    let fastest = |index: usize| {
        let points = cells.iter().filter_map(|curve| curve.as_ref()?.points.get(index));
        points.map(|point| point.searched.milliseconds).fold(f64::INFINITY, f64::min)
    };
    let ratio = |(index, point): (usize, &Point)| {
        (point.count, point.searched.milliseconds / fastest(index))
    };
    sort.points.iter().enumerate().map(ratio).collect()
}

/// The paper's methods on the particles of test A.
const ON_TEST_A: [Line; 4] = [
    Line::DistanceSort(Test::A),
    Line::LinkedCells(1),
    Line::LinkedCells(5),
    Line::LinkedCells(10),
];

/// Whether carom's own choice is the fastest of all on every workload.
pub(super) fn own_choice(panels: &[Panel; 2], tables: &[TableRun; 3]) -> Finding {
    let mut ratios = Vec::new();
    for panel in panels {
        let Some(auto) = last_time(panel, Line::Auto(Test::A)) else { continue };
        let others = ON_TEST_A.into_iter().filter_map(|line| last_time(panel, line));
        let fastest = others.fold(f64::INFINITY, f64::min);
        ratios.push((format!("figure 2, test A in {}D", panel.dimension), fastest / auto));
    }
    for table in tables {
        let others = table.entries[..table.entries.len() - 1].iter();
        let fastest = others.map(|entry| entry.searched.milliseconds).fold(f64::INFINITY, f64::min);
        let ratio = fastest / table.auto().searched.milliseconds;
        ratios.push((format!("table {}", table.number), ratio));
    }
    let texts: Vec<_> =
        ratios.iter().map(|(name, ratio)| format!("{} ({name})", significant(*ratio, 2))).collect();
    Finding {
        verdict: Verdict::of_all(ratios.iter().map(|(_, ratio)| *ratio >= 1.0)),
        claim: "beyond the paper: one method, chosen by the program, is the fastest on all of \
                these workloads"
            .into(),
        evidence: format!(
            "Time of the fastest of the paper's methods over that of auto, at the largest N: {}.",
            listed(&texts)
        ),
    }
}

fn last_time(panel: &Panel, line: Line) -> Option<f64> {
    Some(panel.curve(line)?.last()?.searched.milliseconds)
}
