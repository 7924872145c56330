//! The radial distribution function over a run.

use super::{DistanceHistogram, Observable, ObservableTable, Sample};
use crate::{Error, Value, event_driven};

/// Radial distribution function `g(r)`, sampled at every row of the log but the first, and not while bodies grow.
#[derive(Clone, Debug, PartialEq)]
pub struct RadialDistribution {
    histogram: DistanceHistogram,
    volume: f64,
}

impl RadialDistribution {
    /// Makes an empty distribution of distances up to `to` for a box of a volume (in 2D an area).
    ///
    /// Errors if there is no bin, or if distance or volume is not greater than zero and finite.
    ///
    /// ```
    /// use carom_simulate::observe::RadialDistribution;
    /// assert!(RadialDistribution::new(5.0, 100, 1e3).is_ok());
    /// let error = RadialDistribution::new(f64::NAN, 100, 1e3).unwrap_err().to_string();
    /// let sentence = "the largest distance of a radial distribution is NaN; it must be greater than zero and finite";
    /// assert_eq!(error, sentence);
    /// assert!(RadialDistribution::new(5.0, 0, 1e3).is_err());
    /// assert!(RadialDistribution::new(5.0, 100, -1.0).is_err());
    /// ```
    pub fn new(to: f64, bins: usize, volume: f64) -> Result<Self, Error> {
        let rule = "it must be greater than zero and finite";
        for (what, number) in [
            ("the largest distance of a radial distribution", to),
            ("the volume of the box of a radial distribution", volume),
        ] {
            if !(number > 0.0 && number.is_finite()) {
                return Err(Error::Setting { what, value: number.to_string(), rule });
            }
        }
        if bins == 0 {
            let (what, rule) = ("the number of bins of a radial distribution", "it must have one");
            return Err(Error::Setting { what, value: "0".to_owned(), rule });
        }
        Ok(RadialDistribution { histogram: DistanceHistogram::new(to, bins), volume })
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
