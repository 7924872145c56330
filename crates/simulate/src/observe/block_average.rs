//! Means of correlated values and their standard errors.

/// Mean of a series of correlated values and its standard error, by blocking.
///
/// Values are averaged in blocks of 1, 2, 4 … of them. Blocks longer than the correlation time are independent, so
/// that the standard error of their mean no longer grows with their length (Flyvbjerg and Petersen, "Error estimates
/// on averages of correlated data", 1989). The error is the largest of those with at least eight blocks.
///
/// ```
/// use carom_simulate::observe::BlockAverage;
/// let mut average = BlockAverage::default();
/// (0..64).for_each(|k| average.add(f64::from(k % 2)));
/// assert_eq!((average.count(), average.mean()), (64, 0.5));
/// // Their standard deviation is one half, and the error that over the root of their number.
/// assert!((average.error() - 0.5 / 8.0).abs() < 1e-3);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockAverage {
    levels: Vec<BlockLevel>,
}

/// Sums over blocks of one length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct BlockLevel {
    count: f64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    deviation: f64,
    /// A block that waits for the other half of the next longer one.
    waiting: Option<f64>,
}

/// With fewer blocks the error of the error is too large.
const LEAST_BLOCKS: f64 = 8.0;

impl BlockAverage {
    /// Adds a value; one that is not finite is left out.
    pub fn add(&mut self, value: f64) {
        if !value.is_finite() {
            return;
        }
        let mut block = value;
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(BlockLevel::default());
            }
            let level = &mut self.levels[level];
            level.count += 1.0;
            let difference = block - level.mean;
            level.mean += difference / level.count;
            level.deviation += difference * (block - level.mean);
            match level.waiting.take() {
                Some(other) => block = 0.5 * (other + block),
                None => {
                    level.waiting = Some(block);
                    return;
                }
            }
        }
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.levels.first().map_or(0, |level| level.count as u64)
    }

    /// Returns the mean; not a number without values.
    pub fn mean(&self) -> f64 {
        self.levels.first().map_or(f64::NAN, |level| level.mean)
    }

    /// Returns the standard error of the mean; not a number if there are fewer than eight values.
    pub fn error(&self) -> f64 {
        let enough = self.levels.iter().filter(|level| level.count >= LEAST_BLOCKS);
        let error =
            |level: &BlockLevel| (level.deviation / (level.count * (level.count - 1.0))).sqrt();
        enough.map(error).fold(f64::NAN, f64::max)
    }

    /// Returns the numbers that a checkpoint needs.
    pub fn save(&self) -> Vec<f64> {
        let numbers = |level: &BlockLevel| {
            [level.count, level.mean, level.deviation, level.waiting.unwrap_or(f64::NAN)]
        };
        self.levels.iter().flat_map(numbers).collect()
    }

    /// Makes an average of the numbers that [`BlockAverage::save`] has returned; those of an incomplete level are left
    /// out.
    pub fn of_saved(saved: &[f64]) -> Self {
        let level = |numbers: &[f64; 4]| BlockLevel {
            count: numbers[0],
            mean: numbers[1],
            deviation: numbers[2],
            waiting: Some(numbers[3]).filter(|value| !value.is_nan()),
        };
        BlockAverage { levels: saved.as_chunks::<4>().0.iter().map(level).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::random::SplitMix64;

    /// The error of an autoregressive series is known: sigma² (1 + a) / (1 − a) / n.
    #[test]
    fn the_error_of_a_correlated_series_is_found() {
        for (seed, correlation) in [(1, 0.0), (2, 0.5), (3, 0.9), (4, -0.4)] {
            let mut random = SplitMix64::keyed(seed, &[]);
            let (mut average, mut value, count) = (BlockAverage::default(), 0.0, 100_000);
            for _ in 0..count {
                value = correlation * value
                    + (1.0f64 - correlation * correlation).sqrt() * random.normal();
                average.add(5.0 + value);
            }
            let expected = ((1.0 + correlation) / (1.0 - correlation) / f64::from(count)).sqrt();
            let ratio = average.error() / expected;
            let most = if correlation < 0.0 { 2.0 } else { 1.6 };
            assert!((0.8..most).contains(&ratio), "{correlation}: {ratio}");
            assert!((average.mean() - 5.0).abs() < 4.0 * average.error(), "{correlation}");
        }
    }

    #[test]
    fn a_saved_average_goes_on_with_the_same_bits() {
        let mut random = SplitMix64::keyed(5, &[]);
        let values: Vec<f64> = (0..1000).map(|_| random.normal()).collect();
        let (mut whole, mut cut) = (BlockAverage::default(), BlockAverage::default());
        values.iter().for_each(|&value| whole.add(value));
        values[..317].iter().for_each(|&value| cut.add(value));
        let mut cut = BlockAverage::of_saved(&cut.save());
        values[317..].iter().for_each(|&value| cut.add(value));
        assert_eq!(cut, whole);
        assert!(
            BlockAverage::default().mean().is_nan() && BlockAverage::default().error().is_nan()
        );
    }
}
