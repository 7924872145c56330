//! The goals for distances of convex bodies, and whether the measured rows meet them.

use super::results::Row;
use super::stress_results::{self, AnswerCounts};
use super::workload::Workload;
use crate::goal::{Bound, Figure, Goal};
use crate::results::Kind;

/// Every goal, with the figures found in the rows.
pub fn goals(rows: &[Row], stress: &[stress_results::Row]) -> Vec<Goal> {
    use Bound::{AtLeast, AtMost};
    let goal = |name, bound, figure| Goal { name, bound, figure };
    let coherent = |faces: fn(usize) -> bool| {
        let cases = of(rows, &[Workload::HalfDegree]).filter(|row| faces(row.faces));
        worst_lead(rows, cases, Kind::Own)
    };
    let incoherent = of(rows, &[Workload::TenDegrees, Workload::Random]);
    vec![
        goal("fastest peer over carom, half a degree, 4 faces", AtLeast(2.0), coherent(|n| n == 4)),
        goal(
            "fastest peer over carom, half a degree, 400 faces and more, worst case",
            AtLeast(10.0),
            coherent(|n| n >= 400),
        ),
        goal("slowest over fastest number of faces, half a degree", AtMost(1.5), spread(rows)),
        goal(
            "fastest peer over carom, both without memory, all motions, worst case",
            AtLeast(1.0),
            worst_lead(rows, rows.iter(), Kind::OwnCold),
        ),
        goal(
            "fastest peer over carom, ten degrees and random, worst case",
            AtLeast(1.0),
            worst_lead(rows, incoherent, Kind::Own),
        ),
        goal("stress: carom's distances wrong by more than 1e-9", AtMost(0.0), {
            total(stress, |tally| tally.wrong)
        }),
        goal("stress: carom's wrong signs", AtMost(0.0), total(stress, |tally| tally.wrong_signs)),
    ]
}

fn of<'a>(rows: &'a [Row], workloads: &'a [Workload]) -> impl Iterator<Item = &'a Row> {
    rows.iter().filter(|row| workloads.iter().any(|workload| workload.name() == row.workload))
}

/// The smallest ratio of the fastest peer's time to that of carom. Without memory, it is compared with
/// peers without memory.
fn worst_lead<'a>(
    rows: &[Row],
    cases: impl Iterator<Item = &'a Row>,
    kind: Kind,
) -> Option<Figure> {
    let lead = |own: &Row| {
        let same = |row: &&Row| {
            (&row.workload, &row.shape, row.faces) == (&own.workload, &own.shape, own.faces)
        };
        let peers = rows.iter().filter(same).filter(|row| row.kind == Kind::Peer);
        let peers = peers.filter(|row| kind == Kind::Own || !row.contender.ends_with("warm"));
        let fastest = peers.min_by(|a, b| a.ns_per_query.total_cmp(&b.ns_per_query))?;
        let note = format!("{}, {}", name(own), fastest.contender);
        Some(Figure { value: fastest.ns_per_query / own.ns_per_query, note })
    };
    let own = cases.filter(|row| row.kind == kind);
    own.filter_map(lead).min_by(|a, b| a.value.total_cmp(&b.value))
}

fn name(row: &Row) -> String {
    format!("{} {} {} faces", row.workload, row.shape, row.faces)
}

fn spread(rows: &[Row]) -> Option<Figure> {
    let own = || of(rows, &[Workload::HalfDegree]).filter(|row| row.kind == Kind::Own);
    let by_time = |a: &&Row, b: &&Row| a.ns_per_query.total_cmp(&b.ns_per_query);
    let (fastest, slowest) = (own().min_by(by_time)?, own().max_by(by_time)?);
    let note = format!("{} over {} faces", slowest.faces, fastest.faces);
    Some(Figure { value: slowest.ns_per_query / fastest.ns_per_query, note })
}

fn total(stress: &[stress_results::Row], count: fn(&AnswerCounts) -> usize) -> Option<Figure> {
    if stress.is_empty() {
        return None;
    }
    let sum = |contender: &str| -> usize {
        let own = stress.iter().filter(|row| row.contender == contender);
        own.map(|row| count(&row.tally)).sum()
    };
    let note = format!("parry3d-f64 {}", sum("parry3d-f64"));
    Some(Figure { value: sum("carom") as f64, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::results::{made_up, set_ratios};
    use crate::convex::workload::{Case, full};
    use crate::goal::{assert_all_met, line_of};

    fn everything() -> Vec<Row> {
        let of_case = |case: Case| {
            let mut rows = vec![
                made_up(&case, "carom", Kind::Own, 100.0 + case.faces as f64 / 20.0),
                made_up(&case, "carom cold", Kind::OwnCold, 400.0),
                made_up(&case, "parry3d-f64", Kind::Peer, 500.0 + 15.0 * case.faces as f64),
            ];
            set_ratios(&mut rows);
            rows
        };
        full().into_iter().flat_map(of_case).collect()
    }

    fn stress(wrong: usize) -> Vec<stress_results::Row> {
        let row = |contender: &str, wrong| stress_results::Row {
            shape: "cube".into(),
            gap: 1e-6,
            contender: contender.into(),
            tally: AnswerCounts { questions: 2000, wrong, wrong_signs: wrong, worst: 1e-3 },
        };
        vec![row("carom", wrong), row("parry3d-f64", 7)]
    }

    #[test]
    fn good_rows_meet_every_goal_and_none_says_nothing() {
        assert_all_met(&goals(&everything(), &stress(0)));
        assert!(goals(&[], &[]).iter().all(|goal| goal.is_met().is_none()));
    }

    #[test]
    fn without_memory_only_peers_without_memory_count() {
        let case = full()[0];
        let rows = [
            made_up(&case, "carom cold", Kind::OwnCold, 400.0),
            made_up(&case, "parry3d-f64", Kind::Peer, 500.0),
            made_up(&case, "parry3d-f64 warm", Kind::Peer, 300.0),
        ];
        assert_eq!(
            line_of(&goals(&rows, &[]), "fastest peer over carom, both"),
            "pass         fastest peer over carom, both without memory, all motions, worst case: 1.25 \
             (half-degree even 4 faces, parry3d-f64), goal at least 1"
        );
    }

    #[test]
    fn the_worst_case_and_the_peer_are_named() {
        let mut rows = everything();
        for row in &mut rows {
            match (row.workload.as_str(), row.faces, row.kind) {
                ("half-degree", 600, Kind::Own) => row.ns_per_query = 2000.0,
                ("random", 920, Kind::Own) => row.ns_per_query = 28_600.0,
                _ => {}
            }
        }
        let goals = goals(&rows, &stress(3));
        assert_eq!(
            line_of(&goals, "fastest peer over carom, half a degree, 400"),
            "falls short  fastest peer over carom, half a degree, 400 faces and more, worst case: 4.75 \
             (half-degree even 600 faces, parry3d-f64), goal at least 10"
        );
        assert_eq!(
            line_of(&goals, "fastest peer over carom, ten"),
            "falls short  fastest peer over carom, ten degrees and random, worst case: 0.50 (random \
             even 920 faces, parry3d-f64), goal at least 1"
        );
        assert_eq!(
            line_of(&goals, "slowest"),
            "falls short  slowest over fastest number of faces, half a degree: 19.96 (600 over 4 \
             faces), goal at most 1.5"
        );
        assert_eq!(
            line_of(&goals, "stress: carom's wrong signs"),
            "falls short  stress: carom's wrong signs: 3.00 (parry3d-f64 7), goal at most 0"
        );
    }
}
