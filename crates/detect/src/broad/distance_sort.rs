//! Distance sort: Algorithm 1 of Leszczynski and Ciesielski, "Effective algorithm for detection of
//! a collision between spherical particles" (ICCS 2004).
//!
//! The spheres are sorted by the distance of their nearest point from an origin; a sphere is then
//! compared with those whose nearest point is closer to the origin than its own farthest one. It tests
//! the pairs within a spherical shell, so its cost grows as N^(3/2) in two dimensions and N^(5/3) in
//! three. It pays where nearly every tested pair is a contact: few spheres, all overlapping.

use super::interval_sweep::IntervalSweep;
use super::{BroadPhase, Candidates, SphereSystem};
use carom_geometry::Vector;

/// The point from which distances are measured.
///
/// ```
/// use carom_detect::{ContactSearch, broad::{DistanceSort, DistanceSortOrigin}};
/// use carom_geometry::{Boundary, Sphere, Vector};
/// let row: Vec<_> = (0..9).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
/// let far = DistanceSortOrigin::Point(Vector::from([0.0, 1000.0]));
/// for origin in [DistanceSortOrigin::Corner, DistanceSortOrigin::Center, far] {
///     let mut search = ContactSearch::with(DistanceSort::new(origin));
///     assert_eq!(search.find(&row, &Boundary::open())?.len(), 8);
/// }
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum DistanceSortOrigin<const D: usize> {
    /// The lowest corner of the region, from which all coordinates are nonnegative: the paper's choice.
    #[default]
    Corner,
    /// The center of the region. Correct, but a shell holds more spheres than one around a corner.
    Center,
    /// Any point; only the number of tests depends on it, the contacts never do.
    Point(Vector<D>),
}

/// The distance sort as a broad phase; see the [module](self).
#[derive(Debug, Default)]
pub struct DistanceSort<const D: usize> {
    origin: DistanceSortOrigin<D>,
    interval_sweep: IntervalSweep<D>,
}

impl<const D: usize> DistanceSort<D> {
    /// Makes an empty structure that sorts by the distance from `origin`.
    pub fn new(origin: DistanceSortOrigin<D>) -> Self {
        DistanceSort { origin, interval_sweep: IntervalSweep::default() }
    }
}

impl<const D: usize> BroadPhase<D> for DistanceSort<D> {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        let region = system.region();
        let origin = match self.origin {
            DistanceSortOrigin::Corner => region.low,
            DistanceSortOrigin::Center => (region.low + region.high) * 0.5,
            DistanceSortOrigin::Point(point) => point,
        };
        self.interval_sweep.sort(system, |sphere| {
            let distance = (sphere.center - origin).norm();
            // The distance from a far origin is rounded more coarsely than the positions are; without
            // this margin the sweep could miss a contact of exactly touching spheres.
            let reach = sphere.radius + (distance + sphere.radius) * 8.0 * f64::EPSILON;
            (distance - reach, distance + reach)
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
