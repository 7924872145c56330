//! What was measured of triangulations: one row per contender and case.

use super::race::Run;
use super::workload::Case;
use crate::results::Kind;
use crate::table::{Record, number, optional_number};
use std::fmt;

/// One contender on one case. Times and memory are per point.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the workload.
    pub workload: String,
    /// Number of points or spheres.
    pub count: usize,
    /// carom or a library.
    pub contender: String,
    /// Whose it is.
    pub kind: Kind,
    /// Time of the processor in the best run.
    pub ns_per_point: f64,
    /// Time over that of carom.
    pub ratio_to_carom: f64,
    /// Triangles or tetrahedra.
    pub simplices: usize,
    /// Points that are not hidden.
    pub vertices: usize,
    /// Bytes that the triangulation holds.
    pub held_bytes: f64,
    /// The most bytes in use at once, input left out.
    pub peak_bytes: Option<f64>,
    /// Timed rounds.
    pub rounds: usize,
}

impl Row {
    /// A measured contender; its ratio is set by [`set_ratios`].
    pub fn new(case: &Case, contender: &str, kind: Kind, best: &Run) -> Self {
        let per_point = |bytes: usize| bytes as f64 / case.count as f64;
        Row {
            workload: case.workload.name().to_string(),
            count: case.count,
            contender: contender.to_string(),
            kind,
            ns_per_point: best.elapsed.as_secs_f64() * 1e9 / case.count as f64,
            ratio_to_carom: f64::NAN,
            simplices: best.size.simplices,
            vertices: best.size.vertices,
            held_bytes: per_point(best.held),
            peak_bytes: best.peak.map(per_point),
            rounds: case.rounds,
        }
    }
}

/// Divides the times of one case by that of carom.
pub fn set_ratios(rows: &mut [Row]) {
    let own = rows.iter().find(|row| row.kind == Kind::Own).map(|row| row.ns_per_point);
    for row in rows {
        row.ratio_to_carom = own.map_or(f64::NAN, |own| row.ns_per_point / own);
    }
}

/// The row of a contender, if it is there.
pub fn find<'a>(rows: &'a [Row], workload: &str, count: usize, contender: &str) -> Option<&'a Row> {
    rows.iter().find(|row| {
        (row.workload.as_str(), row.count, row.contender.as_str()) == (workload, count, contender)
    })
}

impl Record for Row {
    const COLUMNS: &'static str = "workload,count,contender,kind,ns_per_point,ratio_to_carom,\
        simplices,vertices,held_bytes,peak_bytes,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[workload, count, contender, kind, ns, ratio, simplices, vertices, held, peak, rounds] =
            &fields[..]
        else {
            return Err(format!("{} fields; a row has 11", fields.len()));
        };
        Ok(Row {
            workload: workload.to_string(),
            count: number(count, "count")?,
            contender: contender.to_string(),
            kind: Kind::parse(kind)?,
            ns_per_point: number(ns, "ns_per_point")?,
            ratio_to_carom: number(ratio, "ratio_to_carom")?,
            simplices: number(simplices, "simplices")?,
            vertices: number(vertices, "vertices")?,
            held_bytes: number(held, "held_bytes")?,
            peak_bytes: optional_number(peak, "peak_bytes")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        format!(
            "{},{},{},{},{:.1},{:.3},{},{},{:.1},{},{}",
            self.workload,
            self.count,
            self.contender,
            self.kind.name(),
            self.ns_per_point,
            self.ratio_to_carom,
            self.simplices,
            self.vertices,
            self.held_bytes,
            self.peak_bytes.map_or(String::new(), |bytes| format!("{bytes:.1}")),
            self.rounds
        )
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:<10} {:>7} {:<6} {:>8.1} ns per point {:>6.2}x  {} simplices, {} visible  per point: \
             {:.0} bytes",
            self.workload,
            self.count,
            self.contender,
            self.ns_per_point,
            self.ratio_to_carom,
            self.simplices,
            self.vertices,
            self.held_bytes
        )?;
        match self.peak_bytes {
            Some(peak) => write!(formatter, " ({peak:.0} peak)"),
            None => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(workload: &str, count: usize, contender: &str, ns_per_point: f64) -> Row {
    let own = contender == "carom";
    Row {
        workload: workload.to_string(),
        count,
        contender: contender.to_string(),
        kind: if own { Kind::Own } else { Kind::Peer },
        ns_per_point,
        ratio_to_carom: f64::NAN,
        simplices: 6 * count,
        vertices: count,
        held_bytes: 310.0,
        peak_bytes: own.then_some(400.0),
        rounds: 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn a_table_survives_writing_and_reading() {
        let mut rows = vec![
            made_up("points-3d", 1000, "carom", 4000.0),
            made_up("points-3d", 1000, "CGAL", 5000.0),
        ];
        set_ratios(&mut rows);
        assert_eq!(rows[1].ratio_to_carom, 1.25);
        let table = Table { origin: "carom-bench triangulate; a machine".into(), rows };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        let mut rows = [made_up("points-3d", 1000, "carom", 4000.0)];
        set_ratios(&mut rows);
        assert_eq!(
            rows[0].to_string(),
            "points-3d     1000 carom    4000.0 ns per point   1.00x  6000 simplices, 1000 visible  \
             per point: 310 bytes (400 peak)"
        );
    }
}
