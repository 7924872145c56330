//! Sort and sweep along one axis, in one shot.
//!
//! The spheres are sorted by their lower ends along the longest axis of the region and compared
//! with those that begin before they end. Simple and frugal; tests the pairs of a flat slab, so
//! its cost grows as N^(3/2) in two dimensions and N^(5/3) in three.

use super::sweep::Sweep;
use super::{BroadPhase, Candidates, System};

/// See the [module's documentation](self).
#[derive(Debug, Default)]
pub struct SortAndSweep<const D: usize> {
    sweep: Sweep<D>,
}

impl<const D: usize> SortAndSweep<D> {
    /// An empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const D: usize> BroadPhase<D> for SortAndSweep<D> {
    fn find_candidates(&mut self, system: &System<'_, D>, candidates: &mut Candidates) {
        let axis = system.region().size().imax();
        self.sweep.sort(system, |sphere| {
            let place = sphere.center[axis];
            let reach = sphere.radius + (place.abs() + sphere.radius) * 4.0 * f64::EPSILON;
            (place - reach, place + reach)
        });
        self.sweep.search(candidates);
    }

    fn memory(&self) -> usize {
        self.sweep.memory()
    }

    fn check(&self, system: &System<'_, D>) -> Result<(), String> {
        self.sweep.check(system)
    }

    fn describe(&self) -> String {
        self.sweep.describe()
    }
}
