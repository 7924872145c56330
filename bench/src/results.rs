//! What was measured in searches for contacts: one row per method and case.

use crate::measure::{Best, Label};
use crate::table::{Record, number, optional_number};
use crate::workload::Case;
use std::fmt;

/// Who a method belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// carom with its buffers kept.
    Own,
    /// carom with fresh buffers.
    OwnCold,
    /// Another library.
    Peer,
    /// The textbook.
    Baseline,
}

/// One method on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the system.
    pub workload: String,
    /// Number of particles.
    pub count: usize,
    /// Threads the method could use.
    pub threads: usize,
    /// Name of the method or library.
    pub method: String,
    /// Whose it is.
    pub kind: Kind,
    /// Wall clock of the best run.
    pub ns_per_particle: f64,
    /// Contacts found.
    pub pairs: usize,
    /// Peak memory beyond input and output, in units of 1e6 bytes.
    pub extra_megabytes: Option<f64>,
    /// Time over that of carom's own choice on as many threads.
    pub ratio_to_auto: f64,
    /// Timed rounds.
    pub rounds: usize,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Own, Kind::OwnCold, Kind::Peer, Kind::Baseline];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Own => "own",
            Kind::OwnCold => "own-cold",
            Kind::Peer => "peer",
            Kind::Baseline => "baseline",
        }
    }

    /// The kind of a name in the table.
    pub fn parse(name: &str) -> Result<Self, String> {
        Kind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| format!("kind \"{name}\"; it must be own, own-cold, peer or baseline"))
    }
}

impl Row {
    /// A measured method; its ratio is set by [`set_ratios`].
    pub fn new(case: &Case, label: Label, best: &Best) -> Self {
        Row {
            workload: case.workload.name().to_string(),
            count: case.count,
            threads: label.threads,
            method: label.method.to_string(),
            kind: label.kind,
            ns_per_particle: best.elapsed.as_secs_f64() * 1e9 / case.count as f64,
            pairs: best.found.pairs,
            extra_megabytes: best.extra_bytes.map(|bytes| bytes as f64 / 1e6),
            ratio_to_auto: f64::NAN,
            rounds: best.rounds,
        }
    }

    /// Whether this is carom's own choice with its buffers kept.
    pub fn is_auto(&self) -> bool {
        self.method == "auto" && self.kind == Kind::Own
    }
}

impl Record for Row {
    const COLUMNS: &'static str = "workload,count,threads,method,kind,ns_per_particle,pairs,\
        extra_megabytes,ratio_to_auto,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[workload, count, threads, method, kind, time, pairs, memory, ratio, rounds] =
            &fields[..]
        else {
            return Err(format!("{} fields; a row has 10", fields.len()));
        };
        Ok(Row {
            workload: workload.to_string(),
            count: number(count, "count")?,
            threads: number(threads, "threads")?,
            method: method.to_string(),
            kind: Kind::parse(kind)?,
            ns_per_particle: number(time, "ns_per_particle")?,
            pairs: number(pairs, "pairs")?,
            extra_megabytes: optional_number(memory, "extra_megabytes")?,
            ratio_to_auto: number(ratio, "ratio_to_auto")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        let memory = self.extra_megabytes.map_or(String::new(), |value| format!("{value:.3}"));
        format!(
            "{},{},{},{},{},{:.2},{},{memory},{:.3},{}",
            self.workload,
            self.count,
            self.threads,
            self.method,
            self.kind.name(),
            self.ns_per_particle,
            self.pairs,
            self.ratio_to_auto,
            self.rounds
        )
    }
}

/// Divides the times of one case by that of carom's own choice on as many threads.
pub fn set_ratios(rows: &mut [Row]) {
    let auto: Vec<(usize, f64)> = rows
        .iter()
        .filter(|row| row.is_auto())
        .map(|row| (row.threads, row.ns_per_particle))
        .collect();
    for row in rows {
        let base = auto.iter().find(|(threads, _)| *threads == row.threads);
        row.ratio_to_auto = base.map_or(f64::NAN, |(_, time)| row.ns_per_particle / time);
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = self.extra_megabytes.map_or("-".into(), |value| format!("{value:.1}"));
        write!(
            formatter,
            "{:<4} {:>8} {:>2} {:<18} {:<9} {:>10.1} ns/particle {:>8} pairs {:>8} MB {:>8.2}x {:>3} rounds",
            self.workload,
            self.count,
            self.threads,
            self.method,
            self.kind.name(),
            self.ns_per_particle,
            self.pairs,
            memory,
            self.ratio_to_auto,
            self.rounds
        )
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(workload: &str, count: usize, method: &str, kind: Kind, time: f64) -> Row {
    Row {
        workload: workload.to_string(),
        count,
        threads: 1,
        method: method.to_string(),
        kind,
        ns_per_particle: time,
        pairs: 7,
        extra_megabytes: Some(12.5),
        ratio_to_auto: f64::NAN,
        rounds: 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            made_up("3B", 1000, "auto", Kind::Own, 20.0),
            made_up("3B", 1000, "auto", Kind::OwnCold, 30.0),
            made_up("3B", 1000, "parry3d", Kind::Peer, 250.0),
            made_up("3B", 1000, "textbook", Kind::Baseline, 50.0),
        ];
        rows[2].extra_megabytes = None;
        set_ratios(&mut rows);
        rows
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        let table = Table { origin: "carom-bench contacts; a machine".into(), rows: rows() };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn ratios_are_times_over_that_of_auto_on_as_many_threads() {
        let mut rows = rows();
        let mut fast = made_up("3B", 1000, "auto", Kind::Own, 10.0);
        fast.threads = 2;
        let mut peer = made_up("3B", 1000, "parry3d", Kind::Peer, 150.0);
        peer.threads = 2;
        rows.extend([fast, peer]);
        set_ratios(&mut rows);
        let ratios: Vec<f64> = rows.iter().map(|row| row.ratio_to_auto).collect();
        assert_eq!(ratios, [1.0, 1.5, 12.5, 2.5, 1.0, 15.0]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let text = format!("# origin\n{}\n3B,many,1,auto,own,1,2,3,4,5\n", Row::COLUMNS);
        assert_eq!(
            Table::<Row>::parse(&text).unwrap_err().to_string(),
            "line 3: count is \"many\"; it must be a number"
        );
        let text = format!("# origin\n{}\n3B,1\n", Row::COLUMNS);
        assert_eq!(
            Table::<Row>::parse(&text).unwrap_err().to_string(),
            "line 3: 2 fields; a row has 10"
        );
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        assert_eq!(
            rows()[2].to_string(),
            "3B       1000  1 parry3d            peer           250.0 ns/particle        7 pairs        \
             - MB    12.50x   3 rounds"
        );
    }
}
