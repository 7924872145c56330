//! `carom-bench convex`: distances of convex bodies on one thread, beside parry, and coal and FCL if asked for.
//!
//! The unit of work is a query: the distance of two copies of a body in their poses. The true distances
//! are proven; for whoever finds others it is reported how often. carom keeps what it found of the pair, as it would from step to step, or forgets it.

mod coal;
mod contender;
mod driven;
mod fcl;
mod proof;
mod race;
pub mod readme;
mod results;
mod steps;
mod stress;
mod stress_results;
mod verdict;
mod workload;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use coal::{Begin, Driver};
use contender::{Carom, Memory, Parry};
use fcl::Fcl;
use race::{Contender, race};
use results::{Row, set_ratios};
use std::path::{Path, PathBuf};
use steps::Steps;
use workload::{Case, Workload};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// A few hundred queries and one round; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Only these workloads, such as half-degree; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<Workload>,
    /// Folder of a virtual environment, made if it is not there, in which coal and python-fcl are
    /// installed: then these are measured too, and the table is convex_peers.csv
    #[arg(long, value_name = "DIR")]
    venv: Option<PathBuf>,
    /// Folder for convex.csv and convex_stress.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Questions of the stress set per body and gap.
const STRESS: usize = 2000;
/// The same of a tiny run.
const TINY_STRESS: usize = 50;

/// Measures, prints a line per contender and case, and writes the tables.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let wanted = |one: &Workload| settings.only.is_empty() || settings.only.contains(one);
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let peers = settings.venv.as_deref().map(Peers::prepare).transpose()?;
    let mut rows = Vec::new();
    for case in cases.iter().filter(|case| wanted(&case.workload)) {
        rows.extend(measure(case, peers.as_ref())?);
    }
    let questions = if settings.tiny { TINY_STRESS } else { STRESS };
    let stress = if wanted(&Workload::Stress) { stress::measure(questions)? } else { Vec::new() };
    stress.iter().for_each(|row| println!("{row}"));
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows, &stress)));
    }
    let Some(folder) = settings.folder() else { return Ok(()) };
    let origin = machine::origin(&settings.command());
    if peers.is_some() {
        return Table { origin, rows }.write(&folder.join("convex_peers.csv"));
    }
    Table { origin: origin.clone(), rows }.write(&folder.join("convex.csv"))?;
    Table { origin, rows: stress }.write(&folder.join("convex_stress.csv"))
}

impl Settings {
    fn folder(&self) -> Option<PathBuf> {
        let whole = !self.tiny && self.only.is_empty();
        table::folder(&self.out, whole)
    }

    /// The command as typed, but for the folder.
    fn command(&self) -> String {
        let command = table::command("convex", self.tiny, &self.only);
        match self.venv {
            Some(_) => {
                format!("{command} --venv; {}", coal::REQUIREMENTS.trim().replace('\n', " "))
            }
            None => command,
        }
    }
}

/// Those from Python's packages.
struct Peers {
    coal: Driver,
    fcl: Fcl,
}

impl Peers {
    fn prepare(venv: &Path) -> Result<Self, Error> {
        Ok(Peers { coal: Driver::prepare(venv)?, fcl: Fcl::prepare(venv)? })
    }
}

fn measure(case: &Case, peers: Option<&Peers>) -> Result<Vec<Row>, Error> {
    let body = case.body()?;
    let poses = case.poses(&body);
    let timed = &poses[..case.timed];
    let mut contenders: Vec<Box<dyn Contender + '_>> = vec![
        Box::new(Carom { body: &body, poses: timed, memory: Memory::Kept }),
        Box::new(Carom { body: &body, poses: timed, memory: Memory::None }),
        Box::new(Parry::new(&body, timed, Memory::None)?),
        Box::new(Parry::new(&body, timed, Memory::Kept)?),
    ];
    if let Some(Peers { coal, fcl }) = peers {
        for begin in [Begin::Centers, Begin::Last] {
            contenders.push(Box::new(coal.start(&body, timed, begin)?));
        }
        contenders.push(Box::new(fcl.start(&body, timed)?));
    }
    let truth = proof::proven_distances(&body, timed)?;
    let best = race(&mut contenders, &truth, case.rounds)?;
    let steps = carom_steps(&body, &poses);
    let measured = contenders.iter().zip(&best).enumerate();
    let mut rows: Vec<Row> = measured
        .map(|(place, (contender, best))| {
            Row::new(case, contender.name(), contender.kind(), best, steps.get(place).copied())
        })
        .collect();
    set_ratios(&mut rows);
    rows.iter().for_each(|row| println!("{row}"));
    Ok(rows)
}

/// Of the first two contenders.
fn carom_steps(body: &ConvexPolyhedron, poses: &[[Pose; 2]]) -> [Steps; 2] {
    [Memory::Kept, Memory::None].map(|memory| Steps::of(body, poses, memory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_benchmark_replaces_the_kept_results() {
        let settings =
            |tiny, only: &[Workload]| Settings { tiny, only: only.to_vec(), venv: None, out: None };
        assert_eq!(settings(false, &[]).folder(), Some(PathBuf::from("bench/results")));
        assert_eq!(settings(true, &[]).folder(), None);
        let one = settings(false, &[Workload::HalfDegree]);
        assert_eq!(one.folder(), None);
        assert_eq!(one.command(), "carom-bench convex --only half-degree");
    }
}
