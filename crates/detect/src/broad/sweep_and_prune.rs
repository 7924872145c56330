//! Sweep and prune along one axis, sorted from scratch for every search (paper 001: sort and sweep).
//!
//! The spheres are sorted by their lower ends along the longest axis of the region; each is compared with
//! those whose intervals begin before its own ends. Simple and small in memory. It tests the pairs within
//! a flat slab, so its cost grows as N^(3/2) in two dimensions and N^(5/3) in three. For boxes that stay
//! sorted between time steps see [`incremental_sweep_and_prune`](super::incremental_sweep_and_prune).

use super::interval_sweep::IntervalSweep;
use super::{BroadPhase, Candidates, SphereSystem};

/// One-shot sweep and prune as a broad phase; see the [module](self).
///
/// ```
/// use carom_detect::{ContactSearch, broad::SweepAndPrune};
/// use carom_geometry::{Boundary, Sphere};
/// // In a row, the interval of each disc meets only that of the next one.
/// let row: Vec<_> = (0..9).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
/// let mut search = ContactSearch::with(SweepAndPrune::new());
/// search.find(&row, &Boundary::open())?;
/// assert_eq!((search.statistics().pair_tests, search.statistics().contacts), (8, 8));
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct SweepAndPrune<const D: usize> {
    interval_sweep: IntervalSweep<D>,
}

impl<const D: usize> SweepAndPrune<D> {
    /// Makes an empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const D: usize> BroadPhase<D> for SweepAndPrune<D> {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        // Along the longest axis the slabs are thinnest in relation to the region.
        let axis = system.region().size().imax();
        self.interval_sweep.sort(system, |sphere| {
            let place = sphere.center[axis];
            // Rounding of the interval's ends must not separate spheres that touch.
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
