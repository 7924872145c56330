//! Discs at two moments, by the 1989 method on the left and in the right way on the right, as SVG.

use super::disc_collision::{DiscCollision, ImpactOutcome};
use super::snapshot::DiscSnapshot;
use crate::digits::significant;
use carom_view::html::escaped;
use std::fmt::Write;

const INK: &str = "#222222";
const PALE_INK: &str = "#666666";
const PANEL: [f64; 2] = [480.0, 320.0];
const MARGIN: f64 = 24.0;
/// Below the title and the names of columns.
const TOP: f64 = 108.0;
/// Room for the caption below a panel.
const CAPTION: f64 = 34.0;
/// Least disturbance for each color, in parts of the largest of the panel.
const COLORS: [(f64, &str); 6] = [
    (0.0, "#e6e6df"),
    (0.02, "#c5dfb0"),
    (0.05, "#7cc7b4"),
    (0.1, "#3f97c0"),
    (0.2, "#2559a4"),
    (0.5, "#10184f"),
];

/// The picture; discs that parted before a moment are not shown at it.
pub(super) fn svg(encounter: &DiscCollision, title: &str) -> String {
    let rows =
        encounter.outcomes().map(|outcome| outcome.history.snapshots.len()).into_iter().max();
    let width = 2.0 * PANEL[0] + 3.0 * MARGIN;
    let height = TOP + rows.unwrap_or(0).max(1) as f64 * (PANEL[1] + CAPTION) + 64.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    svg += &text([MARGIN, 36.0], 20, INK, title);
    let names = ["by the 1989 method", "in the right way"];
    for (column, (name, outcome)) in names.into_iter().zip(encounter.outcomes()).enumerate() {
        let left = MARGIN + column as f64 * (PANEL[0] + MARGIN);
        svg += &text([left, 70.0], 15, INK, name);
        svg += &text([left, 92.0], 12, PALE_INK, &outcome_text(outcome));
        for (row, snapshot) in outcome.history.snapshots.iter().enumerate() {
            let top = TOP + row as f64 * (PANEL[1] + CAPTION);
            svg += &particles([left, top], snapshot);
            let caption = format!(
                "after {:.2} crossings of a wave; fastest {} × the relative speed",
                snapshot.crossings,
                significant(snapshot.most_disturbed() / encounter.impact.speed, 2)
            );
            let below = [left, top + PANEL[1] + 18.0];
            svg += &text(below, 12, PALE_INK, &caption);
        }
    }
    svg + &legend(height - 40.0) + "</svg>\n"
}

/// A line of text.
fn text([x, y]: [f64; 2], size: u32, ink: &str, words: &str) -> String {
    let words = escaped(words);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{ink}\">{words}</text>\n")
}

fn outcome_text(outcome: &ImpactOutcome) -> String {
    let [duration, force, restitution] =
        ["duration", "largest force", "restitution"].map(|name| outcome.measured.number(name));
    format!(
        "touch for {duration:.2e}, push with {force:.2e}, part with {restitution:.3} of the speed"
    )
}

/// Particles as squares, those of one color in one path.
fn particles(corner: [f64; 2], snapshot: &DiscSnapshot) -> String {
    let mut svg = String::new();
    let widest = snapshot.spacings.iter().copied().fold(0.0, f64::max);
    // Single particles that were thrown far must not make all others small.
    let near = || snapshot.particles.iter().filter(|spot| spot.displacement <= 2.0 * widest);
    let bound = |axis: usize, by: fn(f64, f64) -> f64| {
        near().map(|spot| spot.position[axis]).reduce(by).unwrap_or_default()
    };
    let [low, high] =
        [[0, 1].map(|axis| bound(axis, f64::min)), [0, 1].map(|axis| bound(axis, f64::max))];
    let sizes = [0, 1].map(|axis| high[axis] - low[axis] + widest);
    let scale = (PANEL[0] / sizes[0]).min(PANEL[1] / sizes[1]);
    let most = snapshot.most_disturbed();
    for (class, (least, color)) in COLORS.iter().enumerate() {
        let below = COLORS.get(class + 1).map_or(f64::INFINITY, |next| next.0);
        let mut path = String::new();
        for spot in &snapshot.particles {
            let part = if most > 0.0 { spot.velocity_disturbance / most } else { 0.0 };
            let side = snapshot.spacings[spot.object] * scale;
            let x = corner[0] + (spot.position[0] - low[0]) * scale;
            let y = corner[1] + (high[1] - spot.position[1]) * scale;
            let is_in = (corner[0] - 1.0..corner[0] + PANEL[0]).contains(&x)
                && (corner[1] - 1.0..corner[1] + PANEL[1]).contains(&y);
            if is_in && (*least..below).contains(&part) {
                write!(path, "M{x:.1} {y:.1}h{side:.1}v{side:.1}h-{side:.1}z")
                    .expect("writing to a string does not fail");
            }
        }
        svg += &format!("<path fill=\"{color}\" d=\"{path}\"/>\n");
    }
    svg
}

fn legend(y: f64) -> String {
    let words = "change of velocity, in parts of the largest in the panel, from";
    let mut svg = text([MARGIN, y + 12.0], 12, PALE_INK, words);
    for (class, (least, color)) in COLORS.iter().enumerate() {
        let x = 440.0 + 80.0 * class as f64;
        svg +=
            &format!("<rect x=\"{x}\" y=\"{y}\" width=\"18\" height=\"14\" fill=\"{color}\"/>\n");
        svg += &text([x + 24.0, y + 12.0], 12, PALE_INK, &least.to_string());
    }
    svg
}
