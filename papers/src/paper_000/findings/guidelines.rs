//! The guidelines of section 4, but for the one on sizes.

use crate::digits::significant;
use crate::finding::{Finding, Verdict};
use crate::paper_000::Results;
use crate::paper_000::measured::Measured;
use crate::paper_000::system::Crowding;
use crate::paper_000::table_1::Panel;
use carom::scene::grouped;
use carom::simulate::events::Structure;

/// Guideline 1.
pub(super) fn delaunay() -> Finding {
    Finding {
        verdict: Verdict::NotMeasured,
        claim:
            "guideline 1: the Delaunay tessellation has the most topological events between two \
                collisions and is for systems with a high collision rate"
                .into(),
        evidence: "The Delaunay tessellation is not in this table yet.".into(),
    }
}

/// Guideline 2.
pub(super) fn memory(results: &Results) -> Finding {
    let mut holds = Vec::new();
    let mut figures = Vec::new();
    for panel in &results.panels {
        let Some(count) = common_count(panel) else { continue };
        let bytes = |structure| run(panel, structure, count).map(|run| run.bytes_per_body);
        let Some(grid) = bytes(Structure::CellGrid) else { continue };
        let others = [Structure::CellTree, Structure::SegmentTrees].map(bytes);
        holds.push(others.iter().flatten().all(|&other| other < grid));
        figures.push(format!(
            "{}D {}: {} against {} (cell-tree), {} (segment-trees) and {} (shells)",
            panel.dimension,
            panel.system,
            rounded(Some(grid)),
            rounded(others[0]),
            rounded(others[1]),
            rounded(bytes(Structure::Shells))
        ));
    }
    Finding {
        verdict: Verdict::of_all(holds),
        claim: "guideline 2: the regular subdivision takes the most space".into(),
        evidence: format!(
            "Bytes per body, subdivision first, at the largest N that segment trees ran: {}. An \
             empty cell costs four bytes here and there are at most 16 cells per body; with cells no \
             wider than the bodies, as in the paper, a gas that fills a thousandth of its box would \
             need 520 per body in space, and none of the others would need more than now. Lists of \
             neighbours take more than cells where bodies are close.",
            figures.join("; ")
        ),
    }
}

/// Guideline 3, in both readings: worse than other structures, and worse than elsewhere.
pub(super) fn dense(results: &Results) -> Finding {
    let mut holds = Vec::new();
    let mut figures = Vec::new();
    for panel in results.panels.iter().filter(|panel| panel.system.crowding == Crowding::Dense) {
        let Some(count) = common_count(panel) else { continue };
        let time =
            |structure| run(panel, structure, count).map(|run| run.microseconds_per_collision);
        let cells = [Structure::CellGrid, Structure::CellTree].map(time);
        let others = [Structure::SegmentTrees, Structure::Shells].map(time);
        let worst = others.iter().flatten().copied().fold(0.0, f64::max);
        holds.extend(cells.iter().flatten().map(|&time| time > worst));
        figures.push(format!(
            "{}D {} with {} bodies: {} (cell-grid), {} (cell-tree), {} (segment-trees), {} (shells)",
            panel.dimension,
            panel.system,
            grouped(count as u64),
            rounded(cells[0]),
            rounded(cells[1]),
            rounded(others[0]),
            rounded(others[1])
        ));
    }
    Finding {
        verdict: Verdict::of_all(holds),
        claim: "guideline 3: subdivision and spatial tree perform worst for dense systems".into(),
        evidence: format!(
            "Microseconds per collision at the largest N that segment trees ran: {}. {}",
            figures.join("; "),
            against_dilute(results)
        ),
    }
}

/// Cells in dense systems against cells in dilute ones.
fn against_dilute(results: &Results) -> String {
    let tests = |panel: &Panel| {
        let last = panel.curve(Structure::CellGrid)?.last()?;
        Some((last.tests_per_collision, last.changes_per_collision))
    };
    let mut told = Vec::new();
    for dense in results.panels.iter().filter(|panel| panel.system.crowding == Crowding::Dense) {
        let dilute = results.panels.iter().find(|panel| {
            panel.dimension == dense.dimension
                && panel.system.radii == dense.system.radii
                && panel.system.crowding == Crowding::Dilute
        });
        let Some((here, there)) = tests(dense).zip(dilute.and_then(tests)) else { continue };
        told.push(format!(
            "{}D {} {} and {} against {} and {}",
            dense.dimension,
            dense.system.radii,
            rounded(Some(here.0)),
            rounded(Some(here.1)),
            rounded(Some(there.0)),
            rounded(Some(there.1))
        ));
    }
    format!(
        "Read as cells being at their worst when dense: per collision the cell grid makes so many \
         pair tests and topological events, dense against dilute: {}.",
        told.join("; ")
    )
}

/// Guideline 5.
pub(super) fn known_in_advance() -> Finding {
    Finding {
        verdict: Verdict::InPart,
        claim: "guideline 5: only the subdivision must know the size of the space and of the \
                largest body in advance"
            .into(),
        evidence: "By construction, not by measurement: the spatial tree keeps the same cells, so it \
                   must know the largest body too; the size of the space it needs only to number its \
                   cells. In an open space carom's cells go on beyond the last one by wrapping round, \
                   and where bodies grow cells are made anew in time, so neither must be known for \
                   good. Segment trees and all pairs need to know nothing; shells need a free travel, \
                   which is chosen by itself."
            .into(),
    }
}

fn run(panel: &Panel, structure: Structure, count: usize) -> Option<&Measured> {
    panel.at(count).find(|run| run.structure == structure)
}

/// The most bodies that the cells and segment trees ran.
fn common_count(panel: &Panel) -> Option<usize> {
    panel.curve(Structure::SegmentTrees)?.last().map(|run| run.count)
}

fn rounded(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| significant(value, 3))
}
