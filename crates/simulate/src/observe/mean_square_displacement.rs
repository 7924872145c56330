use crate::event_driven::Simulation;
use carom_geometry::Vector;

/// Mean square displacement of bodies from their origins, followed through periodic faces.
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
/// assert!((displacement.mean_square(&simulation) - 144.0).abs() < 1e-9);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeanSquareDisplacement<const D: usize> {
    /// Unwrapped position of each body at the start.
    pub origins: Vec<Vector<D>>,
}

impl<const D: usize> MeanSquareDisplacement<D> {
    /// Takes the present positions as origins. The settings must count passages.
    pub fn from_now(simulation: &Simulation<D>) -> Self {
        let origins =
            (0..simulation.count()).map(|body| simulation.unwrapped_position(body)).collect();
        MeanSquareDisplacement { origins }
    }

    /// Returns the mean over all bodies of the squared displacement.
    pub fn mean_square(&self, simulation: &Simulation<D>) -> f64 {
        let square = |(body, origin): (usize, &Vector<D>)| {
            (simulation.unwrapped_position(body) - origin).norm_squared()
        };
        self.origins.iter().enumerate().map(square).sum::<f64>() / self.origins.len() as f64
    }
}
