//! What was measured of moving boxes: one row per contender and case.

use super::race::Run;
use super::workload::Case;
use crate::results::Kind;
use crate::table::{Record, number};
use std::fmt;

/// One contender on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of boxes.
    pub count: usize,
    /// Step over mean radius.
    pub step: f64,
    /// carom or a library.
    pub contender: String,
    /// Whose it is.
    pub kind: Kind,
    /// Time of the processor in the best step.
    pub ms_per_step: f64,
    /// Time over that of the faster carom.
    pub ratio_to_carom: f64,
    /// Overlapping pairs in the end.
    pub pairs: usize,
    /// Exchanges in the last step; none where there is no list, or it was sorted anew.
    pub exchanges: Option<u64>,
    /// Bytes held per box.
    pub held_bytes: Option<f64>,
    /// Timed steps.
    pub steps: usize,
}

impl Row {
    /// A measured contender; its ratio is set by [`set_ratios`].
    pub fn new(case: &Case, contender: &str, kind: Kind, run: &Run) -> Self {
        Row {
            count: case.count,
            step: case.step,
            contender: contender.to_string(),
            kind,
            ms_per_step: run.elapsed.as_secs_f64() * 1e3,
            ratio_to_carom: f64::NAN,
            pairs: run.pairs,
            exchanges: run.exchanges,
            held_bytes: run.memory.map(|bytes| bytes as f64 / case.count as f64),
            steps: case.steps,
        }
    }
}

/// Divides the times of one case by that of the faster carom.
pub fn set_ratios(rows: &mut [Row]) {
    let own = rows.iter().filter(|row| row.kind == Kind::Own).map(|row| row.ms_per_step);
    let best = own.fold(f64::NAN, f64::min);
    rows.iter_mut().for_each(|row| row.ratio_to_carom = row.ms_per_step / best);
}

/// The row of a contender, if it is there.
pub fn find<'a>(rows: &'a [Row], count: usize, step: f64, contender: &str) -> Option<&'a Row> {
    rows.iter()
        .find(|row| (row.count, row.step, row.contender.as_str()) == (count, step, contender))
}

impl Record for Row {
    const COLUMNS: &'static str = "count,step,contender,kind,ms_per_step,ratio_to_carom,pairs,\
        exchanges,held_bytes,steps";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[count, step, contender, kind, ms, ratio, pairs, exchanges, held, steps] = &fields[..]
        else {
            return Err(format!("{} fields; a row has 10", fields.len()));
        };
        let given = |text: &str| !text.is_empty();
        Ok(Row {
            count: number(count, "count")?,
            step: number(step, "step")?,
            contender: contender.to_string(),
            kind: Kind::parse(kind)?,
            ms_per_step: number(ms, "ms_per_step")?,
            ratio_to_carom: number(ratio, "ratio_to_carom")?,
            pairs: number(pairs, "pairs")?,
            exchanges: given(exchanges).then(|| number(exchanges, "exchanges")).transpose()?,
            held_bytes: given(held).then(|| number(held, "held_bytes")).transpose()?,
            steps: number(steps, "steps")?,
        })
    }

    fn fields(&self) -> String {
        format!(
            "{},{},{},{},{:.3},{:.3},{},{},{},{}",
            self.count,
            self.step,
            self.contender,
            self.kind.name(),
            self.ms_per_step,
            self.ratio_to_carom,
            self.pairs,
            self.exchanges.map_or(String::new(), |count| count.to_string()),
            self.held_bytes.map_or(String::new(), |bytes| format!("{bytes:.1}")),
            self.steps
        )
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:>6} boxes, steps of {:<5} {:<13} {:>8.2} ms per step {:>6.2}x  {} pairs",
            self.count,
            self.step,
            self.contender,
            self.ms_per_step,
            self.ratio_to_carom,
            self.pairs
        )?;
        if let Some(exchanges) = self.exchanges {
            write!(formatter, ", {exchanges} exchanges")?;
        }
        match self.held_bytes {
            Some(bytes) => write!(formatter, ", {bytes:.0} bytes per box"),
            None => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(count: usize, step: f64, contender: &str, ms_per_step: f64) -> Row {
    let own = contender.starts_with("carom");
    Row {
        count,
        step,
        contender: contender.to_string(),
        kind: if own { Kind::Own } else { Kind::Peer },
        ms_per_step,
        ratio_to_carom: f64::NAN,
        pairs: 2 * count,
        exchanges: own.then_some(3 * count as u64),
        held_bytes: own.then_some(200.0),
        steps: 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn a_table_survives_writing_and_reading() {
        let mut rows = vec![
            made_up(1000, 0.01, "carom-one", 2.0),
            made_up(1000, 0.01, "carom-buckets", 4.0),
            made_up(1000, 0.01, "parry3d-f64", 5.0),
        ];
        set_ratios(&mut rows);
        assert_eq!(rows[2].ratio_to_carom, 2.5);
        let table = Table { origin: "carom-bench boxes; a machine".into(), rows };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        let mut rows = [made_up(1000, 0.01, "carom-one", 2.0)];
        set_ratios(&mut rows);
        assert_eq!(
            rows[0].to_string(),
            "  1000 boxes, steps of 0.01  carom-one         2.00 ms per step   1.00x  2000 pairs, \
             3000 exchanges, 200 bytes per box"
        );
    }
}
