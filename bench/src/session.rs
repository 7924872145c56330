//! A session of one benchmark: its cases are raced one after the other, a line is printed for each
//! contender, and in the end come the verdicts and the file of results.

use crate::cases::{self, Case};
use crate::error::Error;
use crate::machine;
use crate::race::{Contenders, Plan, race};
use crate::record::{Record, Results};
use crate::verdict;
use std::path::PathBuf;

/// Settings that every benchmark has.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SessionSettings {
    /// Small workloads and one round, in a few seconds; writes nothing unless --out is given
    #[arg(long)]
    pub tiny: bool,
    /// Only these workloads, by the first word of their cases; writes nothing unless --out is given
    #[arg(long, value_name = "WORKLOAD")]
    pub only: Vec<String>,
    /// Folder for the results [default: bench/results]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Settings of benchmarks with peers of other languages.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SettingsWithPeers {
    #[command(flatten)]
    pub session: SessionSettings,
    /// Folder of a virtual environment, made if it is not there, in which peers of other languages are
    /// installed, as far as they can be had: then these are measured too, and the results are NAME_peers.csv
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,
}

/// The records so far.
pub struct Session<'a> {
    benchmark: &'static str,
    settings: &'a SessionSettings,
    /// Whether some cases are left out by other settings than those of every benchmark.
    pub is_partial: bool,
    results: Results,
}

impl<'a> Session<'a> {
    /// Begins a benchmark; an error if a wanted workload is not among its cases.
    pub fn new(benchmark: &'static str, settings: &'a SessionSettings) -> Result<Self, Error> {
        let session =
            Session { benchmark, settings, is_partial: false, results: Results::default() };
        let mut known: Vec<String> = Vec::new();
        for case in cases::all(settings.tiny).filter(|case| case.is_of(session.subject())) {
            if !known.contains(&case.workload) {
                known.push(case.workload);
            }
        }
        match settings.only.iter().find(|name| !known.contains(name)) {
            Some(name) => {
                Err(Error::UnknownWorkload { name: name.clone(), known: known.join(", ") })
            }
            None => Ok(session),
        }
    }

    /// Returns the cases to be measured.
    pub fn cases(&self) -> Vec<Case> {
        let only = &self.settings.only;
        let is_wanted = |case: &Case| {
            case.is_of_exactly(self.benchmark) && (only.is_empty() || only.contains(&case.workload))
        };
        cases::all(self.settings.tiny).filter(is_wanted).collect()
    }

    /// Measures a case and prints a line for each contender.
    pub fn measure(
        &mut self,
        case: &str,
        contenders: Contenders<'_>,
        plan: &Plan,
    ) -> Result<(), Error> {
        for outcome in race(case, contenders, plan)? {
            match outcome.records {
                Ok(records) => self.add(records),
                Err(reason) => println!("{case:<27} {:<22} skipped: {reason}", outcome.contender),
            }
        }
        Ok(())
    }

    /// Adds records of one contender and prints them in a line.
    pub fn add(&mut self, records: Vec<Record>) {
        println!("{}", line(&records));
        self.results.records.extend(records);
    }

    /// Prints the verdicts of a whole benchmark and writes its results as `FILE.csv`; `detail` is
    /// what else stood in the command, or the versions of peers.
    pub fn finish(mut self, file: &str, detail: &str) -> Result<(), Error> {
        if self.results.records.is_empty() {
            return Ok(());
        }
        if !self.settings.tiny {
            print!("\n{}", verdict::text(self.benchmark, &self.results));
        }
        let Some(folder) = self.folder() else { return Ok(()) };
        self.results.origin = machine::origin(&(self.command() + detail));
        self.results.write(&folder.join(format!("{file}.csv")))
    }

    /// The same for a benchmark whose peers of other languages may have been measured too: with their versions its
    /// file is `FILE_peers.csv`.
    pub fn finish_with_peers(self, file: &str, versions: Option<String>) -> Result<(), Error> {
        match versions {
            Some(versions) => {
                self.finish(&format!("{file}_peers"), &format!(" --venv; {versions}"))
            }
            None => self.finish(file, ""),
        }
    }

    /// Folder of results: the requested one, or, of a complete benchmark, that of the kept results.
    fn folder(&self) -> Option<PathBuf> {
        let is_whole = !self.settings.tiny && self.settings.only.is_empty() && !self.is_partial;
        self.settings.out.clone().or_else(|| is_whole.then(|| PathBuf::from("bench/results")))
    }

    /// The command as typed, but for folders and what only one benchmark knows.
    fn command(&self) -> String {
        let tiny = if self.settings.tiny { " --tiny" } else { "" };
        let only: String = self.settings.only.iter().map(|one| format!(" --only {one}")).collect();
        format!("carom-bench {}{tiny}{only}", self.subject())
    }

    /// The benchmark without the name of its part.
    fn subject(&self) -> &'static str {
        self.benchmark.split('/').next().unwrap_or_default()
    }
}

/// One line with everything measured of a contender.
fn line(records: &[Record]) -> String {
    let Some(first) = records.first() else { return String::new() };
    let quantity = |record: &Record| {
        let unit = if record.unit.is_empty() { String::new() } else { format!(" {}", record.unit) };
        format!("{} {}{unit}", record.quantity, record.value)
    };
    let quantities: Vec<String> = records.iter().map(quantity).collect();
    format!("{:<27} {:<22} {}", first.case, first.contender, quantities.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::made_up;

    #[test]
    fn only_the_whole_benchmark_replaces_the_kept_results() {
        let folder = |tiny, only: &[&str], out: Option<&str>, is_partial| {
            let only = only.iter().map(|name| name.to_string()).collect();
            let settings = SessionSettings { tiny, only, out: out.map(PathBuf::from) };
            let session = Session::new("contacts", &settings).unwrap();
            Session { is_partial, ..session }.folder()
        };
        assert_eq!(folder(false, &[], None, false), Some("bench/results".into()));
        assert_eq!(folder(true, &[], None, false), None);
        assert_eq!(folder(false, &["3B"], None, false), None);
        assert_eq!(folder(false, &[], None, true), None);
        assert_eq!(folder(true, &[], Some("here"), false), Some("here".into()));
    }

    #[test]
    fn the_command_is_written_without_the_folder() {
        let settings =
            SessionSettings { tiny: true, only: vec!["3B".into()], out: Some("here".into()) };
        let session = Session::new("contacts/python", &settings).unwrap();
        assert_eq!(session.command(), "carom-bench contacts --tiny --only 3B");
        assert!(session.cases().iter().all(|case| case.workload == "3B"));
    }

    #[test]
    fn an_unknown_workload_is_refused_with_all_names() {
        let settings = SessionSettings { only: vec!["gas".into()], ..SessionSettings::default() };
        let error = Session::new("contacts", &settings).map(|_| ()).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("there is no workload 'gas' for --only; there are 2A, 2B, "));
    }

    #[test]
    fn a_contender_is_one_line() {
        let results = made_up(
            "3B 1000; carom; time per particle; 20.5; ns
             3B 1000; carom; pairs; 7;",
        );
        assert_eq!(
            line(&results.records),
            "3B 1000                     carom                  time per particle 20.5 ns, pairs 7"
        );
    }
}
