use crate::event_driven::Simulation;
use carom_geometry::Vector;

/// How far bodies are from where they were, passages through periodic sides followed.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanSquareDisplacement<const D: usize> {
    /// Where each body was.
    pub origins: Vec<Vector<D>>,
}

impl<const D: usize> MeanSquareDisplacement<D> {
    /// Measured from now on; the settings must count passages.
    pub fn from_now(simulation: &Simulation<D>) -> Self {
        let origins =
            (0..simulation.count()).map(|body| simulation.unwrapped_position(body)).collect();
        MeanSquareDisplacement { origins }
    }

    /// Mean over all bodies of the squared distance.
    pub fn mean_square(&self, simulation: &Simulation<D>) -> f64 {
        let square = |(body, origin): (usize, &Vector<D>)| {
            (simulation.unwrapped_position(body) - origin).norm_squared()
        };
        self.origins.iter().enumerate().map(square).sum::<f64>() / self.origins.len() as f64
    }
}
