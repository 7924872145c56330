//! `carom inside`.

use crate::arguments::{Common, Inside};
use crate::failure::{Failure, print, say, to_stdout};
use crate::figures::{counted, readable};
use crate::input::{self, Output};
use crate::numbers;
use crate::points::{self, Points};
use crate::pose::pose;
use carom::detect::inside::{InsideTest, Method, Prepared, Rule, Side, SurfaceTree};
use carom::geometry::Vector;
use carom::geometry::mesh::{Survey, TriangleMesh};
use carom::scene::files::{self, SidesColumns, SidesWriter};
use carom::scene::memory;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

pub fn run(options: &Inside, common: &Common) -> Result<(), Failure> {
    let outputs = [Output { option: "--out", file: options.out.as_deref(), only_a_file: None }];
    input::check_outputs(&options.points, &outputs)?;
    input::check_outputs(&options.mesh, &outputs)?;
    let grid = options.points.to_str().and_then(|text| text.strip_prefix("grid:"));
    let method = Method::named(&options.method).ok_or_else(|| {
        numbers::unknown("--method", &options.method, Method::ALL.map(Method::name))
    })?;
    let rule = Rule::named(&options.rule)
        .ok_or_else(|| numbers::unknown("--rule", &options.rule, Rule::ALL.map(Rule::name)))?;
    if options.pose.is_some() && grid.is_some() {
        let sentence = "--pose means nothing to grid:, whose points are in the box around the mesh";
        return Err(Failure::input(sentence));
    }
    let pose = pose("--pose", options.pose.as_deref())?;
    let reading = Instant::now();
    let name = options.mesh.display().to_string();
    let of_mesh = |error: &dyn std::fmt::Display| Failure::input(format!("{name}: {error}"));
    let polygons = files::read_mesh(&options.mesh)?;
    let surface = TriangleMesh::from_polygons(&polygons).map_err(|error| of_mesh(&error))?;
    let points = match grid {
        Some(count) => Points::grid(surface.bounds(), count)?,
        None => {
            let mut points = files::read_points(&options.points)?;
            points.iter_mut().for_each(|point| *point = pose.unapply(point));
            Points::Listed(points)
        }
    };
    let reading = reading.elapsed();
    let preparing = Instant::now();
    let survey = Survey::of(&polygons);
    drop(polygons);
    if rule == Rule::Parity && survey.repeated.count > 0 {
        common.tell(format!("{name}: {}", note_of_repeated(&survey)));
    }
    let triangles = surface.triangles().len();
    let asked = format!("{} points and {triangles} triangles", points.len());
    memory::check(asked, memory_for(triangles, points.len()))?;
    let tree = options.distance.then(|| SurfaceTree::new(&surface));
    let Prepared { test, method } =
        method.prepare(surface, &survey, rule, points.len()).map_err(|error| of_mesh(&error))?;
    let preparing = preparing.elapsed();
    let mut asked =
        Asked { test: &*test, tree, points: &points, counts: [0; 3], time: Duration::ZERO };
    match options.out.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => files::write_whole(file, |out| asked.write(out))?,
        None => to_stdout(|out| asked.write(out))?,
    }
    let Asked { counts, time: asking, .. } = asked;
    let times = [reading, preparing, asking];
    let report = Report { triangles, method, rule, counts, times, bytes: test.bytes() };
    report.tell(options, common)
}

/// Measured: 200 bytes for a triangle, 40 for a point of a block.
fn memory_for(triangles: usize, points: usize) -> f64 {
    200.0 * triangles as f64 + 40.0 * points.min(points::AT_ONCE) as f64
}

/// Faces that are there more than once, and the rule to take if it gives the mesh an inside.
fn note_of_repeated(survey: &Survey) -> String {
    let faces = match survey.repeated.count {
        1 => "1 face is there".to_owned(),
        many => format!("{many} faces are there"),
    };
    let advice = match (survey.odd.count, survey.unbalanced.count) {
        (0, 0) => "; --rule nonzero counts them once",
        _ => "",
    };
    format!("{faces} more than once, which by parity is as if not there{advice}")
}

