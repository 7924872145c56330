//! What was measured in event-driven runs: one row per structure and case.

use super::race::{Best, Label};
use super::system::Case;
use crate::results::Kind;
use crate::table::{Record, number, optional_number};
use std::fmt;

/// One structure on one case. Work is per collision, memory per body.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the system.
    pub system: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Name of the structure, or of the peer.
    pub structure: String,
    /// What `auto` took; the structure itself otherwise.
    pub taken: String,
    /// Whose it is.
    pub kind: Kind,
    /// In the best window, per second of the processor.
    pub collisions_per_second: f64,
    /// Time over that of carom's own choice.
    pub ratio_to_auto: f64,
    /// Pairs whose time of contact was computed.
    pub pair_tests: f64,
    /// Changes of the structure; cells crossed by the textbook.
    pub changes: f64,
    /// Neighbors that came with them.
    pub fresh_neighbors: f64,
    /// Events that had come to nothing.
    pub stale: f64,
    /// Facets flipped, of a triangulation.
    pub flips: Option<f64>,
    /// Certificates bounded, of a triangulation.
    pub certificates_bounded: Option<f64>,
    /// Certificates whose time of failure was computed, of a triangulation.
    pub certificates_solved: Option<f64>,
    /// Bytes that the run says it holds.
    pub told_bytes: Option<f64>,
    /// Bytes that the allocator has handed out to it.
    pub held_bytes: f64,
    /// The most of them at once, input left out.
    pub peak_bytes: f64,
    /// Between two bodies at a collision, in units of the smaller radius.
    pub smallest_gap: Option<f64>,
    /// Fingerprint of all collisions up to where every structure has come.
    pub digest: Option<u64>,
    /// Collisions in a window.
    pub window: u64,
    /// Timed windows.
    pub rounds: usize,
}

impl Row {
    /// A measured structure; its ratio is set by [`set_ratios`].
    pub fn new(case: &Case, label: Label, best: &Best) -> Self {
        let per_collision = |count: u64| count as f64 / best.work.collisions as f64;
        let per_body = |bytes: usize| bytes as f64 / case.bodies as f64;
        let account = best.at_window.account;
        let triangulation = best.work.triangulation;
        Row {
            system: case.system.name().to_string(),
            bodies: case.bodies,
            structure: label.structure.to_string(),
            taken: account.map_or(label.structure, |account| account.taken).to_string(),
            kind: label.kind,
            collisions_per_second: best.window as f64 / best.elapsed.as_secs_f64(),
            ratio_to_auto: f64::NAN,
            pair_tests: per_collision(best.work.pair_tests),
            changes: per_collision(best.work.changes),
            fresh_neighbors: per_collision(best.work.fresh_neighbors),
            stale: per_collision(best.work.stale),
            flips: triangulation.map(|work| per_collision(work.flips)),
            certificates_bounded: triangulation.map(|work| per_collision(work.bounded)),
            certificates_solved: triangulation.map(|work| per_collision(work.solved)),
            told_bytes: account.map(|account| per_body(account.bytes)),
            held_bytes: per_body(best.memory.held),
            peak_bytes: per_body(best.memory.peak),
            smallest_gap: account.map(|account| account.smallest_gap),
            digest: best.at_short_window.account.map(|account| account.digest),
            window: best.window,
            rounds: best.rounds,
        }
    }

    /// Whether this is carom's own choice.
    pub fn is_auto(&self) -> bool {
        self.structure == "auto" && self.kind == Kind::Own
    }

    /// Whether two rows are of one case.
    pub fn same_case(&self, other: &Row) -> bool {
        (&self.system, self.bodies) == (&other.system, other.bodies)
    }
}

/// Divides the rate of carom's own choice by those of the others in its case.
pub fn set_ratios(rows: &mut [Row]) {
    let auto = rows.iter().find(|row| row.is_auto()).map(|row| row.collisions_per_second);
    for row in rows {
        row.ratio_to_auto = auto.map_or(f64::NAN, |rate| rate / row.collisions_per_second);
    }
}

