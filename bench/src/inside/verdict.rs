//! The goals for points inside of meshes, and whether the measured rows meet them.

use super::contender::{CELLS, DOUBLE_LAYER, MULTIPOLE};
use super::peers::FMM;
use super::results::Row;
use super::workload::Workload;
use crate::goal::{Bound, Figure, Goal};
use crate::results::Kind;

/// The points of a grid of 80 along each axis.
const MANY: usize = 512_000;

/// Every goal, with the figures found in the rows.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    use Workload::{Foam29, Foam490, Sphere131072};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    let total = |workload, points| lead(rows, workload, points, |row| row.total_ms);
    let answers = |workload| lead(rows, workload, MANY, |row| row.query_ns);
    vec![
        goal("fastest peer over carom, sphere-131072", AtLeast(2.5), total(Sphere131072, MANY)),
        goal("fastest peer over carom, foam-490k", AtLeast(4.0), total(Foam490, MANY)),
        goal("answers alone, sphere-131072", AtLeast(3.0), answers(Sphere131072)),
        goal("answers alone, foam-490k", AtLeast(20.0), answers(Foam490)),
        goal("fastest peer over carom, foam-29k, 1000 points", AtLeast(1.0), total(Foam29, 1000)),
        goal("shuffled over grid, answers, worst case", AtMost(2.5), shuffled(rows)),
        goal("one thread over two, worst case", AtLeast(1.7), threads(rows)),
        goal("bytes per triangle, worst case", AtMost(150.0), memory(rows)),
        goal("fmm3dpy over carom's expansions, answers, worst case", AtLeast(20.0), fmm(rows)),
        goal("sum over expansions, sphere-2048", AtLeast(1.0), sum_over_expansions(rows)),
        goal("carom's wrong answers, all methods", AtMost(0.0), wrong(rows)),
    ]
}

fn own(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.contender == CELLS)
}

fn by_processor(rows: &[Row]) -> impl Iterator<Item = &Row> {
    own(rows).filter(|row| row.clock == "processor")
}

/// The least of all peers over carom's cells, on points in the order of the grid.
fn lead(rows: &[Row], workload: Workload, points: usize, time: fn(&Row) -> f64) -> Option<Figure> {
    let own = by_processor(rows).find(|row| {
        (row.workload.as_str(), row.points, row.order.as_str()) == (workload.name(), points, "grid")
    })?;
    let peers = rows.iter().filter(|row| row.kind == Kind::Peer && row.is_of_case(own));
    let fastest = peers.min_by(|a, b| time(a).total_cmp(&time(b)))?;
    Some(Figure { value: time(fastest) / time(own), note: fastest.contender.clone() })
}

fn shuffled(rows: &[Row]) -> Option<Figure> {
    let growth = |shuffled: &Row| {
        let grid = by_processor(rows).find(|row| {
            (&row.workload, row.points, row.order.as_str())
                == (&shuffled.workload, shuffled.points, "grid")
        })?;
        Some(Figure { value: shuffled.query_ns / grid.query_ns, note: grid.workload.clone() })
    };
    let cases = by_processor(rows).filter(|row| row.order == "shuffled");
    cases.filter_map(growth).max_by(|a, b| a.value.total_cmp(&b.value))
}

fn threads(rows: &[Row]) -> Option<Figure> {
    own(rows)
        .filter(|row| row.threads == 2)
        .map(|row| Figure { value: 1.0 / row.ratio_to_carom, note: row.workload.clone() })
        .min_by(|a, b| a.value.total_cmp(&b.value))
}

fn memory(rows: &[Row]) -> Option<Figure> {
    let held = |row: &Row| {
        let note = format!("{}, {} points", row.workload, row.points);
        Some(Figure { value: row.held_bytes?, note })
    };
    by_processor(rows).filter_map(held).max_by(|a, b| a.value.total_cmp(&b.value))
}

/// Two contenders in the same case.
fn beside<'a>(
    rows: &'a [Row],
    slower: &'a str,
    faster: &'a str,
) -> impl Iterator<Item = (&'a Row, &'a Row)> {
    rows.iter().filter(move |row| row.contender == slower).filter_map(move |slower| {
        let is_faster = |row: &&Row| row.contender == faster && row.is_of_case(slower);
        Some((slower, rows.iter().find(is_faster)?))
    })
}

