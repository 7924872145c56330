//! What was measured of points inside of meshes: one row per contender and case.

use super::contender::CELLS;
use super::race::{Best, Label, Memory, Timing};
use super::workload::Case;
use crate::results::Kind;
use crate::table::{Record, number, optional_number};
use std::fmt;

/// One contender on one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the mesh.
    pub workload: String,
    /// How many it has.
    pub triangles: usize,
    /// How many were asked for.
    pub points: usize,
    /// Their order.
    pub order: String,
    /// Threads the contender could use.
    pub threads: usize,
    /// Time of the processor, or the clock on the wall.
    pub clock: String,
    /// carom's method or a library.
    pub contender: String,
    /// Whose it is.
    pub kind: Kind,
    /// Best time to prepare.
    pub build_ms: f64,
    /// Best time to answer, per point.
    pub query_ns: f64,
    /// Both for all points.
    pub total_ms: f64,
    /// Total over that of carom's cells on one thread.
    pub ratio_to_carom: f64,
    /// Time to answer over that of carom's cells on one thread.
    pub query_ratio: f64,
    /// Points inside.
    pub inside: usize,
    /// Points reported to be on the surface.
    pub on_surface: usize,
    /// Points for which carom's cells say otherwise.
    pub differences: usize,
    /// Bytes held per triangle, with the copy of the mesh.
    pub held_bytes: Option<f64>,
    /// The most bytes at once while preparing, per triangle.
    pub peak_bytes: Option<f64>,
    /// Timed rounds.
    pub rounds: usize,
}

impl Row {
    /// A measured contender; its ratios are set by [`set_ratios`].
    pub fn new(case: &Case, triangles: usize, label: &Label, best: &Best) -> Self {
        let points = case.side.pow(3);
        let [build, query] = [best.run.build, best.run.query].map(|time| time.as_secs_f64());
        let (threads, clock) = match label.timing {
            Timing::Processor => (1, "processor"),
            Timing::Wall(threads) => (threads, "wall"),
        };
        let memory = |bytes: fn(&Memory) -> usize| {
            best.run.memory.map(|memory| bytes(&memory) as f64 / triangles as f64)
        };
        Row {
            workload: case.workload.name().into(),
            triangles,
            points,
            order: case.order.name().into(),
            threads,
            clock: clock.into(),
            contender: label.name.into(),
            kind: label.kind,
            build_ms: build * 1e3,
            query_ns: query * 1e9 / points as f64,
            total_ms: (build + query) * 1e3,
            ratio_to_carom: f64::NAN,
            query_ratio: f64::NAN,
            inside: best.tally.inside,
            on_surface: best.tally.on_surface,
            differences: best.tally.differences,
            held_bytes: memory(|memory| memory.held),
            peak_bytes: memory(|memory| memory.peak),
            rounds: best.rounds,
        }
    }

    /// Whether it is about the same mesh and points, by the same clock.
    pub fn is_of_case(&self, other: &Row) -> bool {
        let key =
            |row: &Row| (row.workload.clone(), row.points, row.order.clone(), row.clock.clone());
        key(self) == key(other)
    }
}

/// Divides the times of one case by those of carom's cells on one thread.
pub fn set_ratios(rows: &mut [Row]) {
    let own = rows.iter().find(|row| row.contender == CELLS && row.threads == 1);
    let (total, query) = own.map_or((f64::NAN, f64::NAN), |own| (own.total_ms, own.query_ns));
    for row in rows {
        row.ratio_to_carom = row.total_ms / total;
        row.query_ratio = row.query_ns / query;
    }
}

impl Record for Row {
    const COLUMNS: &'static str = "workload,triangles,points,order,threads,clock,contender,kind,\
        build_ms,query_ns,total_ms,ratio_to_carom,query_ratio,inside,on_surface,differences,\
        held_bytes,peak_bytes,rounds";

