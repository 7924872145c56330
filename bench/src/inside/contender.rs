//! carom and parry, who answer in this process.

use super::race::{Contender, Label, Memory, Promise, Run, Timing};
use crate::error::Error;
use crate::memory::Mark;
use crate::results::Kind;
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
use rayon::ThreadPool;
use std::time::{Duration, Instant};

/// The name of carom's cells, which everyone is compared with.
pub const CELLS: &str = "carom-cells";
/// The name of carom's expansions.
pub const MULTIPOLE: &str = "carom-multipole";
/// The name of carom's sum over all triangles.
pub const DOUBLE_LAYER: &str = "carom-double-layer";
/// The name of parry.
pub const PARRY: &str = "parry3d-f64";

/// The largest error that expansions may make, which is kept for certain ...
const ERROR: f64 = 1e-3;

/// ... by clusters that are farther off than usual.
const SEPARATION: f64 = 2.0;

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
    fn prepare(
        self,
        mesh: TriangleMesh,
        points: &[Vector<3>],
    ) -> Result<Box<dyn InsideTest>, Error> {
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
    /// How.
    pub method: Method,
    /// Of what.
    pub mesh: &'a TriangleMesh,
    /// For which points.
    pub points: &'a [Vector<3>],
    /// The threads to use.
    pub pool: &'a ThreadPool,
    /// What of to take the time.
    pub timing: Timing,
}

impl Contender for Carom<'_> {
    fn label(&self) -> Label {
        let (name, promise) = match self.method {
            Method::Cells => (CELLS, Promise::Exact),
            Method::Ray => ("carom-ray", Promise::Exact),
            Method::Multipole => (MULTIPOLE, Promise::Rounded),
            Method::DoubleLayer => (DOUBLE_LAYER, Promise::Rounded),
        };
        Label { name, kind: Kind::Own, promise, timing: self.timing }
    }

    fn run(&mut self, sides: &mut Vec<Containment>) -> Result<Run, Error> {
        self.pool.install(|| {
            let mark = Mark::set();
            let mesh = self.mesh.clone();
            let watch = Watch::start(self.timing);
            let prepared = self.method.prepare(mesh, self.points)?;
            let build = watch.elapsed();
            let memory = Memory { held: mark.change().unsigned_abs(), peak: mark.peak() };
            let watch = Watch::start(self.timing);
            *sides = prepared.classify_all(self.points);
            Ok(Run { build, query: watch.elapsed(), memory: Some(memory) })
        })
    }
}

/// A watch that was started.
enum Watch {
    Processor(Clock),
    Wall(Instant),
}

impl Watch {
    fn start(timing: Timing) -> Self {
        match timing {
            Timing::Processor => Watch::Processor(Clock::start()),
            Timing::Wall(_) => Watch::Wall(Instant::now()),
        }
    }

    fn elapsed(&self) -> Duration {
        match self {
            Watch::Processor(clock) => clock.elapsed(),
            Watch::Wall(instant) => instant.elapsed(),
        }
    }
}

/// parry3d-f64: the closest point of a mesh and the normal there.
pub struct Parry {
    vertices: Vec<ParryVector>,
    triangles: Vec<[u32; 3]>,
    points: Vec<ParryVector>,
}

impl Parry {
    /// Takes the same mesh and points.
    pub fn new(mesh: &TriangleMesh, points: &[Vector<3>]) -> Self {
        let in_parry = |point: &Vector<3>| ParryVector::new(point.x, point.y, point.z);
        Parry {
            vertices: mesh.vertices().iter().map(in_parry).collect(),
            triangles: mesh.triangles().to_vec(),
            points: points.iter().map(in_parry).collect(),
        }
    }
}

impl Contender for Parry {
    fn label(&self) -> Label {
        let (promise, timing) = (Promise::Rounded, Timing::Processor);
        Label { name: PARRY, kind: Kind::Peer, promise, timing }
    }

    fn run(&mut self, sides: &mut Vec<Containment>) -> Result<Run, Error> {
        let mark = Mark::set();
        let (vertices, triangles) = (self.vertices.clone(), self.triangles.clone());
        let clock = Clock::start();
        let mesh = TriMesh::with_flags(vertices, triangles, TriMeshFlags::ORIENTED)
            .map_err(|error| Error::Peer { name: PARRY, problem: error.to_string() })?;
        let build = clock.elapsed();
        let memory = Memory { held: mark.change().unsigned_abs(), peak: mark.peak() };
        let clock = Clock::start();
        let side = |&point: &ParryVector| {
            if mesh.contains_local_point(point) {
                Containment::Inside
            } else {
                Containment::Outside
            }
        };
        sides.extend(self.points.iter().map(side));
        Ok(Run { build, query: clock.elapsed(), memory: Some(memory) })
    }
}
