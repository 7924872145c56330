//! The lattice of buckets, and the buckets that a box reaches into.

use super::bounds;
use carom_geometry::{Aabb, Boundary};

/// A lattice of buckets; the outermost ones of an open axis extend to infinity.
#[derive(Clone, Debug)]
pub(super) struct BucketGrid<const D: usize> {
    boundary: Boundary<D>,
    origin: [f64; D],
    buckets_per_length: [f64; D],
    counts: [u16; D],
}

/// The buckets a box reaches into: per axis the first and the last one, the last below the first if the
/// box reaches across a periodic side.
pub(super) type BucketSpan<const D: usize> = [[u16; 2]; D];

/// The span of a box that is in no bucket.
pub(super) const fn empty_span<const D: usize>() -> BucketSpan<D> {
    [[u16::MAX; 2]; D]
}

/// A bucket, and the axes along which the image of the box one period below is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BucketPlacement<const D: usize> {
    pub bucket: [u16; D],
    pub image_axes: u32,
}

/// Smallest number of buckets along a periodic axis, so that no box reaches a bucket from both sides.
const MIN_PERIODIC_BUCKETS: u16 = 3;
/// Largest number of buckets along an axis.
const MAX_BUCKETS_PER_AXIS: u16 = 8192;
/// Intended number of bodies per bucket.
const BODIES_PER_BUCKET: usize = 48;
/// Smallest width of a bucket in widths of the median box.
const MIN_BUCKET_WIDTH_IN_BOXES: f64 = 3.0;
/// Number of boxes sampled to see where most are.
const SAMPLE_SIZE: usize = 512;
/// Largest mean number of buckets per box.
const MAX_BUCKETS_PER_BOX: f64 = 4.0;

impl<const D: usize> BucketGrid<D> {
    /// Makes a single bucket, or three along each periodic axis.
    pub fn single(boundary: &Boundary<D>) -> Self {
        let period = |axis| boundary.period(axis);
        let counts = std::array::from_fn(|axis| period(axis).map_or(1, |_| MIN_PERIODIC_BUCKETS));
        let extent = std::array::from_fn(|axis| period(axis).unwrap_or(0.0));
        Self::new(boundary, [0.0; D], extent, counts)
    }

    /// Makes buckets of some dozens of bodies that are at least a few boxes wide.
    pub fn by_density(boundary: &Boundary<D>, boxes: &[Aabb<D>]) -> Self {
        let here: Vec<&Aabb<D>> = boxes.iter().filter(|bounds| is_present(bounds)).collect();
        let mut grid = BucketGrid::single(boundary);
        if here.len() < 2 * BODIES_PER_BUCKET {
            return grid;
        }
        // Medians of a sample: a few giant or distant boxes must not shape the grid.
        let step = here.len().div_ceil(SAMPLE_SIZE);
        let sample = |of: &dyn Fn(&Aabb<D>) -> f64| -> Vec<f64> {
            let mut values: Vec<f64> = here.iter().step_by(step).map(|bounds| of(bounds)).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let (mut origin, mut extent, mut least) = ([0.0; D], [0.0; D], [0.0; D]);
        for axis in 0..D {
            let widths = sample(&|bounds| bounds.high[axis] - bounds.low[axis]);
            least[axis] = MIN_BUCKET_WIDTH_IN_BOXES * widths[widths.len() / 2];
            (origin[axis], extent[axis]) = boundary.period(axis).map_or_else(
                || bulk_interval(&sample(&|bounds| 0.5 * (bounds.low[axis] + bounds.high[axis]))),
                |period| (0.0, period),
            );
        }
        let counts = divide_buckets(&extent, &least, grid.counts, here.len() / BODIES_PER_BUCKET);
        grid = Self::new(boundary, origin, extent, counts);
        // Wide boxes lie in many buckets; a coarser grid keeps their copies few.
        while grid.placements_per_box(&here) > MAX_BUCKETS_PER_BOX && grid.coarsen() {}
        grid
    }

    fn new(boundary: &Boundary<D>, origin: [f64; D], extent: [f64; D], counts: [u16; D]) -> Self {
        let buckets_per_length = std::array::from_fn(|axis| {
            let per_length = f64::from(counts[axis]) / extent[axis];
            if per_length.is_finite() { per_length } else { 0.0 }
        });
        BucketGrid { boundary: *boundary, origin, buckets_per_length, counts }
    }

    /// Halves the number of buckets along every axis and returns whether that was possible.
    fn coarsen(&mut self) -> bool {
        let mut changed = false;
        for axis in 0..D {
            let fewest = self.boundary.period(axis).map_or(1, |_| MIN_PERIODIC_BUCKETS);
            let count = (self.counts[axis] / 2).max(fewest);
            changed |= count != self.counts[axis];
            self.buckets_per_length[axis] *= f64::from(count) / f64::from(self.counts[axis]);
            self.counts[axis] = count;
        }
        changed
    }

    fn placements_per_box(&self, boxes: &[&Aabb<D>]) -> f64 {
        let places = |bounds: &&Aabb<D>| self.placement_count(&self.span(bounds)) as f64;
        boxes.iter().map(places).sum::<f64>() / boxes.len() as f64
    }

    /// Returns the number of buckets.
    pub fn bucket_count(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).product()
    }

