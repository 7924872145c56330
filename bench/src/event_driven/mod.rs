//! `carom-bench events`: event-driven runs on one thread, with every structure and beside the
//! textbook.
//!
//! The unit of work is a collision of two bodies; the result is collisions per second of the
//! processor, counted work per collision and memory per body.

mod contender;
mod race;
pub mod results;
pub mod start;
pub mod system;
mod verdict;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use race::{Outcome, race};
use results::{Row, set_ratios};
use std::path::PathBuf;
use system::{Case, System};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Few bodies and collisions, in a few seconds; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these systems, such as mono-0.3; writes nothing unless --out is given
    #[arg(long, value_name = "SYSTEM")]
    only: Vec<System>,
    /// Only systems of this many bodies; writes nothing unless --out is given
    #[arg(long, value_name = "N")]
    bodies: Vec<usize>,
    /// Folder for event_driven.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Measures, prints a line per structure and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let cases = if settings.tiny { system::tiny() } else { system::full() };
    let mut rows = Vec::new();
    for case in cases.iter().filter(|case| settings.wants(case)) {
        let outcomes = match case.system.dimension() {
            2 => race::<2>(case)?,
            _ => race::<3>(case)?,
        };
        rows.extend(report(case, outcomes));
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    match settings.folder() {
        Some(folder) => Table { origin: machine::origin(&settings.command()), rows }
            .write(&folder.join("event_driven.csv")),
        None => Ok(()),
    }
}

impl Settings {
    fn wants(&self, case: &Case) -> bool {
        (self.only.is_empty() || self.only.contains(&case.system))
            && (self.bodies.is_empty() || self.bodies.contains(&case.bodies))
    }

    fn folder(&self) -> Option<PathBuf> {
        let whole = !self.tiny && self.only.is_empty() && self.bodies.is_empty();
        table::folder(&self.out, whole)
    }

    /// The command as typed, but for the folder.
    fn command(&self) -> String {
        let bodies = self.bodies.iter().map(|bodies| format!(" --bodies {bodies}"));
        table::command("event-driven", self.tiny, &self.only) + &bodies.collect::<String>()
    }
}

/// Prints what became of every contender and returns the rows of those that were measured.
fn report(case: &Case, outcomes: Vec<Outcome>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut skipped = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Measured(label, best) => rows.push(Row::new(case, label, &best)),
            Outcome::Skipped(label, reason) => skipped.push((label.structure, reason)),
        }
    }
    set_ratios(&mut rows);
    for row in &rows {
        println!("{row}");
    }
    for (structure, reason) in skipped {
        println!("{:<11} {:>7} {structure:<17} skipped: {reason}", case.system.name(), case.bodies);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(tiny: bool, only: &[System], bodies: &[usize]) -> Settings {
        Settings { tiny, only: only.to_vec(), bodies: bodies.to_vec(), out: None }
    }

    #[test]
    fn only_the_whole_benchmark_replaces_the_kept_results() {
        assert_eq!(settings(false, &[], &[]).folder(), Some(PathBuf::from("bench/results")));
        assert_eq!(settings(true, &[], &[]).folder(), None);
        assert_eq!(settings(false, &[System::Mono03], &[]).folder(), None);
        assert_eq!(settings(false, &[], &[4000]).folder(), None);
        let message = Settings { out: Some("here".into()), ..settings(true, &[], &[]) };
        assert_eq!(message.folder(), Some(PathBuf::from("here")));
    }

    #[test]
    fn systems_and_sizes_are_chosen() {
        let settings = settings(false, &[System::Mono03], &[4000, 100_000]);
        let wanted = system::full().into_iter().filter(|case| settings.wants(case));
        assert_eq!(wanted.count(), 2);
        assert_eq!(
            settings.command(),
            "carom-bench events --only mono-0.3 --bodies 4000 --bodies 100000"
        );
    }
}
