//! The input of every broad phase, checked once.

use crate::error::{AXES, Error, LARGEST_NUMBER};
use carom_geometry::{Aabb, Boundary, Sphere, Vector};
use rayon::prelude::*;

/// Spheres and their boundary, checked once, with the extents every broad phase starts from.
///
/// ```
/// use carom_detect::broad::SphereSystem;
/// use carom_geometry::{Boundary, Sphere, Vector};
/// let discs = [Sphere::new([1.0, 2.0], 0.5), Sphere::new([4.0, 7.0], 1.5)];
/// let boundary = Boundary::periodic([Some(10.0), None])?;
/// let system = SphereSystem::new(&discs, &boundary)?;
/// assert_eq!((system.smallest_radius(), system.largest_radius()), (0.5, 1.5));
/// // The period along x, the extent of the centers along y.
/// assert_eq!(system.region().size(), Vector::from([10.0, 5.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SphereSystem<'a, const D: usize> {
    spheres: &'a [Sphere<D>],
    boundary: &'a Boundary<D>,
    bounds: Aabb<D>,
    bulk: Aabb<D>,
    smallest_radius: f64,
    largest_radius: f64,
}

/// Number of spheres per parallel task in a pass over all of them.
const CHUNK_SIZE: usize = 1 << 15;

/// Number of spheres sampled to find the bulk.
const BULK_SAMPLE: usize = 256;
/// Coordinates farther away than this many periods have too few digits left for a position in the box.
const MAX_PERIODS: f64 = 1e12;
/// Longer than any length whose square underflows to zero.
const VANISHING: f64 = 1e-150;

