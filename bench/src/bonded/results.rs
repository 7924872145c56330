//! What was measured of springs: one row per contender and case.

use super::contender::Seen;
use super::workload::Case;
use crate::dem::contender::CAROM;
use crate::dem::race::{Best, Label, Timing};
use crate::results::Kind;
use crate::table::{Record, number, optional_number};
use std::fmt;

/// One contender on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was stepped.
    pub workload: String,
    /// Number of particles.
    pub particles: usize,
    /// Springs that hold, each counted once.
    pub springs: u64,
    /// Threads the contender could use.
    pub threads: usize,
    /// Time of the processor, or the clock on the wall.
    pub clock: String,
    /// carom, a part of it, or another program.
    pub contender: String,
    /// Whose it is.
    pub kind: Kind,
    /// Steps of a window.
    pub steps: u64,
    /// Millions of springs times steps per second, in the best window.
    pub rate: f64,
    /// Energy of motion per particle after the first window.
    pub kinetic: f64,
    /// Rate over that of carom on one thread.
    pub ratio_to_carom: f64,
    /// Bytes per particle.
    pub bytes: Option<f64>,
    /// Particles stepped over all, where not all are.
    pub stepped: Option<f64>,
    /// Timed windows.
    pub rounds: usize,
}

impl Row {
    /// A measured contender; its ratio is set by [`set_ratios`].
    pub fn new(case: &Case, particles: usize, label: &Label, best: &Best<Seen>) -> Self {
        let (threads, clock) = match label.timing {
            Timing::Processor => (1, "processor"),
            Timing::Wall(threads) => (threads, "wall"),
        };
        let Seen { springs, kinetic, bytes, stepped } = best.run.seen;
        let updates = (springs * case.window) as f64;
        Row {
            workload: case.workload.name().into(),
            particles,
            springs,
            threads,
            clock: clock.into(),
            contender: label.name.into(),
            kind: label.kind,
            steps: case.window,
            rate: updates / best.run.elapsed.as_secs_f64() * 1e-6,
            kinetic,
            ratio_to_carom: f64::NAN,
            bytes,
            stepped,
            rounds: best.rounds,
        }
    }

    /// Whether it is about the same particles, by the same clock.
    pub fn is_of_case(&self, other: &Row) -> bool {
        (&self.workload, self.particles, &self.clock)
            == (&other.workload, other.particles, &other.clock)
    }

    /// Whether it is carom's, all of it, by the time of the processor.
    pub fn is_own(&self) -> bool {
        self.contender == CAROM && self.clock == "processor"
    }
}

/// Divides the rates of one case by that of carom on one thread.
pub fn set_ratios(rows: &mut [Row]) {
    let own = rows.iter().find(|row| row.contender == CAROM && row.threads == 1);
    let rate = own.map_or(f64::NAN, |own| own.rate);
    rows.iter_mut().for_each(|row| row.ratio_to_carom = row.rate / rate);
}

impl Record for Row {
    const COLUMNS: &'static str = "workload,particles,springs,threads,clock,contender,kind,steps,\
        million_spring_updates_per_second,kinetic_per_particle,ratio_to_carom,bytes_per_particle,\
        stepped_part,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[workload, particles, springs, threads, clock, contender, kind, ref measured @ ..] =
            &fields[..]
        else {
            return Err(format!("{} fields; a row has 14", fields.len()));
        };
        let &[steps, rate, kinetic, ratio, bytes, stepped, rounds] = measured else {
            return Err(format!("{} fields; a row has 14", fields.len()));
        };
        Ok(Row {
            workload: workload.into(),
            particles: number(particles, "particles")?,
            springs: number(springs, "springs")?,
            threads: number(threads, "threads")?,
            clock: clock.into(),
            contender: contender.into(),
            kind: Kind::parse(kind)?,
            steps: number(steps, "steps")?,
            rate: number(rate, "million_spring_updates_per_second")?,
            kinetic: number(kinetic, "kinetic_per_particle")?,
            ratio_to_carom: number(ratio, "ratio_to_carom")?,
            bytes: optional_number(bytes, "bytes_per_particle")?,
            stepped: optional_number(stepped, "stepped_part")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        let Row { workload, particles, springs, threads, clock, contender, steps, .. } = self;
        format!(
            "{workload},{particles},{springs},{threads},{clock},{contender},{},{steps},{:.2},{:.5e},{:.3},\
             {},{},{}",
            self.kind.name(),
            self.rate,
            self.kinetic,
            self.ratio_to_carom,
            self.bytes.map_or(String::new(), |bytes| format!("{bytes:.1}")),
            self.stepped.map_or(String::new(), |stepped| format!("{stepped:.3}")),
            self.rounds
        )
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:<8} {:>8} particles {:<19} {:>7.1} million springs per second {:>5.2}x  kinetic energy \
             {:.4e} per particle",
            self.workload,
            self.particles,
            self.contender,
            self.rate,
            self.ratio_to_carom,
            self.kinetic
        )?;
        if let Some(bytes) = self.bytes {
            write!(formatter, ", {bytes:.0} bytes")?;
        }
        if let Some(stepped) = self.stepped {
            write!(formatter, ", {stepped:.2} of all stepped")?;
        }
        match self.clock.as_str() {
            "wall" => write!(formatter, ", {} threads by the wall clock", self.threads),
            _ => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(workload: &str, particles: usize, contender: &str, rate: f64) -> Row {
    let own = contender.starts_with(CAROM);
    Row {
        workload: workload.into(),
        particles,
        springs: 2 * particles as u64,
        threads: 1,
        clock: "processor".into(),
        contender: contender.into(),
        kind: if own { Kind::Own } else { Kind::Peer },
        steps: 100,
        rate,
        kinetic: 4.25e-7,
        ratio_to_carom: f64::NAN,
        bytes: own.then_some(80.0),
        stepped: None,
        rounds: 5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::peers::LAMMPS;
    use super::*;
    use crate::table::Table;

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            made_up("square-4", 99_856, CAROM, 600.0),
            made_up("square-4", 99_856, LAMMPS, 60.0),
        ];
        set_ratios(&mut rows);
        rows
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        let rows = rows();
        assert_eq!([rows[0].ratio_to_carom, rows[1].ratio_to_carom], [1.0, 0.1]);
        let table = Table { origin: "carom-bench deform; a machine".into(), rows };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        assert_eq!(
            rows()[0].to_string(),
            "square-4    99856 particles carom                 600.0 million springs per second  1.00x  \
             kinetic energy 4.2500e-7 per particle, 80 bytes"
        );
    }
}
