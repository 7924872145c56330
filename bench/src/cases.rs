//! The cases of all benchmarks, by the lines of `cases.csv`.
//!
//! A line stands for all combinations of its workloads, variants and sizes, which are separated by `|`. The order of the
//! lines is that of the results; some keep what took long to make for the next case.

use csv::StringRecord;
use serde::Deserialize;

const CASES: &str = include_str!("../cases.csv");

/// Who takes part in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// carom's own choice alone, on one thread and on two, by the wall clock.
    Threads,
    /// carom's own choice, and libraries in other processes.
    Carom,
    /// Whoever takes some microseconds a point.
    Fast,
    /// The cases with expansions too.
    Expansions,
    /// carom with all its methods, every peer, the textbook.
    Everyone,
    /// As before, and those that can on several threads.
    EveryoneAndThreads,
}

/// A workload, its size, who takes part, and for how long. Numbers are zero where a benchmark has no use for them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Case {
    /// The name of the benchmark, such as `dem/polyhedra`.
    benchmark: String,
    /// The run it belongs to, `full` or `tiny`.
    run: String,
    /// The first word of its name in the results, by which `--only` selects cases.
    pub workload: String,
    /// A word that only the benchmark knows, such as the order of points.
    pub variant: String,
    /// Size of the case: particles, bodies, faces, particles or points along a side, or beds along a side.
    pub size: usize,
    /// Who takes part.
    pub field: Field,
    /// Steps or collisions before anything is timed; questions of which only the work is counted.
    pub warm_up: u64,
    /// Steps, collisions or questions that are timed in a round.
    pub window: u64,
    /// Rounds in which everyone has a turn; the best of them counts.
    pub rounds: usize,
}

impl Case {
    /// Returns the name in the results, where it is workload and size.
    pub fn name(&self) -> String {
        format!("{} {}", self.workload, self.size)
    }

    /// Whether it is of a benchmark, or of any part of one, such as `dem/polyhedra` of `dem`.
    pub fn is_of(&self, benchmark: &str) -> bool {
        let part = self.benchmark.strip_prefix(benchmark);
        part.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether it is of a benchmark itself.
    pub fn is_of_exactly(&self, benchmark: &str) -> bool {
        self.benchmark == benchmark
    }
}

/// Returns the cases of the benchmarks proper, or a few small ones that show that everything works.
pub fn all(tiny: bool) -> impl Iterator<Item = Case> {
    let mut lines = csv::Reader::from_reader(CASES.as_bytes());
    let header = lines.headers().expect("a test has read the cases").clone();
    let lines = lines.into_records().map(|line| line.expect("a test has read the cases"));
    let cases = lines.flat_map(|line| combinations(&line));
    let case = move |line: StringRecord| line.deserialize(Some(&header));
    let cases = cases.map(case).map(|case| -> Case { case.expect("a test has read the cases") });
    cases.filter(move |case| case.run == if tiny { "tiny" } else { "full" })
}

/// Returns the first case of a workload in a tiny run.
pub fn tiny(workload: &str) -> Case {
    all(true).find(|case| case.workload == workload).expect("every workload has a tiny case")
}

/// All lines with one of the parts of every field, the last field the fastest.
fn combinations(line: &StringRecord) -> Vec<StringRecord> {
    let with = |begun: &StringRecord, field: &str| -> Vec<StringRecord> {
        field.split('|').map(|part| begun.iter().chain([part]).collect()).collect()
    };
    let begin = vec![StringRecord::new()];
    line.iter().fold(begin, |begun, field| begun.iter().flat_map(|one| with(one, field)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_benchmark_has_its_cases_and_some_of_every_workload_are_tiny() {
        for (benchmark, full, tiny) in [
            ("contacts", 18 + 5, 10),
            ("contacts/python", 4, 3),
            ("event-driven", 14, 7),
            ("triangulate", 9, 3),
            ("convex", 32, 10),
            ("convex/stress", 1, 1),
            ("boxes", 6, 3),
            ("inside", 16, 4),
            ("dem", 7, 7),
            ("dem/polyhedra", 2, 2),
            ("bonded", 10, 6),
        ] {
            let count = |is_tiny| all(is_tiny).filter(|case| case.is_of_exactly(benchmark)).count();
            assert_eq!([count(false), count(true)], [full, tiny], "{benchmark}");
        }
    }

    #[test]
    fn a_line_stands_for_all_combinations_of_its_parts() {
        let shapes = all(false).filter(|case| case.workload == "other-shapes");
        let names: Vec<String> = shapes.map(|case| case.name() + " " + &case.variant).collect();
        let sizes = ["random", "ellipsoid"].map(|shape| [100, 920].map(|faces| (faces, shape)));
        let expected = sizes.concat();
        let expected =
            expected.iter().map(|(faces, shape)| format!("other-shapes {faces} {shape}"));
        assert!(names.into_iter().eq(expected));
    }
}
