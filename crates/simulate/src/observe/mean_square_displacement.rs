//! The mean square displacement, also through periodic sides.

use super::{Observable, Sample};
use crate::quantity::{Quantity, now};
use crate::{Engine, State, Value, Values};
use carom_geometry::Vector;

/// The quantities that this observable adds to logs and summaries.
pub(super) const QUANTITIES: &[Quantity] = &[now(
    "mean_square_displacement",
    "length²",
    "Mean of the squared displacement of the bodies that were there at the first row with bodies, of the run or \
         of the first stage that observes it; followed through periodic sides; with \
         `observe.mean_square_displacement`.",
)];

/// Mean square displacement of bodies from their origins, followed through periodic faces.
///
/// The origins are those of the first sample, or of [`MeanSquareDisplacement::from_now`]. In an event-driven run with
/// periodic faces the settings must count passages. Bodies that are inserted later do not count, nor do those that have
/// been removed.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Region, Settings, Simulation};
/// use carom_simulate::observe::MeanSquareDisplacement;
/// // Before the first collision bodies move by v t, here through the sides of the box.
/// let settings = Settings { count_passages: true, ..Settings::new(Region::periodic([10.0, 10.0])) };
/// let bodies = [2.0, 7.0].map(|y| BodyStart::new([5.0, y], [3.0, 0.0], 1.0));
/// let mut simulation = Simulation::new(&bodies, settings)?;
/// let displacement = MeanSquareDisplacement::from_now(&simulation);
/// simulation.advance(4.0, u64::MAX);
/// assert!((displacement.mean_square(&simulation, &simulation.state()) - 144.0).abs() < 1e-9);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeanSquareDisplacement<const D: usize> {
    /// Ids of the bodies and their unwrapped positions at the start.
    origins: Vec<(u32, Vector<D>)>,
}

impl<const D: usize> MeanSquareDisplacement<D> {
    /// Takes the present positions as origins.
    pub fn from_now(engine: &dyn Engine<D>) -> Self {
        let ids = engine.state().ids;
        MeanSquareDisplacement {
            origins: ids.into_iter().zip(engine.unwrapped_positions()).collect(),
        }
    }

    /// Returns the mean over all bodies of the squared displacement.
    pub fn mean_square(&self, engine: &dyn Engine<D>, state: &State<D>) -> f64 {
        let positions = engine.unwrapped_positions();
        let (mut sum, mut count) = (0.0, 0);
        for (id, origin) in &self.origins {
            if let Some(number) = state.number(*id) {
                sum += (positions[number] - origin).norm_squared();
                count += 1;
            }
        }
        sum / f64::from(count)
    }
}

impl<const D: usize> Observable<D> for MeanSquareDisplacement<D> {
    fn name(&self) -> &str {
        "mean_square_displacement"
    }

    fn columns(&self) -> Vec<String> {
        vec!["mean_square_displacement".to_owned()]
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        if self.origins.is_empty() {
            *self = MeanSquareDisplacement::from_now(sample.engine);
        }
        vec![self.mean_square(sample.engine, sample.state()).into()]
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        let value = self.mean_square(sample.engine, sample.state());
        [("mean_square_displacement".to_owned(), value)].into_iter().collect()
    }

    fn save(&self) -> Vec<f64> {
        let numbers = |(id, origin): &(u32, Vector<D>)| {
            [f64::from(*id)].into_iter().chain(origin.iter().copied()).collect::<Vec<_>>()
        };
        self.origins.iter().flat_map(numbers).collect()
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        let rows = saved.chunks_exact(1 + D);
        if !rows.remainder().is_empty() {
            return Err("the origins of the mean square displacement are not complete".to_owned());
        }
        let origin = |row: &[f64]| (row[0] as u32, Vector::from_column_slice(&row[1..]));
        self.origins = rows.map(origin).collect();
        Ok(())
    }
}