impl<'a, const D: usize> SphereSystem<'a, D> {
    /// Checks every number once; the structures rely on it.
    ///
    /// Fails if a number is not finite or larger than 1e100, a radius is negative, or a sphere is wider
    /// than half a period or more than 1e12 periods away from the box.
    pub fn new(spheres: &'a [Sphere<D>], boundary: &'a Boundary<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "carom works in two and three dimensions") };
        if spheres.len() > u32::MAX as usize {
            return Err(Error::TooMany { count: spheres.len() });
        }
        let extremes = measure_extremes(spheres);
        let mut system = SphereSystem {
            spheres,
            boundary,
            bounds: extremes.bounds(),
            bulk: Aabb::empty(),
            smallest_radius: extremes.low[3],
            largest_radius: extremes.high[3].max(0.0),
        };
        let usable = !extremes.has_nan()
            && system.smallest_radius >= 0.0
            && system.largest_number() <= LARGEST_NUMBER;
        // Extremes first, in one pass; which sphere is at fault is looked for only if there is one.
        if !(spheres.is_empty() || usable) {
            return Err(first_unusable(spheres));
        }
        system.refuse_spheres_that_meet_their_images()?;
        system.refuse_spheres_too_many_periods_away()?;
        system.bulk = system.find_bulk();
        Ok(system)
    }

    /// Returns the spheres, as given.
    pub fn spheres(&self) -> &'a [Sphere<D>] {
        self.spheres
    }

    /// Returns the boundary, as given.
    pub fn boundary(&self) -> &'a Boundary<D> {
        self.boundary
    }

    /// Returns the radius of the smallest sphere.
    pub fn smallest_radius(&self) -> f64 {
        self.smallest_radius
    }

    /// Returns the radius of the largest sphere.
    pub fn largest_radius(&self) -> f64 {
        self.largest_radius
    }

    /// Returns the bounding box of all centers after [`Boundary::wrap`]: the whole period on a periodic axis.
    pub fn region(&self) -> Aabb<D> {
        let mut region = self.bounds;
        for axis in 0..D {
            if let Some(period) = self.boundary.period(axis) {
                (region.low[axis], region.high[axis]) = (0.0, period);
            }
        }
        region
    }

    /// Returns the region without what a few far outliers add to it.
    ///
    /// The bulk leaves out only so few spheres that comparing these with each other costs no more than a
    /// few passes over all. It differs from the region only where it is much shorter; a periodic axis is
    /// never trimmed.
    pub(crate) fn bulk(&self) -> Aabb<D> {
        self.bulk
    }

    fn find_bulk(&self) -> Aabb<D> {
        let (region, count) = (self.region(), self.spheres.len());
        if count < 4 * BULK_SAMPLE {
            return region;
        }
        // A prime stride, coprime to most counts, so that a regular order of the input does not bias the
        // sample.
        let sampled = |index: usize| &self.spheres[index * 2_654_435_761 % count].center;
        let mut bulk = region;
        for axis in (0..D).filter(|&axis| self.boundary.period(axis).is_none()) {
            let mut sample: [f64; BULK_SAMPLE] = std::array::from_fn(|index| sampled(index)[axis]);
            let tenth = BULK_SAMPLE / 10;
            let low = *sample.select_nth_unstable_by(tenth, f64::total_cmp).1;
            let high = *sample.select_nth_unstable_by(BULK_SAMPLE - tenth, f64::total_cmp).1;
            // Even normally distributed spheres span less than four times their inner eighty percent.
            let middle = high - low;
            if middle > 0.0 && region.size()[axis] > 4.0 * middle {
                bulk.low[axis] = region.low[axis].max(low - middle);
                bulk.high[axis] = region.high[axis].min(high + middle);
            }
        }
        if bulk == region || self.count_outside(&bulk).pow(2) > 16 * count { region } else { bulk }
    }

    fn count_outside(&self, bulk: &Aabb<D>) -> usize {
        let outside = |sphere: &&Sphere<D>| {
            (0..D).any(|axis| {
                let open = self.boundary.period(axis).is_none();
                open && !(bulk.low[axis]..=bulk.high[axis]).contains(&sphere.center[axis])
            })
        };
        self.spheres.iter().filter(outside).count()
    }

    /// Returns a length that bounds the rounding of a point whose coordinates are wrapped or shifted by a
    /// period.
    ///
    /// It is nearly zero in open space, where the difference of two coordinates is rounded relative to
    /// itself, however large they are. The tiny remainder covers distances whose squares underflow, which
    /// the definition of a contact takes for zero.
    pub(crate) fn image_margin(&self) -> f64 {
        (0..D).map(|axis| self.wrapping_margin(axis)).sum::<f64>() + VANISHING
    }

    /// As [`image_margin`](Self::image_margin), for a coordinate along one axis.
    pub(crate) fn image_margin_along(&self, axis: usize) -> f64 {
        self.wrapping_margin(axis) + VANISHING
    }

    fn wrapping_margin(&self, axis: usize) -> f64 {
        match self.boundary.period(axis) {
            None => 0.0,
            Some(period) => {
                let farthest = self.bounds.low[axis].abs().max(self.bounds.high[axis].abs());
                (farthest + period) * 16.0 * f64::EPSILON
            }
        }
    }

    fn largest_number(&self) -> f64 {
        self.bounds.low.amax().max(self.bounds.high.amax()).max(self.largest_radius)
    }

    fn refuse_spheres_too_many_periods_away(&self) -> Result<(), Error> {
        for axis in 0..D {
            let Some(period) = self.boundary.period(axis) else { continue };
            let far = |value: f64| value.abs() > MAX_PERIODS * period;
            if self.spheres.is_empty()
                || !(far(self.bounds.low[axis]) || far(self.bounds.high[axis]))
            {
                continue;
            }
            if let Some(index) = self.spheres.iter().position(|sphere| far(sphere.center[axis])) {
                let value = self.spheres[index].center[axis];
                return Err(Error::TooFarFromTheBox { index, axis: AXES[axis], value, period });
            }
        }
        Ok(())
    }

    fn refuse_spheres_that_meet_their_images(&self) -> Result<(), Error> {
        for axis in 0..D {
            let Some(period) = self.boundary.period(axis) else { continue };
            let too_large = |sphere: &Sphere<D>| 4.0 * sphere.radius > period;
            if 4.0 * self.largest_radius <= period {
                continue;
            }
            if let Some(index) = self.spheres.iter().position(too_large) {
                let diameter = 2.0 * self.spheres[index].radius;
                return Err(Error::LargerThanHalfTheBox {
                    index,
                    diameter,
                    axis: AXES[axis],
                    period,
                });
            }
        }
        Ok(())
    }
}

