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

/// Points in the unit square, points in the unit cube, and spheres in the unit cube.
const WORKLOADS: [&str; 3] = ["points-2d", "points-3d", SPHERES];
const SPHERES: &str = "spheres-3d";
/// Spheres have radii up to this part of the mean distance of neighbors.
const LARGEST: f64 = 0.3;
/// Numbers of points, and rounds in which everyone has a turn.
const FULL: [(usize, usize); 3] = [(10_000, 20), (100_000, 9), (1_000_000, 4)];
const TINY: [(usize, usize); 1] = [(1000, 1)];

/// Measures every case.
pub fn run(settings: &SessionSettings) -> Result<(), Error> {
    let mut session = Session::new("triangulate", settings, &WORKLOADS)?;
    let wanted: Vec<&str> = WORKLOADS.into_iter().filter(|name| session.wants(name)).collect();
    let in_space = wanted.iter().any(|name| name.ends_with("3d"));
    let driver = in_space
        .then(peers::cgal_driver)
        .and_then(|driver| driver.map_err(|reason| skip("CGAL", &reason)).ok());
    for workload in wanted {
        let sizes = if settings.tiny { &TINY[..] } else { &FULL };
        for &(count, rounds) in sizes {
            let case = format!("{workload} {count}");
            let plan = Plan::rounds(rounds);
            if workload == "points-2d" {
                let spheres = spheres(workload, count);
                session.measure(&case, vec![carom(&spheres), spade(&spheres)], &plan)?;
            } else {
                let spheres = spheres(workload, count);
                let mut contenders = vec![carom(&spheres)];
                let peer = driver.as_deref().map(|driver| cgal(driver, &spheres));
                contenders.extend(peer.transpose()?);
                session.measure(&case, contenders, &plan)?;
            }
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
