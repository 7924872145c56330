use crate::event_driven::Simulation;
use carom_geometry::Vector;

/// Mean square displacement of bodies from their origins, followed through periodic faces.
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
