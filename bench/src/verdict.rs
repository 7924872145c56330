//! The goals, one line of `goals.csv` each, and whether the measured records meet them.

use crate::figure::{Figure, FigureValue};
use crate::record::Results;
use serde::Deserialize;
use std::fmt::Write;

const GOALS: &str = include_str!("../goals.csv");

/// A bound on a figure of all cases that a pattern selects; the worst of them counts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Goal {
    benchmark: String,
    cases: String,
    quantity: String,
    figure: String,
    at_least: Option<f64>,
    at_most: Option<f64>,
}

fn goals() -> Vec<Goal> {
    let goals: Result<_, _> = csv::Reader::from_reader(GOALS.as_bytes()).deserialize().collect();
    goals.expect("a test has read the goals")
}

/// Returns a line for each goal of a benchmark.
pub fn text(benchmark: &str, results: &Results) -> String {
    let mut text = String::from("goals\n");
    for goal in goals().iter().filter(|goal| goal.benchmark == benchmark) {
        writeln!(text, "{}", goal.line(results)).expect("writing to a string cannot fail");
    }
    text
}

impl Goal {
    /// The verdict, the worst figure with its case, and the bound.
    fn line(&self, results: &Results) -> String {
        let (cases, worst) = self.worst(results);
        let (side, bound) = match (self.at_least, self.at_most) {
            (Some(bound), _) => ("at least", bound),
            (None, bound) => ("at most", bound.unwrap_or(f64::INFINITY)),
        };
        let verdict = match &worst {
            Some((value, ..)) if self.is_met(*value) => "pass",
            Some(_) => "falls short",
            None => "not measured",
        };
        let found = worst.map_or(String::new(), |(value, case, measured)| {
            let of = if cases > 1 { format!("; worst of {cases} cases") } else { String::new() };
            format!("{} ({case}, {}{of}), ", shown(value), measured.contender)
        });
        format!(
            "{verdict:<12} {}: {}, {}: {found}goal {side} {bound}",
            self.cases, self.quantity, self.figure
        )
    }

    fn is_met(&self, value: f64) -> bool {
        self.at_least.is_none_or(|bound| value >= bound)
            && self.at_most.is_none_or(|bound| value <= bound)
    }

    /// In how many cases it was measured, and the figure farthest on the wrong side.
    fn worst<'a>(&self, results: &'a Results) -> (usize, Option<(f64, &'a str, FigureValue)>) {
        let figure = Figure::parse(&self.figure);
        let mut measured_cases = 0;
        let mut figures = Vec::new();
        for case in results.cases(&self.cases) {
            let measured = figure.measured(results, case, &self.quantity);
            measured_cases += usize::from(!measured.is_empty());
            let number = |one: FigureValue| Some((one.value.parse().ok()?, case, one));
            figures.extend(measured.into_iter().filter_map(number));
        }
        // What is not a number keeps no goal, whatever its sign.
        let worse = |value: f64| match value {
            value if value.is_nan() => f64::INFINITY,
            value if self.at_least.is_some() => -value,
            value => value,
        };
        let worst = figures.into_iter().max_by(|a, b| worse(a.0).total_cmp(&worse(b.0)));
        (measured_cases, worst)
    }
}

/// Two decimals, but powers of ten where these would hide everything.
fn shown(value: f64) -> String {
    let is_tiny = value != 0.0 && value.abs() < 5e-3;
    if is_tiny { format!("{value:.1e}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::made_up;

    fn line_of(benchmark: &str, figure: &str, results: &Results) -> String {
        let goals = goals();
        let is_it = |goal: &&Goal| (&*goal.benchmark, &*goal.figure) == (benchmark, figure);
        goals.iter().rfind(is_it).unwrap().line(results)
    }

    #[test]
    fn every_goal_has_one_bound_and_belongs_to_a_benchmark() {
        let benchmarks = ["contacts", "event-driven", "triangulate", "convex", "convex/stress"];
        let benchmarks =
            [&benchmarks[..], &["boxes", "inside", "dem", "dem/polyhedra", "bonded"]].concat();
        for goal in goals() {
            assert!(goal.at_least.is_some() != goal.at_most.is_some(), "{goal:?}");
            assert!(benchmarks.contains(&goal.benchmark.as_str()), "{goal:?}");
        }
        for benchmark in benchmarks {
            assert!(goals().iter().any(|goal| goal.benchmark == benchmark), "{benchmark}");
        }
    }

    #[test]
    fn every_goal_is_about_something_in_the_kept_results() {
        let folder = std::path::Path::new("results");
        for goal in goals() {
            let stem = goal.benchmark.replace(['-', '/'], "_");
            let files = [format!("{stem}_peers.csv"), format!("{stem}.csv")];
            let kept = files.iter().filter_map(|file| Results::read(&folder.join(file)).ok());
            let cases: usize = kept.map(|results| goal.worst(&results).0).sum();
            assert!(cases > 0, "{goal:?}");
        }
    }

    #[test]
    fn the_worst_case_and_the_contender_are_named() {
        let results = made_up(
            "2C 10000; carom; time per particle; 20; ns
             2C 10000; kiddo; time per particle; 15; ns
             2C 10000; carom linked-cells; time per particle; 16; ns
             3B 10000; carom; time per particle; 20; ns
             3B 10000; kiddo; time per particle; 90; ns
             3B 10000; carom linked-cells; time per particle; 40; ns
             half-degree even 4; carom; time per query; 100; ns
             half-degree even 920; carom; time per query; 140; ns
             half-degree even 600; carom; time per query; 110; ns
             mono-0.3 500; carom; smallest gap; -2.5e-16; radii",
        );
        let particles = "2A|2B|2C|3A|3B|3C 10000|100000|1000000: time per particle";
        for (benchmark, figure, quantity, found) in [
            (
                "contacts",
                "fastest peer / carom",
                particles,
                "falls short: 0.75 (2C 10000, kiddo / carom; worst of 2 cases), goal at least 1",
            ),
            (
                "contacts",
                "carom / fastest own",
                particles,
                "falls short: 1.25 (2C 10000, carom / carom linked-cells; worst of 2 cases), goal at most 1.15",
            ),
            // The slowest over the fastest case.
            (
                "convex",
                "carom / carom in half-degree even *",
                "half-degree even *: time per query",
                "pass: 1.40 (half-degree even 920, carom / carom in half-degree even 4; worst of 3 cases), \
                 goal at most 1.5",
            ),
            // Tiny figures are powers of ten.
            (
                "event-driven",
                "any own",
                "* *: smallest gap",
                "pass: -2.5e-16 (mono-0.3 500, carom), goal at least -0.000000001",
            ),
            (
                "bonded",
                "carom / carom whole",
                "front *: springs per second",
                "not measured: goal at most 1",
            ),
        ] {
            let (verdict, found) = found.split_once(": ").unwrap();
            let line = line_of(benchmark, figure, &results);
            assert_eq!(line, format!("{verdict:<12} {quantity}, {figure}: {found}"));
        }
    }
}
