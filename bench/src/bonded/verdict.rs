//! The goals for bodies of springs, and whether the measured rows meet them.

use super::contender::{ALONE, WHOLE};
use super::peers::{LAMMPS, TAICHI, TAICHI_64};
use super::results::Row;
use super::workload::Workload;
use crate::goal::{Bound, Figure, Goal};

/// Every goal, with the figures found in the rows.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    vec![
        goal("carom over LAMMPS BPM, worst case", AtLeast(8.0), lead(rows, LAMMPS)),
        goal("carom over Taichi, 32 bits, worst case", AtLeast(3.0), lead(rows, TAICHI)),
        goal("carom over Taichi, 64 bits, worst case", AtLeast(3.0), lead(rows, TAICHI_64)),
        goal(
            "energy of motion beside Taichi's, 64 bits, part by which they differ",
            AtMost(1e-6),
            differ(rows),
        ),
        goal("two threads over one, worst case", AtLeast(1.7), threads(rows)),
        goal("contact in the time of a step of 1e3 blocks", AtMost(1.0 / 3.0), contact(rows)),
        goal("bytes per particle in space, worst case", AtMost(120.0), memory(rows)),
        goal(
            "time of a step with a front over that without, until a wave has crossed",
            AtMost(1.0),
            front(rows),
        ),
    ]
}

/// carom's rows beside those of another.
pub fn beside<'a>(rows: &'a [Row], name: &'static str) -> impl Iterator<Item = (&'a Row, &'a Row)> {
    rows.iter().filter(|row| row.is_own()).filter_map(move |own| {
        let is_peer = |row: &&Row| row.contender == name && row.is_of_case(own);
        Some((own, rows.iter().find(is_peer)?))
    })
}

fn of(value: f64, row: &Row) -> Figure {
    Figure { value, note: format!("{}, {} particles", row.workload, row.particles) }
}

fn least(figures: impl Iterator<Item = Figure>) -> Option<Figure> {
    figures.min_by(|a, b| a.value.total_cmp(&b.value))
}

fn most(figures: impl Iterator<Item = Figure>) -> Option<Figure> {
    figures.max_by(|a, b| a.value.total_cmp(&b.value))
}

fn lead(rows: &[Row], name: &'static str) -> Option<Figure> {
    least(beside(rows, name).map(|(own, peer)| of(own.rate / peer.rate, own)))
}

fn differ(rows: &[Row]) -> Option<Figure> {
    most(
        beside(rows, TAICHI_64)
            .map(|(own, peer)| of((own.kinetic / peer.kinetic - 1.0).abs(), own)),
    )
}

fn threads(rows: &[Row]) -> Option<Figure> {
    least(rows.iter().filter(|row| row.threads == 2).map(|row| of(row.ratio_to_carom, row)))
}

/// The part of the time that is gone with everything that looks for contact.
fn contact(rows: &[Row]) -> Option<Figure> {
    beside(rows, ALONE).next().map(|(own, alone)| of(1.0 - own.rate / alone.rate, own))
}

fn memory(rows: &[Row]) -> Option<Figure> {
    let in_space = rows.iter().filter(|row| row.workload == Workload::Cubic18.name());
    most(in_space.filter_map(|row| Some(of(row.bytes?, row))))
}

fn front(rows: &[Row]) -> Option<Figure> {
    let (own, whole) = beside(rows, WHOLE).next()?;
    let note = format!("{:.2} of all particle steps are made", own.stepped?);
    Some(Figure { value: whole.rate / own.rate, note })
}

#[cfg(test)]
mod tests {
    use super::super::results::{made_up, set_ratios};
    use super::*;
    use crate::dem::contender::CAROM;
    use crate::goal::{assert_all_met, line_of};

    fn everything() -> Vec<Row> {
        let cubic = Workload::Cubic18.name();
        let one = Row { clock: "wall".into(), ..made_up(cubic, 1000, CAROM, 600.0) };
        let mut threads = vec![one.clone(), Row { threads: 2, rate: 1100.0, ..one }];
        set_ratios(&mut threads);
        let front = Row { stepped: Some(0.8), ..made_up("front", 100, CAROM, 500.0) };
        threads.extend([
            made_up(cubic, 1000, CAROM, 600.0),
            made_up(cubic, 1000, LAMMPS, 60.0),
            made_up(cubic, 1000, TAICHI, 120.0),
            made_up(cubic, 1000, TAICHI_64, 110.0),
            made_up("blocks", 400, CAROM, 300.0),
            made_up("blocks", 400, ALONE, 400.0),
            front,
            made_up("front", 100, WHOLE, 400.0),
        ]);
        threads
    }

    #[test]
    fn good_rows_meet_every_goal() {
        assert_all_met(&goals(&everything()));
    }

    #[test]
    fn the_worst_case_counts() {
        let mut rows = everything();
        rows.push(made_up("square-4", 144, CAROM, 500.0));
        rows.push(made_up("square-4", 144, LAMMPS, 100.0));
        let line = line_of(&goals(&rows), "carom over LAMMPS");
        assert_eq!(
            line,
            "falls short  carom over LAMMPS BPM, worst case: 5.00 (square-4, 144 particles), goal at least 8"
        );
        let line = line_of(&goals(&rows), "contact in the time");
        assert!(line.contains("0.25 (blocks, 400 particles)"), "{line}");
    }

    #[test]
    fn without_peers_their_goals_are_not_measured() {
        let mut rows = everything();
        rows.retain(|row| row.contender.starts_with(CAROM));
        assert_eq!(goals(&rows).iter().filter(|goal| goal.is_met().is_none()).count(), 4);
    }
}