/// Extremes of centers (first `D` entries) and radii (last entry), and sums that are NaN if any value is,
/// since comparisons skip NaN.
#[derive(Clone, Copy)]
struct SphereExtremes {
    low: [f64; 4],
    high: [f64; 4],
    sum: [f64; 4],
}

impl SphereExtremes {
    const EMPTY: Self =
        SphereExtremes { low: [f64::INFINITY; 4], high: [f64::NEG_INFINITY; 4], sum: [0.0; 4] };

    #[inline(always)]
    fn include<const D: usize>(&mut self, sphere: &Sphere<D>) {
        let mut values = [0.0; 4];
        values[..D].copy_from_slice(sphere.center.as_slice());
        values[3] = sphere.radius;
        for entry in 0..4 {
            let value = values[entry];
            // Not `f64::min` and `max`, whose rules for NaN take several instructions instead of one.
            self.low[entry] = if value < self.low[entry] { value } else { self.low[entry] };
            self.high[entry] = if value > self.high[entry] { value } else { self.high[entry] };
            self.sum[entry] += value;
        }
    }

    fn union(mut self, other: Self) -> Self {
        for entry in 0..4 {
            self.low[entry] = self.low[entry].min(other.low[entry]);
            self.high[entry] = self.high[entry].max(other.high[entry]);
            self.sum[entry] += other.sum[entry];
        }
        self
    }

    fn bounds<const D: usize>(&self) -> Aabb<D> {
        let corner = |values: [f64; 4]| Vector::from_fn(|axis, _| values[axis]);
        Aabb { low: corner(self.low), high: corner(self.high) }
    }

    fn has_nan(&self) -> bool {
        self.sum.iter().any(|sum| sum.is_nan())
    }
}

fn measure_extremes<const D: usize>(spheres: &[Sphere<D>]) -> SphereExtremes {
    if rayon::current_num_threads() == 1 || spheres.len() <= CHUNK_SIZE {
        return measure_chunk_extremes(spheres);
    }
    let pieces = spheres.par_chunks(CHUNK_SIZE).map(measure_chunk_extremes);
    pieces.reduce(|| SphereExtremes::EMPTY, SphereExtremes::union)
}

/// Measures even and odd spheres separately: two independent dependency chains, where one alone would
/// wait for its own last comparison.
fn measure_chunk_extremes<const D: usize>(spheres: &[Sphere<D>]) -> SphereExtremes {
    let (mut even, mut odd) = (SphereExtremes::EMPTY, SphereExtremes::EMPTY);
    let mut twos = spheres.chunks_exact(2);
    for two in &mut twos {
        even.include(&two[0]);
        odd.include(&two[1]);
    }
    twos.remainder().iter().for_each(|sphere| even.include(sphere));
    even.union(odd)
}

fn first_unusable<const D: usize>(spheres: &[Sphere<D>]) -> Error {
    let usable = |value: f64| value.abs() <= LARGEST_NUMBER;
    for (index, sphere) in spheres.iter().enumerate() {
        for axis in 0..D {
            let value = sphere.center[axis];
            if !usable(value) {
                return Error::NotUsable { index, what: AXES[axis], value };
            }
        }
        if !usable(sphere.radius) {
            return Error::NotUsable { index, what: "radius", value: sphere.radius };
        }
        if sphere.radius < 0.0 {
            return Error::NegativeRadius { index, radius: sphere.radius };
        }
    }
    unreachable!("the extremes are those of a sphere that cannot be used")
}
