//! The results as tables.

use crate::digits::significant;
use crate::paper_004::balls::BallImpact;
use crate::paper_004::cone;
use crate::paper_004::disc_collision::DiscCollision;
use crate::paper_004::faults::ThesisFaults;
use crate::paper_004::hertz::HertzImpact;
use crate::paper_004::intervals::{self, IntervalTrial};
use crate::table::TextTable;

/// A number of any size.
fn number(value: f64) -> String {
    format!("{value:.4e}")
}

/// Both ways of each collision.
pub(super) fn encounters(encounters: &[DiscCollision]) -> TextTable {
    let mut table = TextTable::new([
        "collision",
        "way",
        "duration",
        "largest force",
        "touching",
        "restitution",
        "work of prescribed force",
        "energy from nowhere",
        "momentum lost",
        "wave speed",
    ]);
    for (name, encounter) in ["first", "second"].iter().zip(encounters) {
        for (way, outcome) in [("thesis", &encounter.koti1989), ("right", &encounter.bonded)] {
            table.push([
                name.to_string(),
                way.to_string(),
                number(outcome.duration),
                number(outcome.largest_force),
                outcome.most_contacts.to_string(),
                format!("{:.4}", outcome.restitution),
                significant(outcome.work, 3),
                format!("{:.1e}", outcome.energy_error),
                format!("{:.1e}", outcome.momentum_error),
                number(outcome.wave_speed),
            ]);
        }
    }
    table
}

/// Force and energies over the time.
pub(super) fn course(encounter: &DiscCollision) -> TextTable {
    let mut table = TextTable::new(["way", "time", "force", "kinetic energy", "elastic energy"]);
    for (way, outcome) in [("thesis", &encounter.koti1989), ("right", &encounter.bonded)] {
        for row in &outcome.samples {
            let numbers = [row.time, row.force, row.kinetic_energy, row.bond_energy].map(number);
            table.push(std::iter::once(way.to_string()).chain(numbers));
        }
    }
    table
}

/// How wide the disturbed part is at which depth.
pub(super) fn cone(encounter: &DiscCollision) -> TextTable {
    let mut table = TextTable::new(["way", "crossings", "depth", "disturbed", "all"]);
    for (way, outcome) in [("thesis", &encounter.koti1989), ("right", &encounter.bonded)] {
        for snapshot in &outcome.snapshots {
            for slice in cone::disturbance_slices(snapshot) {
                table.push([
                    way.to_string(),
                    format!("{:.3}", snapshot.crossings),
                    slice.depth.to_string(),
                    slice.width.to_string(),
                    slice.all.to_string(),
                ]);
            }
        }
    }
    table
}

/// Every trial.
pub(super) fn intervals(trials: &[IntervalTrial]) -> TextTable {
    let mut table = TextTable::new([
        "grid",
        "intervals",
        "intervals per grid",
        "spacings of a wave per interval",
        "growth of fastest swing in powers of ten",
        "energy gained",
    ]);
    for trial in trials {
        table.push([
            trial.grid.to_string(),
            trial.intervals.to_string(),
            significant(trial.ratio(), 3),
            significant(trial.courant, 3),
            significant(trial.decades(), 3),
            format!("{:.2e}", trial.gained),
        ]);
    }
    table
}

/// How many intervals each grid needs.
pub(super) fn fewest(trials: &[IntervalTrial]) -> TextTable {
    let parts = [1.0, 0.1, 0.01];
    let names = ["gain below 100 %", "below 10 %", "below 1 %"];
    let mut table = TextTable::new(["grid"].into_iter().chain(names));
    for grid in intervals::grids(trials) {
        let needed = parts.map(|part| {
            let fewest = intervals::fewest(trials, grid, part);
            fewest.map_or("more".to_string(), |count| {
                format!("{count} = {} × grid", ratio(count, grid))
            })
        });
        table.push(std::iter::once(grid.to_string()).chain(needed));
    }
    table
}

fn ratio(count: u32, grid: u32) -> String {
    significant(f64::from(count) / f64::from(grid), 3)
}

/// Balls in space.
pub(super) fn balls(meetings: &[BallImpact]) -> TextTable {
    let mut table = TextTable::new([
        "neighbors",
        "radius",
        "particles",
        "duration / Hertz",
        "parted",
        "force / Hertz",
        "restitution",
        "energy from nowhere",
    ]);
    for meeting in meetings {
        table.push([
            meeting.neighbors().to_string(),
            meeting.radius.to_string(),
            meeting.particles.to_string(),
            format!("{}{:.3}", if meeting.separated { "" } else { "> " }, meeting.duration),
            if meeting.separated { "yes" } else { "no" }.to_string(),
            format!("{:.3}", meeting.force),
            format!("{:.3}", meeting.restitution),
            format!("{:.1e}", meeting.energy_error),
        ]);
    }
    table
}

/// Duration and force in all ways.
pub(super) fn hertz(cases: &[HertzImpact]) -> TextTable {
    let mut table = TextTable::new([
        "spheres",
        "duration exact",
        "integrated",
        "by 4.53 (2.1)",
        "by 2.9432",
        "force exact",
        "integrated",
        "by (2.4)",
        "restitution of (2.4)",
    ]);
    for case in cases {
        let numbers = [
            case.closed_form[0],
            case.integrated[0],
            case.impact.duration_as_printed(),
            case.impact.duration(),
            case.closed_form[1],
            case.integrated[1],
            case.impact.largest_force(),
        ];
        let numbers = numbers.map(|value| format!("{value:.5e}"));
        let restitution = format!("{:.4}", case.restitution);
        table.push([case.name.to_string()].into_iter().chain(numbers).chain([restitution]));
    }
    table
}

/// What the scan misses.
pub(super) fn boundary(faults: &ThesisFaults) -> TextTable {
    let mut table = TextTable::new(["grid", "lack a neighbor", "missed by the scan", "part"]);
    for boundary in &faults.boundaries {
        let part = boundary.missed as f64 / boundary.particles as f64;
        table.push([
            boundary.grid.to_string(),
            boundary.particles.to_string(),
            boundary.missed.to_string(),
            format!("{part:.3}"),
        ]);
    }
    table
}
