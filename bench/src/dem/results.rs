//! What was measured of beds in steps of time: one row per contender and case.

use super::contender::CAROM;
use super::race::{Best, Label, Memory, Timing};
use super::workload::Case;
use crate::results::Kind;
use crate::table::{Record, number, optional_number};
use std::fmt;

/// One contender on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the bed and the law.
    pub workload: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Threads the contender could use.
    pub threads: usize,
    /// Time of the processor, or the clock on the wall.
    pub clock: String,
    /// carom or another program.
    pub contender: String,
    /// Whose it is.
    pub kind: Kind,
    /// Steps of a window.
    pub steps: u64,
    /// Millions of bodies times steps per second, in the best window.
    pub rate: f64,
    /// Time for a contact and a step.
    pub ns_per_contact: f64,
    /// Contacts between bodies, per body, after the first window.
    pub contacts: f64,
    /// Energy of motion per body after the first window.
    pub kinetic: f64,
    /// How far a body moved at most in the first window, where it is known.
    pub moved: Option<f64>,
    /// Rate over that of carom on one thread.
    pub ratio_to_carom: f64,
    /// Bytes held per body.
    pub held_bytes: Option<f64>,
    /// The most bytes at once per body.
    pub peak_bytes: Option<f64>,
    /// Timed windows.
    pub rounds: usize,
}

impl Row {
    /// A measured contender; its ratio is set by [`set_ratios`].
    pub fn new(case: &Case, bodies: usize, label: &Label, best: &Best) -> Self {
        let (threads, clock) = match label.timing {
            Timing::Processor => (1, "processor"),
            Timing::Wall(threads) => (threads, "wall"),
        };
        let count = bodies as f64;
        let per_step = best.run.elapsed.as_secs_f64() / case.window as f64;
        let memory = |bytes: fn(&Memory) -> usize| {
            best.run.memory.map(|memory| bytes(&memory) as f64 / count)
        };
        Row {
            workload: case.workload.name().into(),
            bodies,
            threads,
            clock: clock.into(),
            contender: label.name.into(),
            kind: label.kind,
            steps: case.window,
            rate: count / per_step * 1e-6,
            ns_per_contact: per_step / best.run.seen.contacts * 1e9,
            contacts: best.run.seen.contacts / count,
            kinetic: best.run.seen.kinetic / count,
            moved: best.run.seen.moved,
            ratio_to_carom: f64::NAN,
            held_bytes: memory(|memory| memory.held),
            peak_bytes: memory(|memory| memory.peak),
            rounds: best.rounds,
        }
    }

    /// Whether it is about the same bed and law, by the same clock.
    pub fn is_of_case(&self, other: &Row) -> bool {
        let key = |row: &Row| (row.workload.clone(), row.bodies, row.clock.clone());
        key(self) == key(other)
    }
}

/// Divides the rates of one case by that of carom on one thread.
pub fn set_ratios(rows: &mut [Row]) {
    let own = rows.iter().find(|row| row.contender == CAROM && row.threads == 1);
    let rate = own.map_or(f64::NAN, |own| own.rate);
    rows.iter_mut().for_each(|row| row.ratio_to_carom = row.rate / rate);
}

impl Record for Row {
    const COLUMNS: &'static str = "workload,bodies,threads,clock,contender,kind,steps,\
        million_body_steps_per_second,ns_per_contact,contacts_per_body,kinetic_per_body,\
        largest_displacement,ratio_to_carom,held_bytes,peak_bytes,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let [
            workload,
            bodies,
            threads,
            clock,
            contender,
            kind,
            steps,
            rate,
            contact,
            contacts,
            kinetic,
            moved,
            ratio,
            held,
            peak,
            rounds,
        ] = fields[..]
        else {
            return Err(format!("{} fields; a row has 16", fields.len()));
        };
        Ok(Row {
            workload: workload.into(),
            bodies: number(bodies, "bodies")?,
            threads: number(threads, "threads")?,
            clock: clock.into(),
            contender: contender.into(),
            kind: Kind::parse(kind)?,
            steps: number(steps, "steps")?,
            rate: number(rate, "million_body_steps_per_second")?,
            ns_per_contact: number(contact, "ns_per_contact")?,
            contacts: number(contacts, "contacts_per_body")?,
            kinetic: number(kinetic, "kinetic_per_body")?,
            moved: optional_number(moved, "largest_displacement")?,
            ratio_to_carom: number(ratio, "ratio_to_carom")?,
            held_bytes: optional_number(held, "held_bytes")?,
            peak_bytes: optional_number(peak, "peak_bytes")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        let optional = |bytes: Option<f64>| bytes.map_or(String::new(), |one| format!("{one:.1}"));
        let Row { workload, bodies, threads, clock, contender, steps, rounds, .. } = self;
        format!(
            "{workload},{bodies},{threads},{clock},{contender},{},{steps},{:.3},{:.2},{:.4},{:.4e},\
             {},{:.3},{},{},{rounds}",
            self.kind.name(),
            self.rate,
            self.ns_per_contact,
            self.contacts,
            self.kinetic,
            self.moved.map_or(String::new(), |moved| format!("{moved:.1e}")),
            self.ratio_to_carom,
            optional(self.held_bytes),
            optional(self.peak_bytes)
        )
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:<13} {:>6} bodies {:<9} {:>6.2} million body steps per second {:>5.2}x, {:>5.1} ns per \
             contact  {:.3} contacts and kinetic energy {:.2e} per body",
            self.workload,
            self.bodies,
            self.contender,
            self.rate,
            self.ratio_to_carom,
            self.ns_per_contact,
            self.contacts,
            self.kinetic
        )?;
        if let Some((held, peak)) = self.held_bytes.zip(self.peak_bytes) {
            write!(formatter, ", {held:.0} bytes, at most {peak:.0}")?;
        }
        match self.clock.as_str() {
            "wall" => write!(formatter, ", {} threads by the wall clock", self.threads),
            _ => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(workload: &str, bodies: usize, contender: &str, rate: f64) -> Row {
    let own = contender == CAROM;
    Row {
        workload: workload.into(),
        bodies,
        threads: 1,
        clock: "processor".into(),
        contender: contender.into(),
        kind: if own { Kind::Own } else { Kind::Peer },
        steps: 100,
        rate,
        ns_per_contact: 500.0 / rate,
        contacts: 2.0,
        kinetic: 6.25e-5,
        moved: own.then_some(1e-5),
        ratio_to_carom: f64::NAN,
        held_bytes: own.then_some(300.0),
        peak_bytes: own.then_some(350.0),
        rounds: 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn rows() -> Vec<Row> {
        let mut rows =
            vec![made_up("linear", 10_240, CAROM, 10.0), made_up("linear", 10_240, "LAMMPS", 5.0)];
        set_ratios(&mut rows);
        rows
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        let rows = rows();
        assert_eq!([rows[0].ratio_to_carom, rows[1].ratio_to_carom], [1.0, 0.5]);
        let table = Table { origin: "carom-bench steps; a machine".into(), rows };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        assert_eq!(
            rows()[0].to_string(),
            "linear         10240 bodies carom      10.00 million body steps per second  1.00x,  50.0 \
             ns per contact  2.000 contacts and kinetic energy 6.25e-5 per body, 300 bytes, at most 350"
        );
    }
}
