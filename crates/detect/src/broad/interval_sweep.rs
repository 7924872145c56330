//! The sweep over intervals on a line, which sweep and prune and the distance sort share.

use super::periodic_images::{PeriodicSphereImage, for_each_image};
use super::{Candidates, SphereSystem};
use crate::BodyPair;
use crate::narrow::may_touch;
use carom_geometry::{Boundary, Sphere};
use rayon::slice::ParallelSliceMut;

/// Spheres as intervals on a line, sorted by their lower ends, and the sweep over them: the common part
/// of sweep and prune along one axis and of the distance sort.
#[derive(Debug, Default)]
pub(super) struct IntervalSweep<const D: usize> {
    intervals: Vec<SweepInterval<D>>,
}

#[derive(Clone, Copy, Debug)]
struct SweepInterval<const D: usize> {
    start: f64,
    end: f64,
    image: PeriodicSphereImage<D>,
}

impl<const D: usize> IntervalSweep<D> {
    /// Sorts the spheres and their periodic images by the intervals that `interval` gives them.
    ///
    /// The intervals of spheres that touch must overlap, rounding included.
    pub fn sort(
        &mut self,
        system: &SphereSystem<'_, D>,
        interval: impl Fn(&Sphere<D>) -> (f64, f64),
    ) {
        self.intervals.clear();
        for_each_image(system, |image| {
            let (start, end) = interval(&image.sphere);
            self.intervals.push(SweepInterval { start, end, image });
        });
        // Ties in any order: the contacts are sorted by index in the narrow phase.
        self.intervals.par_sort_unstable_by(|a, b| a.start.total_cmp(&b.start));
    }

    /// Compares every sphere with those whose intervals begin before its own ends.
    pub fn search(&self, candidates: &mut Candidates) {
        let open = Boundary::open();
        candidates.collect(self.intervals.len(), |range, found| {
            for index in range {
                let SweepInterval { end, image, .. } = &self.intervals[index];
                for other in &self.intervals[index + 1..] {
                    if other.start > *end {
                        break;
                    }
                    found.tests += 1;
                    // Two copies outside the box need no test: their originals are compared.
                    let needed =
                        !(image.is_copy && other.image.is_copy) && image.id != other.image.id;
                    if needed && may_touch(&image.sphere, &other.image.sphere, &open) {
                        found.pairs.push(BodyPair::new(image.id, other.image.id));
                    }
                }
            }
        });
    }

    pub fn memory(&self) -> usize {
        self.intervals.capacity() * size_of::<SweepInterval<D>>()
    }

    /// Verifies that the intervals are sorted and that every sphere has one besides those of its copies.
    pub fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        if !self.intervals.is_sorted_by(|a, b| a.start <= b.start) {
            return Err("the intervals are not sorted".into());
        }
        let originals = self.intervals.iter().filter(|entry| !entry.image.is_copy);
        let mut ids: Vec<_> = originals.map(|entry| entry.image.id).collect();
        ids.sort_unstable();
        match ids.into_iter().eq(0..system.spheres().len() as u32) {
            true => Ok(()),
            false => Err("not every sphere has one interval".into()),
        }
    }

    pub fn describe(&self) -> String {
        format!("{} intervals", self.intervals.len())
    }
}