/// The cases of a table in their order, each as its rows.
pub fn cases(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut cases: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match cases.iter_mut().find(|case| case.iter().all(|other| other.same_case(row))) {
            Some(case) => case.push(row),
            None => cases.push(vec![row]),
        }
    }
    cases
}

impl Record for Row {
    const COLUMNS: &'static str = "system,bodies,structure,taken,kind,collisions_per_second,\
        ratio_to_auto,pair_tests,changes,fresh_neighbors,stale,flips,certificates_bounded,\
        certificates_solved,told_bytes,held_bytes,peak_bytes,smallest_gap,digest,window,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[
            system,
            bodies,
            structure,
            taken,
            kind,
            rate,
            ratio,
            pair_tests,
            changes,
            fresh,
            stale,
            flips,
            bounded,
            solved,
            report,
            held,
            peak,
            gap,
            digest,
            window,
            rounds,
        ] = &fields[..]
        else {
            return Err(format!("{} fields; a row has 21", fields.len()));
        };
        Ok(Row {
            system: system.to_string(),
            bodies: number(bodies, "bodies")?,
            structure: structure.to_string(),
            taken: taken.to_string(),
            kind: Kind::parse(kind)?,
            collisions_per_second: number(rate, "collisions_per_second")?,
            ratio_to_auto: number(ratio, "ratio_to_auto")?,
            pair_tests: number(pair_tests, "pair_tests")?,
            changes: number(changes, "changes")?,
            fresh_neighbors: number(fresh, "fresh_neighbors")?,
            stale: number(stale, "stale")?,
            flips: optional_number(flips, "flips")?,
            certificates_bounded: optional_number(bounded, "certificates_bounded")?,
            certificates_solved: optional_number(solved, "certificates_solved")?,
            told_bytes: optional_number(report, "told_bytes")?,
            held_bytes: number(held, "held_bytes")?,
            peak_bytes: number(peak, "peak_bytes")?,
            smallest_gap: optional_number(gap, "smallest_gap")?,
            digest: parse_digest(digest)?,
            window: number(window, "window")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        let three_digits =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.3}"));
        format!(
            "{},{},{},{},{},{:.0},{:.3},{:.3},{:.3},{:.3},{:.3},{},{},{},{},{:.1},{:.1},{},{},{},{}",
            self.system,
            self.bodies,
            self.structure,
            self.taken,
            self.kind.name(),
            self.collisions_per_second,
            self.ratio_to_auto,
            self.pair_tests,
            self.changes,
            self.fresh_neighbors,
            self.stale,
            three_digits(self.flips),
            three_digits(self.certificates_bounded),
            three_digits(self.certificates_solved),
            self.told_bytes.map_or(String::new(), |bytes| format!("{bytes:.1}")),
            self.held_bytes,
            self.peak_bytes,
            self.smallest_gap.map_or(String::new(), |gap| format!("{gap:.3e}")),
            self.digest.map_or(String::new(), |digest| format!("{digest:016x}")),
            self.window,
            self.rounds
        )
    }
}

