//! spade in this process, and CGAL's `Regular_triangulation_3` in a process of its own.

use super::Made;
use crate::cgal;
use crate::error::Error;
use crate::memory::Mark;
use crate::process::Process;
use crate::questions::write_floats;
use crate::race::{Contender, Run};
use carom::Sphere;
use carom_papers::clock::Clock;
use spade::Triangulation as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The crate spade: points of the plane, loaded all at once.
pub struct Spade<'a>(pub &'a [Sphere<2>]);

impl Contender for Spade<'_> {
    fn name(&self) -> String {
        "spade".into()
    }

    fn run(&mut self) -> Result<Run, Error> {
        let point = |sphere: &Sphere<2>| spade::Point2::new(sphere.center[0], sphere.center[1]);
        let mark = Mark::set();
        // It takes the points and keeps them, so that they count as held.
        let points: Vec<_> = self.0.iter().map(point).collect();
        let clock = Clock::start();
        let loaded = spade::DelaunayTriangulation::<spade::Point2<f64>>::bulk_load(points);
        let elapsed = clock.elapsed();
        let triangulation =
            loaded.map_err(|error| Error::Peer { name: "spade", problem: error.to_string() })?;
        let (held, peak) = (mark.change().unsigned_abs(), Some(mark.peak()));
        let simplices = triangulation.num_inner_faces();
        let vertices = triangulation.num_vertices();
        Ok(Made { elapsed, points: self.0.len(), simplices, vertices, held, peak }.run())
    }
}

/// Returns the compiled driver of CGAL; an error says in one line why there is none.
pub fn cgal_driver() -> Result<PathBuf, String> {
    cgal::driver(include_str!("cgal.cpp"))
}

/// The driver of CGAL with its points read.
pub struct Cgal {
    process: Process,
    points: usize,
}

impl Cgal {
    /// Starts the driver on some spheres.
    pub fn start(driver: &Path, spheres: &[Sphere<3>]) -> Result<Self, Error> {
        let file = tempfile::NamedTempFile::new().map_err(Error::in_file(std::env::temp_dir()))?;
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::new(file.as_file());
            let weighted = spheres.iter().flat_map(|Sphere { center, radius }| {
                [center[0], center[1], center[2], radius * radius]
            });
            write_floats(&mut out, weighted)?;
            out.flush()
        };
        write().map_err(Error::in_file(file.path()))?;
        // Once it is ready it has read the file, which then goes away.
        let process = Process::start("CGAL", Command::new(driver).arg(file.path()))?;
        Ok(Cgal { process, points: spheres.len() })
    }
}

impl Contender for Cgal {
    fn name(&self) -> String {
        "CGAL".into()
    }

    fn run(&mut self) -> Result<Run, Error> {
        let [nanoseconds, simplices, vertices, held] = self.process.ask_numbers("again")?;
        Ok(Made {
            elapsed: Duration::from_nanos(nanoseconds),
            points: self.points,
            simplices: simplices as usize,
            vertices: vertices as usize,
            held: held as usize,
            peak: None,
        }
        .run())
    }
}
