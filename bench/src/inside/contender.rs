//! carom and parry, who answer in this process.

use super::workload::Field;
use crate::error::Error;
use crate::memory::{Mark, Memory};
use crate::race::{Contender, Run, named};
use crate::timing::TimedPool;
use carom::detect::inside::{
    Containment, DoubleLayer, FillRule, InsideTest, Multipole, MultipoleAccuracy, MultipoleOptions,
    OctreeDepth, RayCrossing, WindingCells,
};
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::{Aabb, Vector};
use carom_papers::clock::Clock;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use std::time::Duration;

/// The largest error that expansions may make, which is kept for certain ...
const ERROR: f64 = 1e-3;
/// ... by clusters that are farther off than usual.
const SEPARATION: f64 = 2.0;

/// Which answers a contender promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Never a wrong one, and points on the surface are reported to be there.
    Exact,
    /// Right ones but for rounding; it may call points on the surface inside or outside.
    Rounded,
}

/// Returns where points are, by carom's cells.
pub fn truth(mesh: &TriangleMesh, points: &[Vector<3>]) -> Vec<Containment> {
    WindingCells::new(mesh.clone(), FillRule::EvenOdd, points.len()).classify_all(points)
}

/// Answers for all points.
pub struct Answers<'a> {
    /// The time from the mesh in the contender's own form to the first answer.
    pub build: Duration,
    /// The time for all points.
    pub query: Duration,
    /// Bytes when prepared, with the copy of the mesh.
    pub memory: Option<Memory>,
    /// Of the mesh.
    pub triangles: usize,
    /// The answers.
    pub found: &'a [Containment],
    /// Where the points are.
    pub truth: &'a [Containment],
    /// What may be expected.
    pub promise: Promise,
}

impl Answers<'_> {
    /// Returns the run, with wrong answers counted; an error if an exact contender gave some.
    pub fn run(&self, contender: &str) -> Result<Run, Error> {
        let all = self.truth.len();
        let wrong = if self.found.len() == all { self.wrong() } else { all };
        if wrong > 0 && (self.promise == Promise::Exact || wrong == all) {
            let (contender, largest) = (contender.into(), 1.0);
            return Err(Error::WrongAnswers { contender, wrong, all, largest });
        }
        let count = |side| self.found.iter().filter(|&&found| found == side).count() as f64;
        let [build, query] = [self.build, self.query].map(|time| time.as_secs_f64());
        Ok(Run::new(self.build + self.query)
            .compared("time", (build + query) * 1e3, "ms")
            .with("time to prepare", build * 1e3, "ms")
            .compared("time per point", query * 1e9 / all as f64, "ns")
            .with("triangles", self.triangles as f64, "")
            .with("points inside", count(Containment::Inside), "")
            .with("points on the surface", count(Containment::Surface), "")
            .with("wrong answers", wrong as f64, "")
            .memory(self.memory, self.triangles, "B/triangle"))
    }

    fn wrong(&self) -> usize {
        let is_wrong = |&(found, truth): &(&Containment, &Containment)| {
            let may_round = self.promise == Promise::Rounded && *truth == Containment::Surface;
            found != truth && !may_round
        };
        self.found.iter().zip(self.truth).filter(is_wrong).count()
    }
}

/// One of carom's methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Cells that carry their answer.
    Cells,
    /// Rays through a tree.
    Ray,
    /// The double layer by expansions.
    Multipole,
    /// The double layer by a sum over all triangles.
    DoubleLayer,
}

impl Method {
    /// All of them, with the smallest field that each takes part in.
    pub const ALL: [(Method, Field); 4] = [
        (Method::Cells, Field::Fast),
        (Method::Ray, Field::Fast),
        (Method::Multipole, Field::Expansions),
        (Method::DoubleLayer, Field::Everyone),
    ];

    fn prepare(
        self,
        mesh: TriangleMesh,
        points: &[Vector<3>],
    ) -> Result<Box<dyn InsideTest + Send + Sync>, Error> {
        let rule = FillRule::EvenOdd;
        Ok(match self {
            Method::Cells => Box::new(WindingCells::new(mesh, rule, points.len())),
            Method::Ray => Box::new(RayCrossing::new(&mesh, rule)),
            Method::Multipole => {
                let options = MultipoleOptions {
                    accuracy: MultipoleAccuracy::Error(ERROR),
                    depth: OctreeDepth::TrianglesAndPoints(points.len()),
                    domain: Some(points.iter().fold(Aabb::empty(), Aabb::including)),
                    separation: SEPARATION,
                };
                Box::new(Multipole::new(&mesh, rule, &options)?)
            }
            Method::DoubleLayer => Box::new(DoubleLayer::new(&mesh, rule)),
        })
    }
}

