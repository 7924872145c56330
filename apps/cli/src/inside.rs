//! `carom inside`.

use crate::arguments::{CommonArguments, InsideArguments};
use crate::failure::{CommandFailure, print, print_stderr, to_stdout};
use crate::input::{self, OutputOption};
use crate::number_text::milliseconds_text;
use crate::numbers;
use crate::pose::pose;
use crate::query_points::{self, QueryPoints};
use carom::detect::inside::{
    Containment, ContainmentMethod, FillRule, InsideTest, PreparedSurface, TriangleBvh,
};
use carom::geometry::Vector;
use carom::geometry::mesh::{MeshTopology, TriangleMesh};
use carom::io::{ContainmentCsvColumns, ContainmentCsvWriter, count_with_noun, memory};
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

pub fn run(options: &InsideArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let outputs =
        [OutputOption { option: "--out", file: options.out.as_deref(), only_a_file: None }];
    input::check_outputs(&options.points, &outputs)?;
    input::check_outputs(&options.mesh, &outputs)?;
    let grid = options.points.to_str().and_then(|text| text.strip_prefix("grid:"));
    let method = ContainmentMethod::from_name(&options.method).ok_or_else(|| {
        numbers::unknown(
            "--method",
            &options.method,
            ContainmentMethod::ALL.map(ContainmentMethod::name),
        )
    })?;
    let rule = FillRule::from_name(&options.rule).ok_or_else(|| {
        numbers::unknown("--rule", &options.rule, FillRule::ALL.map(FillRule::name))
    })?;
    if options.pose.is_some() && grid.is_some() {
        let sentence =
            "--pose does not apply to grid:, whose points are in the box around the mesh";
        return Err(CommandFailure::input(sentence));
    }
    let pose = pose("--pose", options.pose.as_deref())?;
    let reading = Instant::now();
    let name = options.mesh.display().to_string();
    let of_mesh = |error: &dyn std::fmt::Display| CommandFailure::input(format!("{name}: {error}"));
    let polygons = carom::io::read_mesh(&options.mesh)?;
    let surface = TriangleMesh::from_polygons(&polygons).map_err(|error| of_mesh(&error))?;
    let points = match grid {
        Some(count) => QueryPoints::grid(surface.bounds(), count)?,
        None => {
            let mut points = carom::io::read_points(&options.points)?;
            points.iter_mut().for_each(|point| *point = pose.inverse_transform_point(point));
            QueryPoints::Listed(points)
        }
    };
    let reading = reading.elapsed();
    let preparing = Instant::now();
    let topology = MeshTopology::of(&polygons);
    drop(polygons);
    if rule == FillRule::EvenOdd && topology.duplicate_faces.count > 0 {
        common.report(format!("{name}: {}", repeated_faces_note(&topology)));
    }
    let triangles = surface.triangles().len();
    let asked = format!("{} points and {triangles} triangles", points.len());
    memory::check(asked, memory_for(triangles, points.len()))?;
    let tree = options.distance.then(|| TriangleBvh::new(&surface));
    let PreparedSurface { test, method } =
        method.prepare(surface, &topology, rule, points.len()).map_err(|error| of_mesh(&error))?;
    let preparing = preparing.elapsed();
    let mut asked = ContainmentWriter {
        test: &*test,
        triangle_bvh: tree,
        points: &points,
        counts: ContainmentCounts::default(),
        query_time: Duration::ZERO,
    };
    match options.out.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => carom::io::write_atomically(file, |out| asked.write(out))?,
        None => to_stdout(|out| asked.write(out))?,
    }
    let ContainmentWriter { counts, query_time: asking, .. } = asked;
    let times = InsideTimes { reading, preparing, asking };
    let report = InsideReport { triangles, method, rule, counts, times, bytes: test.bytes() };
    report.print_report(options, common)
}

/// Estimated memory; measured: 200 bytes per triangle, 40 per point of a block.
fn memory_for(triangles: usize, points: usize) -> f64 {
    200.0 * triangles as f64 + 40.0 * points.min(query_points::POINTS_PER_BLOCK) as f64
}

/// A note on duplicate faces, and the rule to take if it gives the mesh an inside.
fn repeated_faces_note(topology: &MeshTopology) -> String {
    let faces = match topology.duplicate_faces.count {
        1 => "1 face is there".to_owned(),
        many => format!("{many} faces are there"),
    };
    let advice = match (topology.odd_edges.count, topology.unbalanced_edges.count) {
        (0, 0) => "; --rule nonzero counts them once",
        _ => "",
    };
    format!("{faces} more than once, which cancels them by even-odd{advice}")
}

