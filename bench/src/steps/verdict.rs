//! The goals for beds in steps of time, and whether the measured rows meet them.

use super::contender::CAROM;
use super::peers::Program;
use super::results::Row;
use super::workload::Workload;
use crate::goal::{Bound, Figure, Goal};

/// Every goal, with the figures found in the rows.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    use Program::{Lammps, Liggghts};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    vec![
        goal("carom over LAMMPS, linear law, worst case", AtLeast(1.6), lead(rows, Lammps)),
        goal("carom over LIGGGHTS, Hertz-Mindlin, worst case", AtLeast(1.5), lead(rows, Liggghts)),
        goal("two threads over one", AtLeast(1.7), threads(rows)),
        goal("cost of a contact, sizes 1:10 over equal ones, worst case", AtMost(1.5), sizes(rows)),
        goal("bytes per sphere, worst case", AtMost(400.0), memory(rows)),
        goal(
            "contacts beside LAMMPS's, part by which they differ",
            AtMost(0.01),
            differ(rows, Lammps),
        ),
        goal(
            "contacts beside LIGGGHTS's, part by which they differ",
            AtMost(0.01),
            differ(rows, Liggghts),
        ),
    ]
}

fn by_processor(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.contender == CAROM && row.clock == "processor")
}

/// carom's rows beside those of a program.
fn beside(rows: &[Row], program: Program) -> impl Iterator<Item = (&Row, &Row)> {
    by_processor(rows).filter_map(move |own| {
        let is_peer = |row: &&Row| row.contender == program.name() && row.is_of_case(own);
        Some((own, rows.iter().find(is_peer)?))
    })
}

fn of_spheres(value: f64, row: &Row) -> Figure {
    Figure { value, note: format!("{} spheres", row.spheres) }
}

fn lead(rows: &[Row], program: Program) -> Option<Figure> {
    beside(rows, program)
        .map(|(own, peer)| of_spheres(own.rate / peer.rate, own))
        .min_by(|a, b| a.value.total_cmp(&b.value))
}

fn differ(rows: &[Row], program: Program) -> Option<Figure> {
    beside(rows, program)
        .map(|(own, peer)| of_spheres((own.contacts / peer.contacts - 1.0).abs(), own))
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

fn threads(rows: &[Row]) -> Option<Figure> {
    rows.iter().find(|row| row.threads == 2).map(|row| of_spheres(row.ratio_to_carom, row))
}

/// Beds of mixed and of equal sizes in the order of their numbers of spheres.
fn sizes(rows: &[Row]) -> Option<Figure> {
    let of =
        |workload: Workload| by_processor(rows).filter(move |row| row.workload == workload.name());
    of(Workload::Mixed)
        .zip(of(Workload::Linear))
        .map(|(mixed, equal)| of_spheres(mixed.ns_per_contact / equal.ns_per_contact, mixed))
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

fn memory(rows: &[Row]) -> Option<Figure> {
    let held = |row: &Row| {
        Some(Figure { value: row.held_bytes?, note: format!("{}, {}", row.workload, row.spheres) })
    };
    by_processor(rows).filter_map(held).max_by(|a, b| a.value.total_cmp(&b.value))
}

#[cfg(test)]
mod tests {
    use super::super::results::{made_up, set_ratios};
    use super::*;
    use crate::goal::{assert_all_met, line_of};

    fn everything() -> Vec<Row> {
        let (linear, hertz) = (Workload::Linear.name(), Workload::Hertz.name());
        let mut rows = Vec::new();
        for spheres in [10_240, 92_160] {
            let mut linear = vec![
                made_up(linear, spheres, CAROM, 10.0),
                made_up(linear, spheres, "LAMMPS", 6.0),
            ];
            let mut hertz =
                vec![made_up(hertz, spheres, CAROM, 9.0), made_up(hertz, spheres, "LIGGGHTS", 5.0)];
            set_ratios(&mut linear);
            set_ratios(&mut hertz);
            rows.extend(linear.into_iter().chain(hertz));
            rows.push(made_up(Workload::Mixed.name(), spheres + 1, CAROM, 8.0));
        }
        let wall = Row { clock: "wall".into(), ..made_up(linear, 92_160, CAROM, 10.0) };
        let mut threads = vec![wall.clone(), Row { threads: 2, rate: 18.0, ..wall }];
        set_ratios(&mut threads);
        rows.extend(threads);
        rows
    }

    #[test]
    fn good_rows_meet_every_goal() {
        assert_all_met(&goals(&everything()));
    }

    #[test]
    fn the_worst_case_counts() {
        let mut rows = everything();
        let worse = rows.iter_mut().filter(|row| row.contender == "LAMMPS").nth(1).unwrap();
        (worse.rate, worse.contacts) = (8.0, 1.6);
        let goals = goals(&rows);
        assert_eq!(
            line_of(&goals, "carom over LAMMPS"),
            "falls short  carom over LAMMPS, linear law, worst case: 1.25 (92160 spheres), goal at least 1.6"
        );
        assert!(line_of(&goals, "contacts beside LAMMPS").contains("0.25 (92160 spheres)"));
        assert!(line_of(&goals, "cost of a contact").contains("1.25 (92161 spheres)"));
    }

    #[test]
    fn without_peers_their_goals_are_not_measured() {
        let rows: Vec<Row> =
            everything().into_iter().filter(|row| row.contender == CAROM).collect();
        assert_eq!(goals(&rows).iter().filter(|goal| goal.is_met().is_none()).count(), 4);
    }
}
