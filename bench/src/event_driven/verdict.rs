//! The goals for event-driven runs, and whether the measured rows meet them.

use super::results::{Row, cases};
use super::system::System;
use crate::goal::{Bound, Figure, Goal};
use crate::results::Kind;
use carom::simulate::event_driven::NeighborStructure;

/// Every goal, with the figures found in `rows`.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    vec![
        goal("cases whose structures differ in a collision", AtMost(0.0), disagreements(rows)),
        goal("smallest gap at a collision, worst case", AtLeast(-1e-9), worst_gap(rows)),
        goal("carom over its best structure, worst case", AtMost(1.1), worst_choice(rows)),
        goal("textbook over carom, worst case", AtLeast(1.0), worst_lead(rows)),
        goal("spheres: bytes per body, worst case", AtMost(250.0), most_memory(rows)),
        goal(
            "cost of a collision, 1:10 mixture over equal spheres",
            AtMost(2.0),
            cost_of_unequal_sizes(rows),
        ),
        goal(
            "triangulation of dense spheres: thousand collisions per second",
            AtLeast(60.0),
            rate_of_triangulation(rows, System::Mono049, 100_000),
        ),
        goal(
            "triangulation of dense discs: thousand collisions per second",
            AtLeast(150.0),
            rate_of_triangulation(rows, System::Discs07, 100_000),
        ),
        goal(
            "triangulation: cost of a collision, 1:10 mixture over equal spheres",
            AtMost(1.5),
            unequal_sizes_of_triangulation(rows),
        ),
    ]
}

fn name(row: &Row) -> String {
    format!("{} {}", row.system, row.bodies)
}

fn autos(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.is_auto())
}

fn largest(figures: impl Iterator<Item = Figure>) -> Option<Figure> {
    figures.max_by(|a, b| a.value.total_cmp(&b.value))
}

fn smallest(figures: impl Iterator<Item = Figure>) -> Option<Figure> {
    figures.min_by(|a, b| a.value.total_cmp(&b.value))
}

fn disagreements(rows: &[Row]) -> Option<Figure> {
    let differ = |case: &Vec<&Row>| {
        let mut digests = case.iter().filter_map(|row| row.digest);
        let first = digests.next();
        digests.any(|digest| Some(digest) != first)
    };
    let cases = cases(rows);
    let different: Vec<String> =
        cases.iter().filter(|case| differ(case)).map(|case| name(case[0])).collect();
    let note =
        if different.is_empty() { format!("of {}", cases.len()) } else { different.join(", ") };
    (!rows.is_empty()).then_some(Figure { value: different.len() as f64, note })
}

fn worst_gap(rows: &[Row]) -> Option<Figure> {
    let figure = |row: &Row| Some(Figure { value: row.smallest_gap?, note: name(row) });
    smallest(rows.iter().filter_map(figure))
}

/// The largest ratio of carom's choice to its best structure.
fn worst_choice(rows: &[Row]) -> Option<Figure> {
    let others = rows.iter().filter(|row| row.kind == Kind::Own && !row.is_auto());
    largest(others.map(|row| Figure {
        value: 1.0 / row.ratio_to_auto,
        note: format!("{}, {}", name(row), row.structure),
    }))
}

fn worst_lead(rows: &[Row]) -> Option<Figure> {
    let textbooks = rows.iter().filter(|row| row.kind == Kind::Baseline);
    smallest(textbooks.map(|row| Figure { value: row.ratio_to_auto, note: name(row) }))
}

fn most_memory(rows: &[Row]) -> Option<Figure> {
    let of_spheres =
        |row: &&Row| row.system.parse().is_ok_and(|system: System| system.dimension() == 3);
    let figure = |row: &Row| Figure { value: row.held_bytes, note: name(row) };
    largest(autos(rows).filter(of_spheres).map(figure))
}

fn cost_of_unequal_sizes(rows: &[Row]) -> Option<Figure> {
    let rate = |system: System, bodies| {
        autos(rows)
            .find(|row| (row.system.as_str(), row.bodies) == (system.name(), bodies))
            .map(|row| row.collisions_per_second)
    };
    Some(Figure::new(rate(System::Mono03, 100_000)? / rate(System::Binary10, 99_099)?))
}

fn rate_of_triangulation(rows: &[Row], system: System, bodies: usize) -> Option<Figure> {
    let name = NeighborStructure::Laguerre.name();
    let own = |row: &&Row| {
        (row.system.as_str(), row.bodies, row.structure.as_str()) == (system.name(), bodies, name)
    };
    rows.iter().find(own).map(|row| Figure::new(1e-3 * row.collisions_per_second))
}

