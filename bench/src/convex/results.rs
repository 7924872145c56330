//! What was measured of distances: one row per contender and case.

use super::race::Best;
use super::steps::Steps;
use super::workload::Case;
use crate::results::Kind;
use crate::table::{Record, number, optional_number};
use std::fmt;

/// One contender on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the motion.
    pub workload: String,
    /// How the corners of the body lie.
    pub shape: String,
    /// How many triangles it has.
    pub faces: usize,
    /// carom, with memory or not, or a library.
    pub contender: String,
    /// Whose it is.
    pub kind: Kind,
    /// Time of the processor in the best run.
    pub ns_per_query: f64,
    /// Time over that of carom with memory.
    pub ratio_to_carom: f64,
    /// The largest difference of a distance from the true one.
    pub difference: f64,
    /// Distances that differ by more than 1e-9.
    pub wrong: usize,
    /// Steps of a query, where they are known.
    pub steps: Option<Steps>,
    /// Timed queries.
    pub queries: usize,
    /// Timed rounds.
    pub rounds: usize,
}

impl Row {
    /// A measured contender; its ratio is set by [`set_ratios`].
    pub fn new(
        case: &Case,
        contender: &str,
        kind: Kind,
        best: &Best,
        steps: Option<Steps>,
    ) -> Self {
        Row {
            workload: case.workload.name().to_string(),
            shape: case.shape().to_string(),
            faces: case.faces,
            contender: contender.to_string(),
            kind,
            ns_per_query: best.elapsed.as_secs_f64() * 1e9 / case.timed as f64,
            ratio_to_carom: f64::NAN,
            difference: best.difference,
            wrong: best.wrong,
            steps,
            queries: case.timed,
            rounds: case.rounds,
        }
    }
}

/// Divides the times of one case by that of carom with memory.
pub fn set_ratios(rows: &mut [Row]) {
    let own = rows.iter().find(|row| row.kind == Kind::Own).map(|row| row.ns_per_query);
    for row in rows {
        row.ratio_to_carom = own.map_or(f64::NAN, |own| row.ns_per_query / own);
    }
}

impl Record for Row {
    const COLUMNS: &'static str = "workload,shape,faces,contender,kind,ns_per_query,ratio_to_carom,\
        difference,wrong,mean_steps,steps_1,steps_2,steps_3,steps_4,steps_5_up,queries,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[
            workload,
            shape,
            faces,
            contender,
            kind,
            ns,
            ratio,
            difference,
            wrong,
            mean,
            ref histogram @ ..,
            queries,
            rounds,
        ] = &fields[..]
        else {
            return Err(format!("{} fields; a row has 17", fields.len()));
        };
        Ok(Row {
            workload: workload.to_string(),
            shape: shape.to_string(),
            faces: number(faces, "faces")?,
            contender: contender.to_string(),
            kind: Kind::parse(kind)?,
            ns_per_query: number(ns, "ns_per_query")?,
            ratio_to_carom: number(ratio, "ratio_to_carom")?,
            difference: number(difference, "difference")?,
            wrong: number(wrong, "wrong")?,
            steps: parse_steps(mean, histogram)?,
            queries: number(queries, "queries")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        let steps = self.steps.map_or_else(
            || ",".repeat(5),
            |Steps { mean, histogram }| {
                format!("{mean:.4},{}", histogram.map(|n| n.to_string()).join(","))
            },
        );
        format!(
            "{},{},{},{},{},{:.1},{:.3},{:.1e},{},{steps},{},{}",
            self.workload,
            self.shape,
            self.faces,
            self.contender,
            self.kind.name(),
            self.ns_per_query,
            self.ratio_to_carom,
            self.difference,
            self.wrong,
            self.queries,
            self.rounds
        )
    }
}

fn parse_steps(mean: &str, histogram: &[&str]) -> Result<Option<Steps>, String> {
    let &[one, two, three, four, more] = histogram else {
        return Err(format!("{} columns of steps; a row has 5", histogram.len()));
    };
    let Some(mean) = optional_number(mean, "mean_steps")? else { return Ok(None) };
    let mut numbers = [0; 5];
    for (value, text) in numbers.iter_mut().zip([one, two, three, four, more]) {
        *value = number(text, "steps")?;
    }
    Ok(Some(Steps { mean, histogram: numbers }))
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:<12} {:<9} {:>3} faces {:<17} {:>8.1} ns per query {:>7.2}x  differs by {:.0e}",
            self.workload,
            self.shape,
            self.faces,
            self.contender,
            self.ns_per_query,
            self.ratio_to_carom,
            self.difference
        )?;
        if self.wrong > 0 {
            write!(formatter, " ({} wrong)", self.wrong)?;
        }
        match self.steps {
            Some(Steps { mean, histogram: [one, two, three, four, more] }) => write!(
                formatter,
                "  {mean:.2} steps (1: {one}, 2: {two}, 3: {three}, 4: {four}, 5+: {more})"
            ),
            None => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(case: &Case, contender: &str, kind: Kind, ns_per_query: f64) -> Row {
    let best = Best { elapsed: std::time::Duration::ZERO, difference: 0.0, wrong: 0 };
    let steps = Steps { mean: 1.5, histogram: [60, 30, 10, 0, 0] };
    let steps = (kind != Kind::Peer).then_some(steps);
    Row { ns_per_query, ..Row::new(case, contender, kind, &best, steps) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::workload;
    use crate::table::Table;

    fn rows() -> Vec<Row> {
        let case = workload::full()[0];
        let mut rows = vec![
            made_up(&case, "carom", Kind::Own, 100.0),
            made_up(&case, "parry3d-f64", Kind::Peer, 500.0),
        ];
        set_ratios(&mut rows);
        rows
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        assert_eq!(rows()[1].ratio_to_carom, 5.0);
        let table = Table { origin: "carom-bench convex; a machine".into(), rows: rows() };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        assert_eq!(
            rows()[0].to_string(),
            "half-degree  even        4 faces carom                100.0 ns per query    1.00x  \
             differs by 0e0  1.50 steps (1: 60, 2: 30, 3: 10, 4: 0, 5+: 0)"
        );
    }
}
