//! The paths of some bodies in the log.

use super::{Observable, Sample};
use crate::quantity::AXES;
use crate::quantity::{Quantity, now};
use crate::{Value, Values};
use carom_geometry::Vector;

/// The quantities that this observable adds to logs and summaries.
pub(super) const QUANTITIES: &[Quantity] = &[now(
    "body_N_AXIS",
    "length",
    "Where the body with id N is; for each body of `observe.bodies`; NaN once it has left at an outlet.",
)];

/// Positions of some bodies, in columns `body_ID_x` and so on; not a number once a body has been removed.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
/// use carom_simulate::observe::{FollowedBodies, Observable, Sample};
/// use carom_simulate::Region;
/// let bodies = [2.0, 5.0].map(|y| BodyStart::new([1.0, y], [0.5, 0.0], 0.5));
/// let mut simulation = Simulation::new(&bodies, Settings::new(Region::periodic([10.0, 10.0])))?;
/// let mut path = FollowedBodies { ids: vec![1] };
/// assert_eq!(Observable::<2>::columns(&path), ["body_1_x", "body_1_y"]);
/// simulation.advance(4.0, u64::MAX);
/// assert_eq!(path.sample(&Sample::of(&simulation)), [3.0.into(), 5.0.into()]);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedBodies {
    /// Ids of the bodies.
    pub ids: Vec<u32>,
}

impl FollowedBodies {
    fn coordinates<const D: usize>(&self, sample: &Sample<'_, D>) -> Vec<f64> {
        let position = |&id: &u32| match sample.state().number(id) {
            Some(number) => sample.state().positions[number],
            None => Vector::repeat(f64::NAN),
        };
        let numbers = |position: Vector<D>| position.iter().copied().collect::<Vec<_>>();
        self.ids.iter().map(position).flat_map(numbers).collect()
    }
}

impl<const D: usize> Observable<D> for FollowedBodies {
    fn name(&self) -> &str {
        "bodies"
    }

    fn columns(&self) -> Vec<String> {
        let columns = |&id: &u32| AXES[..D].iter().map(move |axis| format!("body_{id}_{axis}"));
        self.ids.iter().flat_map(columns).collect()
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        self.coordinates(sample).into_iter().map(Value::Number).collect()
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        let names = Observable::<D>::columns(self).into_iter();
        names.zip(self.coordinates(sample)).collect()
    }
}
