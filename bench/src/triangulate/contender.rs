//! carom and spade, who triangulate in this process.

use super::race::{Contender, Run, Size};
use crate::error::Error;
use crate::memory::Mark;
use crate::results::Kind;
use carom::detect::laguerre::Triangulation;
use carom::{Boundary, Sphere};
use carom_papers::clock::Clock;
use spade::Triangulation as _;

/// carom.
pub struct Carom<'a, const D: usize>(pub &'a [Sphere<D>]);

impl<const D: usize> Contender for Carom<'_, D> {
    fn name(&self) -> &'static str {
        "carom"
    }

    fn kind(&self) -> Kind {
        Kind::Own
    }

    fn run(&mut self) -> Result<Run, Error> {
        let (mark, clock) = (Mark::set(), Clock::start());
        let triangulation = Triangulation::of(self.0, &Boundary::open())?;
        let elapsed = clock.elapsed();
        let (held, peak) = (mark.change().unsigned_abs(), Some(mark.peak()));
        let is_seen = |&sphere: &usize| !triangulation.is_hidden(sphere);
        let size = Size {
            simplices: triangulation.simplices().count(),
            vertices: (0..triangulation.count()).filter(is_seen).count(),
        };
        Ok(Run { elapsed, size, held, peak })
    }
}

/// The crate spade: points of the plane, loaded all at once.
pub struct Spade<'a>(pub &'a [Sphere<2>]);

impl Contender for Spade<'_> {
    fn name(&self) -> &'static str {
        "spade"
    }

    fn kind(&self) -> Kind {
        Kind::Peer
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
        let size = Size {
            simplices: triangulation.num_inner_faces(),
            vertices: triangulation.num_vertices(),
        };
        Ok(Run { elapsed, size, held, peak })
    }
}
