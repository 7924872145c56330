//! `carom-bench boxes`: which of many moving boxes overlap, step by step on one thread, beside parry's
//! tree.
//!
//! The unit of work is a step of all boxes; all must see the same pairs after every one.

mod contender;
mod race;
pub mod results;
mod verdict;
mod workload;

use crate::error::Error;
use crate::table::{self, Table};
use crate::{goal, machine};
use carom::detect::broad::BucketDivision;
use contender::{Carom, Parry};
use race::{Contender, race};
use results::{Row, set_ratios};
use std::path::PathBuf;
use workload::{Case, Motion};

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// A thousand boxes and a few steps; writes nothing unless --out is given
    #[arg(long)]
    tiny: bool,
    /// Folder for boxes.csv [default: bench/results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Measures, prints a line per contender and case, and writes the table.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let cases = if settings.tiny { workload::tiny() } else { workload::full() };
    let mut rows = Vec::new();
    for case in &cases {
        rows.extend(measure(case)?);
    }
    if !settings.tiny {
        print!("\n{}", goal::text(&verdict::goals(&rows)));
    }
    let command = table::command::<String>("boxes", settings.tiny, &[]);
    match table::folder(&settings.out, !settings.tiny) {
        Some(folder) => {
            Table { origin: machine::origin(&command), rows }.write(&folder.join("boxes.csv"))
        }
        None => Ok(()),
    }
}

fn measure(case: &Case) -> Result<Vec<Row>, Error> {
    let mut motion = Motion::new(case)?;
    let mut start = Vec::new();
    motion.boxes(&mut start);
    let mut contenders: Vec<Box<dyn Contender>> = vec![
        Box::new(Carom::new(BucketDivision::One, &start)?),
        Box::new(Carom::new(BucketDivision::ByDensity, &start)?),
        Box::new(Parry::new(&start)),
    ];
    let runs = race(&mut contenders, &mut motion, case)?;
    let measured = contenders.iter().zip(&runs);
    let mut rows: Vec<Row> = measured
        .map(|(contender, run)| Row::new(case, contender.name(), contender.kind(), run))
        .collect();
    set_ratios(&mut rows);
    rows.iter().for_each(|row| println!("{row}"));
    Ok(rows)
}
