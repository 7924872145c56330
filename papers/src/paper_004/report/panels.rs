//! Discs at two moments, in the old way on the left and in the right way on the right, as SVG.

use crate::digits::significant;
use crate::paper_004::disc_collision::{DiscCollision, ImpactOutcome};
use crate::paper_004::snapshot::DiscSnapshot;
use std::fmt::Write;

const PANEL: [f64; 2] = [480.0, 320.0];
const MARGIN: f64 = 24.0;
/// Below the title and the names of columns.
const TOP: f64 = 108.0;
/// Room for what is said below a panel.
const CAPTION: f64 = 34.0;
/// From this part of the largest disturbance of the panel on, this color.
const COLORS: [(f64, &str); 6] = [
    (0.0, "#e6e6df"),
    (0.02, "#c5dfb0"),
    (0.05, "#7cc7b4"),
    (0.1, "#3f97c0"),
    (0.2, "#2559a4"),
    (0.5, "#10184f"),
];
const INK: &str = "#222222";
const PALE_INK: &str = "#666666";

/// The picture; discs that parted before a moment are not shown at it.
pub(super) fn svg(encounter: &DiscCollision, title: &str) -> String {
    let mut svg = String::new();
    write(&mut svg, encounter, title).expect("writing to a string does not fail");
    svg
}

fn write(svg: &mut String, encounter: &DiscCollision, title: &str) -> std::fmt::Result {
    let columns = [
        ("in the way of the thesis", &encounter.koti1989),
        ("in the right way", &encounter.bonded),
    ];
    let rows = columns.map(|(_, outcome)| outcome.snapshots.len()).into_iter().max().unwrap_or(0);
    let width = 2.0 * PANEL[0] + 3.0 * MARGIN;
    let height = TOP + rows.max(1) as f64 * (PANEL[1] + CAPTION) + 64.0;
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
    )?;
    writeln!(svg, "<title>{title}</title>")?;
    writeln!(
        svg,
        "<style>text{{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif}}</style>"
    )?;
    writeln!(svg, r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
    text(svg, [MARGIN, 36.0], 20, INK, title)?;
    let speed = encounter.impact.speed;
    for (column, (name, outcome)) in columns.into_iter().enumerate() {
        let left = MARGIN + column as f64 * (PANEL[0] + MARGIN);
        text(svg, [left, 70.0], 15, INK, name)?;
        text(svg, [left, 92.0], 12, PALE_INK, &outcome_text(outcome))?;
        for (row, snapshot) in outcome.snapshots.iter().enumerate() {
            let top = TOP + row as f64 * (PANEL[1] + CAPTION);
            panel(svg, [left, top], snapshot)?;
            let caption = format!(
                "after {:.2} crossings of a wave; fastest {} × the relative speed",
                snapshot.crossings,
                significant(snapshot.most_disturbed() / speed, 2)
            );
            text(svg, [left, top + PANEL[1] + 18.0], 12, PALE_INK, &caption)?;
        }
    }
    legend(svg, height - 40.0)
}

fn outcome_text(outcome: &ImpactOutcome) -> String {
    format!(
        "touch for {:.2e}, push with {:.2e}, part with {:.3} of the speed",
        outcome.duration, outcome.largest_force, outcome.restitution
    )
}

fn text(svg: &mut String, [x, y]: [f64; 2], size: u32, ink: &str, words: &str) -> std::fmt::Result {
    writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" fill="{ink}">{words}</text>"#)
}

/// Particles as squares, those of one color in one path.
fn panel(svg: &mut String, corner: [f64; 2], snapshot: &DiscSnapshot) -> std::fmt::Result {
    let widest = snapshot.spacings.iter().copied().fold(0.0, f64::max);
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    // Single particles that were thrown far must not make all others small.
    for spot in snapshot.particles.iter().filter(|spot| spot.displacement <= 2.0 * widest) {
        for axis in 0..2 {
            low[axis] = low[axis].min(spot.position[axis]);
            high[axis] = high[axis].max(spot.position[axis]);
        }
    }
    let sizes = [0, 1].map(|axis| high[axis] - low[axis] + widest);
    let scale = (PANEL[0] / sizes[0]).min(PANEL[1] / sizes[1]);
    let most = snapshot.most_disturbed();
    for (class, (least, color)) in COLORS.iter().enumerate() {
        let below = COLORS.get(class + 1).map_or(f64::INFINITY, |next| next.0);
        write!(svg, r#"<path fill="{color}" d=""#)?;
        for spot in &snapshot.particles {
            let part = if most > 0.0 { spot.velocity_disturbance / most } else { 0.0 };
            if !(*least..below).contains(&part) {
                continue;
            }
            let side = snapshot.spacings[spot.object] * scale;
            let x = corner[0] + (spot.position[0] - low[0]) * scale;
            let y = corner[1] + (high[1] - spot.position[1]) * scale;
            let is_in = (corner[0] - 1.0..corner[0] + PANEL[0]).contains(&x)
                && (corner[1] - 1.0..corner[1] + PANEL[1]).contains(&y);
            if is_in {
                write!(svg, "M{x:.1} {y:.1}h{side:.1}v{side:.1}h-{side:.1}z")?;
            }
        }
        writeln!(svg, r#""/>"#)?;
    }
    Ok(())
}

fn legend(svg: &mut String, y: f64) -> std::fmt::Result {
    let words = "change of velocity, in parts of the largest in the panel, from";
    text(svg, [MARGIN, y + 12.0], 12, PALE_INK, words)?;
    for (class, (least, color)) in COLORS.iter().enumerate() {
        let x = 440.0 + 80.0 * class as f64;
        writeln!(svg, r#"<rect x="{x}" y="{y}" width="18" height="14" fill="{color}"/>"#)?;
        text(svg, [x + 24.0, y + 12.0], 12, PALE_INK, &least.to_string())?;
    }
    writeln!(svg, "</svg>")
}
