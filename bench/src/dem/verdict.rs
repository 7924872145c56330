//! The goals for beds in steps of time, and whether the measured rows meet them.

use super::contender::CAROM;
use super::peers::Program;
use super::rapier::Manner;
use super::results::Row;
use super::workload::Workload;
use crate::goal::{Bound, Figure, Goal};

/// Every goal, with the figures found in the rows of spheres and in those of polyhedra.
pub fn goals(rows: &[Row], polyhedra: &[Row]) -> Vec<Goal> {
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
        goal("time of a step, 400 faces over 20", AtMost(1.5), faces(polyhedra)),
        goal(
            "carom over rapier3d-f64, contacts found in every step, worst case",
            AtLeast(5.0),
            lead_over_rapier(polyhedra, Manner::SameStep),
        ),
        goal(
            "carom over rapier3d-f64, contacts recycled, worst case",
            AtLeast(5.0),
            lead_over_rapier(polyhedra, Manner::Recycling),
        ),
        goal("displacement of polyhedra in a window, worst case", AtMost(0.01), moved(polyhedra)),
    ]
}

/// How much longer a step takes with many faces than with few.
fn faces(rows: &[Row]) -> Option<Figure> {
    let rate = |workload: Workload| {
        by_processor(rows).find(|row| row.workload == workload.name()).map(|row| row.rate)
    };
    Some(Figure::new(rate(Workload::Polyhedra20)? / rate(Workload::Polyhedra400)?))
}

fn lead_over_rapier(rows: &[Row], manner: Manner) -> Option<Figure> {
    let lead = |(own, peer): (&Row, &Row)| Figure {
        value: own.rate / peer.rate,
        note: own.workload.clone(),
    };
    beside(rows, manner.name()).map(lead).min_by(|a, b| a.value.total_cmp(&b.value))
}

/// Of everyone in steps of carom's length.
fn moved(rows: &[Row]) -> Option<Figure> {
    let moved = |row: &Row| {
        let note = format!("{}, {}", row.workload, row.contender);
        Some(Figure { value: row.moved?, note })
    };
    let short = rows.iter().filter(|row| row.contender != Manner::LongStep.name());
    short.filter_map(moved).max_by(|a, b| a.value.total_cmp(&b.value))
}

fn by_processor(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.contender == CAROM && row.clock == "processor")
}

/// carom's rows beside those of another.
fn beside<'a>(rows: &'a [Row], name: &'static str) -> impl Iterator<Item = (&'a Row, &'a Row)> {
    by_processor(rows).filter_map(move |own| {
        let is_peer = |row: &&Row| row.contender == name && row.is_of_case(own);
        Some((own, rows.iter().find(is_peer)?))
    })
}

fn of_spheres(value: f64, row: &Row) -> Figure {
    Figure { value, note: format!("{} spheres", row.bodies) }
}

fn lead(rows: &[Row], program: Program) -> Option<Figure> {
    beside(rows, program.name())
        .map(|(own, peer)| of_spheres(own.rate / peer.rate, own))
        .min_by(|a, b| a.value.total_cmp(&b.value))
}

fn differ(rows: &[Row], program: Program) -> Option<Figure> {
    beside(rows, program.name())
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
        Some(Figure { value: row.held_bytes?, note: format!("{}, {}", row.workload, row.bodies) })
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

    /// Polyhedra of 20 and 400 faces, with every manner of rapier.
    fn polyhedra() -> Vec<Row> {
        let of = |workload: Workload, rate: f64| {
            let name = workload.name();
            let rapier = Manner::ALL.into_iter().map(move |manner| Row {
                moved: Some(1e-3),
                ..made_up(name, 10_240, manner.name(), 0.1)
            });
            std::iter::once(made_up(name, 10_240, CAROM, rate)).chain(rapier)
        };
        of(Workload::Polyhedra20, 0.6).chain(of(Workload::Polyhedra400, 0.5)).collect()
    }

    #[test]
    fn good_rows_meet_every_goal() {
        assert_all_met(&goals(&everything(), &polyhedra()));
    }

    #[test]
    fn polyhedra_are_held_to_their_faces_to_rapier_and_to_rest() {
        let mut rows = polyhedra();
        rows[4].rate = 0.3;
        rows[1].moved = Some(0.5);
        // Long steps may take bodies farther.
        rows[3].moved = Some(0.9);
        let goals = goals(&everything(), &rows);
        assert!(line_of(&goals, "time of a step").starts_with("falls short"));
        assert!(line_of(&goals, "time of a step").contains("20: 2.00, goal at most 1.5"));
        let recycled = line_of(&goals, "carom over rapier3d-f64, contacts recycled");
        assert!(recycled.contains("3.00 (polyhedra-400)"), "{recycled}");
        let moved = line_of(&goals, "displacement of polyhedra");
        assert!(moved.contains("0.50 (polyhedra-20, rapier3d-f64)"), "{moved}");
    }

    #[test]
    fn the_worst_case_counts() {
        let mut rows = everything();
        let worse = rows.iter_mut().filter(|row| row.contender == "LAMMPS").nth(1).unwrap();
        (worse.rate, worse.contacts) = (8.0, 1.6);
        let goals = goals(&rows, &[]);
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
        let goals = goals(&rows, &polyhedra());
        assert_eq!(goals.iter().filter(|goal| goal.is_met().is_none()).count(), 4);
    }
}
