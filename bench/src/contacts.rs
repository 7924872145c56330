//! `carom-bench contacts`: carom, its methods and the Rust peers on every workload.

use crate::contender::{Threads, contenders};
use crate::error::Error;
use crate::goal;
use crate::machine;
use crate::measure::{Outcome, Plan, race};
use crate::results::{Row, set_ratios};
use crate::table::{self, Table};
use crate::verdict;
use crate::workload::{self, Case};
use carom::scene::generate::PaperCase;
use std::path::PathBuf;

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// A thousand particles and one round, in a few seconds; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these workloads, such as 3B; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<PaperCase>,
    /// Folder for contacts.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads of the runs that are compared with one thread
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Time for the rounds of a case, in seconds per method; more for a noisy machine
    #[arg(long, value_name = "S", default_value_t = 1.5)]
    seconds: f64,
}

/// Measures, prints a line per method and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let (cases, plan) = if settings.tiny {
        (workload::tiny(), Plan::TINY)
    } else {
        (workload::full(), Plan::lasting(settings.seconds))
    };
    let wanted = |case: &&Case| settings.only.is_empty() || settings.only.contains(&case.workload);
    let (one, many) = (Threads::new(1)?, Threads::new(settings.threads)?);
    let mut rows = Vec::new();
    for case in cases.iter().filter(wanted) {
        let outcomes = measure(case, &one, &many, &plan)?;
        rows.extend(report(case, outcomes));
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    match settings.folder() {
        Some(folder) => Table { origin: machine::origin(&settings.command()), rows }
            .write(&folder.join("contacts.csv")),
        None => Ok(()),
    }
}

impl Settings {
    fn folder(&self) -> Option<PathBuf> {
        let whole = !self.tiny && self.only.is_empty();
        table::folder(&self.out, whole)
    }

    /// The command as typed, but for the folder.
    fn command(&self) -> String {
        table::command("contacts", self.tiny, &self.only)
            + &format!(" --threads {} --seconds {}", self.threads, self.seconds)
    }
}

fn measure(case: &Case, one: &Threads, many: &Threads, plan: &Plan) -> Result<Vec<Outcome>, Error> {
    if case.workload.dimension() == 2 {
        race(contenders(case, &case.spheres::<2>()?, one, many), plan)
    } else {
        race(contenders(case, &case.spheres::<3>()?, one, many), plan)
    }
}

/// Prints what became of every contender and returns the rows of those that were measured.
pub fn report(case: &Case, outcomes: Vec<Outcome>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut skipped = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Measured(label, best) => rows.push(Row::new(case, label, &best)),
            Outcome::Skipped(label, reason) => skipped.push((label, reason)),
        }
    }
    set_ratios(&mut rows);
    for row in &rows {
        println!("{row}");
    }
    for (label, reason) in skipped {
        println!(
            "{:<4} {:>8} {:>2} {:<18} skipped: {reason}",
            case.workload.name(),
            case.count,
            label.threads,
            label.method
        );
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(tiny: bool, out: Option<&str>) -> Settings {
        Settings { tiny, only: Vec::new(), out: out.map(PathBuf::from), threads: 2, seconds: 1.5 }
    }

    #[test]
    fn a_tiny_run_writes_only_where_it_is_reported_to() {
        assert_eq!(settings(true, None).folder(), None);
        assert_eq!(settings(true, Some("here")).folder(), Some(PathBuf::from("here")));
        assert_eq!(settings(false, None).folder(), Some(PathBuf::from("bench/results")));
    }

    #[test]
    fn the_command_is_written_without_the_folder() {
        assert_eq!(
            settings(true, Some("here")).command(),
            "carom-bench contacts --tiny --threads 2 --seconds 1.5"
        );
    }
}
