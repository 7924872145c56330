//! The goals for moving boxes, and whether the measured rows meet them.

use super::contender::{BUCKETS, ONE, PARRY};
use super::results::{Row, find};
use crate::goal::{Bound, Figure, Goal};

/// The case the goals are about.
const COUNT: usize = 100_000;
const STEP: f64 = 1e-3;

/// Every goal, with the figures found in `rows`.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    vec![
        goal("parry over carom with one list, steps of 0.001", AtLeast(1.5), lead(rows, ONE)),
        goal("parry over carom with buckets, steps of 0.001", AtLeast(1.5), lead(rows, BUCKETS)),
        goal("ms per step of carom, the better of both", AtMost(8.0), best(rows)),
        goal("parry over carom with buckets, worst case", AtLeast(1.5), worst_lead(rows)),
    ]
}

fn ratio(rows: &[Row], count: usize, step: f64, own: &str) -> Option<f64> {
    let time = |contender| Some(find(rows, count, step, contender)?.ms_per_step);
    Some(time(PARRY)? / time(own)?)
}

fn lead(rows: &[Row], own: &str) -> Option<Figure> {
    ratio(rows, COUNT, STEP, own).map(Figure::new)
}

fn best(rows: &[Row]) -> Option<Figure> {
    let time = |contender| Some(find(rows, COUNT, STEP, contender)?.ms_per_step);
    Some(Figure::new(time(ONE)?.min(time(BUCKETS)?)))
}

fn worst_lead(rows: &[Row]) -> Option<Figure> {
    rows.iter()
        .filter(|row| row.contender == BUCKETS)
        .filter_map(|row| {
            let note = format!("{} boxes, steps of {}", row.count, row.step);
            Some(Figure { value: ratio(rows, row.count, row.step, BUCKETS)?, note })
        })
        .min_by(|a, b| a.value.total_cmp(&b.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::results::made_up;
    use crate::boxes::workload;
    use crate::goal::{assert_all_met, line_of};

    fn everything() -> Vec<Row> {
        let of_case = |case: &workload::Case| {
            [(ONE, 6.0), (BUCKETS, 5.0), (PARRY, 20.0)]
                .map(|(contender, time)| made_up(case.count, case.step, contender, time))
        };
        workload::full().iter().flat_map(of_case).collect()
    }

    #[test]
    fn good_rows_meet_every_goal_and_none_says_nothing() {
        assert_all_met(&goals(&everything()));
        assert!(goals(&[]).iter().all(|goal| goal.is_met().is_none()));
    }

    #[test]
    fn the_worst_case_is_named() {
        let mut rows = everything();
        rows.iter_mut()
            .filter(|row| row.contender == BUCKETS && row.count == 10_000 && row.step == 0.1)
            .for_each(|row| row.ms_per_step = 20.0);
        assert_eq!(
            line_of(&goals(&rows), "parry over carom with buckets, worst"),
            "falls short  parry over carom with buckets, worst case: 1.00 (10000 boxes, steps of \
             0.1), goal at least 1.5"
        );
    }
}
