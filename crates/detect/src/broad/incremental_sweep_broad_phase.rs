//! Incremental sweep and prune of spheres: an [`IncrementalSweepAndPrune`] of their bounding boxes as a
//! broad phase.
//!
//! If the spheres moved little since the last search, insertion sort restores the order of the lists.
//! Another number of spheres, another boundary or too large a step makes it rebuild everything.

use super::{
    BroadPhase, BucketDivision, Candidates, IncrementalSweepAndPrune, SphereSystem,
    incremental_sweep_and_prune,
};
use crate::narrow::may_touch;
use carom_geometry::{Aabb, Boundary};

/// Incremental sweep and prune as a broad phase; see the [module](self).
///
/// ```
/// use carom_detect::broad::{BroadPhase, Candidates, IncrementalSweepBroadPhase, SphereSystem};
/// use carom_geometry::{Boundary, Sphere};
/// let (mut structure, mut candidates) = (IncrementalSweepBroadPhase::new(), Candidates::default());
/// let boundary = Boundary::open();
/// for step in 0..3 {
///     let row = |k: i32| Sphere::new([f64::from(k) + 0.01 * f64::from(step), 0.0], 0.6);
///     let discs: Vec<_> = (0..9).map(row).collect();
///     structure.find_candidates(&SphereSystem::new(&discs, &boundary)?, &mut candidates);
///     // From the second search on, the sorted lists are kept.
///     assert_eq!((candidates.len(), structure.boxes().work().rebuilt), (8, step == 0));
/// }
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug)]
pub struct IncrementalSweepBroadPhase<const D: usize> {
    boxes: IncrementalSweepAndPrune<D>,
}

impl<const D: usize> IncrementalSweepBroadPhase<D> {
    /// Makes an empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::with_division(BucketDivision::ByDensity)
    }

    /// As [`new`](Self::new), with the lists divided into buckets as given.
    pub fn with_division(division: BucketDivision) -> Self {
        IncrementalSweepBroadPhase {
            boxes: IncrementalSweepAndPrune::new(Boundary::open(), division),
        }
    }

    /// Returns the bounding boxes and what the last search cost.
    pub fn boxes(&self) -> &IncrementalSweepAndPrune<D> {
        &self.boxes
    }
}

impl<const D: usize> Default for IncrementalSweepBroadPhase<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> BroadPhase<D> for IncrementalSweepBroadPhase<D> {
    fn accepts(&self, system: &SphereSystem<'_, D>) -> Result<(), crate::Error> {
        incremental_sweep_and_prune::check_count(system.spheres().len())
    }

    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        if self.boxes.boundary() != system.boundary() {
            self.boxes = IncrementalSweepAndPrune::new(*system.boundary(), self.boxes.division());
        }
        self.boxes.replace(bounding_boxes(system));
        let (pairs, spheres) = (self.boxes.pairs(), system.spheres());
        candidates.collect(pairs.len(), |range, found| {
            found.tests += range.len() as u64;
            for &pair in &pairs[range] {
                let (a, b) = (&spheres[pair.first() as usize], &spheres[pair.second() as usize]);
                if may_touch(a, b, system.boundary()) {
                    found.pairs.push(pair);
                }
            }
        });
    }

    fn memory(&self) -> usize {
        self.boxes.memory()
    }

    fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        match self.boxes.holds(bounding_boxes(system)) {
            true => self.boxes.check(),
            false => Err("the boxes are those of other spheres".into()),
        }
    }

    fn describe(&self) -> String {
        let work = self.boxes.work();
        let how = match work.rebuilt {
            true => "rebuilt".into(),
            false => format!("{} exchanges", work.exchanges),
        };
        format!("{} buckets, {how}", self.boxes.bucket_count())
    }
}

/// Returns the spheres' bounding boxes, enlarged so that rounding never hides a contact.
fn bounding_boxes<'a, const D: usize>(
    system: &SphereSystem<'a, D>,
) -> impl ExactSizeIterator<Item = Aabb<D>> + use<'a, D> {
    let (boundary, system) = (system.boundary(), *system);
    system.spheres().iter().map(move |sphere| {
        let center = boundary.wrap(sphere.center);
        let mut bounds = Aabb { low: center, high: center };
        for axis in 0..D {
            // By axis: the rounding along a very long axis may exceed the whole extent of a short one.
            let margin = system.image_margin_along(axis);
            let radius = sphere.radius * (1.0 + 16.0 * f64::EPSILON) + margin;
            let reach = radius + (center[axis].abs() + radius) * 4.0 * f64::EPSILON;
            bounds.low[axis] -= reach;
            bounds.high[axis] += reach;
        }
        bounds
    })
}
