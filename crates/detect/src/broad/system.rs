use crate::error::{AXES, Error, LARGEST_NUMBER};
use carom_geometry::{Aabb, Boundary, Sphere, Vector};
use rayon::prelude::*;

/// Spheres and boundary, checked, with the few figures every structure starts from.
#[derive(Clone, Copy, Debug)]
pub struct System<'a, const D: usize> {
    spheres: &'a [Sphere<D>],
    boundary: &'a Boundary<D>,
    bounds: Aabb<D>,
    smallest_radius: f64,
    largest_radius: f64,
}

/// How many spheres one parallel piece of a pass over all of them holds.
const PIECE: usize = 1 << 15;

/// How many spheres are looked at to find the bulk.
const BULK_SAMPLE: usize = 256;

impl<'a, const D: usize> System<'a, D> {
    /// Checks every number once; inside, all are trusted.
    pub fn new(spheres: &'a [Sphere<D>], boundary: &'a Boundary<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "carom works in two and three dimensions") };
        if spheres.len() > u32::MAX as usize {
            return Err(Error::TooMany { count: spheres.len() });
        }
        let survey = survey(spheres);
        let system = System {
            spheres,
            boundary,
            bounds: survey.bounds,
            smallest_radius: survey.smallest_radius,
            largest_radius: survey.largest_radius,
        };
        let usable = !survey.poisoned
            && survey.smallest_radius >= 0.0
            && system.largest_number() <= LARGEST_NUMBER;
        if !(spheres.is_empty() || usable) {
            return Err(first_unusable(spheres));
        }
        system.refuse_spheres_that_meet_their_images()?;
        Ok(system)
    }

    /// The spheres, as given.
    pub fn spheres(&self) -> &'a [Sphere<D>] {
        self.spheres
    }

    /// The boundary, as given.
    pub fn boundary(&self) -> &'a Boundary<D> {
        self.boundary
    }

    /// Radius of the smallest sphere.
    pub fn smallest_radius(&self) -> f64 {
        self.smallest_radius
    }

    /// Radius of the largest sphere.
    pub fn largest_radius(&self) -> f64 {
        self.largest_radius
    }

    /// The box of all centres as given.
    pub fn bounds(&self) -> Aabb<D> {
        self.bounds
    }

    /// The box of all centres after [`Boundary::wrap`]: the whole period on a periodic axis.
    pub fn region(&self) -> Aabb<D> {
        let mut region = self.bounds;
        for axis in 0..D {
            if let Some(period) = self.boundary.period(axis) {
                (region.low[axis], region.high[axis]) = (0.0, period);
            }
        }
        region
    }

    /// The region without what few far outliers add to it: at least eight spheres in ten lie inside.
    ///
    /// Trimmed only where that makes an axis much shorter; a periodic axis never is.
    pub fn bulk(&self) -> Aabb<D> {
        let mut bulk = self.region();
        if self.spheres.len() < 4 * BULK_SAMPLE {
            return bulk;
        }
        let stride = self.spheres.len() / BULK_SAMPLE;
        for axis in (0..D).filter(|&axis| self.boundary.period(axis).is_none()) {
            let mut sample: [f64; BULK_SAMPLE] =
                std::array::from_fn(|index| self.spheres[index * stride].center[axis]);
            let tenth = BULK_SAMPLE / 10;
            let low = *sample.select_nth_unstable_by(tenth, f64::total_cmp).1;
            let high = *sample.select_nth_unstable_by(BULK_SAMPLE - tenth, f64::total_cmp).1;
            let middle = high - low;
            if bulk.high[axis] - bulk.low[axis] > 4.0 * middle {
                bulk.low[axis] = bulk.low[axis].max(low - middle);
                bulk.high[axis] = bulk.high[axis].min(high + middle);
            }
        }
        bulk
    }

    /// A length that covers the rounding of any coordinate, distance or sum of radii: two spheres
    /// further apart than their reach and this never count as touching.
    pub fn margin(&self) -> f64 {
        (self.largest_number() + self.region().high.amax()) * 1e-14 + 1e-150
    }

    fn largest_number(&self) -> f64 {
        self.bounds.low.amax().max(self.bounds.high.amax()).max(self.largest_radius)
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

struct Survey<const D: usize> {
    bounds: Aabb<D>,
    smallest_radius: f64,
    largest_radius: f64,
    poisoned: bool,
}

fn survey<const D: usize>(spheres: &[Sphere<D>]) -> Survey<D> {
    if rayon::current_num_threads() == 1 || spheres.len() <= PIECE {
        return survey_piece(spheres);
    }
    spheres.par_chunks(PIECE).map(survey_piece).reduce(
        || survey_piece(&[]),
        |a, b| Survey {
            bounds: a.bounds.union(&b.bounds),
            smallest_radius: a.smallest_radius.min(b.smallest_radius),
            largest_radius: a.largest_radius.max(b.largest_radius),
            poisoned: a.poisoned || b.poisoned,
        },
    )
}

fn survey_piece<const D: usize>(spheres: &[Sphere<D>]) -> Survey<D> {
    let mut low = [f64::INFINITY; D];
    let mut high = [f64::NEG_INFINITY; D];
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0);
    // Zero times a number is zero, unless the number is infinite or none.
    let mut poison = 0.0;
    for sphere in spheres {
        for axis in 0..D {
            let value = sphere.center[axis];
            low[axis] = if value < low[axis] { value } else { low[axis] };
            high[axis] = if value > high[axis] { value } else { high[axis] };
            poison += value * 0.0;
        }
        let radius = sphere.radius;
        smallest = if radius < smallest { radius } else { smallest };
        largest = if radius > largest { radius } else { largest };
        poison += radius * 0.0;
    }
    Survey {
        bounds: Aabb { low: Vector::from(low), high: Vector::from(high) },
        smallest_radius: smallest,
        largest_radius: largest,
        poisoned: poison != 0.0,
    }
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
    unreachable!("the survey found a sphere that cannot be used")
}
