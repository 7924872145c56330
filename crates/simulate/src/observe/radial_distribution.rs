//! The radial distribution function over a run.

use super::{DistanceHistogram, Observable, ObservableTable, Sample};
use crate::{Value, event_driven};

/// Radial distribution function `g(r)`, sampled at every row of the log but the first, and not while bodies grow.
#[derive(Clone, Debug, PartialEq)]
pub struct RadialDistribution {
    histogram: DistanceHistogram,
    volume: f64,
}

impl RadialDistribution {
    /// Makes an empty distribution of distances up to `to` for a box of a volume (in 2D an area).
    pub fn new(to: f64, bins: usize, volume: f64) -> Self {
        RadialDistribution { histogram: DistanceHistogram::new(to, bins), volume }
    }
}

impl<const D: usize> Observable<D> for RadialDistribution {
    fn name(&self) -> &str {
        "radial_distribution"
    }

    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        let hard = sample.simulation::<event_driven::Simulation<D>>();
        if !sample.is_start && !hard.is_some_and(|simulation| simulation.is_growing()) {
            let boundary = sample.engine.boundary();
            let positions =
                sample.state().positions.iter().map(|&position| boundary.wrap(position));
            self.histogram.add(&positions.collect::<Vec<_>>(), &boundary);
        }
        Vec::new()
    }

    fn table(&self, _: &Sample<'_, D>) -> Option<ObservableTable> {
        let values = self.histogram.distribution::<D>(self.volume);
        Some(ObservableTable {
            columns: ["distance", "radial_distribution"].map(str::to_owned).into(),
            rows: values.into_iter().map(Vec::from).collect(),
        })
    }

    fn save(&self) -> Vec<f64> {
        let pairs = self.histogram.pairs.iter().map(|&pairs| pairs as f64);
        [self.histogram.all_pairs as f64].into_iter().chain(pairs).collect()
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        match saved {
            [all_pairs, pairs @ ..] if pairs.len() == self.histogram.pairs.len() => {
                self.histogram.all_pairs = *all_pairs as u64;
                self.histogram.pairs = pairs.iter().map(|&pairs| pairs as u64).collect();
                Ok(())
            }
            _ => Err("the radial distribution has another number of bins".to_owned()),
        }
    }
}
