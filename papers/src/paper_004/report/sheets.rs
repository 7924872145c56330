//! The results as tables.

use crate::digits::significant;
use crate::paper_004::balls::Meeting;
use crate::paper_004::cone;
use crate::paper_004::encounter::Encounter;
use crate::paper_004::faults::Faults;
use crate::paper_004::hertz::Case;
use crate::paper_004::intervals::{self, Trial};
use crate::table::Table;

/// A number of any size.
fn number(value: f64) -> String {
    format!("{value:.4e}")
}

/// Both ways of each collision.
pub(super) fn encounters(encounters: &[Encounter]) -> Table {
    let mut table = Table::new([
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
        for (way, outcome) in [("thesis", &encounter.old), ("right", &encounter.right)] {
            table.push([
                name.to_string(),
                way.to_string(),
                number(outcome.duration),
                number(outcome.largest_force),
                outcome.touching.to_string(),
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
pub(super) fn course(encounter: &Encounter) -> Table {
    let mut table = Table::new(["way", "time", "force", "kinetic energy", "elastic energy"]);
    for (way, outcome) in [("thesis", &encounter.old), ("right", &encounter.right)] {
        for row in &outcome.course {
            let numbers = [row.time, row.force, row.moving, row.stretched].map(number);
            table.push(std::iter::once(way.to_string()).chain(numbers));
        }
    }
    table
}

/// How wide the disturbed part is at which depth.
pub(super) fn cone(encounter: &Encounter) -> Table {
    let mut table = Table::new(["way", "crossings", "depth", "disturbed", "all"]);
    for (way, outcome) in [("thesis", &encounter.old), ("right", &encounter.right)] {
        for snapshot in &outcome.snapshots {
            for slice in cone::of(snapshot) {
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
pub(super) fn intervals(trials: &[Trial]) -> Table {
    let mut table = Table::new([
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
pub(super) fn fewest(trials: &[Trial]) -> Table {
    let parts = [1.0, 0.1, 0.01];
    let names = ["gain below 100 %", "below 10 %", "below 1 %"];
    let mut table = Table::new(["grid"].into_iter().chain(names));
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
pub(super) fn balls(meetings: &[Meeting]) -> Table {
    let mut table = Table::new([
        "neighbours",
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
            meeting.neighbours().to_string(),
            meeting.radius.to_string(),
            meeting.particles.to_string(),
            format!("{}{:.3}", if meeting.parted { "" } else { "> " }, meeting.duration),
            if meeting.parted { "yes" } else { "no" }.to_string(),
            format!("{:.3}", meeting.force),
            format!("{:.3}", meeting.restitution),
            format!("{:.1e}", meeting.energy_error),
        ]);
    }
    table
}

/// Duration and force in all ways.
pub(super) fn hertz(cases: &[Case]) -> Table {
    let mut table = Table::new([
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
            case.closed[0],
            case.integrated[0],
            case.impact.duration_as_printed(),
            case.impact.duration(),
            case.closed[1],
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
pub(super) fn boundary(faults: &Faults) -> Table {
    let mut table = Table::new(["grid", "lack a neighbour", "missed by the scan", "part"]);
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