fn unequal_sizes_of_triangulation(rows: &[Row]) -> Option<Figure> {
    let equal = rate_of_triangulation(rows, System::Mono03, 100_000)?;
    let unequal = rate_of_triangulation(rows, System::Binary10, 99_099)?;
    Some(Figure::new(equal.value / unequal.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event_driven::results::{made_up, set_ratios};
    use crate::event_driven::system;
    use crate::goal::{assert_all_met, line_of};

    /// carom makes a million collisions per second, its best structure 1.05, the textbook 0.3.
    fn everything() -> Vec<Row> {
        system::full()
            .iter()
            .flat_map(|case| {
                let row =
                    |structure, rate| made_up(case.system.name(), case.bodies, structure, rate);
                let mut rows = vec![
                    row("auto", 1.0),
                    row("neighbor-lists", 1.05),
                    row("cell-grid", 0.5),
                    row("laguerre-delaunay", 0.2),
                    row("textbook", 0.3),
                ];
                set_ratios(&mut rows);
                rows
            })
            .collect()
    }

    fn find<'a>(rows: &'a mut [Row], system: &str, bodies: usize, structure: &str) -> &'a mut Row {
        let of_case = |row: &&mut Row| row.system == system && row.bodies == bodies;
        rows.iter_mut().filter(of_case).find(|row| row.structure == structure).unwrap()
    }

    fn line(rows: &[Row], name: &str) -> String {
        line_of(&goals(rows), name)
    }

    #[test]
    fn good_rows_meet_every_goal() {
        let rows = everything();
        assert_all_met(&goals(&rows));
        assert_eq!(
            line(&rows, "cases"),
            "pass         cases whose structures differ in a collision: 0.00 (of 14), goal at most 0"
        );
    }

    #[test]
    fn nothing_is_said_of_what_was_not_measured() {
        assert!(goals(&[]).iter().all(|goal| goal.is_met().is_none()));
        let rows: Vec<Row> =
            everything().into_iter().filter(|row| row.system != "binary-1:10").collect();
        assert_eq!(
            line(&rows, "cost"),
            "not measured cost of a collision, 1:10 mixture over equal spheres: goal at most 2"
        );
    }

    #[test]
    fn structures_that_differ_are_named_by_their_case() {
        let mut rows = everything();
        find(&mut rows, "mono-0.49", 4000, "cell-grid").digest = Some(1);
        assert_eq!(
            line(&rows, "cases"),
            "falls short  cases whose structures differ in a collision: 1.00 (mono-0.49 4000), \
             goal at most 0"
        );
    }

    #[test]
    fn the_worst_case_is_named() {
        let mut rows = everything();
        find(&mut rows, "discs-0.3", 4096, "cell-grid").ratio_to_auto = 0.8;
        find(&mut rows, "mono-0.1", 100_000, "textbook").ratio_to_auto = 0.5;
        find(&mut rows, "mono-0.3", 4000, "neighbor-lists").smallest_gap = Some(-1e-7);
        assert_eq!(
            line(&rows, "carom over"),
            "falls short  carom over its best structure, worst case: 1.25 (discs-0.3 4096, \
             cell-grid), goal at most 1.1"
        );
        assert_eq!(
            line(&rows, "textbook"),
            "falls short  textbook over carom, worst case: 0.50 (mono-0.1 100000), goal at least 1"
        );
        assert_eq!(
            line(&rows, "smallest"),
            "falls short  smallest gap at a collision, worst case: -1.0e-7 (mono-0.3 4000), \
             goal at least -1e-9"
        );
    }

    #[test]
    fn the_triangulation_has_goals_of_its_own() {
        let mut rows = everything();
        let slow = find(&mut rows, "mono-0.49", 100_000, "laguerre-delaunay");
        slow.collisions_per_second = 50e3;
        assert_eq!(
            line(&rows, "triangulation of dense spheres"),
            "falls short  triangulation of dense spheres: thousand collisions per second: 50.00, \
             goal at least 60"
        );
        find(&mut rows, "binary-1:10", 99_099, "laguerre-delaunay").collisions_per_second = 1e5;
        assert_eq!(
            line(&rows, "triangulation: cost"),
            "falls short  triangulation: cost of a collision, 1:10 mixture over equal spheres: \
             2.00, goal at most 1.5"
        );
    }

    #[test]
    fn memory_counts_in_three_dimensions() {
        let mut rows = everything();
        find(&mut rows, "discs-0.3", 4096, "auto").held_bytes = 400.0;
        assert!(line(&rows, "spheres").starts_with("pass "));
        find(&mut rows, "mono-0.3", 1_000_000, "auto").held_bytes = 260.0;
        assert_eq!(
            line(&rows, "spheres"),
            "falls short  spheres: bytes per body, worst case: 260.00 (mono-0.3 1000000), \
             goal at most 250"
        );
    }
}
