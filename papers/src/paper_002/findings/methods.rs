//! Which method is faster on which particles.

use super::listed;
use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};
use crate::paper_002::figure_2::{SearchCurveKind, SearchTimePanel, SearchTimePoint};
use crate::paper_002::particles::DiameterTest;
use crate::paper_002::tables::TableRun;
use carom::scene::group_thousands;

pub(super) fn findings(panels: &[SearchTimePanel; 2]) -> Vec<Finding> {
    vec![
        ascending(
            panels,
            &[1, 5, 10].map(SearchCurveKind::LinkedCells),
            "the fewer particles in a cell, the faster are linked cells",
        ),
        ascending(
            panels,
            &[DiameterTest::C, DiameterTest::B, DiameterTest::A].map(SearchCurveKind::DistanceSort),
            "the smaller the particles, the faster is the distance sort",
        ),
        against_cells(
            panels,
            DiameterTest::A,
            "linked cells are faster on dense particles (test A)",
        ),
        against_cells(
            panels,
            DiameterTest::C,
            "the distance sort is faster than linked cells on sparse particles (test C)",
        ),
    ]
}

/// Whether the times of `lines` ascend at the largest number of particles.
fn ascending(panels: &[SearchTimePanel; 2], lines: &[SearchCurveKind], claim: &str) -> Finding {
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
        verdict: ClaimVerdict::of_all(holds),
        claim: claim.into(),
        evidence: format!("Milliseconds at the largest N: {}.", figures.join("; ")),
    }
}

/// The distance sort against the fastest linked cells at every number of particles.
fn against_cells(panels: &[SearchTimePanel; 2], test: DiameterTest, claim: &str) -> Finding {
    let mut figures = Vec::new();
    let mut holds = Vec::new();
    for panel in panels {
        let ratios = ratios_to_cells(panel, test);
        // Dense: cells should win; sparse: the sort should.
        holds.extend(ratios.iter().map(|&(_, ratio)| (ratio > 1.0) == (test == DiameterTest::A)));
        figures.push(format!("in {}D {}", panel.dimension, ratio_text(&ratios)));
    }
    let verdict = ClaimVerdict::of_all(holds);
    let why = match (verdict, test) {
        (ClaimVerdict::InPart, _) => {
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

fn ratio_text(ratios: &[(usize, f64)]) -> String {
    let texts: Vec<_> = ratios
        .iter()
        .filter(|(count, _)| count.ilog10() as f64 == (*count as f64).log10())
        .map(|(count, ratio)| {
            format!("{} at N = {}", significant(*ratio, 2), group_thousands(*count as u64))
        })
        .collect();
    listed(&texts)
}

/// At each number of particles, the time of the distance sort over the fastest linked cells.
fn ratios_to_cells(panel: &SearchTimePanel, test: DiameterTest) -> Vec<(usize, f64)> {
    let Some(sort) = panel.curve(SearchCurveKind::DistanceSort(test)) else { return Vec::new() };
    let cells = [1, 5, 10].map(|mean| panel.curve(SearchCurveKind::LinkedCells(mean)));
    let fastest = |index: usize| {
        let points = cells.iter().filter_map(|curve| curve.as_ref()?.points.get(index));
        points.map(|point| point.measurement.milliseconds).fold(f64::INFINITY, f64::min)
    };
    let ratio = |(index, point): (usize, &SearchTimePoint)| {
        (point.count, point.measurement.milliseconds / fastest(index))
    };
    sort.points.iter().enumerate().map(ratio).collect()
}

/// The paper's methods on the particles of test A.
const ON_TEST_A: [SearchCurveKind; 4] = [
    SearchCurveKind::DistanceSort(DiameterTest::A),
    SearchCurveKind::LinkedCells(1),
    SearchCurveKind::LinkedCells(5),
    SearchCurveKind::LinkedCells(10),
];

/// Whether carom's own choice is the fastest of all on every workload.
pub(super) fn own_choice(panels: &[SearchTimePanel; 2], tables: &[TableRun; 3]) -> Finding {
    let mut ratios = Vec::new();
    for panel in panels {
        let Some(auto) = last_time(panel, SearchCurveKind::Auto(DiameterTest::A)) else { continue };
        let others = ON_TEST_A.into_iter().filter_map(|line| last_time(panel, line));
        let fastest = others.fold(f64::INFINITY, f64::min);
        ratios.push((format!("figure 2, test A in {}D", panel.dimension), fastest / auto));
    }
    for table in tables {
        let others = table.entries[..table.entries.len() - 1].iter();
        let fastest =
            others.map(|entry| entry.measurement.milliseconds).fold(f64::INFINITY, f64::min);
        let ratio = fastest / table.auto().measurement.milliseconds;
        ratios.push((format!("table {}", table.number), ratio));
    }
    let texts: Vec<_> =
        ratios.iter().map(|(name, ratio)| format!("{} ({name})", significant(*ratio, 2))).collect();
    Finding {
        verdict: ClaimVerdict::of_all(ratios.iter().map(|(_, ratio)| *ratio >= 1.0)),
        claim: "beyond the paper: one method, chosen by the program, is the fastest on all of \
                these workloads"
            .into(),
        evidence: format!(
            "Time of the fastest of the paper's methods over that of auto, at the largest N: {}.",
            listed(&texts)
        ),
    }
}

fn last_time(panel: &SearchTimePanel, line: SearchCurveKind) -> Option<f64> {
    Some(panel.curve(line)?.last()?.measurement.milliseconds)
}
