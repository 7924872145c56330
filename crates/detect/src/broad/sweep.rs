use super::images::{Image, for_each_image};
use super::{Candidates, System};
use crate::Pair;
use crate::narrow::may_touch;
use carom_geometry::{Boundary, Sphere};
use rayon::slice::ParallelSliceMut;

/// Spheres as intervals on a line, sorted by their lower ends, and the sweep over them.
#[derive(Debug, Default)]
pub(super) struct Sweep<const D: usize> {
    entries: Vec<Entry<D>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<const D: usize> {
    start: f64,
    end: f64,
    image: Image<D>,
}

impl<const D: usize> Sweep<D> {
    /// Sorts the spheres by the intervals that `interval` gives them.
    ///
    /// Spheres that touch must have intervals that meet.
    pub fn sort(&mut self, system: &System<'_, D>, interval: impl Fn(&Sphere<D>) -> (f64, f64)) {
        self.entries.clear();
        for_each_image(system, |image| {
            let (start, end) = interval(&image.sphere);
            self.entries.push(Entry { start, end, image });
        });
        // Ties in any order: contacts are put in order of their indices in the end.
        self.entries.par_sort_unstable_by(|a, b| a.start.total_cmp(&b.start));
    }

    /// Compares every sphere with those that begin before it ends.
    pub fn search(&self, candidates: &mut Candidates) {
        let open = Boundary::open();
        candidates.collect(self.entries.len(), |range, found| {
            for index in range {
                let Entry { end, image, .. } = &self.entries[index];
                for other in &self.entries[index + 1..] {
                    if other.start > *end {
                        break;
                    }
                    found.tests += 1;
                    let needed = !(image.copy && other.image.copy) && image.id != other.image.id;
                    if needed && may_touch(&image.sphere, &other.image.sphere, &open) {
                        found.pairs.push(Pair::new(image.id, other.image.id));
                    }
                }
            }
        });
    }

    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry<D>>()
    }

    /// Sorted, and every sphere of the system there once besides its copies.
    pub fn check(&self, system: &System<'_, D>) -> Result<(), String> {
        if !self.entries.is_sorted_by(|a, b| a.start <= b.start) {
            return Err("the intervals are not sorted".into());
        }
        let originals = self.entries.iter().filter(|entry| !entry.image.copy);
        let mut ids: Vec<_> = originals.map(|entry| entry.image.id).collect();
        ids.sort_unstable();
        match ids.into_iter().eq(0..system.spheres().len() as u32) {
            true => Ok(()),
            false => Err("not every sphere has one interval".into()),
        }
    }

    pub fn describe(&self) -> String {
        format!("{} intervals", self.entries.len())
    }
}