    fn parse(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(',').collect();
        let [
            workload,
            triangles,
            points,
            order,
            threads,
            clock,
            contender,
            kind,
            build,
            query,
            total,
            ratio,
            query_ratio,
            inside,
            surface,
            differences,
            held,
            peak,
            rounds,
        ] = fields[..]
        else {
            return Err(format!("{} fields; a row has 19", fields.len()));
        };
        Ok(Row {
            workload: workload.into(),
            triangles: number(triangles, "triangles")?,
            points: number(points, "points")?,
            order: order.into(),
            threads: number(threads, "threads")?,
            clock: clock.into(),
            contender: contender.into(),
            kind: Kind::parse(kind)?,
            build_ms: number(build, "build_ms")?,
            query_ns: number(query, "query_ns")?,
            total_ms: number(total, "total_ms")?,
            ratio_to_carom: number(ratio, "ratio_to_carom")?,
            query_ratio: number(query_ratio, "query_ratio")?,
            inside: number(inside, "inside")?,
            on_surface: number(surface, "on_surface")?,
            differences: number(differences, "differences")?,
            held_bytes: optional_number(held, "held_bytes")?,
            peak_bytes: optional_number(peak, "peak_bytes")?,
            rounds: number(rounds, "rounds")?,
        })
    }

    fn fields(&self) -> String {
        let optional = |bytes: Option<f64>| bytes.map_or(String::new(), |one| format!("{one:.1}"));
        let Row { workload, triangles, points, order, threads, clock, contender, .. } = self;
        format!(
            "{workload},{triangles},{points},{order},{threads},{clock},{contender},{},{:.3},{:.2},\
             {:.3},{:.3},{:.3},{},{},{},{},{},{}",
            self.kind.name(),
            self.build_ms,
            self.query_ns,
            self.total_ms,
            self.ratio_to_carom,
            self.query_ratio,
            self.inside,
            self.on_surface,
            self.differences,
            optional(self.held_bytes),
            optional(self.peak_bytes),
            self.rounds
        )
    }
}

/// One line for people.
impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:<13} {:>6} points, {:<8} {:<18} {:>8.2} ms and {:>9.1} ns per point: {:>9.2} ms \
             {:>7.2}x (answers {:.2}x)  {} inside",
            self.workload,
            self.points,
            self.order,
            self.contender,
            self.build_ms,
            self.query_ns,
            self.total_ms,
            self.ratio_to_carom,
            self.query_ratio,
            self.inside
        )?;
        if self.on_surface > 0 {
            write!(formatter, ", {} on the surface", self.on_surface)?;
        }
        if self.differences > 0 {
            write!(formatter, ", {} differ", self.differences)?;
        }
        if let Some(bytes) = self.held_bytes {
            write!(formatter, ", {bytes:.0} bytes per triangle")?;
        }
        match self.clock.as_str() {
            "wall" => write!(formatter, ", {} threads by the wall clock", self.threads),
            _ => Ok(()),
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub fn made_up(
    workload: &str,
    points: usize,
    contender: &str,
    build_ms: f64,
    query_ns: f64,
) -> Row {
    let own = contender.starts_with("carom");
    Row {
        workload: workload.into(),
        triangles: 1000,
        points,
        order: "grid".into(),
        threads: 1,
        clock: "processor".into(),
        contender: contender.into(),
        kind: if own { Kind::Own } else { Kind::Peer },
        build_ms,
        query_ns,
        total_ms: build_ms + query_ns * points as f64 / 1e6,
        ratio_to_carom: f64::NAN,
        query_ratio: f64::NAN,
        inside: points / 2,
        on_surface: 0,
        differences: 0,
        held_bytes: own.then_some(100.0),
        peak_bytes: own.then_some(120.0),
        rounds: 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn rows() -> Vec<Row> {
        let mut rows = vec![
            made_up("foam-29k", 512_000, CELLS, 16.0, 31.25),
            made_up("foam-29k", 512_000, "CGAL", 32.0, 1000.0),
        ];
        rows[1].differences = 2;
        set_ratios(&mut rows);
        rows
    }

    #[test]
    fn a_table_survives_writing_and_reading() {
        let rows = rows();
        assert_eq!((rows[1].ratio_to_carom, rows[1].query_ratio), (17.0, 32.0));
        let table = Table { origin: "carom-bench inside; a machine".into(), rows };
        assert_eq!(Table::parse(&table.to_string()).unwrap(), table);
    }

    #[test]
    fn a_row_is_one_aligned_line() {
        let lines = rows().iter().map(Row::to_string).collect::<Vec<_>>();
        assert_eq!(
            lines,
            [
                "foam-29k      512000 points, grid     carom-cells           16.00 ms and      31.2 ns \
                 per point:     32.00 ms    1.00x (answers 1.00x)  256000 inside, 100 bytes per triangle",
                "foam-29k      512000 points, grid     CGAL                  32.00 ms and    1000.0 ns \
                 per point:    544.00 ms   17.00x (answers 32.00x)  256000 inside, 2 differ"
            ]
        );
    }
}
