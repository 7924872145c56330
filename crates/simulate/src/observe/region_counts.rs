//! How many bodies are in regions, in the log.

use super::{Observable, Sample};
use crate::quantity::{Quantity, now};
use crate::{Value, Values};
use carom_geometry::{Aabb, embed_in_3d};

/// The quantities that this observable adds to logs and summaries.
pub(super) const QUANTITIES: &[Quantity] = &[now(
    "in_NAME",
    "",
    "Bodies or particles whose centers are in the region NAME; one column for each of `observe.regions`.",
)];

/// Numbers of bodies whose centers are in regions, in columns `in_NAME`.
///
/// ```
/// use carom_geometry::Aabb;
/// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
/// use carom_simulate::observe::{Observable, RegionCounts, Sample};
/// use carom_simulate::Region;
/// let left = Aabb { low: [0.0, 0.0, 0.0].into(), high: [5.0, 10.0, 0.0].into() };
/// let mut counts = RegionCounts { regions: vec![("left".to_owned(), left)] };
/// let bodies = [2.0, 4.0, 8.0].map(|x| BodyStart::new([x, x], [1.0, 0.0], 0.5));
/// let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
/// assert_eq!(counts.sample(&Sample::at_start(&simulation)), [2.into()]);
/// // One leaves to the right, and none has come in through the periodic side yet.
/// simulation.advance(1.5, u64::MAX);
/// assert_eq!(counts.sample(&Sample::of(&simulation)), [1.into()]);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RegionCounts {
    /// Names and boxes of the regions; in 2D their third axis holds zero.
    pub regions: Vec<(String, Aabb<3>)>,
}

impl RegionCounts {
    fn counts<const D: usize>(&self, sample: &Sample<'_, D>) -> Vec<u64> {
        let mut counts = vec![0; self.regions.len()];
        let boundary = sample.engine.boundary();
        for &position in &sample.state().positions {
            let position = embed_in_3d(&boundary.wrap(position));
            for (count, (_, bounds)) in counts.iter_mut().zip(&self.regions) {
                *count += u64::from(bounds.contains(&position));
            }
        }
        counts
    }
}

impl<const D: usize> Observable<D> for RegionCounts {
    fn name(&self) -> &str {
        "regions"
    }

    fn columns(&self) -> Vec<String> {
        self.regions.iter().map(|(name, _)| format!("in_{name}")).collect()
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        self.counts(sample).into_iter().map(Value::Count).collect()
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        let names = Observable::<D>::columns(self).into_iter();
        names.zip(self.counts(sample)).collect()
    }
}
