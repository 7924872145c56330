use super::periodic_images::{PeriodicSphereImage, for_each_image};
use super::{Candidates, SphereSystem};
use crate::BodyPair;
use crate::narrow::may_touch;
use carom_geometry::{Boundary, Sphere};
use rayon::slice::ParallelSliceMut;

/// Spheres as intervals on a line, sorted by their lower ends, and the sweep over them.
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
    /// Sorts the spheres by the intervals that `interval` gives them.
    ///
    /// Spheres that touch must have intervals that meet.
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
        // Ties in any order: contacts are put in order of their indices in the end.
        self.intervals.par_sort_unstable_by(|a, b| a.start.total_cmp(&b.start));
    }

    /// Compares every sphere with those that begin before it ends.
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

    /// Sorted, and every sphere of the system there once besides its copies.
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
