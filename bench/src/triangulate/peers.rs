//! spade in this process, and CGAL's `Regular_triangulation_3` in a process of its own.

use super::made;
use crate::cpp_driver;
use crate::error::Error;
use crate::memory::MemoryMark;
use crate::process::{ANY_TIME, Process};
use crate::questions::{write_file, write_floats};
use crate::race::Contender;
use carom::Sphere;
use carom_papers::clock::Clock;
use spade::Triangulation as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The crate spade: points of the plane, loaded all at once.
pub fn spade(spheres: &[Sphere<2>]) -> Contender<'_> {
    let point = |sphere: &Sphere<2>| spade::Point2::new(sphere.center[0], sphere.center[1]);
    Contender::new("spade", move || {
        let mark = MemoryMark::set();
        // It takes the points and keeps them, so that they count as held.
        let points: Vec<_> = spheres.iter().map(point).collect();
        let clock = Clock::start();
        let loaded = spade::DelaunayTriangulation::<spade::Point2<f64>>::bulk_load(points);
        let elapsed = clock.elapsed();
        let triangulation =
            loaded.map_err(|error| Error::Peer { name: "spade", problem: error.to_string() })?;
        let memory = mark.taken();
        let simplices = triangulation.num_inner_faces();
        let vertices = triangulation.num_vertices();
        let run = made(elapsed, spheres.len(), simplices, vertices);
        Ok(run.memory(memory, spheres.len(), "B/point"))
    })
}

/// Returns the compiled driver of CGAL; an error says in one line why there is none.
pub fn cgal_driver() -> Result<PathBuf, String> {
    cpp_driver::compile_with_cgal(include_str!("cgal.cpp"))
}

/// Starts the driver of CGAL on some spheres.
pub fn cgal(driver: &Path, spheres: &[Sphere<3>]) -> Result<Contender<'static>, Error> {
    let file = tempfile::NamedTempFile::new().map_err(Error::in_file(std::env::temp_dir()))?;
    let weighted = spheres
        .iter()
        .flat_map(|Sphere { center, radius }| [center[0], center[1], center[2], radius * radius]);
    write_file(file.path(), |out| write_floats(out, weighted))?;
    // Once it is ready it has read the file, which then goes away.
    let mut process = Process::start("CGAL", Command::new(driver).arg(file.path()))?;
    let points = spheres.len();
    Ok(Contender::new("CGAL", move || {
        let [nanoseconds, simplices, vertices, held] =
            process.ask_numbers::<u64, 4>("again", ANY_TIME)?;
        let elapsed = Duration::from_nanos(nanoseconds);
        let run = made(elapsed, points, simplices as usize, vertices as usize);
        Ok(run.with("held memory", held as f64 / points as f64, "B/point"))
    }))
}
