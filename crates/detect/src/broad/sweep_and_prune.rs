//! Sort and sweep along one axis, in one shot.
//!
//! The spheres are sorted by their lower ends along the longest axis of the region and compared
//! with those that begin before they end. Simple and frugal; tests the pairs of a flat slab, so
//! its cost grows as N^(3/2) in two dimensions and N^(5/3) in three.

use super::interval_sweep::IntervalSweep;
use super::{BroadPhase, Candidates, SphereSystem};

/// See the [module's documentation](self).
#[derive(Debug, Default)]
pub struct SweepAndPrune<const D: usize> {
    interval_sweep: IntervalSweep<D>,
}

impl<const D: usize> SweepAndPrune<D> {
    /// An empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const D: usize> BroadPhase<D> for SweepAndPrune<D> {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        let axis = system.region().size().imax();
        self.interval_sweep.sort(system, |sphere| {
            let place = sphere.center[axis];
            let reach = sphere.radius + (place.abs() + sphere.radius) * 4.0 * f64::EPSILON;
            (place - reach, place + reach)
        });
        self.interval_sweep.search(candidates);
    }

    fn memory(&self) -> usize {
        self.interval_sweep.memory()
    }

    fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        self.interval_sweep.check(system)
    }

    fn describe(&self) -> String {
        self.interval_sweep.describe()
    }
}
