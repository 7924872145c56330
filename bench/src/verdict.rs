//! The goals for contact searches, and whether the measured rows meet them.

use crate::goal::{Bound, Figure, Goal};
use crate::results::{Kind, Row};
use crate::workload::{PAPER_COUNTS, PAPER_WORKLOADS};

/// Name and number of particles.
type Case = (&'static str, usize);

const HEADLINE: Case = ("3B", 1_000_000);

/// Every goal, with the figures found in `rows`.
pub fn goals(rows: &[Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    vec![
        goal("3B 1e6: fastest library over carom", AtLeast(10.0), headline(rows)),
        goal("3B 1e6: textbook over carom", AtLeast(2.0), ratio_of(rows, HEADLINE, "textbook")),
        goal("3B 1e6: extra megabytes", AtMost(25.0), extra_memory(rows, HEADLINE)),
        goal(
            "18 paper cases: fastest library over carom, worst case",
            AtLeast(1.0),
            worst_lead(rows),
        ),
        goal(
            "18 paper cases: carom over its best method, worst case",
            AtMost(1.15),
            worst_choice(rows),
        ),
        goal(
            "LN 1e5: parry3d over carom",
            AtLeast(2.5),
            ratio_of(rows, ("LN", 100_000), "parry3d"),
        ),
        goal(
            "BIG 1e5: parry3d over carom",
            AtLeast(5.0),
            ratio_of(rows, ("BIG", 100_000), "parry3d"),
        ),
        goal("3B 1e6: one thread over two", AtLeast(1.7), gain_by_threads(rows)),
        goal("3B: time per particle at 1e7 over 1e5", AtMost(1.5), growth(rows)),
    ]
}

/// The rows of one case on one thread.
fn of_case(rows: &[Row], (workload, count): Case) -> impl Iterator<Item = &Row> {
    rows.iter()
        .filter(move |row| row.workload == workload && row.count == count && row.threads == 1)
}

fn auto(rows: &[Row], case: Case) -> Option<&Row> {
    of_case(rows, case).find(|row| row.is_auto())
}

fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.min_by(|a, b| a.ns_per_particle.total_cmp(&b.ns_per_particle))
}

fn fastest_peer(rows: &[Row], case: Case) -> Option<Figure> {
    let peer = fastest(of_case(rows, case).filter(|row| row.kind == Kind::Peer))?;
    Some(Figure { value: peer.ratio_to_auto, note: peer.method.clone() })
}

/// The headline figure, with that for fresh buffers beside it.
fn headline(rows: &[Row]) -> Option<Figure> {
    let mut figure = fastest_peer(rows, HEADLINE)?;
    let cold = of_case(rows, HEADLINE).find(|row| row.kind == Kind::OwnCold)?;
    figure.note += &format!("; {:.2} with fresh buffers", figure.value / cold.ratio_to_auto);
    Some(figure)
}

fn ratio_of(rows: &[Row], case: Case, method: &str) -> Option<Figure> {
    of_case(rows, case).find(|row| row.method == method).map(|row| Figure::new(row.ratio_to_auto))
}

fn extra_memory(rows: &[Row], case: Case) -> Option<Figure> {
    auto(rows, case)?.extra_megabytes.map(Figure::new)
}

fn paper_cases() -> impl Iterator<Item = Case> {
    PAPER_WORKLOADS
        .into_iter()
        .flat_map(|workload| PAPER_COUNTS.map(|count| (workload.name(), count)))
}

/// The smallest lead over the fastest library; nothing if a case is missing.
fn worst_lead(rows: &[Row]) -> Option<Figure> {
    let figures = paper_cases().map(|case| {
        fastest_peer(rows, case).map(|figure| Figure {
            note: format!("{} {}, {}", case.0, case.1, figure.note),
            ..figure
        })
    });
    let figures: Vec<Figure> = figures.collect::<Option<_>>()?;
    figures.into_iter().min_by(|a, b| a.value.total_cmp(&b.value))
}

/// The largest ratio of carom's choice to its best method; nothing if a case is missing.
fn worst_choice(rows: &[Row]) -> Option<Figure> {
    let figures = paper_cases().map(|case| {
        let methods = of_case(rows, case).filter(|row| row.kind == Kind::Own && !row.is_auto());
        fastest(methods).map(|best| Figure {
            value: 1.0 / best.ratio_to_auto,
            note: format!("{} {}, {}", case.0, case.1, best.method),
        })
    });
    let figures: Vec<Figure> = figures.collect::<Option<_>>()?;
    figures.into_iter().max_by(|a, b| a.value.total_cmp(&b.value))
}

fn gain_by_threads(rows: &[Row]) -> Option<Figure> {
    let one = auto(rows, HEADLINE)?;
    let two = rows.iter().find(|row| {
        row.is_auto() && row.threads == 2 && (row.workload.as_str(), row.count) == HEADLINE
    })?;
    Some(Figure::new(one.ns_per_particle / two.ns_per_particle))
}

fn growth(rows: &[Row]) -> Option<Figure> {
    let few = auto(rows, ("3B", 100_000))?;
    let many = auto(rows, ("3B", 10_000_000))?;
    Some(Figure::new(many.ns_per_particle / few.ns_per_particle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::{assert_all_met, line_of, text};
    use crate::results::{made_up, set_ratios};

    /// carom needs 20 ns, its grid 19, a library 300, the textbook 60.
    fn case(workload: &str, count: usize) -> Vec<Row> {
        let mut rows = vec![
            made_up(workload, count, "auto", Kind::Own, 20.0),
            made_up(workload, count, "auto", Kind::OwnCold, 25.0),
            made_up(workload, count, "hierarchical-grid", Kind::Own, 19.0),
            made_up(workload, count, "parry3d", Kind::Peer, 300.0),
            made_up(workload, count, "rstar", Kind::Peer, 900.0),
            made_up(workload, count, "textbook", Kind::Baseline, 60.0),
        ];
        set_ratios(&mut rows);
        rows
    }

    fn everything() -> Vec<Row> {
        let mut rows: Vec<Row> =
            paper_cases().flat_map(|(workload, count)| case(workload, count)).collect();
        rows.extend(case("LN", 100_000));
        rows.extend(case("BIG", 100_000));
        rows.push(made_up("3B", 10_000_000, "auto", Kind::Own, 28.0));
        rows.push(Row { threads: 2, ..made_up("3B", 1_000_000, "auto", Kind::Own, 11.0) });
        rows
    }

    fn set_time(rows: &mut [Row], workload: &str, count: usize, method: &str, time: f64) {
        let case = rows.iter_mut().filter(|row| row.workload == workload && row.count == count);
        let mut row = case.filter(|row| row.method == method && row.kind != Kind::OwnCold);
        let row = row.next().unwrap();
        row.ns_per_particle = time;
        row.ratio_to_auto = time / 20.0;
    }

    fn line(rows: &[Row], name: &str) -> String {
        line_of(&goals(rows), name)
    }

    #[test]
    fn good_rows_meet_every_goal() {
        let rows = everything();
        assert_all_met(&goals(&rows));
        assert_eq!(text(&goals(&rows)).lines().count(), 10);
    }

    #[test]
    fn the_fastest_library_is_the_one_to_beat() {
        let mut rows = everything();
        set_time(&mut rows, "3B", 1_000_000, "rstar", 100.0);
        assert_eq!(
            line(&rows, "3B 1e6: fastest"),
            "falls short  3B 1e6: fastest library over carom: 5.00 (rstar; 4.00 with fresh \
             buffers), goal at least 10"
        );
    }

    #[test]
    fn the_worst_of_the_paper_cases_is_named() {
        let mut rows = everything();
        set_time(&mut rows, "2C", 10_000, "parry3d", 15.0);
        set_time(&mut rows, "3A", 100_000, "hierarchical-grid", 16.0);
        assert_eq!(
            line(&rows, "18 paper cases: fastest"),
            "falls short  18 paper cases: fastest library over carom, worst case: \
             0.75 (2C 10000, parry3d), goal at least 1"
        );
        assert_eq!(
            line(&rows, "18 paper cases: carom"),
            "falls short  18 paper cases: carom over its best method, worst case: \
             1.25 (3A 100000, hierarchical-grid), goal at most 1.15"
        );
    }

    #[test]
    fn a_missing_case_is_not_measured() {
        let rows: Vec<Row> = everything().into_iter().filter(|row| row.workload != "2C").collect();
        assert_eq!(
            line(&rows, "18 paper cases: fastest"),
            "not measured 18 paper cases: fastest library over carom, worst case: goal at least 1"
        );
        assert!(goals(&[]).iter().all(|goal| goal.is_met().is_none()));
    }

    #[test]
    fn slow_growth_and_a_gain_by_threads_are_asked_for() {
        let mut rows = everything();
        for row in rows.iter_mut().filter(|row| row.count == 10_000_000 || row.threads == 2) {
            row.ns_per_particle = 40.0;
        }
        assert!(line(&rows, "3B: time").starts_with("falls short  3B: time per particle"));
        assert!(line(&rows, "3B 1e6: one thread").ends_with("0.50, goal at least 1.7"));
    }
}