/// Numbers of points by their containment.
#[derive(Clone, Copy, Default)]
struct ContainmentCounts {
    inside: usize,
    surface: usize,
    outside: usize,
}

impl ContainmentCounts {
    fn add(&mut self, sides: &[Containment]) {
        for side in sides {
            match side {
                Containment::Inside => self.inside += 1,
                Containment::Surface => self.surface += 1,
                Containment::Outside => self.outside += 1,
            }
        }
    }
}

/// How long the parts of the command took.
#[derive(Clone, Copy)]
struct InsideTimes {
    reading: Duration,
    preparing: Duration,
    asking: Duration,
}

/// Classifies points and writes the results block by block.
struct ContainmentWriter<'a> {
    test: &'a dyn InsideTest,
    triangle_bvh: Option<TriangleBvh>,
    points: &'a QueryPoints,
    counts: ContainmentCounts,
    /// Time of the queries, without writing.
    query_time: Duration,
}

impl ContainmentWriter<'_> {
    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // Positions are written for a grid only; those of a file are known.
        let points = matches!(self.points, QueryPoints::Grid { .. });
        let columns = ContainmentCsvColumns { points, distances: self.triangle_bvh.is_some() };
        let mut writer = ContainmentCsvWriter::new(out, columns)?;
        for points in self.points.blocks() {
            let asking = Instant::now();
            let sides = self.test.classify_all(&points);
            let distances = self.triangle_bvh.as_ref().map(|tree| distances(tree, &points, &sides));
            self.query_time += asking.elapsed();
            self.counts.add(&sides);
            writer.write(&sides, &points, distances.as_deref().unwrap_or_default())?;
        }
        writer.finish()
    }
}

/// Distances of points from the surface, negative inside.
fn distances(tree: &TriangleBvh, points: &[Vector<3>], sides: &[Containment]) -> Vec<f64> {
    let distance = |(point, side): (&Vector<3>, &Containment)| {
        side.signed_distance(tree.closest_point(point).distance)
    };
    points.par_iter().zip(sides).map(distance).collect()
}

/// Report of the queries.
struct InsideReport {
    triangles: usize,
    method: ContainmentMethod,
    rule: FillRule,
    counts: ContainmentCounts,
    times: InsideTimes,
    bytes: usize,
}

impl InsideReport {
    fn print_report(
        &self,
        options: &InsideArguments,
        common: &CommonArguments,
    ) -> Result<(), CommandFailure> {
        let to_file = options.out.as_deref().is_some_and(|file| file != Path::new("-"));
        match (options.json, to_file) {
            (true, true) => print(&format!("{}\n", self.json())),
            (true, false) => {
                print_stderr(self.json().to_string());
                Ok(())
            }
            (false, _) if common.quiet && !options.stats => Ok(()),
            (false, true) => print(&self.text(options.stats)),
            (false, false) if options.stats => {
                print_stderr(self.text(true).trim_end());
                Ok(())
            }
            (false, false) => Ok(()),
        }
    }

    fn points(&self) -> usize {
        self.counts.inside + self.counts.surface + self.counts.outside
    }

    fn text(&self, stats: bool) -> String {
        let ContainmentCounts { inside, surface, outside } = self.counts;
        let mut text = format!(
            "{inside} of {} inside, {surface} on the surface, {outside} outside\n",
            count_with_noun(self.points(), "point")
        );
        if stats {
            let InsideTimes { reading, preparing, asking } = self.times;
            let per_point = asking.as_secs_f64() * 1e9 / self.points().max(1) as f64;
            text += &format!(
                "  method        {} by {}, {}\n  reading       {}\n  preparing     {}\n  \
                 asking        {}, {per_point:.0} ns a point\n  memory        {:.1} MB\n",
                self.method.name(),
                self.rule.name(),
                count_with_noun(self.triangles, "triangle"),
                milliseconds_text(reading),
                milliseconds_text(preparing),
                milliseconds_text(asking),
                self.bytes as f64 / 1e6
            );
        }
        text
    }

    fn json(&self) -> serde_json::Value {
        let ContainmentCounts { inside, surface, outside } = self.counts;
        let InsideTimes { reading, preparing, asking } = self.times;
        serde_json::json!({
            "triangles": self.triangles,
            "points": self.points(),
            "inside": inside,
            "surface": surface,
            "outside": outside,
            "method": self.method.name(),
            "rule": self.rule.name(),
            "seconds_reading": reading.as_secs_f64(),
            "seconds_preparing": preparing.as_secs_f64(),
            "seconds_asking": asking.as_secs_f64(),
            "bytes": self.bytes,
        })
    }
}