/// Points whose sides are asked for and written, some after the other.
struct Asked<'a> {
    test: &'a dyn InsideTest,
    tree: Option<SurfaceTree>,
    points: &'a Points,
    /// Points inside, on the surface, outside.
    counts: [usize; 3],
    /// Of asking, without writing.
    time: Duration,
}

impl Asked<'_> {
    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // Points of a file are known to who wrote it.
        let points = matches!(self.points, Points::Grid { .. });
        let columns = SidesColumns { points, distances: self.tree.is_some() };
        let mut writer = SidesWriter::new(out, columns)?;
        for points in self.points.blocks() {
            let asking = Instant::now();
            let sides = self.test.sides(&points);
            let distances = self.tree.as_ref().map(|tree| distances(tree, &points, &sides));
            self.time += asking.elapsed();
            for (count, side) in
                self.counts.iter_mut().zip([Side::Inside, Side::Surface, Side::Outside])
            {
                *count += sides.iter().filter(|found| **found == side).count();
            }
            writer.write(&sides, &points, distances.as_deref().unwrap_or_default())?;
        }
        writer.finish()
    }
}

/// How far points are from the surface, negative inside.
fn distances(tree: &SurfaceTree, points: &[Vector<3>], sides: &[Side]) -> Vec<f64> {
    let distance = |(point, side): (&Vector<3>, &Side)| side.signed(tree.nearest(point).distance);
    points.par_iter().zip(sides).map(distance).collect()
}

/// What there is to tell.
struct Report {
    triangles: usize,
    method: Method,
    rule: Rule,
    /// Points inside, on the surface, outside.
    counts: [usize; 3],
    /// Of reading, preparing, asking.
    times: [Duration; 3],
    bytes: usize,
}

impl Report {
    fn tell(&self, options: &Inside, common: &Common) -> Result<(), Failure> {
        let to_file = options.out.as_deref().is_some_and(|file| file != Path::new("-"));
        match (options.json, to_file) {
            (true, true) => print(&format!("{}\n", self.json())),
            (true, false) => {
                say(self.json().to_string());
                Ok(())
            }
            (false, _) if common.quiet && !options.stats => Ok(()),
            (false, true) => print(&self.text(options.stats)),
            (false, false) if options.stats => {
                say(self.text(true).trim_end());
                Ok(())
            }
            (false, false) => Ok(()),
        }
    }

    fn points(&self) -> usize {
        self.counts.iter().sum()
    }

    fn text(&self, stats: bool) -> String {
        let [inside, surface, outside] = self.counts;
        let mut text = format!(
            "{inside} of {} inside, {surface} on the surface, {outside} outside\n",
            counted(self.points(), "point")
        );
        if stats {
            let [reading, preparing, asking] = self.times;
            let per_point = asking.as_secs_f64() * 1e9 / self.points().max(1) as f64;
            text += &format!(
                "  method        {} by {}, {}\n  reading       {}\n  preparing     {}\n  \
                 asking        {}, {per_point:.0} ns a point\n  memory        {:.1} MB\n",
                self.method.name(),
                self.rule.name(),
                counted(self.triangles, "triangle"),
                readable(reading),
                readable(preparing),
                readable(asking),
                self.bytes as f64 / 1e6
            );
        }
        text
    }

    fn json(&self) -> serde_json::Value {
        let [inside, surface, outside] = self.counts;
        let [reading, preparing, asking] = self.times.map(|time| time.as_secs_f64());
        serde_json::json!({
            "triangles": self.triangles,
            "points": self.points(),
            "inside": inside,
            "surface": surface,
            "outside": outside,
            "method": self.method.name(),
            "rule": self.rule.name(),
            "seconds_reading": reading,
            "seconds_preparing": preparing,
            "seconds_asking": asking,
            "bytes": self.bytes,
        })
    }
}
