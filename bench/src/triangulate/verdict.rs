//! The goals for triangulations, and whether the measured rows meet them.

use super::results::{Row, find};
use super::workload::Workload;
use crate::goal::{Bound, Figure, Goal};
use crate::results::Kind;

/// Every goal, with the figures found in `rows`.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    vec![
        goal("spade over carom, 1,000,000 points of the plane", AtLeast(1.0), spade(rows)),
        goal("CGAL over carom from 100,000 on, worst case", AtLeast(1.0), worst_lead(rows)),
        goal("time per point, 1,000,000 over 100,000, worst case", AtMost(1.5), growth(rows)),
        goal("space: most bytes per point at once, worst case", AtMost(600.0), memory(rows)),
    ]
}

fn name(row: &Row) -> String {
    format!("{} {}", row.workload, row.count)
}

fn spade(rows: &[Row]) -> Option<Figure> {
    let row = find(rows, Workload::Points2.name(), 1_000_000, "spade")?;
    Some(Figure::new(row.ratio_to_carom))
}

fn worst_lead(rows: &[Row]) -> Option<Figure> {
    rows.iter()
        .filter(|row| row.contender == "CGAL" && row.count >= 100_000)
        .map(|row| Figure { value: row.ratio_to_carom, note: name(row) })
        .min_by(|a, b| a.value.total_cmp(&b.value))
}

fn growth(rows: &[Row]) -> Option<Figure> {
    let of_workload = |workload: Workload| {
        let time = |count| Some(find(rows, workload.name(), count, "carom")?.ns_per_point);
        Some(Figure { value: time(1_000_000)? / time(100_000)?, note: workload.name().into() })
    };
    Workload::ALL.into_iter().filter_map(of_workload).max_by(|a, b| a.value.total_cmp(&b.value))
}

fn memory(rows: &[Row]) -> Option<Figure> {
    rows.iter()
        .filter(|row| row.kind == Kind::Own && row.workload != Workload::Points2.name())
        .filter_map(|row| Some(Figure { value: row.peak_bytes?, note: name(row) }))
        .max_by(|a, b| a.value.total_cmp(&b.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::{assert_all_met, line_of};
    use crate::triangulate::results::{made_up, set_ratios};
    use crate::triangulate::workload;

    fn everything() -> Vec<Row> {
        let of_case = |case: &workload::Case| {
            let name = case.workload.name();
            let peer = if case.workload.dimension() == 2 { "spade" } else { "CGAL" };
            let time = 400.0 + case.count as f64 / 1e4;
            let mut rows = vec![
                made_up(name, case.count, "carom", time),
                made_up(name, case.count, peer, 1.5 * time),
            ];
            set_ratios(&mut rows);
            rows
        };
        workload::full().iter().flat_map(of_case).collect()
    }

    fn line(rows: &[Row], name: &str) -> String {
        line_of(&goals(rows), name)
    }

    #[test]
    fn good_rows_meet_every_goal_and_none_says_nothing() {
        assert_all_met(&goals(&everything()));
        assert!(goals(&[]).iter().all(|goal| goal.is_met().is_none()));
    }

    #[test]
    fn the_worst_case_is_named() {
        let mut rows = everything();
        for row in &mut rows {
            match (row.workload.as_str(), row.count, row.contender.as_str()) {
                ("points-3d", 100_000, "CGAL") => row.ratio_to_carom = 0.9,
                ("spheres-3d", 1_000_000, "carom") => {
                    row.ns_per_point = 900.0;
                    row.peak_bytes = Some(700.0);
                }
                ("points-3d", 10_000, "CGAL") => row.ratio_to_carom = 0.5,
                _ => {}
            }
        }
        assert_eq!(
            line(&rows, "CGAL"),
            "falls short  CGAL over carom from 100,000 on, worst case: 0.90 (points-3d 100000), goal \
             at least 1"
        );
        assert_eq!(
            line(&rows, "time"),
            "falls short  time per point, 1,000,000 over 100,000, worst case: 2.20 (spheres-3d), goal \
             at most 1.5"
        );
        assert_eq!(
            line(&rows, "space"),
            "falls short  space: most bytes per point at once, worst case: 700.00 (spheres-3d \
             1000000), goal at most 600"
        );
    }
}
