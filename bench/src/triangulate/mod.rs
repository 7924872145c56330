//! `carom-bench triangulate`: weighted Delaunay triangulations on one thread, beside spade in the plane
//! and CGAL in space.
//!
//! The unit of work is a point; all make the same number of simplices and hide as many points.

mod peers;

use crate::error::Error;
use crate::memory::MemoryMark;
use crate::process::skip;
use crate::race::{Contender, Plan, Run};
use crate::session::{Session, SessionSettings};
use carom::detect::laguerre::Triangulation;
use carom::scene::generate::SplitMix64;
use carom::{Boundary, Sphere};
use carom_papers::clock::Clock;
use peers::{cgal, spade};
use std::time::Duration;

/// The workload of spheres in the unit cube; the others are of points there or in the unit square.
const SPHERES: &str = "spheres-3d";
/// Spheres have radii up to this part of the mean distance of neighbors.
const LARGEST: f64 = 0.3;

/// Measures every case.
pub fn run(settings: &SessionSettings) -> Result<(), Error> {
    let mut session = Session::new("triangulate", settings)?;
    let cases = session.cases();
    let in_space = cases.iter().any(|case| case.workload.ends_with("3d"));
    let driver = in_space
        .then(peers::cgal_driver)
        .and_then(|driver| driver.map_err(|reason| skip("CGAL", &reason)).ok());
    for case in cases {
        let plan = Plan::rounds(case.rounds);
        if case.workload.ends_with("2d") {
            let spheres = spheres(&case.workload, case.size);
            session.measure(&case.name(), vec![carom(&spheres), spade(&spheres)], &plan)?;
        } else {
            let spheres = spheres(&case.workload, case.size);
            let mut contenders = vec![carom(&spheres)];
            let peer = driver.as_deref().map(|driver| cgal(driver, &spheres));
            contenders.extend(peer.transpose()?);
            session.measure(&case.name(), contenders, &plan)?;
        }
    }
    session.finish("triangulate", "")
}

/// This many spheres of a workload, the same on every machine.
fn spheres<const D: usize>(workload: &str, count: usize) -> Vec<Sphere<D>> {
    let mut random = SplitMix64::new(count as u64);
    let spacing = (count.max(1) as f64).powf(-1.0 / D as f64);
    let largest = if workload == SPHERES { LARGEST * spacing } else { 0.0 };
    let sphere = |_| {
        let center: [f64; D] = std::array::from_fn(|_| random.uniform());
        Sphere::new(center, largest * random.uniform())
    };
    (0..count).map(sphere).collect()
}

/// Returns the run of a triangulation of some points, which made simplices and has vertices that are not hidden.
fn made(elapsed: Duration, points: usize, simplices: usize, vertices: usize) -> Run {
    Run::new(elapsed)
        .answer("", format!("{simplices} simplices and {vertices} visible points"))
        .compared("time per point", elapsed.as_secs_f64() * 1e9 / points as f64, "ns")
        .with("simplices", simplices as f64, "")
        .with("vertices", vertices as f64, "")
}

fn carom<const D: usize>(spheres: &[Sphere<D>]) -> Contender<'_> {
    Contender::new("carom", move || {
        let (mark, clock) = (MemoryMark::set(), Clock::start());
        let triangulation = Triangulation::of(spheres, &Boundary::open())?;
        let elapsed = clock.elapsed();
        let memory = mark.taken();
        let is_seen = |&sphere: &usize| !triangulation.is_hidden(sphere);
        let simplices = triangulation.simplices().count();
        let vertices = (0..triangulation.count()).filter(is_seen).count();
        let run = made(elapsed, spheres.len(), simplices, vertices);
        Ok(run.memory(memory, spheres.len(), "B/point"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_spheres_have_radii() {
        let radius = |sphere: &Sphere<3>| sphere.radius;
        let largest = spheres::<3>(SPHERES, 1000).iter().map(radius).fold(0.0, f64::max);
        assert!((0.029..=0.03).contains(&largest), "{largest}");
        assert!(spheres::<3>("points-3d", 1000).iter().all(|sphere| sphere.radius == 0.0));
    }
}