/// Everything that fmm3dpy does is answering; the note tells what is left with preparing counted too.
fn fmm(rows: &[Row]) -> Option<Figure> {
    let lead = |(fmm, own): (&Row, &Row)| {
        let total = fmm.total_ms / own.total_ms;
        let note = format!("{}, {} points; {total:.2} in all", own.workload, own.points);
        Figure { value: fmm.query_ns / own.query_ns, note }
    };
    beside(rows, FMM, MULTIPOLE).map(lead).min_by(|a, b| a.value.total_cmp(&b.value))
}

fn sum_over_expansions(rows: &[Row]) -> Option<Figure> {
    beside(rows, DOUBLE_LAYER, MULTIPOLE)
        .find(|(sum, _)| sum.workload == Workload::Sphere2048.name())
        .map(|(sum, expansions)| Figure::new(sum.total_ms / expansions.total_ms))
}

fn wrong(rows: &[Row]) -> Option<Figure> {
    let own = rows.iter().filter(|row| row.kind == Kind::Own);
    let differences = own.map(|row| row.differences).reduce(|sum, one| sum + one)?;
    Some(Figure::new(differences as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::{assert_all_met, line_of};
    use crate::inside::results::{made_up, set_ratios};

    fn everything() -> Vec<Row> {
        let of_case = |workload: &str, points| {
            vec![
                made_up(workload, points, CELLS, 20.0, 30.0),
                made_up(workload, points, MULTIPOLE, 50.0, 1000.0),
                made_up(workload, points, DOUBLE_LAYER, 1.0, 20_000.0),
                made_up(workload, points, "CGAL", 60.0, 900.0),
                made_up(workload, points, "parry3d-f64", 90.0, 9000.0),
                made_up(workload, points, FMM, 0.0, 90_000.0),
            ]
        };
        let mut rows = Vec::new();
        for (workload, points) in
            [("sphere-131072", MANY), ("foam-490k", MANY), ("sphere-2048", 64_000)]
        {
            let mut case = of_case(workload, points);
            set_ratios(&mut case);
            rows.extend(case);
        }
        let mut few = vec![
            made_up("foam-29k", 1000, CELLS, 5.0, 30.0),
            made_up("foam-29k", 1000, "CGAL", 10.0, 900.0),
        ];
        set_ratios(&mut few);
        let order = "shuffled".to_string();
        let shuffled = Row { order, ..made_up("foam-490k", MANY, CELLS, 20.0, 60.0) };
        let by_wall = |threads, build, query| {
            let row = made_up("foam-490k", MANY, CELLS, build, query);
            Row { threads, clock: "wall".into(), ..row }
        };
        let mut by_wall = vec![by_wall(1, 20.0, 30.0), by_wall(2, 11.0, 16.0)];
        set_ratios(&mut by_wall);
        rows.extend(few.into_iter().chain([shuffled]).chain(by_wall));
        rows
    }

    #[test]
    fn good_rows_meet_every_goal_and_none_says_nothing() {
        assert_all_met(&goals(&everything()));
        assert!(goals(&[]).iter().all(|goal| goal.is_met().is_none()));
    }

    #[test]
    fn the_fastest_peer_and_the_worst_case_are_named() {
        let mut rows = everything();
        for row in &mut rows {
            match (row.workload.as_str(), row.contender.as_str(), row.order.as_str()) {
                ("sphere-131072", "CGAL", _) => row.total_ms = 70.8,
                ("foam-490k", CELLS, "shuffled") => row.query_ns = 90.0,
                ("sphere-2048", CELLS, _) => row.held_bytes = Some(300.0),
                _ => {}
            }
        }
        let line = |name| line_of(&goals(&rows), name);
        assert_eq!(
            line("fastest peer over carom, sphere"),
            "falls short  fastest peer over carom, sphere-131072: 2.00 (CGAL), goal at least 2.5"
        );
        assert_eq!(
            line("shuffled"),
            "falls short  shuffled over grid, answers, worst case: 3.00 (foam-490k), goal at most 2.5"
        );
        assert_eq!(
            line("bytes"),
            "falls short  bytes per triangle, worst case: 300.00 (sphere-2048, 64000 points), goal at \
             most 150"
        );
    }
}
