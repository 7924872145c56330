//! Which buckets there are, and which of them a box reaches into.

use super::bounds;
use carom_geometry::{Aabb, Boundary};

/// A lattice of buckets; those at open sides reach to infinity.
#[derive(Clone, Debug)]
pub(super) struct Grid<const D: usize> {
    boundary: Boundary<D>,
    origin: [f64; D],
    per_length: [f64; D],
    counts: [u16; D],
}

/// The buckets a box reaches into: per axis the first and the last, the last before the first if
/// the box sticks out through the seam.
pub(super) type Span<const D: usize> = [[u16; 2]; D];

/// The span of a box that is in no bucket.
pub(super) const fn nowhere<const D: usize>() -> Span<D> {
    [[u16::MAX; 2]; D]
}

/// A bucket, and on which axes the image of the box that lies a period below is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place<const D: usize> {
    pub cell: [u16; D],
    pub below: u32,
}

/// On a periodic axis no box may meet a bucket from both sides.
const FEWEST_PERIODIC: u16 = 3;
/// More buckets along an axis than this are never made.
const MOST: u16 = 8192;
/// Bodies per bucket that are aimed at.
const BODIES_PER_BUCKET: usize = 48;
/// A bucket is at least so many times as wide as the median box.
const WIDTHS: f64 = 3.0;
/// How many boxes are looked at to see where most are.
const SAMPLE: usize = 512;
/// The boxes may be in so many buckets each on average.
const MOST_PLACES: f64 = 4.0;

impl<const D: usize> Grid<D> {
    /// One bucket for all, but for the few that periodic axes need.
    pub fn single(boundary: &Boundary<D>) -> Self {
        let period = |axis| boundary.period(axis);
        let counts = std::array::from_fn(|axis| period(axis).map_or(1, |_| FEWEST_PERIODIC));
        let extent = std::array::from_fn(|axis| period(axis).unwrap_or(0.0));
        Self::new(boundary, [0.0; D], extent, counts)
    }

    /// Buckets of some dozens of bodies that are a few boxes wide.
    pub fn by_density(boundary: &Boundary<D>, boxes: &[Aabb<D>]) -> Self {
        let here: Vec<&Aabb<D>> = boxes.iter().filter(|bounds| is_there(bounds)).collect();
        let mut grid = Grid::single(boundary);
        if here.len() < 2 * BODIES_PER_BUCKET {
            return grid;
        }
        let step = here.len().div_ceil(SAMPLE);
        let sample = |of: &dyn Fn(&Aabb<D>) -> f64| -> Vec<f64> {
            let mut values: Vec<f64> = here.iter().step_by(step).map(|bounds| of(bounds)).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let (mut origin, mut extent, mut least) = ([0.0; D], [0.0; D], [0.0; D]);
        for axis in 0..D {
            let widths = sample(&|bounds| bounds.high[axis] - bounds.low[axis]);
            least[axis] = WIDTHS * widths[widths.len() / 2];
            (origin[axis], extent[axis]) = boundary.period(axis).map_or_else(
                || bulk(&sample(&|bounds| 0.5 * (bounds.low[axis] + bounds.high[axis]))),
                |period| (0.0, period),
            );
        }
        let counts = divide(&extent, &least, grid.counts, here.len() / BODIES_PER_BUCKET);
        grid = Self::new(boundary, origin, extent, counts);
        while grid.places_per_box(&here) > MOST_PLACES && grid.coarsen() {}
        grid
    }

    fn new(boundary: &Boundary<D>, origin: [f64; D], extent: [f64; D], counts: [u16; D]) -> Self {
        let per_length = std::array::from_fn(|axis| {
            let per_length = f64::from(counts[axis]) / extent[axis];
            if per_length.is_finite() { per_length } else { 0.0 }
        });
        Grid { boundary: *boundary, origin, per_length, counts }
    }

    /// Halves the number of buckets along every axis; whether that was possible.
    fn coarsen(&mut self) -> bool {
        let mut changed = false;
        for axis in 0..D {
            let fewest = self.boundary.period(axis).map_or(1, |_| FEWEST_PERIODIC);
            let count = (self.counts[axis] / 2).max(fewest);
            changed |= count != self.counts[axis];
            self.per_length[axis] *= f64::from(count) / f64::from(self.counts[axis]);
            self.counts[axis] = count;
        }
        changed
    }

    fn places_per_box(&self, boxes: &[&Aabb<D>]) -> f64 {
        let places = |bounds: &&Aabb<D>| self.places_in(&self.span(bounds)) as f64;
        boxes.iter().map(places).sum::<f64>() / boxes.len() as f64
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).product()
    }

