//! The radial distribution function of one state.

use carom_geometry::{Boundary, Vector, math, unit_ball_volume};

/// Histogram of pair distances from zero to `to`, which gives the radial distribution function `g(r)`.
///
/// It is normalized by an ideal gas of the same density in an infinite box. Where all axes are periodic it
/// tends to one at large distances; otherwise pairs beyond walls are missing, so that it falls.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
/// use carom_simulate::observe::DistanceHistogram;
/// // Two discs that are 3 apart through the side of the box.
/// let bodies = [1.0, 8.0].map(|x| BodyStart::new([x, 5.0], [0.0, 0.0], 1.0));
/// let simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
/// let mut histogram = DistanceHistogram::new(5.0, 10);
/// histogram.add(&simulation.state().positions, &simulation.settings().region.boundary()?);
/// assert_eq!(histogram.pairs, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceHistogram {
    /// Largest distance. Distances over half of the shortest period are not counted.
    pub to: f64,
    /// Number of pairs in each bin.
    pub pairs: Vec<u64>,
    /// Number of pairs of bodies in all samples, at whatever distance: the sum of `N (N - 1) / 2`.
    pub all_pairs: u64,
}

impl DistanceHistogram {
    /// Makes an empty histogram of at least one bin.
    pub fn new(to: f64, bins: usize) -> Self {
        DistanceHistogram { to, pairs: vec![0; bins.max(1)], all_pairs: 0 }
    }

    /// Adds all pairs of positions; on periodic axes these must be inside the box.
    pub fn add<const D: usize>(&mut self, positions: &[Vector<D>], boundary: &Boundary<D>) {
        let periods: [Option<f64>; D] = std::array::from_fn(|axis| boundary.period(axis));
        let reach = periods.iter().flatten().fold(self.to, |reach, period| reach.min(0.5 * period));
        let mut places = positions.to_vec();
        let (last, per_length) = (self.pairs.len() - 1, self.pairs.len() as f64 / self.to);
        let pairs = &mut self.pairs;
        let mut count = |distance: f64| {
            pairs[((distance * per_length) as usize).min(last)] += 1;
        };
        let cells = HistogramCells::new(&mut places, reach, boundary);
        cells.visit_pairs(&places, |first, second| {
            let mut squared = 0.0;
            for axis in 0..D {
                let step = (second[axis] - first[axis]).abs();
                let step = periods[axis].map_or(step, |period| step.min(period - step));
                squared += step * step;
            }
            if squared <= reach * reach {
                count(squared.sqrt());
            }
        });
        let count = positions.len() as u64;
        self.all_pairs += count * count.saturating_sub(1) / 2;
    }

    /// Returns the midpoint of each bin and `g(r)` there, for bodies in a volume.
    ///
    /// ```
    /// use carom_simulate::observe::DistanceHistogram;
    /// // An ideal gas: as many pairs in each ring as its share of the area, π (2k + 1) of 100.
    /// let all_pairs = 5_000_000;
    /// let expected = |ring: u32| 0.01 * 5e6 * std::f64::consts::PI * f64::from(2 * ring + 1);
    /// let pairs = (0..4).map(|ring| expected(ring).round() as u64).collect();
    /// let histogram = DistanceHistogram { to: 4.0, pairs, all_pairs };
    /// for [_, value] in histogram.distribution::<2>(100.0) {
    ///     assert!((value - 1.0).abs() < 1e-5);
    /// }
    /// ```
    pub fn distribution<const D: usize>(&self, volume: f64) -> Vec<[f64; 2]> {
        let width = self.to / self.pairs.len() as f64;
        let ideal_pairs = self.all_pairs as f64 / volume;
        let inner = |bin: usize| unit_ball_volume(D) * (bin as f64 * width).powi(D as i32);
        let value = |(bin, &pairs): (usize, &u64)| {
            let shell = inner(bin + 1) - inner(bin);
            [(bin as f64 + 0.5) * width, pairs as f64 / (ideal_pairs * shell)]
        };
        self.pairs.iter().enumerate().map(value).collect()
    }
}

/// Positions sorted by cells that are not narrower than the reach (a cell list). Pairs are many here, most
/// candidates count, and their order does not matter: a contact search, which sorts them, would take ten
/// times as long.
struct HistogramCells<const D: usize> {
    counts: [usize; D],
    periodic: [bool; D],
    /// Start of the positions of each cell, and the end of the last.
    starts: Vec<usize>,
}

impl<const D: usize> HistogramCells<D> {
    fn new(places: &mut [Vector<D>], reach: f64, boundary: &Boundary<D>) -> Self {
        let most = math::powf(places.len() as f64, 1.0 / D as f64).max(1.0);
        let mut low = [0.0; D];
        let mut lengths = [0.0; D];
        for axis in 0..D {
            let along = || places.iter().map(|place| place[axis]);
            low[axis] = along().fold(f64::INFINITY, f64::min);
            lengths[axis] = along().fold(f64::NEG_INFINITY, f64::max) - low[axis];
            if let Some(period) = boundary.period(axis) {
                (low[axis], lengths[axis]) = (0.0, period);
            }
        }
        let periodic = std::array::from_fn(|axis| boundary.period(axis).is_some());
        let counts = std::array::from_fn(|axis| {
            let fitting = (lengths[axis] / reach).min(most).max(1.0) as usize;
            // With two cells around a period each would be adjacent to the other on both sides, and pairs
            // would count twice.
            if periodic[axis] && fitting < 3 { 1 } else { fitting }
        });
        let mut cells = HistogramCells { counts, periodic, starts: Vec::new() };
        let cell = |place: &Vector<D>| {
            (0..D).rev().fold(0, |cell, axis| {
                let along = (place[axis] - low[axis]) / lengths[axis] * counts[axis] as f64;
                cell * counts[axis] + (along as usize).min(counts[axis] - 1)
            })
        };
        places.sort_unstable_by_key(cell);
        let ends = 0..=counts.iter().product();
        cells.starts = ends.map(|end| places.partition_point(|place| cell(place) < end)).collect();
        cells
    }

    /// Visits all pairs in the same and in adjacent cells, each once.
    fn visit_pairs(&self, places: &[Vector<D>], mut visit: impl FnMut(&Vector<D>, &Vector<D>)) {
        let members = |cell: usize| &places[self.starts[cell]..self.starts[cell + 1]];
        for cell in 0..self.starts.len() - 1 {
            let own = members(cell);
            for (k, first) in own.iter().enumerate() {
                own[k + 1..].iter().for_each(|second| visit(first, second));
            }
            for code in 0..3usize.pow(D as u32) {
                if let Some(other) = self.adjacent(cell, code).filter(|&other| other > cell) {
                    for first in own {
                        members(other).iter().for_each(|second| visit(first, second));
                    }
                }
            }
        }
    }

    /// Returns an adjacent cell; the digits of `code` to base 3 say whether it is the cell before, the same or the
    /// one after along each axis.
    fn adjacent(&self, mut cell: usize, mut code: usize) -> Option<usize> {
        let (mut found, mut stride) = (0, 1);
        for axis in 0..D {
            let count = self.counts[axis];
            let stepped = cell % count + code % 3;
            let column = match self.periodic[axis] && count > 1 {
                true => (stepped + count - 1) % count,
                false => stepped.checked_sub(1).filter(|&column| column < count)?,
            };
            found += column * stride;
            (stride, cell, code) = (stride * count, cell / count, code / 3);
        }
        Some(found)
    }
}