fn parse_digest(text: &str) -> Result<Option<u64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let digest = u64::from_str_radix(text, 16);
    digest.map(Some).map_err(|_| format!("digest is \"{text}\"; it must be 16 hexadecimal digits"))
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let structure = match self.structure == self.taken {
            true => self.structure.clone(),
            false => format!("{} ({})", self.structure, self.taken),
        };
        write!(
            formatter,
            "{:<11} {:>7} {:<17} {:>7.4} million/s {:>7.2}x  per collision: {:>7.1} tests \
             {:>6.3} changes {:>7.2} fresh {:>6.3} stale  per body: {:>5.0} bytes ({:.0} peak)",
            self.system,
            self.bodies,
            structure,
            self.collisions_per_second / 1e6,
            self.ratio_to_auto,
            self.pair_tests,
            self.changes,
            self.fresh_neighbors,
            self.stale,
            self.held_bytes,
            self.peak_bytes
        )?;
        if let Some(gap) = self.smallest_gap {
            write!(formatter, "  gap {gap:.1e}")?;
        }
        let certificates = self.certificates_bounded.zip(self.certificates_solved);
        match self.flips.zip(certificates) {
            Some((flips, (bounded, solved))) => write!(
                formatter,
                "  per collision: {flips:.2} flips {bounded:.1} certificates bounded {solved:.2} solved"
            ),
            None => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(system: &str, bodies: usize, structure: &str, million_per_second: f64) -> Row {
    let own = structure != "textbook";
    let triangulation = structure == "laguerre-delaunay";
    Row {
        system: system.to_string(),
        bodies,
        structure: structure.to_string(),
        taken: if structure == "auto" { "neighbor-lists" } else { structure }.to_string(),
        kind: if own { Kind::Own } else { Kind::Baseline },
        collisions_per_second: million_per_second * 1e6,
        ratio_to_auto: f64::NAN,
        pair_tests: 25.5,
        changes: 0.125,
        fresh_neighbors: 1.5,
        stale: 0.25,
        flips: triangulation.then_some(0.75),
        certificates_bounded: triangulation.then_some(160.5),
        certificates_solved: triangulation.then_some(4.25),
        told_bytes: own.then_some(180.0),
        held_bytes: 200.0,
        peak_bytes: 300.0,
        smallest_gap: own.then_some(-2e-16),
        digest: own.then_some(0x1234),
        window: 1_000_000,
        rounds: 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            made_up("mono-0.3", 4000, "auto", 1.0),
            made_up("mono-0.3", 4000, "cell-grid", 0.8),
            made_up("mono-0.3", 4000, "textbook", 0.25),
            made_up("mono-0.3", 4000, "laguerre-delaunay", 0.1),
        ];
        set_ratios(&mut rows);
        rows
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        let table = Table { origin: "carom-bench events; a machine".into(), rows: rows() };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn ratios_are_times_over_that_of_auto() {
        let ratios: Vec<f64> = rows().iter().map(|row| row.ratio_to_auto).collect();
        assert_eq!(ratios, [1.0, 1.25, 4.0, 10.0]);
    }

    #[test]
    fn cases_keep_their_order() {
        let mut rows = rows();
        rows.push(made_up("mono-0.3", 100_000, "auto", 1.0));
        rows.push(made_up("mono-0.3", 4000, "neighbor-lists", 1.0));
        let counts: Vec<usize> = cases(&rows).iter().map(Vec::len).collect();
        assert_eq!(counts, [5, 1]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let row = rows()[0].fields();
        let said = |row: &str| {
            let text = format!("# origin\n{}\n{row}\n", Row::COLUMNS);
            Table::<Row>::parse(&text).unwrap_err().to_string()
        };
        assert_eq!(said("mono-0.3,4000"), "line 3: 2 fields; a row has 21");
        assert_eq!(
            said(&row.replace("0000000000001234", "xyz")),
            "line 3: digest is \"xyz\"; it must be 16 hexadecimal digits"
        );
        assert_eq!(
            said(&row.replace("4000", "many")),
            "line 3: bodies is \"many\"; it must be a number"
        );
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        assert_eq!(
            rows()[0].to_string(),
            "mono-0.3       4000 auto (shells)      1.0000 million/s    1.00x  per collision:    \
             25.5 tests  0.125 changes    1.50 fresh  0.250 stale  per body:   200 bytes \
             (300 peak)  gap -2.0e-16"
        );
        assert!(rows()[3].to_string().ends_with(
            "gap -2.0e-16  per collision: 0.75 flips 160.5 certificates bounded 4.25 solved"
        ));
    }
}
