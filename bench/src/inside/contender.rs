//! carom and parry, who answer in this process.

use super::workload::Field;
use crate::convex::contender::in_parry;
use crate::error::Error;
use crate::memory::{Mark, Memory};
use crate::race::{Contender, Run};
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

/// One of carom's methods: its name, the smallest field that it takes part in, and what it promises.
pub struct Method {
    /// The name in the results.
    pub name: &'static str,
    /// The smallest field that it takes part in.
    pub field: Field,
    promise: Promise,
    prepare: fn(TriangleMesh, &[Vector<3>]) -> Result<Box<dyn InsideTest + Send + Sync>, Error>,
}

const RULE: FillRule = FillRule::EvenOdd;

/// All of them, cells that carry their answer first.
pub const METHODS: [Method; 4] = [
    Method {
        name: "carom",
        field: Field::Fast,
        promise: Promise::Exact,
        prepare: |mesh, points| Ok(Box::new(WindingCells::new(mesh, RULE, points.len()))),
    },
    Method {
        name: "carom ray",
        field: Field::Fast,
        promise: Promise::Exact,
        prepare: |mesh, _| Ok(Box::new(RayCrossing::new(&mesh, RULE))),
    },
    Method {
        name: "carom multipole",
        field: Field::Expansions,
        promise: Promise::Rounded,
        prepare: |mesh, points| {
            let options = MultipoleOptions {
                accuracy: MultipoleAccuracy::Error(ERROR),
                depth: OctreeDepth::TrianglesAndPoints(points.len()),
                domain: Some(points.iter().fold(Aabb::empty(), Aabb::including)),
                separation: SEPARATION,
            };
            Ok(Box::new(Multipole::new(&mesh, RULE, &options)?))
        },
    },
    Method {
        name: "carom double-layer",
        field: Field::Everyone,
        promise: Promise::Rounded,
        prepare: |mesh, _| Ok(Box::new(DoubleLayer::new(&mesh, RULE))),
    },
];

/// carom on these threads.
pub fn carom<'a>(
    method: &'static Method,
    mesh: &'a TriangleMesh,
    points: &'a [Vector<3>],
    truth: &'a [Containment],
    pool: &'a TimedPool,
) -> Contender<'a> {
    let name = pool.name(method.name);
    Contender::new(name.clone(), move || {
        let mark = Mark::set();
        let own = mesh.clone();
        let (prepared, build) = pool.timed(|| (method.prepare)(own, points));
        let prepared = prepared?;
        let memory = Some(mark.taken());
        let (found, query) = pool.timed(|| prepared.classify_all(points));
        let (triangles, promise) = (mesh.triangles().len(), method.promise);
        Answers { build, query, memory, triangles, found: &found, truth, promise }.run(&name)
    })
}

/// parry3d-f64: the closest point of a mesh and the normal there.
pub fn parry<'a>(
    mesh: &TriangleMesh,
    points: &[Vector<3>],
    truth: &'a [Containment],
) -> Contender<'a> {
    const NAME: &str = "parry3d-f64";
    let vertices: Vec<ParryVector> = mesh.vertices().iter().map(in_parry).collect();
    let corners = mesh.triangles().to_vec();
    let points: Vec<ParryVector> = points.iter().map(in_parry).collect();
    Contender::new(NAME, move || {
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