    /// Returns the index of a bucket in the list of all.
    pub fn bucket_index(&self, place: &BucketPlacement<D>) -> u32 {
        (0..D).rev().fold(0, |index, axis| {
            index * u32::from(self.counts[axis]) + u32::from(place.bucket[axis])
        })
    }

    /// Returns the buckets that a box, [wrapped](bounds::wrapped) into the boundary, reaches into.
    #[inline(always)]
    pub fn span(&self, bounds: &Aabb<D>) -> BucketSpan<D> {
        let mut span = [[0; 2]; D];
        // An axis that is not divided is open and has only bucket 0.
        for axis in (0..D).filter(|&axis| self.counts[axis] > 1) {
            let mut high = bounds.high[axis];
            if let Some(period) = self.boundary.period(axis).filter(|&period| high >= period) {
                high -= period;
            }
            span[axis] = [
                self.bucket_coordinate(axis, bounds.low[axis]),
                self.bucket_coordinate(axis, high),
            ];
        }
        span
    }

    /// Returns the bucket of a coordinate along an axis. Monotonic, so that overlapping boxes share a
    /// bucket whatever the rounding.
    #[inline(always)]
    fn bucket_coordinate(&self, axis: usize, value: f64) -> u16 {
        let cell = ((value - self.origin[axis]) * self.buckets_per_length[axis]) as i32;
        cell.clamp(0, i32::from(self.counts[axis]) - 1) as u16
    }

    /// Iterates over every bucket of a span.
    pub fn placements(
        &self,
        span: &BucketSpan<D>,
    ) -> impl Iterator<Item = BucketPlacement<D>> + use<'_, D> {
        let (span, lengths) = (*span, self.lengths(span));
        (0..self.placement_count(&span)).map(move |mut number| {
            let mut place = BucketPlacement { bucket: [0; D], image_axes: 0 };
            for axis in 0..D {
                let cell = span[axis][0] as usize + number % lengths[axis];
                let count = usize::from(self.counts[axis]);
                place.image_axes |= u32::from(cell >= count) << axis;
                place.bucket[axis] = (cell % count) as u16;
                number /= lengths[axis];
            }
            place
        })
    }

    /// Returns whether a span includes a bucket with these image axes.
    pub fn contains(&self, span: &BucketSpan<D>, place: &BucketPlacement<D>) -> bool {
        *span != empty_span()
            && (0..D).all(|axis| {
                let ([first, last], cell) = (span[axis], place.bucket[axis]);
                let below = place.image_axes >> axis & 1 == 1;
                match (first <= last, below) {
                    (true, false) => (first..=last).contains(&cell),
                    (true, true) => false,
                    (false, false) => cell >= first,
                    (false, true) => cell <= last,
                }
            })
    }

    fn placement_count(&self, span: &BucketSpan<D>) -> usize {
        if *span == empty_span() { 0 } else { self.lengths(span).iter().product() }
    }

    fn lengths(&self, span: &BucketSpan<D>) -> [usize; D] {
        std::array::from_fn(|axis| {
            let (first, last) = (usize::from(span[axis][0]), usize::from(span[axis][1]));
            let turn = if last < first { usize::from(self.counts[axis]) } else { 0 };
            last + turn - first + 1
        })
    }
}

/// Returns whether a box belongs to a body; those of removed bodies are empty.
pub(super) fn is_present<const D: usize>(bounds: &Aabb<D>) -> bool {
    bounds.low[0] <= bounds.high[0]
}

/// Returns start and length of the interval where most of the sorted values lie, without a few outliers.
fn bulk_interval(sorted: &[f64]) -> (f64, f64) {
    let cut = sorted.len() / 50;
    let (low, high) = (sorted[cut], sorted[sorted.len() - 1 - cut]);
    let margin = 0.04 * (high - low);
    (low - margin, high - low + 2.0 * margin)
}

/// Adds buckets along the axis where they are widest until there are enough or they become too narrow.
fn divide_buckets<const D: usize>(
    extent: &[f64; D],
    least: &[f64; D],
    mut counts: [u16; D],
    enough: usize,
) -> [u16; D] {
    let width = |counts: &[u16; D], axis: usize| extent[axis] / f64::from(counts[axis]);
    let buckets = |counts: &[u16; D]| -> usize { counts.iter().map(|&n| usize::from(n)).product() };
    while buckets(&counts) < enough {
        let divisible = |&axis: &usize| {
            let narrower = extent[axis] / (f64::from(counts[axis]) + 1.0);
            counts[axis] < MAX_BUCKETS_PER_AXIS && narrower > 0.0 && narrower >= least[axis]
        };
        let longest = (0..D)
            .filter(divisible)
            .max_by(|&a, &b| width(&counts, a).total_cmp(&width(&counts, b)));
        let Some(axis) = longest else { break };
        counts[axis] += 1;
    }
    counts
}

const _: () = assert!(bounds::MAX_PART_OF_PERIOD + 1.0 / (MIN_PERIODIC_BUCKETS as f64) < 1.0);
