//! `carom inside`.

use crate::arguments::{Common, Inside};
use crate::failure::{Failure, print, say, to_stdout};
use crate::figures::{counted, readable};
use crate::input::{self, Output};
use crate::numbers;
use crate::pose::pose;
use carom::detect::inside::{Method, Prepared, Rule, Side, SurfaceTree};
use carom::geometry::mesh::{Survey, TriangleMesh};
use carom::geometry::{Aabb, Vector};
use carom::scene::files;
use rayon::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};

pub fn run(options: &Inside, common: &Common) -> Result<(), Failure> {
    let outputs = [Output { option: "--out", file: options.out.as_deref(), only_a_file: None }];
    input::check_outputs(&options.points, &outputs)?;
    input::check_outputs(&options.mesh.display().to_string(), &outputs)?;
    let method = Method::named(&options.method).ok_or_else(|| {
        numbers::unknown("--method", &options.method, Method::ALL.map(Method::name))
    })?;
    let rule = Rule::named(&options.rule)
        .ok_or_else(|| numbers::unknown("--rule", &options.rule, Rule::ALL.map(Rule::name)))?;
    if options.pose.is_some() && options.points.starts_with("grid:") {
        let sentence = "--pose means nothing to grid:, whose points are in the box around the mesh";
        return Err(Failure::input(sentence));
    }
    let pose = pose("--pose", options.pose.as_deref())?;
    let reading = Instant::now();
    let name = options.mesh.display().to_string();
    let of_mesh = |error: &dyn std::fmt::Display| Failure::input(format!("{name}: {error}"));
    let polygons = files::read_mesh(&options.mesh)?;
    let surface = TriangleMesh::from_polygons(&polygons).map_err(|error| of_mesh(&error))?;
    let points: Vec<Vector<3>> = match options.points.strip_prefix("grid:") {
        Some(count) => grid(&surface.bounds(), count)?,
        None => {
            let points = files::read_points(Path::new(&options.points))?;
            points.iter().map(|point| pose.unapply(point)).collect()
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
    let tree = options.distance.then(|| SurfaceTree::new(&surface));
    let Prepared { test, method } =
        method.prepare(surface, &survey, rule, points.len()).map_err(|error| of_mesh(&error))?;
    let preparing = preparing.elapsed();
    let asking = Instant::now();
    let sides = test.sides(&points);
    let distances = tree.map(|tree| distances(&tree, &points, &sides));
    let report = Report {
        triangles,
        method,
        rule,
        counts: [Side::Inside, Side::Surface, Side::Outside]
            .map(|side| sides.iter().filter(|found| **found == side).count()),
        times: [reading, preparing, asking.elapsed()],
        bytes: test.bytes(),
    };
    write(options, &sides, distances.as_deref())?;
    report.tell(options, common)
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

/// So many points along an axis at most.
const FINEST: usize = 500;

/// Points from corner to corner of a box, the last axis the fastest.
fn grid(bounds: &Aabb<3>, count: &str) -> Result<Vec<Vector<3>>, Failure> {
    let what = "the number of points along an axis";
    let wrong = |shown: &dyn std::fmt::Display, rule: &str| {
        Failure::input(format!("{what} is {shown}; it must be {rule}from 2 to {FINEST}"))
    };
    let per_axis =
        numbers::count(what, count).map_err(|_| wrong(&format!("{count:?}"), "a whole number "))?;
    if !(2..=FINEST).contains(&per_axis) {
        return Err(wrong(&per_axis, ""));
    }
    let last = (per_axis - 1) as f64;
    let at = |k: usize, axis: usize| {
        let part = k as f64 / last;
        bounds.low[axis] * (1.0 - part) + bounds.high[axis] * part
    };
    let mut points = Vec::with_capacity(per_axis.pow(3));
    for x in 0..per_axis {
        for y in 0..per_axis {
            points.extend((0..per_axis).map(|z| Vector::from([at(x, 0), at(y, 1), at(z, 2)])));
        }
    }
    Ok(points)
}

/// How far points are from the surface, negative inside.
fn distances(tree: &SurfaceTree, points: &[Vector<3>], sides: &[Side]) -> Vec<f64> {
    let distance = |(point, side): (&Vector<3>, &Side)| side.signed(tree.nearest(point).distance);
    points.par_iter().zip(sides).map(distance).collect()
}

fn write(options: &Inside, sides: &[Side], distances: Option<&[f64]>) -> Result<(), Failure> {
    match options.out.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => {
            Ok(files::write_whole(file, |out| files::write_sides(out, sides, distances))?)
        }
        None => to_stdout(|out| files::write_sides(out, sides, distances)),
    }
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
