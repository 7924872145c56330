//! `carom-bench triangulate`: weighted Delaunay triangulations on one thread, beside spade in the plane
//! and CGAL in space.
//!
//! The unit of work is a point; all make the same number of simplices and hide as many points.

mod cgal;
mod contender;
mod race;
pub mod results;
mod verdict;
mod workload;

pub use race::Size;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use cgal::Cgal;
use contender::{Carom, Spade};
use race::{Contender, race};
use results::{Row, set_ratios};
use std::path::{Path, PathBuf};
use workload::{Case, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// A thousand points and one round; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these workloads, such as points-3d; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// Folder for triangulate.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Measures, prints a line per contender and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let wanted = |case: &&Case| settings.only.is_empty() || settings.only.contains(&case.workload);
    let cases: Vec<&Case> = cases.iter().filter(wanted).collect();
    let in_space = cases.iter().any(|case| case.workload.dimension() == 3);
    let driver = in_space
        .then(cgal::driver)
        .and_then(|driver| driver.map_err(|reason| println!("CGAL is skipped: {reason}")).ok());
    let mut rows = Vec::new();
    for case in cases {
        rows.extend(measure(case, driver.as_deref())?);
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    match settings.folder() {
        Some(folder) => Table { origin: machine::origin(&settings.command()), rows }
            .write(&folder.join("triangulate.csv")),
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
        table::command("triangulate", self.tiny, &self.only)
    }
}

fn measure(case: &Case, driver: Option<&Path>) -> Result<Vec<Row>, Error> {
    if case.workload.dimension() == 2 {
        let spheres = case.workload.spheres(case.count);
        return report(case, vec![Box::new(Carom(&spheres)), Box::new(Spade(&spheres))]);
    }
    let spheres = case.workload.spheres(case.count);
    let mut contenders: Vec<Box<dyn Contender + '_>> = vec![Box::new(Carom(&spheres))];
    if let Some(driver) = driver {
        contenders.push(Box::new(Cgal::start(driver, &spheres)?));
    }
    report(case, contenders)
}

fn report(case: &Case, mut contenders: Vec<Box<dyn Contender + '_>>) -> Result<Vec<Row>, Error> {
    let best = race(&mut contenders, case.rounds)?;
    let measured = contenders.iter().zip(&best);
    let mut rows: Vec<Row> = measured
        .map(|(contender, best)| Row::new(case, contender.name(), contender.kind(), best))
        .collect();
    set_ratios(&mut rows);
    rows.iter().for_each(|row| println!("{row}"));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_benchmark_replaces_the_kept_results() {
        let settings = |tiny, only: &[Workload]| Settings { tiny, only: only.to_vec(), out: None };
        assert_eq!(settings(false, &[]).folder(), Some(PathBuf::from("bench/results")));
        assert_eq!(settings(true, &[]).folder(), None);
        let one = settings(false, &[Workload::Points2]);
        assert_eq!(one.folder(), None);
        assert_eq!(one.command(), "carom-bench triangulate --only points-2d");
    }
}
