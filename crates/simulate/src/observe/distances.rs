use super::snapshot::ball;
use crate::events::Simulation;
use carom_detect::{ContactSearch, Method};
use carom_geometry::Sphere;

/// Distances of pairs of bodies, counted in intervals from zero to `to`: the radial distribution
/// function of the moments sampled.
///
/// Where all axes are periodic it tends to one far away. Otherwise pairs that walls cut off are
/// missing, so that it falls with the distance; it is compared with an ideal gas of the same density
/// in a box without ends.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceHistogram {
    /// Largest distance; at most half of the shortest period.
    pub to: f64,
    /// Pairs per interval.
    pub pairs: Vec<u64>,
    /// Moments sampled.
    pub samples: u64,
}

impl DistanceHistogram {
    /// Nothing sampled yet.
    pub fn new(to: f64, bins: usize) -> Self {
        DistanceHistogram { to, pairs: vec![0; bins], samples: 0 }
    }

    /// Adds all pairs of the present.
    pub fn sample<const D: usize>(&mut self, simulation: &Simulation<D>) {
        let boundary = simulation.settings().region.boundary();
        // Balls of half the distance touch where centres are that near.
        let radius = 0.5 * self.to;
        let balls: Vec<Sphere<D>> = (0..simulation.count())
            .map(|body| Sphere { center: simulation.position(body), radius })
            .collect();
        let (last, per_length) = (self.pairs.len() - 1, self.pairs.len() as f64 / self.to);
        let (to, pairs) = (self.to, &mut self.pairs);
        ContactSearch::new(Method::Auto)
            .visit(&balls, &boundary, |contact| {
                let distance = to - contact.overlap;
                pairs[((distance * per_length) as usize).min(last)] += 1;
            })
            .expect("bodies have finite places, and half a period is not exceeded");
        self.samples += 1;
    }

    /// Middle of each interval and the distribution there, for so many bodies in such a volume.
    pub fn distribution<const D: usize>(&self, count: usize, volume: f64) -> Vec<[f64; 2]> {
        let width = self.to / self.pairs.len() as f64;
        let density = (count as f64 - 1.0) / volume;
        let ideal_pairs = 0.5 * count as f64 * self.samples as f64 * density;
        let inner = |bin: usize| ball(D) * (bin as f64 * width).powi(D as i32);
        let value = |(bin, &pairs): (usize, &u64)| {
            let shell = inner(bin + 1) - inner(bin);
            [(bin as f64 + 0.5) * width, pairs as f64 / (ideal_pairs * shell)]
        };
        self.pairs.iter().enumerate().map(value).collect()
    }
}