/// carom.
pub struct Carom<'a> {
    /// Which of its methods.
    pub method: Method,
    /// The mesh.
    pub mesh: &'a TriangleMesh,
    /// The points that are asked for.
    pub points: &'a [Vector<3>],
    /// Where they are.
    pub truth: &'a [Containment],
    /// The threads and the clock.
    pub pool: &'a TimedPool,
}

impl Contender for Carom<'_> {
    fn name(&self) -> String {
        self.pool.name(match self.method {
            Method::Cells => "carom",
            Method::Ray => "carom ray",
            Method::Multipole => "carom multipole",
            Method::DoubleLayer => "carom double-layer",
        })
    }

    fn run(&mut self) -> Result<Run, Error> {
        let mark = Mark::set();
        let mesh = self.mesh.clone();
        let (method, points) = (self.method, self.points);
        let (prepared, build) = self.pool.timed(|| method.prepare(mesh, points));
        let prepared = prepared?;
        let memory = Some(mark.taken());
        let (found, query) = self.pool.timed(|| prepared.classify_all(points));
        let promise = match self.method {
            Method::Cells | Method::Ray => Promise::Exact,
            Method::Multipole | Method::DoubleLayer => Promise::Rounded,
        };
        let triangles = self.mesh.triangles().len();
        let (found, truth) = (&found[..], self.truth);
        Answers { build, query, memory, triangles, found, truth, promise }.run(&self.name())
    }
}

/// parry3d-f64: the closest point of a mesh and the normal there.
pub fn parry<'a>(
    mesh: &TriangleMesh,
    points: &[Vector<3>],
    truth: &'a [Containment],
) -> Box<dyn Contender + 'a> {
    const NAME: &str = "parry3d-f64";
    let in_parry = |point: &Vector<3>| ParryVector::new(point.x, point.y, point.z);
    let vertices: Vec<ParryVector> = mesh.vertices().iter().map(in_parry).collect();
    let corners = mesh.triangles().to_vec();
    let points: Vec<ParryVector> = points.iter().map(in_parry).collect();
    named(NAME, move || {
        let mark = Mark::set();
        let (vertices, corners) = (vertices.clone(), corners.clone());
        let triangles = corners.len();
        let clock = Clock::start();
        let mesh = TriMesh::with_flags(vertices, corners, TriMeshFlags::ORIENTED)
            .map_err(|error| Error::Peer { name: NAME, problem: error.to_string() })?;
        let build = clock.elapsed();
        let memory = Some(mark.taken());
        let clock = Clock::start();
        let side = |&point: &ParryVector| match mesh.contains_local_point(point) {
            true => Containment::Inside,
            false => Containment::Outside,
        };
        let found: Vec<Containment> = points.iter().map(side).collect();
        let (query, promise) = (clock.elapsed(), Promise::Rounded);
        Answers { build, query, memory, triangles, found: &found, truth, promise }.run(NAME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Containment::{Inside, Outside, Surface};

    #[test]
    fn an_exact_one_must_agree_and_another_is_counted() {
        let run = |promise, found: &[Containment]| {
            let (build, query) = (Duration::from_secs(1), Duration::from_secs(2));
            let truth = &[Inside, Outside, Surface];
            Answers { build, query, memory: None, triangles: 8, found, truth, promise }.run("peer")
        };
        let never_surface = [Inside, Inside, Inside];
        let counted = run(Promise::Rounded, &never_surface).unwrap();
        let number = |name| counted.number(name).unwrap();
        let counts = ["points inside", "points on the surface", "wrong answers"].map(number);
        assert_eq!((counts, number("time")), ([3.0, 0.0, 1.0], 3e3));
        let error = run(Promise::Exact, &never_surface).unwrap_err().to_string();
        assert!(error.starts_with("peer gives 2 wrong answers of 3"), "{error}");
        assert!(run(Promise::Rounded, &never_surface[1..]).is_err());
    }
}
