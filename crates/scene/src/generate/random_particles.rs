//! Particles at uniform random positions, overlaps allowed.

use super::{SplitMix64, ball_volume, check_count, setting};
use crate::Error;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::{Boundary, Sphere, Vector, math};
use carom_io::ParticleSet;

/// Number of draws of one log-normal diameter before its range counts as missed.
const MOST_DRAWS: usize = 100_000;

/// The distribution of diameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DiameterDistribution {
    /// Uniformly distributed in `[low, high]`.
    Uniform {
        /// Smallest diameter.
        low: f64,
        /// Largest diameter.
        high: f64,
    },
    /// `median * exp(sigma * normal)`, redrawn until in `[low, high]`.
    LogNormal {
        /// Median, before the range is applied.
        median: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
        /// Smallest diameter.
        low: f64,
        /// Largest diameter.
        high: f64,
    },
}

/// The size of the region of the centers, which starts at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RandomRegion<const D: usize> {
    /// A box with these edge lengths.
    Box([f64; D]),
    /// A cube or square with this number of particles per volume or area.
    NumberDensity(f64),
    /// A cube or square with this packing fraction, each particle counted as a whole; it may exceed one because they
    /// overlap.
    PackingFraction(f64),
}

/// Settings of random particles; [`RandomParticles::make`] checks them.
///
/// ```
/// use carom_scene::generate::{RandomParticles, RandomRegion, DiameterDistribution};
/// let particles = RandomParticles::<2> {
///     count: 100,
///     diameters: DiameterDistribution::Uniform { low: 0.5, high: 1.0 },
///     region: RandomRegion::PackingFraction(0.3),
///     periodic: true,
///     seed: 7,
/// };
/// let set = particles.make()?;
/// assert_eq!(set.spheres.len(), 100);
/// assert!(set.boundary.is_periodic());
/// # Ok::<(), carom_scene::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomParticles<const D: usize> {
    /// Number of particles to be placed.
    pub count: usize,
    /// Distribution from which diameters are drawn.
    pub diameters: DiameterDistribution,
    /// Region in which all centers lie.
    pub region: RandomRegion<D>,
    /// Whether every axis is periodic; open if not.
    pub periodic: bool,
    /// Seed; equal seeds give equal particles.
    pub seed: u64,
}

impl<const D: usize> RandomParticles<D> {
    /// Returns the particles: all diameters are drawn first, then the positions one by one.
    pub fn make(&self) -> Result<ParticleSet<D>, Error> {
        check_count(self.count)?;
        self.diameters.check()?;
        self.region.check()?;
        let mut random = SplitMix64::new(self.seed);
        let diameters = self.diameters.draw(self.count, &mut random)?;
        let edges = self.region.edges(&diameters)?;
        let boundary = self.boundary(edges)?;
        let place = |diameter: f64| Sphere {
            center: edges.map(|edge| edge * random.uniform()),
            radius: 0.5 * diameter,
        };
        Ok(ParticleSet { spheres: diameters.into_iter().map(place).collect(), boundary })
    }

    fn boundary(&self, edges: Vector<D>) -> Result<Boundary<D>, Error> {
        if !self.periodic {
            return Ok(Boundary::open());
        }
        Boundary::periodic(std::array::from_fn(|axis| Some(edges[axis]))).map_err(|error| {
            let rule = "a periodic box must have edges between 1e-100 and 1e100";
            setting("box edge", error.length, rule)
        })
    }
}

impl DiameterDistribution {
    fn check(self) -> Result<(), Error> {
        let (low, high) = self.range();
        check_number("lowest diameter", low, 0.0, "it must be finite and not negative")?;
        check_number("highest diameter", high, low, "it must be finite and not below the lowest")?;
        if let DiameterDistribution::LogNormal { median, sigma, .. } = self {
            let rule = "it must be finite and greater than zero";
            check_number("median diameter", median, f64::MIN_POSITIVE, rule)?;
            check_number("sigma", sigma, 0.0, "it must be finite and not negative")?;
        }
        Ok(())
    }

    fn range(self) -> (f64, f64) {
        let (DiameterDistribution::Uniform { low, high }
        | DiameterDistribution::LogNormal { low, high, .. }) = self;
        (low, high)
    }

    fn draw(self, count: usize, random: &mut SplitMix64) -> Result<Vec<f64>, Error> {
        (0..count).map(|_| self.draw_one(random)).collect()
    }

    fn draw_one(self, random: &mut SplitMix64) -> Result<f64, Error> {
        match self {
            DiameterDistribution::Uniform { low, high } => {
                Ok(low + (high - low) * random.uniform())
            }
            // Drawn again outside of the bounds, which keeps the shape of the distribution between them.
            DiameterDistribution::LogNormal { median, sigma, low, high } => (0..MOST_DRAWS)
                .map(|_| median * math::exp(sigma * random.normal()))
                .find(|diameter| (low..=high).contains(diameter))
                .ok_or_else(|| {
                    let rule = "almost no diameter falls between the lowest and the highest";
                    setting("median diameter", median, rule)
                }),
        }
    }
}

impl<const D: usize> RandomRegion<D> {
    fn check(&self) -> Result<(), Error> {
        let rule = "it must be finite and greater than zero";
        match *self {
            RandomRegion::Box(edges) => edges
                .iter()
                .try_for_each(|&edge| check_number("box edge", edge, f64::MIN_POSITIVE, rule)),
            RandomRegion::NumberDensity(density) => {
                check_number("density", density, f64::MIN_POSITIVE, rule)
            }
            RandomRegion::PackingFraction(part) => {
                check_number("covered fraction", part, f64::MIN_POSITIVE, rule)
            }
        }
    }

    fn edges(&self, diameters: &[f64]) -> Result<Vector<D>, Error> {
        let volume = match *self {
            RandomRegion::Box(edges) => return Ok(edges.into()),
            RandomRegion::NumberDensity(density) => diameters.len() as f64 / density,
            RandomRegion::PackingFraction(part) => {
                diameters.iter().map(|&diameter| ball_volume::<D>(diameter)).sum::<f64>() / part
            }
        };
        let side = if D == 2 { volume.sqrt() } else { math::cbrt(volume) };
        // An empty box is allowed without particles, but not for particles without size.
        if !(side <= LARGEST_NUMBER && (side > 0.0 || diameters.is_empty())) {
            let rule =
                "it must be greater than zero; change the sizes, the density or the fraction";
            return Err(setting("side of the box", side, rule));
        }
        Ok(Vector::repeat(side))
    }
}

fn check_number(
    what: &'static str,
    value: f64,
    least: f64,
    rule: &'static str,
) -> Result<(), Error> {
    let allowed = (least..=LARGEST_NUMBER).contains(&value);
    if allowed { Ok(()) } else { Err(setting(what, value, rule)) }
}

#[cfg(test)]
mod tests;
