//! carom and parry, who answer in this process.

use crate::cases::Field;
use crate::convex::contender::in_parry;
use crate::error::Error;
use crate::memory::MemoryMark;
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

/// Returns the run of a contender that took these times from the mesh in its own form to the first answer and for all
/// points, with wrong answers counted; an error if it is exact and gave some.
pub fn answered(
    contender: &str,
    promise: Promise,
    [build, query]: [Duration; 2],
    triangles: usize,
    found: &[Containment],
    truth: &[Containment],
) -> Result<Run, Error> {
    let all = truth.len();
    let is_wrong = |&(found, truth): &(&Containment, &Containment)| {
        let may_round = promise == Promise::Rounded && *truth == Containment::Surface;
        found != truth && !may_round
    };
    let wrong = match found.len() == all {
        true => found.iter().zip(truth).filter(is_wrong).count(),
        false => all,
    };
    if wrong > 0 && (promise == Promise::Exact || wrong == all) {
        let (contender, largest) = (contender.into(), 1.0);
        return Err(Error::WrongAnswers { contender, wrong, all, largest });
    }
    let count = |side| found.iter().filter(|&&found| found == side).count() as f64;
    let elapsed = build + query;
    let [build, query] = [build, query].map(|time| time.as_secs_f64());
    Ok(Run::new(elapsed)
        .compared("time", (build + query) * 1e3, "ms")
        .with("time to prepare", build * 1e3, "ms")
        .compared("time per point", query * 1e9 / all as f64, "ns")
        .with("triangles", triangles as f64, "")
        .with("points inside", count(Containment::Inside), "")
        .with("points on the surface", count(Containment::Surface), "")
        .with("wrong answers", wrong as f64, ""))
}

/// One of carom's methods: its name, the smallest field that it takes part in, and what it promises.
pub struct Method {
    /// The name in the results.
    pub name: &'static str,
    /// The smallest field that it takes part in.
    pub field: Field,
    promise: Promise,
    prepare: fn(TriangleMesh, &[Vector<3>]) -> Result<PreparedTest, Error>,
}

type PreparedTest = Box<dyn InsideTest + Send + Sync>;

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
        let mark = MemoryMark::set();
        let own = mesh.clone();
        let (prepared, build) = pool.timed(|| (method.prepare)(own, points));
        let prepared = prepared?;
        let memory = mark.taken();
        let (found, query) = pool.timed(|| prepared.classify_all(points));
        let triangles = mesh.triangles().len();
        let run = answered(&name, method.promise, [build, query], triangles, &found, truth)?;
        Ok(run.memory(memory, triangles, "B/triangle"))
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
        let mark = MemoryMark::set();
        let (vertices, corners) = (vertices.clone(), corners.clone());
        let triangles = corners.len();
        let clock = Clock::start();
        let mesh = TriMesh::with_flags(vertices, corners, TriMeshFlags::ORIENTED)
            .map_err(|error| Error::Peer { name: NAME, problem: error.to_string() })?;
        let build = clock.elapsed();
        let memory = mark.taken();
        let clock = Clock::start();
        let side = |&point: &ParryVector| match mesh.contains_local_point(point) {
            true => Containment::Inside,
            false => Containment::Outside,
        };
        let found: Vec<Containment> = points.iter().map(side).collect();
        let times = [build, clock.elapsed()];
        let run = answered(NAME, Promise::Rounded, times, triangles, &found, truth)?;
        Ok(run.memory(memory, triangles, "B/triangle"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Containment::{Inside, Outside, Surface};

    #[test]
    fn an_exact_one_must_agree_and_another_is_counted() {
        let run = |promise, found: &[Containment]| {
            let times = [1, 2].map(Duration::from_secs);
            answered("peer", promise, times, 8, found, &[Inside, Outside, Surface])
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