    /// Where a bucket stands in the list of all.
    pub fn index(&self, place: &Place<D>) -> u32 {
        (0..D).rev().fold(0, |index, axis| {
            index * u32::from(self.counts[axis]) + u32::from(place.cell[axis])
        })
    }

    /// The buckets that a box, [wrapped](bounds::wrapped) into the boundary, reaches into.
    #[inline(always)]
    pub fn span(&self, bounds: &Aabb<D>) -> Span<D> {
        let mut span = [[0; 2]; D];
        for axis in 0..D {
            let mut high = bounds.high[axis];
            if let Some(period) = self.boundary.period(axis).filter(|&period| high >= period) {
                high -= period;
            }
            span[axis] = [self.cell(axis, bounds.low[axis]), self.cell(axis, high)];
        }
        span
    }

    /// Monotonic, so that boxes that overlap share a bucket whatever the rounding.
    #[inline(always)]
    fn cell(&self, axis: usize, value: f64) -> u16 {
        let cell = ((value - self.origin[axis]) * self.per_length[axis]) as i32;
        cell.clamp(0, i32::from(self.counts[axis]) - 1) as u16
    }

    /// Every place of a span.
    pub fn places(&self, span: &Span<D>) -> impl Iterator<Item = Place<D>> + use<'_, D> {
        let (span, lengths) = (*span, self.lengths(span));
        (0..self.places_in(&span)).map(move |mut number| {
            let mut place = Place { cell: [0; D], below: 0 };
            for axis in 0..D {
                let cell = span[axis][0] as usize + number % lengths[axis];
                let count = usize::from(self.counts[axis]);
                place.below |= u32::from(cell >= count) << axis;
                place.cell[axis] = (cell % count) as u16;
                number /= lengths[axis];
            }
            place
        })
    }

    /// Whether a span has a place.
    pub fn holds(&self, span: &Span<D>, place: &Place<D>) -> bool {
        *span != nowhere()
            && (0..D).all(|axis| {
                let ([first, last], cell) = (span[axis], place.cell[axis]);
                let below = place.below >> axis & 1 == 1;
                match (first <= last, below) {
                    (true, false) => (first..=last).contains(&cell),
                    (true, true) => false,
                    (false, false) => cell >= first,
                    (false, true) => cell <= last,
                }
            })
    }

    fn places_in(&self, span: &Span<D>) -> usize {
        if *span == nowhere() { 0 } else { self.lengths(span).iter().product() }
    }

    fn lengths(&self, span: &Span<D>) -> [usize; D] {
        std::array::from_fn(|axis| {
            let (first, last) = (usize::from(span[axis][0]), usize::from(span[axis][1]));
            let turn = if last < first { usize::from(self.counts[axis]) } else { 0 };
            last + turn - first + 1
        })
    }
}

/// Whether a box is one; those of removed bodies are empty.
pub(super) fn is_there<const D: usize>(bounds: &Aabb<D>) -> bool {
    bounds.low[0] <= bounds.high[0]
}

/// Where most of the sorted values lie, as a start and a length; a few far away are left out.
fn bulk(sorted: &[f64]) -> (f64, f64) {
    let cut = sorted.len() / 50;
    let (low, high) = (sorted[cut], sorted[sorted.len() - 1 - cut]);
    let margin = 0.04 * (high - low);
    (low - margin, high - low + 2.0 * margin)
}

/// Divides the longest buckets until there are enough or they become too narrow.
fn divide<const D: usize>(
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
            counts[axis] < MOST && narrower > 0.0 && narrower >= least[axis]
        };
        let longest = (0..D)
            .filter(divisible)
            .max_by(|&a, &b| width(&counts, a).total_cmp(&width(&counts, b)));
        let Some(axis) = longest else { break };
        counts[axis] += 1;
    }
    counts
}

const _: () = assert!(bounds::WIDEST + 1.0 / (FEWEST_PERIODIC as f64) < 1.0);
